import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import type { RunningServer } from '../support/running-server.ts'
import type { KillAt } from './fail-point-server.ts'
import { type FaultyCounter, openFaultyCounter, openFaultyServer } from './faulty-counter.ts'

describe('a server that dies', () => {
  let server: RunningServer
  let counter: FaultyCounter
  let n = 0
  beforeAll(async () => {
    server = await openFaultyServer()
    counter = await openFaultyCounter(server)
    await counter.chooseReader()
  })
  afterAll(async () => {
    await counter?.close()
    await server?.drop()
  })
  const statesOf = async (copy: number) => (await counter.entriesOf(copy)).map(({ state }) => state)

  it.each<[string, KillAt]>([
    ['before the commit', { phase: 'before-commit', endpoint: 'loanings.lend', victim: 'server' }],
    [
      'after the commit, before the answer',
      { phase: 'after-commit', endpoint: 'loanings.lend', victim: 'server' },
    ],
  ])('makes a loan once when it dies %s', async (_, killAt) => {
    const copy = (n += 1)
    await server.tell(killAt)
    await counter.lend(copy)
    await server.ended()
    await counter.heal()
    expect(await statesOf(copy)).toEqual(['done'])
  })

  it.each<[string, KillAt]>([
    ['before the commit', { phase: 'before-commit', endpoint: 'loanings.return_copy', victim: 'server' }],
    [
      'after the commit, before the answer',
      { phase: 'after-commit', endpoint: 'loanings.return_copy', victim: 'server' },
    ],
  ])('takes a copy back once when it dies %s', async (_, killAt) => {
    const copy = (n += 1)
    await counter.lend(copy)
    await expect.poll(() => statesOf(copy)).toEqual(['done'])
    await server.tell(killAt)
    await counter.giveBack(copy)
    await server.ended()
    await counter.heal()
    expect(await statesOf(copy)).toEqual(['done', 'done'])
  })

  it('makes a loan once when its database is killed while committing', async () => {
    const copy = (n += 1)
    await server.tell({
      phase: 'before-commit',
      endpoint: 'loanings.lend',
      victim: 'engine',
    } satisfies KillAt)
    await counter.lend(copy)
    await expect.poll(() => statesOf(copy), { timeout: 60_000 }).toEqual(['done'])
    expect(server.isRunning()).toBe(true)
  })

  it('leaves nothing for the oracle to find', async () => {
    await counter.heal()
    await counter.judge()
  })
})
