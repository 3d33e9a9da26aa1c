import { describe, expect, it } from 'vitest'

import type { KillAt } from './fail-point-server.ts'
import { atFaultyCounter } from './faulty-counter.ts'

describe('a server that dies', () => {
  const at = atFaultyCounter()
  let n = 0

  it.each<[string, KillAt]>([
    ['before the commit', { phase: 'before-commit', endpoint: 'loanings.lend', victim: 'server' }],
    [
      'after the commit, before the answer',
      { phase: 'after-commit', endpoint: 'loanings.lend', victim: 'server' },
    ],
  ])('makes a loan once when it dies %s', async (_, killAt) => {
    const copy = (n += 1)
    await at.server.tell(killAt)
    await at.counter.lend(copy)
    await at.server.ended()
    await at.counter.heal()
    expect(await at.counter.statesOf(copy)).toEqual(['done'])
  })

  it.each<[string, KillAt]>([
    ['before the commit', { phase: 'before-commit', endpoint: 'loanings.return_copy', victim: 'server' }],
    [
      'after the commit, before the answer',
      { phase: 'after-commit', endpoint: 'loanings.return_copy', victim: 'server' },
    ],
  ])('takes a copy back once when it dies %s', async (_, killAt) => {
    const copy = (n += 1)
    await at.counter.lend(copy)
    await expect.poll(() => at.counter.statesOf(copy)).toEqual(['done'])
    await at.server.tell(killAt)
    await at.counter.giveBack(copy)
    await at.server.ended()
    await at.counter.heal()
    expect(await at.counter.statesOf(copy)).toEqual(['done', 'done'])
  })

  it('makes a loan once when its database is killed while committing', async () => {
    const copy = (n += 1)
    await at.server.tell({
      phase: 'before-commit',
      endpoint: 'loanings.lend',
      victim: 'engine',
    } satisfies KillAt)
    await at.counter.lend(copy)
    await expect.poll(() => at.counter.statesOf(copy), { timeout: 60_000 }).toEqual(['done'])
    expect(at.server.isRunning()).toBe(true)
  })

  it('leaves nothing for the oracle to find', async () => {
    await at.counter.heal()
    await at.counter.judge()
  })
})
