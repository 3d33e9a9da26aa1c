import { createHmac, randomUUID } from 'node:crypto'

import { beforeEach, expect, it } from 'vitest'

import { type SealedCall, sealedText } from '../../src/contract/seal.ts'
import { sweep } from '../../src/server/housekeeping/housekeeping.ts'
import { type Client, describeServer, testNow } from '../support/test-server.ts'

type Seal = { id: string; key: string }

describeServer('seals', (server) => {
  let benevole: Client
  let seal: Seal
  beforeEach(async () => {
    server.moveTo(testNow)
    await server.db.deleteFrom('loanings').execute()
    await server.db.updateTable('copies').set({ status: 'Disponible' }).execute()
    benevole = await server.as('benevole')
    seal = (await benevole.post('/api/seals')).body
  })

  const body = JSON.stringify({ beneficiary: 1, copy: 1 })
  const macOf = (by: Seal, call: Partial<SealedCall>) =>
    createHmac('sha256', Buffer.from(by.key, 'base64url'))
      .update(
        sealedText({
          key: '',
          method: 'POST',
          path: '/api/loanings',
          site: 1,
          on_behalf_of: null,
          body,
          ...call,
        }),
      )
      .digest('base64url')
  const lend = (
    client: Client,
    by: Seal,
    { sealed = {}, headers = {}, site = 1, rawBody = body, key = randomUUID() }: Sent = {},
  ) =>
    client.call('POST', '/api/loanings', undefined, {
      key,
      site,
      rawBody,
      headers: {
        'content-type': 'application/json',
        'x-seal': `${by.id}.${macOf(by, { key, site, body: rawBody, ...sealed })}`,
        ...headers,
      },
    })
  type Sent = {
    sealed?: Partial<SealedCall>
    headers?: Record<string, string>
    site?: number
    rawBody?: string
    key?: string
  }
  const refusedFor = async (answer: ReturnType<typeof lend>) => {
    const { status, body: told } = await answer
    expect(status).toBe(403)
    const { count } = await server.db
      .selectFrom('loanings')
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow()
    expect(count).toBe(0)
    return told.reason
  }

  it('let pass what the person sealed, after the end of their session too', async () => {
    expect((await lend(benevole, seal)).status).toBe(201)
    await server.db.deleteFrom('loanings').execute()
    await server.db.updateTable('copies').set({ status: 'Disponible' }).execute()
    await benevole.post('/api/logout')
    expect((await lend(await server.as('benevole'), seal)).status).toBe(201)
  })

  it.each<[string, Sent]>([
    ['another body', { sealed: { body: body.replace('"copy":1', '"copy":2') } }],
    ['another site', { sealed: { site: 2 } }],
    ['another key', { sealed: { key: randomUUID() } }],
    ['another call', { sealed: { path: '/api/loanings/return' } }],
    ['somebody’s behalf', { sealed: { on_behalf_of: 1 } }],
  ])('refuse what was sealed with %s', async (_, sent) => {
    expect(await refusedFor(lend(benevole, seal, sent))).toBe('SEAL_BROKEN')
  })

  it('refuse what somebody else sealed, or nobody', async () => {
    const admin = await server.as('admin')
    expect(await refusedFor(lend(admin, seal))).toBe('SEAL_UNKNOWN')
    expect(await refusedFor(lend(benevole, { ...seal, id: randomUUID() }))).toBe('SEAL_UNKNOWN')
    for (const header of ['', 'x', `${seal.id}.`, `${seal.id}.${'a'.repeat(44)}`]) {
      expect(await refusedFor(lend(benevole, seal, { headers: { 'x-seal': header } }))).toBe('SEAL_UNKNOWN')
    }
    const forged = { id: seal.id, key: Buffer.alloc(32).toString('base64url') }
    expect(await refusedFor(lend(benevole, forged))).toBe('SEAL_BROKEN')
  })

  it('refuse what was sealed in a session that was ended from elsewhere', async () => {
    const again = await server.as('benevole')
    await again.post('/api/sessions/end')
    expect(await refusedFor(lend(again, seal))).toBe('SEAL_REVOKED')
    // The session that asked keeps its own.
    const own = (await again.post('/api/seals')).body as Seal
    expect((await lend(again, own)).status).toBe(201)
  })

  it('have the journal name the device that sealed, whatever the action says of itself', async () => {
    const journalled = async () =>
      (
        await server.db
          .selectFrom('audit_journal')
          .select('device_id')
          .where('action', '=', 'loan.lend')
          .orderBy('id', 'desc')
          .executeTakeFirstOrThrow()
      ).device_id
    const again = async () => {
      await server.db.deleteFrom('loanings').execute()
      await server.db.updateTable('copies').set({ status: 'Disponible' }).execute()
    }
    const rawBody = JSON.stringify({ beneficiary: 1, copy: 1, device_id: 'tablette-d-un-autre' })
    const desk = await server.as('benevole', 'tablette-du-comptoir')
    const own = (await desk.post('/api/seals')).body as Seal
    expect((await lend(desk, own, { rawBody })).status).toBe(201)
    expect(await journalled()).toBe('tablette-du-comptoir')
    // Sent later by another session of theirs, it is still of the device that sealed it.
    await again()
    expect((await lend(await server.as('benevole', 'telephone'), own, { rawBody })).status).toBe(201)
    expect(await journalled()).toBe('tablette-du-comptoir')
    // Where none proved itself, there is only what is told.
    await again()
    expect((await lend(benevole, seal, { rawBody })).status).toBe(201)
    expect(await journalled()).toBe('tablette-d-un-autre')
  })

  it('take a whole action over for whoever sealed it anew, with both names', async () => {
    const admin = await server.as('admin')
    const own = (await admin.post('/api/seals')).body as Seal
    const owner = (await benevole.get('/api/users/me')).body.id as number
    const headers = { 'x-on-behalf-of': String(owner) }
    expect(await refusedFor(lend(admin, own, { headers }))).toBe('SEAL_BROKEN')
    expect((await lend(admin, own, { headers, sealed: { on_behalf_of: owner } })).status).toBe(201)
  })

  it('are twenty a session, told to nobody twice, and kept as long as an action may wait', async () => {
    for (let n = 1; n < 20; n += 1) expect((await benevole.post('/api/seals')).status).toBe(201)
    expect((await benevole.post('/api/seals')).status).toBe(429)
    const key = randomUUID()
    const lecture = await server.as('lecture')
    const once = await lecture.post('/api/seals', {}, { key })
    const twice = await lecture.post('/api/seals', {}, { key })
    expect(twice.body.id).not.toBe(once.body.id)
    await sweep(server.environment, new Date('2026-05-10T09:00:00Z'))
    expect(
      await server.db.selectFrom('session_seals').select('id').where('id', '=', seal.id).execute(),
    ).toHaveLength(1)
    await sweep(server.environment, new Date('2026-05-12T09:00:00Z'))
    expect(
      await server.db.selectFrom('session_seals').select('id').where('id', '=', seal.id).execute(),
    ).toEqual([])
  })
})
