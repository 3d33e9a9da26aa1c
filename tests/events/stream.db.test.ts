import { randomUUID } from 'node:crypto'

import { sql } from 'kysely'
import pino from 'pino'
import { afterEach, beforeAll, expect, it } from 'vitest'

import { createApp } from '../../src/server/app.ts'
import { openLiveChanges } from '../../src/server/events/live-changes.ts'
import { journal } from '../../src/server/http/journal.ts'
import { clientOf, type Client, describeServer } from '../support/test-server.ts'
import { hear, streamOf, type TestStream } from './open-stream.ts'
import { setAside } from './set-aside.ts'

const logger = pino({ level: 'silent' })
const loanResources = ['beneficiaries', 'calendar', 'copies', 'loanings', 'reservations', 'start', 'weeding']

describeServer('the stream of changes', (server) => {
  let biblio: Client
  const open: TestStream[] = []
  const listen = async (token = biblio.token, lastEventId?: string, app = server.app) => {
    const stream = await streamOf(app, token, lastEventId)
    open.push(stream)
    return stream
  }
  beforeAll(async () => {
    biblio = await server.as('biblio')
  })
  afterEach(async () => {
    for (const stream of open.splice(0)) await stream.close()
  })
  const lend = (copy: number) => biblio.post('/api/loanings', { beneficiary: 4, copy })
  const giveBack = (code: string) => biblio.post('/api/loanings/return', { bar_code: code })

  it('is a stream that nothing on the way gathers', async () => {
    const response = await server.app.request('/api/events', {
      headers: { host: 'localhost', authorization: `Bearer ${biblio.token}` },
    })
    await response.body?.cancel()
    expect(response.headers.get('content-type')).toBe('text/event-stream')
    expect(response.headers.get('cache-control')).toBe('no-store, no-transform')
    expect(response.headers.get('x-accel-buffering')).toBe('no')
  })

  it('tells at first that everything may have changed, then what a loan touches and nothing of it', async () => {
    const stream = await listen()
    expect((await stream.next()).event).toEqual({ resources: null })
    expect((await lend(1)).status).toBe(201)
    // Something of before may be told meanwhile.
    expect((await hear(stream, 'loanings')).event).toEqual({ resources: loanResources })
    // Ids count transactions, so they may hold the copy's number by chance.
    expect(stream.raw.replaceAll(/^id: .*$/gm, '')).not.toMatch(/Sans-Courriel|1001|Livre/)
    expect((await giveBack('1001')).status).toBe(200)
    expect((await hear(stream, 'loanings')).event).toEqual({ resources: loanResources })
  })

  it('is told by the change itself, not by looking now and then', async () => {
    const live = openLiveChanges(logger, { look: 1_000_000, lookDeaf: 1_000_000 })
    const app = createApp({ environments: [server.environment], logger, live, now: () => server.now })
    const stream = await listen(biblio.token, undefined, app)
    await stream.next()
    await setAside(server, app)
    await hear(stream, 'parameters')
  })

  it('tells nothing of a refusal, of a replayed answer, or of what was rolled back', async () => {
    const key = randomUUID()
    const lent = { beneficiary: 4, copy: 2 }
    await biblio.post('/api/loanings', lent, { key })
    const stream = await listen()
    await stream.next()
    expect((await lend(2)).status).toBe(409)
    expect((await biblio.post('/api/loanings', lent, { key })).headers.get('idempotency-replayed')).toBe(
      'true',
    )
    await server.db
      .transaction()
      .execute(async (trx) => {
        const { id: user_id } = await trx.selectFrom('users').select('id').limit(1).executeTakeFirstOrThrow()
        const witnessed = { now: server.now, key: null, caller: { user_id } }
        await journal(trx, witnessed, { action: 'ghost.seen', entity: 'ghosts', entity_id: 1 })
        throw new Error('undone')
      })
      .catch(() => undefined)
    await setAside(server)
    const { event } = await stream.next()
    expect(event).toEqual({ resources: ['parameters'] })
  })

  it('says nothing of who signs in', async () => {
    const stream = await listen()
    await stream.next()
    await server.anonymous.post('/api/login_check', {
      username: 'biblio@1',
      password: 'mot-de-passe-de-test',
    })
    await setAside(server)
    expect((await stream.next()).event).toEqual({ resources: ['parameters'] })
  })

  it('gathers a burst of changes', async () => {
    const stream = await listen()
    await stream.next()
    await Promise.all(
      Array.from({ length: 10 }, (_, at) =>
        biblio.post('/api/loanings', { beneficiary: (at % 2) + 1, copy: 3 + (at % 5) }),
      ),
    )
    await setAside(server)
    await hear(stream, 'parameters')
    // Ten loans and a parameter: told in two or three events, not in eleven.
    expect(stream.raw.match(/^data: /gm)?.length).toBeLessThan(6)
  })

  it('catches up by cursor after a break', async () => {
    const before = await listen()
    const { id } = await before.next()
    await before.close()
    const nothing = await listen(biblio.token, id)
    expect((await nothing.next()).event).toEqual({ resources: [] })
    await nothing.close()
    await setAside(server)
    const after = await listen(biblio.token, id)
    const caughtUp = await after.next()
    expect(caughtUp.event).toEqual({ resources: ['parameters'] })
    const again = await listen(biblio.token, caughtUp.id)
    expect((await again.next()).event).toEqual({ resources: [] })
  })

  it.each([
    ['nonsense', 'nonsense'],
    ['a snapshot that PostgreSQL would refuse', '9:3:~0~0'],
    ['a snapshot out of order', '3:9:7,5~0~0'],
    ['a number beyond numbers', '9007199254740993:9007199254740999:~0~0'],
    ['a future that a backup undid', '900000000:900000001:~0~0'],
    ['a line of the journal that is not there', '1:2:~zzzzz~zzzzz'],
    ['something long', `3:9:${'4,'.repeat(4000)}~0~0`],
  ])('answers that everything may have changed to %s', async (_, cursor) => {
    const stream = await listen(biblio.token, cursor)
    expect((await stream.next()).event).toEqual({ resources: null })
  })

  it('answers that everything may have changed when too much did', async () => {
    const before = await listen()
    const { id } = await before.next()
    await sql`insert into audit_journal (at, action, entity) select now(), 'parameter.update', 'parameters' from generate_series(1, 2100)`.execute(
      server.db,
    )
    const stream = await listen(biblio.token, id)
    expect((await stream.next()).event).toEqual({ resources: null })
  })

  it('opens to no one without a session, and takes no unknown question', async () => {
    expect((await server.anonymous.get('/api/events')).status).toBe(401)
    expect((await biblio.get('/api/events?everything=1')).status).toBe(400)
  })

  it('answers HEAD without opening a stream', async () => {
    const live = openLiveChanges(logger)
    const app = createApp({ environments: [server.environment], logger, live, now: () => server.now })
    const headers = { host: 'localhost', authorization: `Bearer ${biblio.token}` }
    expect((await app.request('/api/events', { method: 'HEAD', headers })).status).toBe(200)
    await expect.poll(() => live.feedOf(server.environment).size).toBe(0)
  })

  it('sends heartbeats, and ends when the session does', async () => {
    const live = openLiveChanges(logger, { heartbeat: 20, check: 20 })
    const app = createApp({ environments: [server.environment], logger, live, now: () => server.now })
    const gone = await server.as('benevole')
    const [theirs, ours] = [
      await listen(gone.token, undefined, app),
      await listen(biblio.token, undefined, app),
    ]
    await expect.poll(() => ours.raw).toContain('\n:\n\n')
    await clientOf(server.app, gone.token).post('/api/logout')
    await theirs.ended
    await ours.next()
    await expect.poll(() => live.feedOf(server.environment).size).toBe(1)
    await server.db.updateTable('users').set({ enabled: false }).where('username', '=', 'biblio').execute()
    await ours.ended
    await server.db.updateTable('users').set({ enabled: true }).where('username', '=', 'biblio').execute()
    expect(live.feedOf(server.environment).size).toBe(0)
  })

  it('ends at once with its session, at a sign-out as where the account is closed', async () => {
    const live = openLiveChanges(logger, { gather: 5 })
    const app = createApp({ environments: [server.environment], logger, live, now: () => server.now })
    const clientAt = (token: string | null) => clientOf(app, token)
    const out = await server.as('benevole')
    const theirs = await listen(out.token, undefined, app)
    await clientAt(out.token).post('/api/logout')
    await theirs.ended
    const closed = await server.as('benevole')
    const stream = await listen(closed.token, undefined, app)
    const admin = clientAt((await server.as('admin')).token)
    const { id } = await server.db
      .selectFrom('users')
      .select('id')
      .where('username', '=', 'benevole')
      .executeTakeFirstOrThrow()
    expect((await admin.put(`/api/users/${id}`, { enabled: false })).status).toBe(200)
    await stream.ended
    await admin.put(`/api/users/${id}`, { enabled: true })
    live.close()
  })

  it('keeps a stream that came while the sessions of the others were read', async () => {
    const live = openLiveChanges(logger, { check: 5 })
    const app = createApp({ environments: [server.environment], logger, live, now: () => server.now })
    for (let at = 0; at < 12; at += 1) {
      const client = await server.as('lecture')
      const stream = await listen(client.token, undefined, app)
      await stream.next()
    }
    expect(live.feedOf(server.environment).size).toBe(12)
  })

  it('ends a stream of great age: its client is admitted anew', async () => {
    const live = openLiveChanges(logger, { check: 20, age: 1 })
    const app = createApp({ environments: [server.environment], logger, live, now: () => server.now })
    const stream = await listen(biblio.token, undefined, app)
    await stream.ended
  })

  it('ends the oldest stream of a session that opens too many', async () => {
    const streams: TestStream[] = []
    for (let at = 0; at < 21; at += 1) streams.push(await listen())
    await streams[0]?.ended
    await setAside(server)
    for (const stream of streams.slice(1)) await hear(stream, 'parameters')
  })

  it('ends every stream when the server stops, and opens no more', async () => {
    const live = openLiveChanges(logger)
    const app = createApp({ environments: [server.environment], logger, live, now: () => server.now })
    const stream = await listen(biblio.token, undefined, app)
    live.close()
    await stream.ended
    expect((await clientOf(app, biblio.token).get('/api/events')).status).toBe(503)
  })

  it('lets a listener go that does not read, without holding the others back', async () => {
    const live = openLiveChanges(logger, { heartbeat: 1 })
    const app = createApp({ environments: [server.environment], logger, live, now: () => server.now })
    await app.request('/api/events', {
      headers: { host: 'localhost', authorization: `Bearer ${biblio.token}` },
    })
    const reading = await listen(biblio.token, undefined, app)
    await expect.poll(() => live.feedOf(server.environment).size).toBe(1)
    await setAside(server, app)
    await hear(reading, 'parameters')
  })
})
