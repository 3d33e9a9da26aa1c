import { randomUUID } from 'node:crypto'

import { beforeEach, expect, it } from 'vitest'

import { type Client, describeServer, testNow } from '../support/test-server.ts'

describeServer('open sessions', (server) => {
  beforeEach(async () => {
    server.moveTo(testNow)
    await server.db.deleteFrom('sessions').execute()
  })

  const list = async (client: Client, query = '') =>
    (await client.get(`/api/sessions?${query}`)).body['hydra:member']
  const isOpen = async (client: Client) => (await client.get('/api/users/me')).status === 200

  it('are listed for the person, with their devices; everybody’s for whoever manages users', async () => {
    const device_id = randomUUID()
    const here = await server.as('benevole', device_id)
    server.moveTo('2026-03-10T09:05:00Z')
    await server.as('benevole')
    const admin = await server.as('admin')
    const mine = await list(here)
    expect(mine).toHaveLength(2)
    expect(mine.find(({ current }: { current: boolean }) => current)).toMatchObject({
      '@type': 'Session',
      user: { username: 'benevole', name: 'benevole Test' },
      device_id,
      created_at: testNow,
    })
    expect(await list(here, 'filters[user|eq]=1')).toEqual([])
    expect(await list(admin)).toHaveLength(3)
    expect(await list(admin, `device_id=${device_id}`)).toHaveLength(1)
    // What nobody can use any more is not open.
    server.moveTo('2026-03-10T21:05:01Z')
    expect(await list(await server.as('admin'))).toHaveLength(1)
  })

  it('are ended one by one by the person, or by whoever manages users, and by nobody else', async () => {
    const [here, lost, other] = [
      await server.as('benevole'),
      await server.as('benevole'),
      await server.as('biblio'),
    ]
    const idOf = async (client: Client) =>
      (await list(client)).find(({ current }: { current: boolean }) => current).id as number
    expect((await other.delete(`/api/sessions/${await idOf(lost)}`)).status).toBe(404)
    const lostId = await idOf(lost)
    expect((await here.delete(`/api/sessions/${lostId}`)).status).toBe(204)
    expect(await isOpen(lost)).toBe(false)
    expect(await isOpen(here)).toBe(true)
    expect((await here.delete(`/api/sessions/${lostId}`)).status).toBe(404)
    const admin = await server.as('admin')
    expect((await admin.delete(`/api/sessions/${await idOf(other)}`)).status).toBe(204)
    expect(await isOpen(other)).toBe(false)
  })

  it('are ended all together, but for the one that asks', async () => {
    const clients = await Promise.all([1, 2, 3].map(() => server.as('benevole')))
    const [here, ...others] = clients
    expect((await here?.post('/api/sessions/end'))?.body).toEqual({ ended: 2 })
    expect(await Promise.all(others.map(isOpen))).toEqual([false, false])
    expect((await here?.post('/api/sessions/end', { user: 1 }))?.status).toBe(403)
    const admin = await server.as('admin')
    const { id } = (await here?.get('/api/users/me'))?.body ?? {}
    expect((await admin.post('/api/sessions/end', { user: id })).body).toEqual({ ended: 1 })
    expect((await admin.post('/api/sessions/end', { user: 999_999 })).status).toBe(404)
    expect(await isOpen(admin)).toBe(true)
  })

  it('leave with the device that is forgotten, which nobody forgets under themselves', async () => {
    const [own, lost] = [randomUUID(), randomUUID()]
    const admin = await server.as('admin', own)
    const thief = await server.as('biblio', lost)
    expect((await thief.delete(`/api/devices/${own}`)).status).toBe(403)
    expect((await admin.delete(`/api/devices/${own}`)).body).toMatchObject({ reason: 'OWN_DEVICE' })
    expect((await admin.delete(`/api/devices/${lost}`)).status).toBe(204)
    expect(await isOpen(thief)).toBe(false)
    expect((await admin.delete(`/api/devices/${lost}`)).status).toBe(404)
    expect((await admin.get(`/api/devices?searchname=${lost}`)).body['hydra:member']).toEqual([])
  })
})
