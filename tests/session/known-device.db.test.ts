import { randomBytes, randomUUID } from 'node:crypto'

import { beforeEach, expect, it } from 'vitest'

import { testPassword } from '../support/test-library.ts'
import { clientOf, describeServer } from '../support/test-server.ts'
import { clientAt } from './client-at.ts'

type Proof = { device_id: string; secret: string }
const newDevice = (): Proof => ({ device_id: randomUUID(), secret: randomBytes(32).toString('base64url') })

describeServer('a device that signed in', (server) => {
  beforeEach(async () => {
    await server.db.deleteFrom('login_failures').execute()
    await server.db.deleteFrom('devices').execute()
  })

  const signInOn = async (device: Proof | null, username = 'biblio', password = testPassword) => {
    const headers: Record<string, string> = device
      ? { 'x-device': `${device.device_id}.${device.secret}` }
      : {}
    const client = clientAt(server, '192.0.2.1')
    const first = await client.post('/auth', { username, password }, { headers })
    if (first.status !== 200) return first
    return client.post('/api/login_check', { username: `${username}@1`, password }, { headers })
  }
  const deviceOf = async (answer: { body: { token: string } }) => {
    const sessions = await clientOf(server.app, answer.body.token).get('/api/sessions')
    return sessions.body['hydra:member'].find(({ current }: { current: boolean }) => current).device_id
  }
  const guess = async (times: number, username: string) => {
    for (let time = 0; time < times; time += 1) {
      await clientAt(server, '192.0.2.1').post('/auth', { username, password: 'pas-le-bon-mot' })
    }
  }

  it('is known from its first sign-in, under a name of its own, and keeps it', async () => {
    const device = newDevice()
    expect(await deviceOf(await signInOn(device))).toBe(device.device_id)
    expect(await deviceOf(await signInOn(device, 'benevole'))).toBe(device.device_id)
    await signInOn(newDevice())
    const rows = await server.db.selectFrom('devices').select('name').orderBy('name').execute()
    expect(rows).toEqual([{ name: 'Appareil 1' }, { name: 'Appareil 2' }])
  })

  it('is nobody’s without its secret, and keeps nobody out', async () => {
    const device = newDevice()
    await signInOn(device)
    const thief = { ...newDevice(), device_id: device.device_id }
    expect(await deviceOf(await signInOn(thief))).toBeNull()
    for (const header of ['x', `${device.device_id}.`, `${device.device_id}.${'é'.repeat(43)}`]) {
      const body = { username: 'biblio@1', password: testPassword }
      const headers = { 'x-device': header }
      expect((await server.anonymous.post('/api/login_check', body, { headers })).status).toBe(200)
    }
  })

  it('is not held by what is guessed from its address', async () => {
    const device = newDevice()
    await signInOn(device)
    await signInOn(null)
    await guess(10, 'biblio')
    for (let n = 0; n < 20; n += 1) await guess(1, `personne-${n}`)
    expect((await signInOn(null)).status).toBe(429)
    expect((await signInOn(newDevice())).status).toBe(429)
    expect((await signInOn(device)).status).toBe(200)
    // An account that never signed in there is held as it is anywhere.
    expect((await signInOn(device, 'benevole')).status).toBe(429)
  })

  it('slows guesses that are made on it, and only them', async () => {
    const device = newDevice()
    await signInOn(device)
    for (let time = 0; time < 5; time += 1) {
      expect((await signInOn(device, 'biblio', 'pas-le-bon-mot')).status).toBe(401)
    }
    expect((await signInOn(device)).status).toBe(429)
    expect((await signInOn(null)).status).toBe(200)
  })

  it('counts a whole IPv6 subscriber as one', async () => {
    for (let time = 0; time < 20; time += 1) {
      const client = clientAt(server, `2001:db8:1:2::${(time + 1).toString(16)}`)
      await client.post('/auth', { username: `personne-${time}`, password: 'pas-le-bon-mot' })
    }
    const held = clientAt(server, '2001:db8:1:2:ffff::1')
    expect((await held.post('/auth', { username: 'biblio', password: testPassword })).status).toBe(429)
    const other = clientAt(server, '2001:db8:1:3::1')
    expect((await other.post('/auth', { username: 'biblio', password: testPassword })).status).toBe(200)
  })

  it('is one of thirty that a person may bring in a day, and of five hundred in all', async () => {
    const at = server.now.toISOString()
    const row = (n: number, added_by: number) => ({
      device_id: `ancien-${n}`,
      user_id: added_by,
      added_by,
      site: null,
      first_seen: at,
      last_seen: new Date(server.now.getTime() - n * 1000).toISOString(),
      reported_at: null,
      oldest_at: null,
      snapshot_at: null,
      storage_used: null,
      waiting: n === 499 ? 1 : 0,
    })
    await server.db
      .insertInto('devices')
      .values(Array.from({ length: 30 }, (_, n) => row(n, 2)))
      .execute()
    expect(await deviceOf(await signInOn(newDevice()))).toBeNull()
    await server.db
      .insertInto('devices')
      .values(Array.from({ length: 470 }, (_, n) => row(n + 30, 1)))
      .execute()
    const device = newDevice()
    expect(await deviceOf(await signInOn(device, 'benevole'))).toBe(device.device_id)
    const left = await server.db.selectFrom('devices').select('device_id').execute()
    expect(left).toHaveLength(500)
    const names = left.map(({ device_id }) => device_id)
    // The one that holds an action stays; the next oldest has left.
    expect(names).toContain('ancien-499')
    expect(names).not.toContain('ancien-498')
  })
})
