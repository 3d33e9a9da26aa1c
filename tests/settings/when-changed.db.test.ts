import { expect, it } from 'vitest'

import { describeServer, testNow } from '../support/test-server.ts'

describeServer('what is kept by hand', (server) => {
  it.each([
    ['/api/categories', { name: 'Poésie' }],
    ['/api/keywords', { name: 'Poésie' }],
    ['/api/reasons', { name: 'Neige', type: 'delay' }],
    ['/api/reasons', { name: 'Fidélité', type: 'free' }],
  ])('says at %s when it was changed last', async (path, body) => {
    const admin = await server.as('admin')
    const added = await admin.post(path, body)
    expect(added).toMatchObject({ status: 201, body: { date_update: server.now.toISOString() } })
    server.moveTo('2026-03-10T11:30:00Z')
    await admin.put(`${path}/${added.body.id}`, { name: `${body.name} bis` })
    const { body: list } = await admin.get(`${path}?limit=500`)
    expect(list['hydra:member']).toContainEqual(
      expect.objectContaining({ id: added.body.id, date_update: '2026-03-10T11:30:00.000Z' }),
    )
    server.moveTo(testNow)
  })
})
