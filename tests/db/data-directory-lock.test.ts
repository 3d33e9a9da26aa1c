// @vitest-environment node
import { join } from 'node:path'

import type { Pool } from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { lockDataDirectory } from '../../src/server/db/engine/data-directory-lock.ts'
import {
  DataDirectoryBusyError,
  type EmbeddedEngine,
  startEmbeddedEngine,
} from '../../src/server/db/engine/embedded-engine.ts'
import { type EnginePlace, locksIn, openEnginePlace } from './engine-place.ts'

let place: EnginePlace
let engine: EmbeddedEngine
let pool: Pool
let directory: string

beforeAll(async () => {
  place = await openEnginePlace()
  ;({ engine, pool, directory } = place)
})

afterAll(() => place.drop())

describe('the lock of a data directory', () => {
  test('ends a second start with a clear sentence', async () => {
    const second = startEmbeddedEngine(directory)
    await expect(second).rejects.toThrow(DataDirectoryBusyError)
    await expect(second).rejects.toThrow(`«\u00a0${directory}\u00a0» est déjà utilisé`)
    expect((await pool.query('select 1 as one')).rows).toEqual([{ one: 1 }])
  })

  test('lets one of two starts at the same instant win', async () => {
    const copy = await place.freshDirectory()
    const starts = await Promise.allSettled([startEmbeddedEngine(copy), startEmbeddedEngine(copy)])
    const winners = starts.flatMap((start) => (start.status === 'fulfilled' ? [start.value] : []))
    expect(winners).toHaveLength(1)
    await Promise.all(winners.map((winner) => winner.stop()))
  })

  test('never has two holders, even of twenty claimants', async () => {
    const home = join(place.root, 'contended')
    let holders = 0
    let most = 0
    await Promise.all(
      Array.from({ length: 20 }, async () => {
        const lock = await lockDataDirectory(home, 20_000)
        holders += 1
        most = Math.max(most, holders)
        await new Promise(setImmediate)
        holders -= 1
        await lock.release()
      }),
    )
    expect(most).toBe(1)
    expect(await locksIn(home)).toEqual([])
  })

  test('stays with a holder that is paused', async () => {
    const pid = engine.pid ?? 0
    process.kill(pid, 'SIGSTOP')
    try {
      await expect(lockDataDirectory(directory, 200)).rejects.toThrow(DataDirectoryBusyError)
    } finally {
      process.kill(pid, 'SIGCONT')
    }
  })

  test('is known for dead and removed after a kill -9', async () => {
    const [left] = await locksIn(directory)
    await place.killEngine()
    const held = await locksIn(directory)
    expect(held).toHaveLength(1)
    expect(held).not.toContain(left)
  })
})
