// @vitest-environment happy-dom
import '@testing-library/jest-dom/vitest'

import { act, cleanup, render, screen, waitFor } from '@testing-library/react'
import { afterEach, describe, expect, it } from 'vitest'

import { noteAnswer, noteNoAnswer } from '../../src/client/api/connection.ts'
import { lazyPart } from '../../src/client/ui/lazy-part.tsx'

afterEach(() => {
  cleanup()
  noteAnswer()
})

describe('lazyPart', () => {
  it('leaves the rest of the screen alone while its program cannot be fetched, and comes with the network', async () => {
    let fetched = 0
    const Part = lazyPart(async () => {
      fetched += 1
      if (fetched === 1) throw new TypeError('Failed to fetch dynamically imported module')
      return { default: ({ name }: { name: string }) => <p>{name}</p> }
    })
    render(
      <div>
        <p>Le comptoir</p>
        <Part name="Qui attend" />
      </div>,
    )
    await waitFor(() => expect(fetched).toBe(1))
    expect(screen.getByText('Le comptoir')).toBeInTheDocument()
    act(() => noteNoAnswer())
    act(() => noteAnswer())
    expect(await screen.findByText('Qui attend')).toBeInTheDocument()
  })
})
