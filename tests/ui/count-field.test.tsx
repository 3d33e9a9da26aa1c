// @vitest-environment happy-dom
import '@testing-library/jest-dom/vitest'

import { MantineProvider } from '@mantine/core'
import { cleanup, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { afterEach, expect, it } from 'vitest'

import { CountField } from '../../src/client/ui/forms/count-field.tsx'

afterEach(cleanup)

function Duration() {
  const [days, setDays] = useState<number | string>(21)
  return <CountField label="Durée, en jours" from={1} to={365} value={days} onChange={setDays} />
}

it('a field of a count says that a number is out of its bounds, and leaves it as it was typed', async () => {
  render(
    <MantineProvider>
      <Duration />
    </MantineProvider>,
  )
  const field = screen.getByLabelText<HTMLInputElement>('Durée, en jours')
  await userEvent.clear(field)
  await userEvent.type(field, '400')
  await userEvent.tab()
  expect(field).toHaveValue('400')
  expect(screen.getByText('Entrez un nombre entier de 1 à 365.')).toBeVisible()
  expect(field.validity.valid).toBe(false)
  await userEvent.type(field, '{Backspace}')
  expect(field.validity.valid).toBe(true)
})
