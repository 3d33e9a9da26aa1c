import { randomUUID } from 'node:crypto'

import { sql } from 'kysely'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'

import { type Client, describeServer, testNow } from '../support/test-server.ts'

const report = {
  app_version: '1.0.0',
  browser: 'Chrome 131, Android',
  waiting: 0,
  conflicts: 0,
  quarantined: 0,
  oldest_age: null,
  snapshot_age: 60,
  storage_used: 12_000_000,
}
const hour = 3600

describeServer('devices', (server) => {
  let admin: Client
  let benevole: Client
  beforeAll(async () => {
    admin = await server.as('admin')
    benevole = await server.as('benevole')
  })
  beforeEach(async () => {
    server.moveTo(testNow)
    await server.db.deleteFrom('devices').execute()
  })

  /** A session of benevole's on that device. */
  const on = (device: string) => server.as('benevole', device.toLowerCase())
  const tell = async (device: string, said: object = {}, site = 1) => {
    const there = await on(device)
    expect((await there.put(`/api/devices/${device}`, { ...report, ...said }, { site })).status).toBe(204)
  }
  const list = async (query = '') => (await admin.get(`/api/devices?${query}`)).body
  const only = async () => (await list())['hydra:member'][0]

  it('shows what a device said of itself, who was there, and when', async () => {
    const device = randomUUID()
    await tell(device, { waiting: 2, oldest_age: 90 })
    server.moveTo('2026-03-10T09:20:00Z')
    await tell(device, { waiting: 3, conflicts: 1, quarantined: 2, oldest_age: 1290 }, 2)
    expect(await list()).toMatchObject({ 'hydra:totalItems': 1 })
    expect(await only()).toEqual({
      '@id': `/api/devices/${device}`,
      '@type': 'Device',
      device_id: device,
      name: '',
      username: 'benevole',
      person: 'benevole Test',
      site: 2,
      site_name: 'Annexe',
      first_seen: '2026-03-10T09:00:00.000Z',
      last_seen: '2026-03-10T09:20:00.000Z',
      reported_at: '2026-03-10T09:20:00.000Z',
      app_version: '1.0.0',
      browser: 'Chrome 131, Android',
      waiting: 3,
      conflicts: 1,
      quarantined: 2,
      // By the server's clock, whatever the device's says.
      oldest_at: '2026-03-10T08:58:30.000Z',
      snapshot_at: '2026-03-10T09:19:00.000Z',
      storage_used: 12_000_000,
      replays: 0,
      refusals: 0,
      attention: 'bad',
    })
  })

  it('keeps one device one, whoever reports it and however it is written, at a site that may be gone', async () => {
    const device = randomUUID()
    await Promise.all([1, 2, 3, 4].map(() => tell(device)))
    await tell(device.toUpperCase(), {}, 4711)
    expect(await list()).toMatchObject({ 'hydra:totalItems': 1 })
    expect(await only()).toMatchObject({ device_id: device, site: null })
  })

  it.each([
    ['a field too many', { ...report, note: 'x' }],
    ['a field too few', { ...report, waiting: undefined }],
    ['a count below zero', { ...report, conflicts: -1 }],
    ['half an action', { ...report, waiting: 1.5 }],
    ['an age from the future', { ...report, oldest_age: -1 }],
    ['an age beyond all ages', { ...report, snapshot_age: 1e12 }],
    ['a novel for a browser', { ...report, browser: 'x'.repeat(61) }],
    ['a list', [report]],
  ])('refuses %s', async (_, body) => {
    const device = randomUUID()
    expect((await (await on(device)).put(`/api/devices/${device}`, body)).status).toBe(422)
    expect(await only()).toMatchObject({ reported_at: null })
  })

  it('is spoken for by the sessions opened on it alone, and made known by none of them', async () => {
    const [own, other] = [randomUUID(), randomUUID()]
    await tell(own, { waiting: 1 })
    for (const client of [benevole, admin, await on(other)]) {
      const refused = await client.put(`/api/devices/${own}`, { ...report, waiting: 9 })
      expect(refused.body).toMatchObject({ code: 403, reason: 'NOT_ITS_SESSION' })
    }
    expect((await benevole.put(`/api/devices/${randomUUID()}`, report)).status).toBe(403)
    expect(await list(`searchname=${own}`)).toMatchObject({ 'hydra:member': [{ waiting: 1 }] })
    expect(await list()).toMatchObject({ 'hydra:totalItems': 2 })
  })

  it('hears no report but of a UUID, and knows no device that it never heard of', async () => {
    expect((await benevole.put('/api/devices/tablette', report)).status).toBe(404)
    expect((await admin.put('/api/devices/tablette/name', { name: 'x' })).status).toBe(404)
  })

  it('is looked into by administrators only, and named by whoever works on it', async () => {
    const device = randomUUID()
    await tell(device)
    for (const client of [benevole, await server.as('biblio')]) {
      expect((await client.get('/api/devices')).status).toBe(403)
      expect((await client.put(`/api/devices/${device}/name`, { name: 'À moi' })).status).toBe(403)
    }
    const there = await on(device)
    expect((await there.put(`/api/devices/${device}/name`, { name: 'Tablette' })).status).toBe(200)
    expect((await server.anonymous.put(`/api/devices/${device}`, report)).status).toBe(401)
  })

  it('puts first what needs somebody, and finds by word, site and attention', async () => {
    const devices = {
      well: randomUUID(),
      refused: randomUUID(),
      slow: randomUUID(),
      forgotten: randomUUID(),
      busy: randomUUID(),
    }
    await tell(devices.well)
    await tell(devices.slow, { waiting: 1, oldest_age: 4 * hour + 1 })
    await tell(devices.busy, { waiting: 5, oldest_age: hour })
    await tell(devices.forgotten, { waiting: 1, oldest_age: 24 * hour + 1, browser: 'Safari 17, iPad' }, 2)
    server.moveTo('2026-03-10T09:00:10Z')
    await tell(devices.refused, { conflicts: 1, oldest_age: 60 })
    const named = Object.fromEntries(Object.entries(devices).map(([name, id]) => [id, name]))
    const found = async (query: string) =>
      (await list(query))['hydra:member'].map(({ device_id }: { device_id: string }) => named[device_id])
    expect(await found('')).toEqual(['refused', 'forgotten', 'slow', ...(await found('attention=none'))])
    expect(await found('filters[attention|in]=bad,warn')).toEqual(['refused', 'forgotten', 'slow'])
    expect(await found('attention=warn')).toEqual(['slow'])
    expect(await found('searchname=ipad annexe')).toEqual(['forgotten'])
    expect(await found('site=2')).toEqual(['forgotten'])
    expect((await found('order[oldest_at]=asc')).slice(0, 2)).toEqual(['forgotten', 'slow'])
    expect((await found('order[last_seen]=desc'))[0]).toBe('refused')
    // What has waited for an hour has waited for five when nobody has looked since.
    server.moveTo('2026-03-10T13:01:00Z')
    expect(await found('attention=warn')).toContain('busy')
    expect((await admin.get('/api/devices?order[storage_used]=asc')).status).toBe(400)
    expect((await list('limit=2&page=3'))['hydra:member']).toHaveLength(1)
  })

  it('takes a name, keeps it over reports, and writes who gave it', async () => {
    const device = randomUUID()
    expect((await admin.put(`/api/devices/${device}/name`, { name: 'Accueil' })).status).toBe(404)
    await tell(device)
    const named = await admin.put(`/api/devices/${device}/name`, { name: '  Tablette de l’accueil ' })
    expect(named.body).toMatchObject({ device_id: device, name: 'Tablette de l’accueil' })
    await tell(device)
    expect(await only()).toMatchObject({ name: 'Tablette de l’accueil' })
    expect((await admin.put(`/api/devices/${device}/name`, { name: 'x'.repeat(61) })).status).toBe(422)
    expect((await admin.put(`/api/devices/${device}/name`, {})).status).toBe(422)
    const written = await server.db
      .selectFrom('audit_journal')
      .select(['action', 'before', 'after'])
      .where('device_id', '=', device)
      .execute()
    expect(written).toEqual([
      { action: 'device.rename', before: { name: '' }, after: { name: 'Tablette de l’accueil' } },
    ])
  })

  it('counts the answers given again and the refusals of each device, once each', async () => {
    const [first, second] = [randomUUID(), randomUUID()]
    const clients = new Map<string, Client>([
      [first, await on(first)],
      [second, await on(second)],
    ])
    const lend = (device_id: string, copy: number, key = randomUUID()) => {
      const client = clients.get(device_id) ?? benevole
      return client.post('/api/loanings', { beneficiary: 1, copy, device_id }, { key, site: 1 })
    }
    const counts = async (id: string) => {
      const found = (await list())['hydra:member'].find((one: { device_id: string }) => one.device_id === id)
      return found && { replays: found.replays, refusals: found.refusals }
    }
    const key = randomUUID()
    expect((await lend(first, 1, key)).status).toBe(201)
    // Known by its session alone: it has not yet said what it holds.
    expect((await list(`searchname=${first}`))['hydra:member']).toMatchObject([
      { reported_at: null, username: 'benevole', site: 1 },
    ])
    expect(await counts(first)).toEqual({ replays: 0, refusals: 0 })
    expect((await lend(first, 1, key)).headers.get('idempotency-replayed')).toBe('true')
    expect(await counts(first)).toEqual({ replays: 1, refusals: 0 })

    const refused = randomUUID()
    expect((await lend(second, 1, refused)).status).toBe(409)
    expect((await lend(second, 1, refused)).status).toBe(409)
    expect(await counts(second)).toEqual({ replays: 1, refusals: 1 })
    expect((await lend(second, 1, key)).status).toBe(422)
    expect(await counts(second)).toEqual({ replays: 1, refusals: 2 })
    expect(await counts(first)).toEqual({ replays: 1, refusals: 0 })

    await tell(first, { waiting: 1, oldest_age: 0 })
    expect(await counts(first)).toEqual({ replays: 1, refusals: 0 })
  })

  it('takes whatever a device calls itself in an action, up to 64 signs, and makes none known by it', async () => {
    const act = (device_id: string) =>
      benevole.post('/api/loanings', { beneficiary: 4, copy: 10, device_id }, { key: randomUUID(), site: 1 })
    expect((await act('Tablette n° 3 / Accueil')).status).toBe(201)
    expect((await act('TABLETTE n° 3 / accueil')).status).toBe(409)
    expect(await list()).toMatchObject({ 'hydra:totalItems': 0 })
    for (const wrong of ['', '   ', 'x'.repeat(65), 'a\nb']) expect((await act(wrong)).status).toBe(422)
  })

  it('notes the last contact of a device that only acts, once a minute', async () => {
    const device_id = randomUUID()
    const there = await on(device_id)
    const giveBack = (bar_code: string) =>
      there.post('/api/loanings/return', { bar_code, device_id }, { key: randomUUID(), site: 1 })
    const lend = (copy: number) =>
      there.post('/api/loanings', { beneficiary: 4, copy, device_id }, { key: randomUUID(), site: 1 })
    expect((await lend(5)).status).toBe(201)
    server.moveTo('2026-03-10T09:00:59Z')
    expect((await giveBack('1005')).status).toBe(200)
    expect(await only()).toMatchObject({ last_seen: '2026-03-10T09:00:00.000Z' })
    server.moveTo('2026-03-10T09:01:00Z')
    expect((await lend(5)).status).toBe(201)
    expect(await only()).toMatchObject({ last_seen: '2026-03-10T09:01:00.000Z' })
  })

  describe('for whoever works at some sites', () => {
    /** An administrator of Annexe; everybody else works everywhere. */
    let annexe: Client
    beforeEach(async () => {
      await sql`insert into users (username, password_hash, profile)
        select 'annexe', password_hash, profile from users where username = 'admin' on conflict do nothing`.execute(
        server.db,
      )
      await sql`insert into user_sites (user_id, site) select id, 2 from users where username = 'annexe' on conflict do nothing`.execute(
        server.db,
      )
      annexe = await server.as('annexe')
    })
    const seen = async () =>
      (await annexe.get('/api/devices'))['body']['hydra:member'].map(
        ({ device_id }: { device_id: string }) => device_id,
      )

    it('are those last used there, or by people of there', async () => {
      const [centre, there, fresh, own] = [randomUUID(), randomUUID(), randomUUID(), randomUUID()]
      await tell(centre, {}, 1)
      await tell(there, {}, 2)
      await on(fresh)
      await server.as('annexe', own)
      expect((await seen()).sort()).toEqual([there, own].sort())
      expect(await annexe.put(`/api/devices/${centre}/name`, { name: 'Prise' })).toMatchObject({
        status: 404,
      })
      expect((await annexe.put(`/api/devices/${there}/name`, { name: 'Annexe' })).status).toBe(200)
      expect((await annexe.get(`/api/devices?searchname=${centre}`)).body['hydra:totalItems']).toBe(0)
    })

    it('are not forgotten under people who work elsewhere too', async () => {
      const [centre, there] = [randomUUID(), randomUUID()]
      await tell(centre, {}, 1)
      await tell(there, {}, 2)
      const signedIn = await on(there)
      expect((await annexe.delete(`/api/devices/${centre}`)).status).toBe(404)
      expect(await annexe.delete(`/api/devices/${there}`)).toMatchObject({ status: 403 })
      expect((await signedIn.get('/api/users/me')).status).toBe(200)
      // Nobody has been there for a day.
      server.moveTo('2026-03-11T10:00:00Z')
      annexe = await server.as('annexe')
      expect((await annexe.delete(`/api/devices/${there}`)).status).toBe(204)
      expect((await (await server.as('admin')).delete(`/api/devices/${centre}`)).status).toBe(204)
    })

    it('are forgotten with the sessions of their own people', async () => {
      const own = randomUUID()
      const signedIn = await server.as('annexe', own)
      expect((await annexe.delete(`/api/devices/${own}`)).status).toBe(204)
      expect((await signedIn.get('/api/users/me')).status).toBe(401)
    })
  })

  it('never fails an action because it could not be counted', async () => {
    const there = await on(randomUUID())
    await server.db.schema.alterTable('devices').renameTo('elsewhere').execute()
    try {
      const body = { beneficiary: 2, copy: 7, device_id: randomUUID() }
      expect((await there.post('/api/loanings', body, { key: randomUUID(), site: 1 })).status).toBe(201)
      expect((await there.post('/api/loanings', body, { key: randomUUID(), site: 1 })).status).toBe(409)
    } finally {
      await server.db.schema.alterTable('elsewhere').renameTo('devices').execute()
    }
  })
})
