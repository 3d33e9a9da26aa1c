import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect } from 'vitest'

/** Presses a button once it is there and can be pressed: while it works, a press does nothing. */
export async function press(name: string | RegExp): Promise<void> {
  const button = await waitFor(() => {
    const found = screen.getByRole('button', { name })
    expect(found).toBeEnabled()
    return found
  })
  await userEvent.click(button)
}
