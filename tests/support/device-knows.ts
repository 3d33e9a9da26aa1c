import { waitFor } from '@testing-library/react'
import { expect } from 'vitest'

import { refreshNow } from '../../src/client/outbox/counter-work.ts'
import { snapshotState } from '../../src/offline/snapshot-state.ts'

/** Answers when the page's device knows the library: what is scanned then waits for no server. */
export const deviceKnows = (): Promise<void> =>
  waitFor(async () => {
    await refreshNow()
    expect((await snapshotState()).complete).toBe(true)
  })
