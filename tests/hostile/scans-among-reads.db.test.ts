import { setImmediate } from 'node:timers/promises'

import { sql } from 'kysely'
import { beforeAll, expect, it } from 'vitest'

import { testEngine } from '../support/databases.ts'
import { addManyRows } from '../support/many-rows.ts'
import { type Answer, type Client, describeServer } from '../support/test-server.ts'

const rows = 24_000
const pagesAtOnce = 30

describeServer('a counter among those who read long lists', (server) => {
  let counter: Client
  let reader: Client
  beforeAll(async () => {
    await addManyRows(server.db, rows)
    counter = await server.as('biblio')
    reader = await server.as('lecture')
  })

  const lists = [
    'loanings?order[beneficiary_lastname]=desc',
    'loanings?order[reference_name]=asc',
    'loanings?filters[category|eq]=1',
    'references?order[name]=desc',
    'beneficiaries?order[firstname]=asc',
  ]
  const deepPages = (client: Client, count = pagesAtOnce): Promise<Answer>[] =>
    Array.from({ length: count }, (_, n) => client.get(`/api/${lists[n % lists.length]}&page=${200 + n}`))

  /** Everything that a scan asks for. */
  async function scan(copy: number): Promise<void> {
    const bar_code = String(1000 + copy)
    const found = await counter.get(`/api/copies?bar_code=${bar_code}`)
    expect([found.status, found.body['hydra:member'][0]?.id]).toEqual([200, copy])
    expect((await counter.get('/api/beneficiaries/autocomplete?searchname=R1')).status).toBe(200)
    expect((await counter.get(`/api/eligibility?beneficiary=1&copy=${copy}`)).body).toBe(true)
    expect((await counter.post('/api/loanings', { beneficiary: 1, copy })).status).toBe(201)
    expect((await counter.post('/api/loanings/return', { bar_code })).status).toBe(200)
  }

  it('is served before one session’s thirty deep pages, none of which is refused', async () => {
    let answered = 0
    const pages = deepPages(reader).map((page) => page.finally(() => (answered += 1)))
    await scan(1)
    expect(answered).toBeLessThan(pagesAtOnce)
    expect((await Promise.all(pages)).map(({ status }) => status)).toEqual(pages.map(() => 200))
  })

  it('has its own lists in turn with those of a session that asked for many before', async () => {
    let answered = 0
    // So many that a fast machine is still at them when the counter's own request is known.
    const asked = 4 * pagesAtOnce
    const pages = deepPages(reader, asked).map((page) => page.finally(() => (answered += 1)))
    expect((await counter.get('/api/loanings?order[start_date]=desc')).status).toBe(200)
    expect(answered).toBeLessThan(asked / 2)
    await Promise.all(pages)
  })

  it('is served while three sessions’ lists wait for the database', async () => {
    if (testEngine === 'embedded') return
    // What every list of loans reads first.
    const holder = await server.environment.pool.connect()
    await holder.query('begin; lock table loan_tallies in access exclusive mode')
    const sessions = await Promise.all(['lecture', 'biblio', 'benevole'].map((name) => server.as(name)))
    const pages = sessions.flatMap((client) =>
      Array.from({ length: 10 }, (_, n) => client.get(`/api/loanings?page=${200 + n}`)),
    )
    try {
      const found = await counter.get('/api/copies?bar_code=1001')
      expect(found.body['hydra:member'][0].id).toBe(1)
      expect((await counter.get('/api/eligibility?beneficiary=1&copy=1')).body).toBe(true)
    } finally {
      await holder.query('rollback')
      holder.release()
    }
    expect((await Promise.all(pages)).map(({ status }) => status)).toEqual(pages.map(() => 200))
  })

  it('does not wait for pages whose reader went away', async () => {
    const gone = new AbortController()
    const asked = Array.from({ length: pagesAtOnce }, (_, n) =>
      Promise.resolve(
        server.app.request(`/api/${lists[n % lists.length]}&page=${300 + n}`, {
          headers: { host: 'localhost', authorization: `Bearer ${reader.token}` },
          signal: gone.signal,
        }),
      ),
    )
    await setImmediate()
    const next = reader.get('/api/loanings')
    gone.abort()
    const ended: string[] = []
    await Promise.all([
      next.then(({ status }) => ended.push(`next ${status}`)),
      ...asked.map((one) => one.then(({ status }) => ended.push(`asked ${status}`))),
    ])
    // Two ran when they went; the others were never read.
    expect(ended.filter((end) => end === 'asked 200').length).toBeLessThanOrEqual(2)
    expect(ended).toContain('next 200')
  })

  it('tells a reader of a list that the database cannot finish, and goes on', async () => {
    // The embedded engine gives up no statement: there the lists are read in pieces.
    if (testEngine === 'embedded') return
    const holder = await server.environment.pool.connect()
    await holder.query('begin; lock table loan_tallies in access exclusive mode')
    const refused = await reader.get('/api/loanings?page=400').finally(() => holder.query('rollback'))
    holder.release()
    expect([refused.status, refused.body, refused.headers.get('retry-after')]).toEqual([
      503,
      {
        code: 503,
        reason: 'READ_TOO_LONG',
        message:
          'Cette liste est trop longue à lire en ce moment. Réessayez dans un instant, ou précisez la recherche.',
      },
      '10',
    ])
    expect((await reader.get('/api/loanings?page=400')).status).toBe(200)
    const { rows: broken } = await sql`select from pg_stat_activity
      where datname = current_database() and state like '%aborted%'`.execute(server.db)
    expect(broken).toEqual([])
  })
})
