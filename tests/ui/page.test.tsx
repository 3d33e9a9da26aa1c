// @vitest-environment happy-dom
import { MantineProvider } from '@mantine/core'
import { cleanup, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import { MemoryRouter } from 'react-router-dom'
import { afterEach, expect, it } from 'vitest'

import { Page } from '../../src/client/ui/page.tsx'
import { TrailContext } from '../../src/client/ui/trail.ts'

afterEach(cleanup)

function OneLoan() {
  const [isGone, setGone] = useState(false)
  return (
    <MantineProvider env="test">
      <MemoryRouter>
        <TrailContext value={[{ label: 'Prêts', path: '/loanings' }]}>
          <Page title="Germinal" rest={[{ label: 'Supprimer', Icon: IconTrash, onRun: () => setGone(true) }]}>
            <p>{isGone ? 'Supprimé' : 'En cours'}</p>
          </Page>
        </TrailContext>
      </MemoryRouter>
    </MantineProvider>
  )
}

it('a page says its title and what it stands under, and keeps the rarer actions behind ⋯', async () => {
  render(<OneLoan />)
  expect(document.title).toBe('Germinal · Prêts · Comptoir')
  expect(screen.getByRole('heading', { level: 1, name: 'Germinal' })).toBeTruthy()
  expect(screen.getByRole('link', { name: 'Prêts' }).getAttribute('href')).toBe('/loanings')
  expect(screen.queryByText('Supprimer')).toBeNull()
  await userEvent.click(screen.getByRole('button', { name: /^Actions\s: Germinal$/ }))
  await userEvent.click(await screen.findByText('Supprimer'))
  expect(screen.getByText('Supprimé')).toBeTruthy()
})
