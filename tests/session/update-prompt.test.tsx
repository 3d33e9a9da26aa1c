// @vitest-environment happy-dom
import '@testing-library/jest-dom/vitest'

import { MantineProvider } from '@mantine/core'
import { cleanup, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, it, vi } from 'vitest'

import { useBasketGuard, useIsBasketHalfMade } from '../../src/client/ui/forms/basket-guard.ts'
import { UpdateLine } from '../../src/client/app/update-prompt.tsx'

afterEach(cleanup)

function Basket({ isHalfMade }: { isHalfMade: boolean }) {
  useBasketGuard(isHalfMade)
  return null
}

function Line({ onApply }: { onApply: () => void }) {
  return <UpdateLine isHalfMade={useIsBasketHalfMade()} onApply={onApply} onLater={() => undefined} />
}

const page = (isHalfMade: boolean, onApply: () => void) => (
  <MantineProvider env="test">
    <Basket isHalfMade={isHalfMade} />
    <Line onApply={onApply} />
  </MantineProvider>
)

it('the line of an update puts a new version in place only when asked, and not while a basket is half made', async () => {
  const apply = vi.fn<() => void>()
  const { rerender } = render(page(true, apply))
  expect(screen.getByRole('status')).toHaveTextContent('Une nouvelle version est prête')
  const button = screen.getByRole('button', { name: 'Mettre à jour' })
  await userEvent.click(button)
  expect(apply).not.toHaveBeenCalled()
  expect(screen.getByRole('status')).toHaveTextContent('la mise à jour attend')
  expect(button).toBeDisabled()

  rerender(page(false, apply))
  expect(apply).not.toHaveBeenCalled()
  await userEvent.click(button)
  expect(apply).toHaveBeenCalledOnce()
})
