// @vitest-environment happy-dom
import { cleanup, render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { createMemoryRouter, RouterProvider } from 'react-router-dom'
import { afterEach, describe, expect, it } from 'vitest'

import { leaveOldSteps, useBackCloses } from '../../src/client/ui/dialogs/use-back-closes.ts'

afterEach(cleanup)

function Asks({ onClose }: { onClose: () => void }) {
  const close = useBackCloses(onClose)
  return <button onClick={close}>Fermer</button>
}

function Counter() {
  const [isOpen, setOpen] = useState(false)
  return isOpen ? (
    <Asks onClose={() => setOpen(false)} />
  ) : (
    <button onClick={() => setOpen(true)}>Ouvrir</button>
  )
}

/** At the last one of these places of the history. */
function openAt(...history: { pathname: string; state?: unknown }[]) {
  const router = createMemoryRouter(
    ['/loanings', '/home'].map((path) => ({ path, element: <Counter /> })),
    { initialEntries: history },
  )
  leaveOldSteps(router)
  render(<RouterProvider router={router} />)
  return router
}

describe('a dialog’s step in the history', () => {
  it('closes the dialog alone by « back », and goes with it otherwise', async () => {
    const router = openAt({ pathname: '/loanings' }, { pathname: '/home' })
    for (const closes of ['back', 'button']) {
      await userEvent.click(screen.getByText('Ouvrir'))
      await waitFor(() => expect(router.state.location.state).toMatchObject({ over: expect.any(String) }))
      if (closes === 'back') void router.navigate(-1)
      else await userEvent.click(screen.getByText('Fermer'))
      await screen.findByText('Ouvrir')
      await waitFor(() => expect(router.state.location).toMatchObject({ pathname: '/home', state: null }))
    }
  })

  it('is left where a reload closed the dialog, and no other one', async () => {
    const list = { pathname: '/loanings', state: { list: '' } }
    const router = openAt(list, { pathname: '/home' }, { pathname: '/home', state: { over: 'before' } })
    await waitFor(() => expect(router.state.location).toMatchObject({ pathname: '/home', state: null }))
    await router.navigate(-1)
    expect(router.state.location).toMatchObject(list)
  })
})
