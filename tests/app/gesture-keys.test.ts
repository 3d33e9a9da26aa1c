import { describe, expect, it, vi } from 'vitest'

import { CallError } from '../../src/client/api/call-error.ts'
import { gestureKeys } from '../../src/client/api/gesture-keys.ts'

const underWay = () =>
  new CallError(409, { reason: 'STILL_RUNNING', message: 'Cette action est déjà en cours.' })

describe('an action that a network sent twice', () => {
  it('is asked for again under its key until it has its answer', async () => {
    vi.useFakeTimers()
    const keys: string[] = []
    const answer = gestureKeys()('receive', (key) => {
      keys.push(key)
      return keys.length < 3 ? Promise.reject(underWay()) : Promise.resolve('received')
    })
    await vi.runAllTimersAsync()
    expect(await answer).toBe('received')
    expect(new Set(keys).size).toBe(1)
    vi.useRealTimers()
  })

  it('keeps its key where nobody can tell, and takes another once it was refused', async () => {
    vi.useFakeTimers()
    const once = gestureKeys()
    const keys: string[] = []
    const send = async (failure: CallError) => {
      const sent = once('receive', async (key) => {
        keys.push(key)
        throw failure
      })
      await Promise.all([expect(sent).rejects.toBe(failure), vi.runAllTimersAsync()])
    }
    await send(underWay())
    await send(new CallError(409, { reason: 'WRONG_STATUS', message: 'Refusé.' }))
    await send(new CallError(0, null))
    vi.useRealTimers()
    expect(new Set(keys.slice(0, -1)).size).toBe(1)
    expect(keys.at(-1)).not.toBe(keys[0])
  })
})
