// @vitest-environment happy-dom
import { act, cleanup, render, waitFor } from '@testing-library/react'
import { createMemoryRouter, RouterProvider } from 'react-router-dom'
import { afterEach, describe, expect, it, vi } from 'vitest'

import { begunBy, useBegun } from '../../src/client/ui/begun.ts'
import type { Days } from '../../src/domain/typed-day.ts'

afterEach(cleanup)

const open = vi.fn<(days?: Days) => void>()
function Closures() {
  useBegun('addClosure', open)
  return null
}

describe('an act that a search begins', () => {
  it('opens its dialog once, with the days that were typed, and leaves nothing in the history', async () => {
    const router = createMemoryRouter([
      { path: '/', element: null },
      { path: '/closures', Component: Closures },
    ])
    render(<RouterProvider router={router} />)
    const days = { first: '2026-12-24', last: '2027-01-02' }
    await act(() => router.navigate('/closures', begunBy('addClosure', days)))
    await waitFor(() => expect(open.mock.calls).toEqual([[days]]))
    expect(router.state.location.state).toBeNull()
    await act(() => router.navigate('/closures', begunBy('addHolidays')))
    await act(() => router.navigate('/closures', begunBy('addClosure')))
    await waitFor(() => expect(open.mock.calls).toEqual([[days], [undefined]]))
  })
})
