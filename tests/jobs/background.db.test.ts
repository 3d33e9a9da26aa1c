import { sql } from 'kysely'
import { expect, it } from 'vitest'

import type { Db } from '../../src/server/db/handles.ts'
import { namingClient } from '../../src/server/db/connections/named-statements.ts'
import { openPool } from '../../src/server/db/connections/pool.ts'
import { describeServer } from '../support/test-server.ts'

describeServer('work in the background', (server) => {
  it('lets what was asked for after it go first, on the engine that does one thing at a time', async () => {
    const { db, background, engine } = server.environment
    if (!engine) return expect(background).toBe(db)
    const served: string[] = []
    const ask = (on: Db, who: string) => sql`select 1`.execute(on).then(() => served.push(who))
    // The transaction takes one of the counter's connections, and to open another takes longer than a patient one waits.
    await Promise.all([ask(background, 'open'), ask(db, 'open'), ask(db, 'open')])
    let asked: Promise<unknown>[] = []
    await db.transaction().execute(async (trx) => {
      await sql`select 1`.execute(trx)
      asked = [ask(background, 'background')]
      // What is sent here in turn is read in turn.
      await sql`select 1`.execute(trx)
      asked.push(ask(db, 'counter'))
      await sql`select 1`.execute(trx)
    })
    await Promise.all(asked)
    expect(served).toEqual(['open', 'open', 'open', 'counter', 'background'])
  })

  it('sends statements by name over one connection after another, where these share their names', async () => {
    const { engine } = server.environment
    if (!engine) return
    const { pool } = openPool({ ...engine.connection, max: 1, Client: namingClient() })
    try {
      for (const [asked, column] of [
        ['select $1::int + 1 as sum', 'sum'],
        ['select $1::int * 2 as product', 'product'],
      ] as const) {
        const client = await pool.connect()
        for (const n of [1, 2, 3]) {
          const { rows } = await client.query<Record<string, number>>(asked, [n])
          expect(rows).toEqual([{ [column]: column === 'sum' ? n + 1 : n * 2 }])
        }
        // The next one begins its names where this one did.
        client.release(true)
      }
    } finally {
      await pool.end()
    }
  })
})
