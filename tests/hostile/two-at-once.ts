import { setImmediate } from 'node:timers/promises'

import { sql } from 'kysely'

import { testEngine } from '../support/databases.ts'
import type { Answer, Client, TestServer } from '../support/test-server.ts'
import { told } from './gestures.ts'

// FAULT_ROUNDS asks for more free rounds of each pair.
const freeRounds = Number(process.env['FAULT_ROUNDS'] ?? 1)

/** How a story of two gestures ended: what each was told, in the order of the pair, and what is recorded. */
type Ending = { answers: [string, string]; state: unknown }

/** `startAt` puts copy 1 where a story starts, and answers what gestures are about beside it. */
type Stories<Name extends string, Start extends string> = {
  gestures: Record<Name, (client: Client, about: number) => Promise<Answer>>
  startAt: (server: TestServer, client: Client, start: Start) => Promise<number>
  readState: (server: TestServer) => Promise<unknown>
}

/** How two gestures on one copy may end, one after the other, and how they ended at once. */
export async function endingsOf<Name extends string, Start extends string>(
  server: TestServer,
  clients: readonly [Client, Client],
  { gestures, startAt, readState }: Stories<Name, Start>,
  { start, first, second }: { start: Start; first: Name; second: Name },
): Promise<{ allowed: Ending[]; endings: Ending[] }> {
  const endingOf = async (one: Answer, other: Answer): Promise<Ending> => ({
    answers: [told(one), told(other)],
    state: await readState(server),
  })

  async function inTurn(): Promise<Ending[]> {
    let about = await startAt(server, clients[0], start)
    const one = await gestures[first](clients[0], about)
    const forwards = await endingOf(one, await gestures[second](clients[1], about))
    about = await startAt(server, clients[0], start)
    const other = await gestures[second](clients[1], about)
    return [forwards, await endingOf(await gestures[first](clients[0], about), other)]
  }

  /** Both at once, the second some turns of the event loop later. */
  async function atOnce(before: Name, after: Name, turns: number): Promise<Ending> {
    const about = await startAt(server, clients[0], start)
    const one = gestures[before](clients[0], about)
    for (let turn = 0; turn < turns; turn += 1) await setImmediate()
    const [done, alsoDone] = await Promise.all([one, gestures[after](clients[1], about)])
    return endingOf(done, alsoDone)
  }

  /** Both wait for the copy, which a third connection holds; they get it in the order in which they came. */
  async function inQueue(before: Name, after: Name): Promise<Ending> {
    const about = await startAt(server, clients[0], start)
    const holder = await server.environment.pool.connect()
    try {
      await holder.query('begin; select id from copies where id = 1 for update')
      const one = gestures[before](clients[0], about)
      await untilWaiting(1, one)
      const other = gestures[after](clients[1], about)
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

  const allowed = await inTurn()
  const endings: Ending[] = []
  for (let round = 0; round < freeRounds; round += 1) {
    endings.push(await atOnce(first, second, round))
    endings.push(swapped(await atOnce(second, first, round)))
  }
  if (testEngine === 'postgres') {
    endings.push(await inQueue(first, second))
    endings.push(swapped(await inQueue(second, first)))
  }
  return { allowed, endings }
}

const swapped = ({ answers: [first, second], state }: Ending): Ending => ({ answers: [second, first], state })

/** Every pair of them, each with itself too. */
export const pairsOf = <Name extends string>(names: readonly Name[]): (readonly [Name, Name])[] =>
  names.flatMap((first, n) => names.slice(n).map((second) => [first, second] as const))

/** A refusal says why, and nothing fails. */
export const answersPlainly = /^(20[014]|(404|409|422) \S.+)$/
