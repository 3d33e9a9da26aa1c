import { sql } from 'kysely'
import { beforeAll, expect, it } from 'vitest'

import { type Client, describeServer } from '../support/test-server.ts'

describeServer('what still serves', (server) => {
  let admin: Client
  beforeAll(async () => {
    admin = await server.as('admin')
  })

  it('gives its references another category, and can then be deleted', async () => {
    const { body: old } = await admin.post('/api/categories', { name: 'Policier' })
    const { body: kept } = await admin.post('/api/categories', { name: 'Polar' })
    await sql`update "references" set category = ${old.id} where id in (1, 2)`.execute(server.db)
    const at = `/api/categories/${old.id}`
    expect((await admin.delete(at)).body).toMatchObject({ reason: 'IN_USE', facts: { count: 2 } })
    for (const [into, message] of [
      [old.id, 'Choisissez une autre catégorie.'],
      [999_999, 'Cette catégorie n’existe pas.'],
    ]) {
      const { status, body } = await admin.post(`${at}/move`, { into })
      expect([status, body.violations]).toEqual([422, [{ propertyPath: 'into', message }]])
    }
    expect((await admin.post('/api/categories/999999/move', { into: kept.id })).status).toBe(404)
    const moved = await admin.post(`${at}/move`, { into: `/api/categories/${kept.id}` })
    expect([moved.status, moved.body]).toEqual([200, { count: 2 }])
    expect((await admin.get('/api/references/1')).body.category).toMatchObject({ name: 'Polar' })
    const line = await server.db
      .selectFrom('audit_journal')
      .selectAll()
      .where('action', '=', 'categories.move')
      .executeTakeFirstOrThrow()
    expect(line).toMatchObject({ entity_id: old.id, after: { moved_to: kept.id, moved_count: 2 } })
    expect((await admin.delete(at)).status).toBe(204)
  })

  it('gives its copies another place, but those of a closed site stay', async () => {
    const { body: old } = await admin.post('/api/locations', { label: 'Réserve' })
    const { body: kept } = await admin.post('/api/locations', { label: 'Étage' })
    await sql`update copies set location = ${old.id} where id in (1, 2)`.execute(server.db)
    await sql`update copies set site = 2 where id = 2`.execute(server.db)
    await sql`insert into profile_rights (profile, right_code)
      select profile, 'PARAMETER_LOCATIONS' from users where username = 'biblio'`.execute(server.db)
    await sql`insert into user_sites (user_id, site)
      select id, 1 from users where username = 'biblio'`.execute(server.db)
    const biblio = await server.as('biblio')
    const at = `/api/locations/${old.id}`
    expect((await biblio.post(`${at}/move`, { into: kept.id })).body).toEqual({ count: 1 })
    expect((await biblio.delete(at)).body).toMatchObject({ reason: 'IN_USE', facts: { count: 1 } })
    expect((await admin.post(`${at}/move`, { into: kept.id })).body).toEqual({ count: 1 })
    expect((await admin.delete(at)).status).toBe(204)
  })
})
