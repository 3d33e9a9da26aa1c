import { beforeAll, expect, it } from 'vitest'

import { describeServer } from '../support/test-server.ts'

describeServer('the two kinds of reasons', (server) => {
  beforeAll(() =>
    server.db.insertInto('profile_rights').values({ profile: 2, right_code: 'PARAMETER_DELAY' }).execute(),
  )

  it('are each changed by their own right', async () => {
    const biblio = await server.as('biblio')
    const free = await biblio.post('/api/reasons', { name: 'Pour rien', type: 'free' })
    expect(free).toMatchObject({ status: 403, body: { reason: 'RIGHT_MISSING' } })
    const delay = await biblio.post('/api/reasons', { name: 'Neige', type: 'delay' })
    expect(delay.status).toBe(201)
    const moved = await biblio.put(`/api/reasons/${delay.body.id}`, { type: 'free' })
    expect(moved.status).toBe(403)
    const admin = await server.as('admin')
    const { body } = await admin.post('/api/reasons', { name: 'Neige', type: 'free' })
    expect((await biblio.put(`/api/reasons/${body.id}`, { type: 'delay' })).status).toBe(403)
    expect((await biblio.post(`/api/reasons/${body.id}/toggle`)).status).toBe(403)
    expect((await biblio.delete(`/api/reasons/${body.id}`)).status).toBe(403)
  })
})
