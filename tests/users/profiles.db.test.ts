import { sql } from 'kysely'
import { beforeEach, expect, it } from 'vitest'

import { rightSentences } from '../../src/domain/right-sentences.ts'
import { rightCodes } from '../../src/domain/rights.ts'
import { openStream } from '../events/open-stream.ts'
import { type Client, describeServer } from '../support/test-server.ts'

describeServer('profiles', (server) => {
  let admin: Client
  beforeEach(async () => {
    await sql`insert into profile_rights select 1, code from rights on conflict do nothing`.execute(server.db)
    await sql`update users set enabled = true, profile = id where id <= 4`.execute(server.db)
    await sql`delete from profiles where id > 4`.execute(server.db)
    admin = await server.as('admin')
  })
  const list = async (client: Client) => (await client.get('/api/profiles')).body['hydra:member']
  const linesOf = (profile: number) =>
    server.db
      .selectFrom('audit_journal')
      .select(['action', 'before', 'after'])
      .where('entity', '=', 'profiles')
      .where('entity_id', '=', profile)
      .orderBy('id')
      .execute()

  it('are listed with their rights and how many have them', async () => {
    const profiles = await list(admin)
    expect(profiles.map(({ name }: { name: string }) => name)).toEqual([
      'Admin',
      'Bénévole',
      'Bibliothécaire',
      'Consultation',
    ])
    expect(profiles[0]).toMatchObject({ rights: rightCodes, user_count: 1, is_admin: true })
    expect(profiles[3]).toMatchObject({ '@type': 'Profile', id: 4, is_admin: false })
  })

  it('are made of rights that are sentences, in groups', async () => {
    const { body } = await admin.get('/api/rights?limit=100')
    expect(body['hydra:totalItems']).toBe(rightCodes.length)
    expect(body['hydra:member'].find(({ code }: { code: string }) => code === 'PARAMETER_LAW')).toEqual({
      '@id': '/api/rights/PARAMETER_LAW',
      '@type': 'Right',
      id: 'PARAMETER_LAW',
      code: 'PARAMETER_LAW',
      group_id: 'settings',
      group_name: 'Paramètres',
      label: rightSentences.PARAMETER_LAW,
    })
    // What a person may do begins with a verb.
    const said = Object.values(rightSentences)
    expect(said.filter((label) => !/^[A-ZÉ][a-zéèê]+(er|ir|re)[\s,]/.test(label))).toEqual([])
    expect(new Set(said).size).toBe(said.length)
  })

  it('are added, renamed and given rights, which their people have from then on', async () => {
    const added = await admin.post('/api/profiles', {
      name: 'Stagiaire',
      rights: ['LIST_LOANINGS', 'LIST_LOANINGS'],
    })
    expect([added.status, added.body.rights, added.body.user_count]).toEqual([201, ['LIST_LOANINGS'], 0])
    const { id } = added.body
    await sql`update users set profile = ${id} where username = 'lecture'`.execute(server.db)
    const lecture = await server.as('lecture')
    expect((await lecture.get('/api/beneficiaries')).status).toBe(403)
    const put = await admin.put(`/api/profiles/${id}`, { name: 'Stage', rights: ['LIST_BENEFICIARIES'] })
    expect(put.body).toMatchObject({ name: 'Stage', rights: ['LIST_BENEFICIARIES'], user_count: 1 })
    expect((await lecture.get('/api/beneficiaries')).status).toBe(200)
    expect((await lecture.get('/api/loanings')).status).toBe(403)
    const me = (await lecture.get('/api/users/me')).body
    expect([me.role, me.rights]).toEqual(['Stage', ['LIST_BENEFICIARIES']])
    await admin.put(`/api/profiles/${id}`, { name: 'Stage' })
    expect(await linesOf(id)).toEqual([
      {
        action: 'profiles.add',
        before: null,
        after: { name: 'Stagiaire', rights: ['LIST_LOANINGS'], second_factor: false },
      },
      {
        action: 'profiles.update',
        before: { name: 'Stagiaire', rights: ['LIST_LOANINGS'], second_factor: false },
        after: { name: 'Stage', rights: ['LIST_BENEFICIARIES'], second_factor: false },
      },
    ])
  })

  it('tell every page at once that rights have changed', async () => {
    const stream = await openStream(
      async (path, init) => server.app.request(path, init),
      (await server.as('benevole')).token,
    )
    await stream.next()
    await admin.put('/api/profiles/3', { rights: ['LIST_LOANINGS'] })
    const { event } = await stream.next()
    expect(event).toMatchObject({ resources: expect.arrayContaining(['me', 'profiles', 'users']) })
    await stream.close()
  })

  it('refuses names and rights that cannot be', async () => {
    const faults = [
      [{ name: 'bénévole' }, 'name'],
      [{ name: 'Admin' }, 'name'],
      [{ name: '42' }, 'name'],
      [{ name: ' ' }, 'name'],
      [{ name: 'x', rights: ['TOUT'] }, 'rights.0'],
    ] as const
    for (const [body, field] of faults) {
      const { status, body: refused } = await admin.post('/api/profiles', body)
      expect([body, status, refused.violations?.[0].propertyPath]).toEqual([body, 422, field])
    }
    expect((await admin.put('/api/profiles/3', { name: 'Consultation' })).status).toBe(422)
    expect((await admin.put('/api/profiles/99', { name: 'x' })).status).toBe(404)
  })

  it('are removed when nobody has them, and say how many do', async () => {
    const { id } = (await admin.post('/api/profiles', { name: 'Passage' })).body
    expect((await admin.delete(`/api/profiles/${id}`)).status).toBe(204)
    expect((await admin.delete(`/api/profiles/${id}`)).status).toBe(404)
    const used = await admin.delete('/api/profiles/3')
    expect([used.status, used.body.reason, used.body.facts]).toEqual([409, 'IN_USE', { count: 1 }])
    await sql`update users set profile = 3 where username = 'lecture'`.execute(server.db)
    expect((await admin.delete('/api/profiles/3')).body.message).toMatch(/^2 personnes ont ce profil/)
    expect((await admin.delete('/api/profiles/1')).status).toBe(409)
  })

  it('leave Admin its name and the two rights by which others are given', async () => {
    const without = rightCodes.filter((code) => code !== 'USER_EDIT')
    expect((await admin.put('/api/profiles/1', { rights: without })).body.violations[0].propertyPath).toBe(
      'rights',
    )
    expect((await admin.put('/api/profiles/1', { name: 'Chef' })).body.violations[0].propertyPath).toBe(
      'name',
    )
    const fewer = rightCodes.filter((code) => code !== 'LOANING_SELL')
    expect((await admin.put('/api/profiles/1', { rights: fewer })).body.rights).toEqual(fewer)
  })

  it('leave somebody who gives rights, also when two lose them at the same instant', async () => {
    const keepers = ['PARAMETER_LAW', 'USER_EDIT']
    const { id } = (await admin.post('/api/profiles', { name: 'Clés', rights: keepers })).body
    await sql`update users set profile = ${id} where username = 'biblio'`.execute(server.db)
    await sql`update users set enabled = false where username = 'admin'`.execute(server.db)
    const biblio = await server.as('biblio')
    const last = await biblio.put(`/api/profiles/${id}`, { rights: ['PARAMETER_LAW'] })
    expect([last.status, last.body.reason]).toEqual([409, 'LAST_KEEPER'])
    expect((await biblio.get('/api/users/me')).body.rights).toEqual(expect.arrayContaining(keepers))

    await sql`update users set enabled = true where username = 'admin'`.execute(server.db)
    const answers = await Promise.all([
      admin.put(`/api/profiles/${id}`, { rights: [] }),
      biblio.put('/api/users/1', { role: 'Consultation' }),
    ])
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    const { rows } = await sql`
      select from users u where u.enabled and (select count(*) from profile_rights
        where profile = u.profile and right_code = any(${keepers})) = 2`.execute(server.db)
    expect(rows).toHaveLength(1)
  })

  it('are changed by whoever gives rights alone', async () => {
    const { id } = (
      await admin.post('/api/profiles', { name: 'Accueil', rights: ['USER_EDIT', 'LIST_USERS'] })
    ).body
    await sql`update users set profile = ${id} where username = 'biblio'`.execute(server.db)
    const biblio = await server.as('biblio')
    expect(await list(biblio)).toHaveLength(5)
    expect((await biblio.get('/api/rights')).status).toBe(403)
    expect((await biblio.put(`/api/profiles/${id}`, { rights: rightCodes })).status).toBe(403)
    expect((await biblio.post('/api/profiles', { name: 'x' })).status).toBe(403)
    expect((await biblio.delete('/api/profiles/4')).status).toBe(403)
  })
})
