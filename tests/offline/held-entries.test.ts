import { describe, expect, it } from 'vitest'

import type { EntryState } from '../../src/offline/entry.ts'
import { nothingHeld, readHeld } from '../../src/offline/held-entries.ts'
import { biblio, change, freshDevice, lending, record } from './device.ts'

freshDevice()

const hold = async (state: EntryState, hour: string) =>
  change(await record(lending(1), biblio, new Date(`2026-03-10T${hour}:00:00Z`)), { state })

describe('readHeld', () => {
  it('finds nothing on an empty device, nor in what is settled', async () => {
    expect(await readHeld()).toEqual({ waiting: 0, conflicts: 0, quarantined: 0, oldest_at: null })
    await hold('done', '08')
    await hold('set_aside', '08')
    expect(await readHeld()).toEqual(nothingHeld)
  })

  it('counts by what each needs, and tells the oldest of all', async () => {
    for (const state of ['queued', 'sending', 'waiting', 'conflict', 'conflict'] as const)
      await hold(state, '10')
    await hold('quarantined', '09')
    await hold('quarantined', '11')
    expect(await readHeld()).toEqual({
      waiting: 3,
      conflicts: 2,
      quarantined: 2,
      oldest_at: '2026-03-10T09:00:00.000Z',
    })
  })
})
