import { sql } from 'kysely'
import { afterEach, beforeAll, beforeEach, expect, it } from 'vitest'

import { sweep } from '../../src/server/housekeeping/housekeeping.ts'
import { setParameter } from '../settings/set-parameter.ts'
import { type Client, describeServer } from '../support/test-server.ts'
import { streamOf, type TestStream } from './open-stream.ts'

describeServer('the journal', (server) => {
  let biblio: Client
  const open: TestStream[] = []
  const listen = async (lastEventId?: string) => {
    const stream = await streamOf(server.app, biblio.token, lastEventId)
    open.push(stream)
    return stream
  }
  const line = (at: string, entity = 'copies') =>
    server.db
      .insertInto('audit_journal')
      .values({
        at,
        user_id: 1,
        device_id: null,
        action: 'copy.update',
        entity,
        entity_id: 1,
        before: null,
        after: null,
        idempotency_key: null,
      })
      .execute()
  const days = async () => {
    const lines = await server.db.selectFrom('audit_journal').select('at').orderBy('id').execute()
    return lines.map(({ at }) => new Date(at).toISOString().slice(0, 10))
  }

  beforeAll(async () => {
    biblio = await server.as('biblio')
  })
  beforeEach(async () => {
    await sql`truncate audit_journal restart identity`.execute(server.db)
    await setParameter(server, 'journal_months', '24')
    await sql`truncate audit_journal restart identity`.execute(server.db)
  })
  afterEach(async () => {
    for (const stream of open.splice(0)) await stream.close()
  })

  it('keeps the months of its parameter, two years as delivered', async () => {
    // Today is the 10th of March 2026.
    for (const day of ['2023-06-01', '2024-03-09', '2024-03-11', '2025-12-09', '2026-03-01'])
      await line(`${day}T08:00:00Z`)
    await sweep(server.environment, server.now)
    expect(await days()).toEqual(['2024-03-11', '2025-12-09', '2026-03-01'])
    await setParameter(server, 'journal_months', '3')
    await sweep(server.environment, server.now)
    expect(await days()).toEqual(['2026-03-01'])
  })

  it('is kept for ever where its parameter is 0', async () => {
    await line('1999-12-31T08:00:00Z')
    await setParameter(server, 'journal_months', '0')
    await sweep(server.environment, server.now)
    expect((await days())[0]).toBe('1999-12-31')
  })

  it('keeps its last line, however old', async () => {
    await line('2020-01-01T08:00:00Z')
    await line('2020-01-02T08:00:00Z')
    await sweep(server.environment, server.now)
    expect(await days()).toEqual(['2020-01-02'])
  })

  it('leaves by some hundred lines at a time', async () => {
    await sql`insert into audit_journal (at, user_id, action, entity)
      select '2020-01-01', 1, 'copy.update', 'copies' from generate_series(1, 1700)`.execute(server.db)
    const taken: number[] = []
    const db = server.db.withPlugin({
      transformQuery: ({ node }) => node,
      transformResult: ({ result }) => {
        taken.push(result.rows.length)
        return Promise.resolve(result)
      },
    })
    await sweep({ ...server.environment, db }, server.now)
    expect(await days()).toHaveLength(1)
    expect(taken.filter((lines) => lines > 100)).toEqual([500, 500, 500, 199])
  })

  it('sends a device that stopped before it back to the beginning', async () => {
    await line('2023-06-01T08:00:00Z')
    let page = (await biblio.get('/api/snapshot')).body
    while (!page.complete) page = (await biblio.get(`/api/snapshot?since=${page.cursor}`)).body
    expect((await biblio.get(`/api/snapshot?since=${page.cursor}`)).body.reset).toBe(false)
    await line('2026-03-09T08:00:00Z')
    await sweep(server.environment, server.now)
    expect((await biblio.get(`/api/snapshot?since=${page.cursor}`)).body.reset).toBe(true)
  })

  it('tells an open page that stopped before it that everything may have changed', async () => {
    await line('2023-06-01T08:00:00Z')
    const stream = await listen()
    const { id } = await stream.next()
    await line('2023-07-01T08:00:00Z', 'sites')
    await line('2026-03-09T08:00:00Z')
    expect((await (await listen(id)).next()).event).toEqual({
      resources: expect.arrayContaining(['copies', 'sites']),
    })
    await sweep(server.environment, server.now)
    expect((await (await listen(id)).next()).event).toEqual({ resources: null })
  })

  it('tells the same to a page that was opened before its first line', async () => {
    const stream = await listen()
    const { id } = await stream.next()
    await line('2023-07-01T08:00:00Z', 'sites')
    await line('2026-03-09T08:00:00Z')
    expect((await (await listen(id)).next()).event).toEqual({
      resources: expect.arrayContaining(['copies', 'sites']),
    })
    await sweep(server.environment, server.now)
    expect((await (await listen(id)).next()).event).toEqual({ resources: null })
  })
})
