import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'

import { testEngine } from '../support/databases.ts'
import { type Client, describeServer } from '../support/test-server.ts'
import {
  gestures,
  type Name,
  readFaults,
  readState,
  type Start,
  startAt,
  startingPoints,
} from './gestures.ts'
import { answersPlainly, endingsOf, pairsOf } from './two-at-once.ts'

const pairs = pairsOf(Object.keys(gestures) as Name[])

// The embedded engine runs one transaction at a time, so one starting point shows that.
const starts: Start[] = testEngine === 'postgres' ? (Object.keys(startingPoints) as Start[]) : ['on loan']

describeServer('two counters and one copy', (server) => {
  let clients: [Client, Client]
  beforeAll(async () => {
    // One person at two counters: else nobody could undo what the other did.
    clients = [await server.as('biblio'), await server.as('biblio')]
  })

  describe.each(starts)('%s', (start) => {
    it.each(pairs)('%s + %s end as if one had come after the other', async (first, second) => {
      const stories = { gestures, startAt, readState }
      const { allowed, endings } = await endingsOf(server, clients, stories, { start, first, second })
      for (const ending of endings) expect(allowed).toContainEqual(ending)
      for (const answer of [...allowed, ...endings].flatMap(({ answers }) => answers)) {
        expect(answer).toMatch(answersPlainly)
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
