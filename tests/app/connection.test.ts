// @vitest-environment happy-dom
import { act, renderHook } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

import { currentConnection, noteAnswer } from '../../src/client/api/connection.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

describe('a page', () => {
  it('knows nothing of the server until it has answered, or failed to', async () => {
    vi.resetModules()
    const fresh = await import('../../src/client/api/connection.ts')
    const { result } = renderHook(fresh.useIsConnectionTold)
    expect(result.current).toBe(false)
    act(() => fresh.noteAnswer())
    expect(result.current).toBe(true)
  })

  it('is not taken for on line by an answer that was under way when the network went', async () => {
    vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')))
    noteAnswer()
    dispatchEvent(new Event('offline'))
    expect(currentConnection()).toBe('offline')
    noteAnswer()
    expect(currentConnection()).toBe('online')
    await vi.advanceTimersByTimeAsync(2000)
    expect(currentConnection()).toBe('offline')
  })

  it('is off line while its address is no library’s, though the server is well', async () => {
    let library: boolean | undefined = false
    vi.stubGlobal('fetch', () => Promise.resolve(Response.json({ status: 'ok', library })))
    noteAnswer()
    noteAnswer(421)
    expect(currentConnection()).toBe('offline')
    await vi.advanceTimersByTimeAsync(2000)
    expect(currentConnection()).toBe('offline')
    library = undefined
    await vi.advanceTimersByTimeAsync(4000)
    expect(currentConnection()).toBe('online')
  })

  it('goes on with a server that answers without a network around it', async () => {
    vi.stubGlobal('fetch', () => Promise.resolve(Response.json({})))
    dispatchEvent(new Event('offline'))
    expect(currentConnection()).toBe('offline')
    await vi.advanceTimersByTimeAsync(2000)
    expect(currentConnection()).toBe('online')
  })
})
