import { setImmediate } from 'node:timers/promises'

import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'

import { testEngine } from '../support/databases.ts'
import { type Answer, type Client, describeServer } from '../support/test-server.ts'
import {
  gestures,
  type Name,
  readFaults,
  readState,
  type Start,
  startAt,
  startingPoints,
  told,
} from './gestures.ts'

// FAULT_ROUNDS asks for more free rounds of each pair.
const freeRounds = Number(process.env['FAULT_ROUNDS'] ?? 1)

const names = Object.keys(gestures) as Name[]
const pairs = names.flatMap((first, n) => names.slice(n).map((second) => [first, second] as const))

// The embedded engine runs one transaction at a time, so one starting point shows that.
const starts: Start[] = testEngine === 'postgres' ? (Object.keys(startingPoints) as Start[]) : ['on loan']

/** How a story of two gestures ended: what each was told, in the order of the pair, and what is recorded. */
type Ending = { answers: [string, string]; state: unknown }

describeServer('two counters and one copy', (server) => {
  let clients: [Client, Client]
  beforeAll(async () => {
    // One person at two counters: else nobody could undo what the other did.
    clients = [await server.as('biblio'), await server.as('biblio')]
  })

  async function endingOf(first: Answer, second: Answer): Promise<Ending> {
    return { answers: [told(first), told(second)], state: await readState(server) }
  }

  /** One after the other: the only endings that two at once may have. */
  async function inTurn(start: Start, first: Name, second: Name): Promise<Ending[]> {
    let loan = await startAt(server, clients[0], start)
    const one = await gestures[first](clients[0], loan)
    const forwards = await endingOf(one, await gestures[second](clients[1], loan))
    loan = await startAt(server, clients[0], start)
    const other = await gestures[second](clients[1], loan)
    return [forwards, await endingOf(await gestures[first](clients[0], loan), other)]
  }

  /** Both at once, the second some turns of the event loop later. */
  async function atOnce(start: Start, first: Name, second: Name, turns: number): Promise<Ending> {
    const loan = await startAt(server, clients[0], start)
    const one = gestures[first](clients[0], loan)
    for (let turn = 0; turn < turns; turn += 1) await setImmediate()
    const [done, alsoDone] = await Promise.all([one, gestures[second](clients[1], loan)])
    return endingOf(done, alsoDone)
  }

  /** Both wait for the copy, which a third connection holds; they get it in the order in which they came. */
  async function inQueue(start: Start, first: Name, second: Name): Promise<Ending> {
    const loan = await startAt(server, clients[0], start)
    const holder = await server.environment.pool.connect()
    try {
      await holder.query('begin; select id from copies where id = 1 for update')
      const one = gestures[first](clients[0], loan)
      await untilWaiting(1, one)
      const other = gestures[second](clients[1], loan)
      await untilWaiting(2, one, other)
      await holder.query('commit')
      const [done, alsoDone] = await Promise.all([one, other])
      return await endingOf(done, alsoDone)
    } finally {
      holder.release()
    }
  }

  /** Until so many wait for a lock, less those that were answered without one. */
  async function untilWaiting(wanted: number, ...calls: Promise<Answer>[]): Promise<void> {
    let answered = 0
    for (const call of calls) void call.then(() => (answered += 1))
    for (;;) {
      const { rows } = await sql<{ waiting: number }>`
        select count(*) as waiting from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`.execute(server.db)
      if ((rows[0]?.waiting ?? 0) + answered >= wanted) return
    }
  }

  describe.each(starts)('%s', (start) => {
    it.each(pairs)('%s + %s end as if one had come after the other', async (first, second) => {
      const allowed = await inTurn(start, first, second)
      const endings: Ending[] = []
      for (let round = 0; round < freeRounds; round += 1) {
        endings.push(await atOnce(start, first, second, round))
        endings.push(swapped(await atOnce(start, second, first, round)))
      }
      if (testEngine === 'postgres') {
        endings.push(await inQueue(start, first, second))
        endings.push(swapped(await inQueue(start, second, first)))
      }
      for (const ending of endings) expect(allowed).toContainEqual(ending)
      for (const answer of [...allowed, ...endings].flatMap(({ answers }) => answers)) {
        // A refusal says why, and nothing fails.
        expect(answer).toMatch(/^(20[014]|(404|409|422) \S.+)$/)
      }
      expect(await readFaults(server)).toEqual([])
    })
  })

  it('leaves no transaction open and nobody waiting', async () => {
    const { rows } = await sql`
      select state, wait_event_type from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid()
        and (state like 'idle in transaction%' or wait_event_type = 'Lock')`.execute(server.db)
    expect(rows).toEqual([])
  })
})

const swapped = ({ answers: [first, second], state }: Ending): Ending => ({ answers: [second, first], state })
