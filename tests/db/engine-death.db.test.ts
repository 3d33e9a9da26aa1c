import { randomUUID } from 'node:crypto'

import { sql } from 'kysely'
import { beforeAll, expect, it } from 'vitest'

import { onPostgres } from '../support/databases.ts'
import { type Answer, type Client, describeServer } from '../support/test-server.ts'

const readers = [1, 2, 4]
const callsEach = 12

describeServer('the database dies while calls run', (server) => {
  let biblio: Client
  beforeAll(async () => {
    biblio = await server.as('biblio')
    await sql`update media set max_loaning = null, max_late = null`.execute(server.db)
    await sql`insert into copies (reference, bar_code, site) select 1, 'X' || n, 1 from generate_series(1, 200) n`.execute(
      server.db,
    )
  })

  /** Kills the embedded engine, but only cuts the connections of a PostgreSQL server that others use. */
  const strike = async () => {
    const { engine } = server.environment
    if (engine) process.kill(engine.pid ?? 0, 'SIGKILL')
    else {
      const name = new URL(server.storage.databaseUrl ?? '').pathname.slice(1)
      await onPostgres(`select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`)
    }
  }

  it('answers 503 or does what is asked, and goes on by itself', { timeout: 120_000 }, async () => {
    const { engine } = server.environment
    const told: { key: string; body: object; answer: Answer }[] = []
    const looked: Answer[] = []
    let copy = 15
    for (let round = 1; round <= 3; round += 1) {
      const victim = engine?.pid
      const fatal = told.length + readers.length * 2
      await Promise.all(
        readers.map(async (beneficiary) => {
          for (let n = 0; n < callsEach; n += 1) {
            copy += 1
            const [key, body] = [randomUUID(), { beneficiary, copy }]
            const [answer, page] = await Promise.all([
              biblio.post('/api/loanings', body, { key }),
              biblio.get('/api/loanings?limit=5'),
              // With the calls of all the counters under way.
              told.length === fatal ? strike() : null,
            ])
            told.push({ key, body, answer })
            looked.push(page)
          }
        }),
      )
      await engine?.ready()
      if (engine) expect(engine.pid).not.toBe(victim)
    }

    const unanswered = [...looked, ...told.map(({ answer }) => answer)].filter(({ status }) => status >= 300)
    expect(unanswered.length).toBeGreaterThan(0)
    for (const answer of unanswered) {
      expect(answer.body).toMatchObject({
        code: 503,
        message: 'Une erreur inattendue s’est produite. Réessayez dans un instant.',
      })
      expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0)
    }

    // The same key again: what was told done is not done twice, and what was not is done now, or was.
    for (const { key, body, answer } of told) {
      const again = await biblio.post('/api/loanings', body, { key })
      expect(again.status).toBe(201)
      if (answer.status === 201) expect(again.body.id).toBe(answer.body.id)
    }
    const { rows } = await sql<{ loans: number; copies: number }>`
      select count(*) as loans, count(distinct copy) as copies from loanings where status = 'in_progress'`.execute(
      server.db,
    )
    expect(rows).toEqual([{ loans: told.length, copies: told.length }])
    expect((await biblio.get('/health')).status).toBe(200)
  })
})
