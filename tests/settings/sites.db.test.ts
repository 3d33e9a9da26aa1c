import { sql } from 'kysely'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'

import { type Client, describeServer } from '../support/test-server.ts'
import { setParameter } from './set-parameter.ts'

describeServer('sites', (server) => {
  let admin: Client
  let biblio: Client
  let lecture: Client
  beforeAll(async () => {
    admin = await server.as('admin')
    biblio = await server.as('biblio')
    lecture = await server.as('lecture')
  })
  const lines = (id: number) =>
    server.db
      .selectFrom('audit_journal')
      .select(['action', 'before', 'after'])
      .where('entity', '=', 'sites')
      .where('entity_id', '=', id)
      .orderBy('id')
      .execute()
  const openSites = async (client = biblio) =>
    (await client.get('/api/users/me')).body.sites.map(({ name }: { name: string }) => name)

  it('are added, renamed and numbered as typed, which the journal tells', async () => {
    const bar_codes_configuration = { siteCode: 'NORD', firstValue: '0001' }
    const added = await admin.post('/api/sites', { name: 'Nord', gestit_id: '7', bar_codes_configuration })
    expect(added).toMatchObject({
      status: 201,
      body: {
        '@type': 'Site',
        name: 'Nord',
        enabled: true,
        gestit_id: '7',
        bar_codes_configuration,
        last_reference: null,
      },
    })
    const { id } = added.body
    const renamed = await admin.put(`/api/sites/${id}`, { name: 'Quartier nord' })
    expect(renamed).toMatchObject({ status: 200, body: { name: 'Quartier nord', bar_codes_configuration } })
    await admin.put(`/api/sites/${id}`, { name: 'Quartier nord' })
    expect(await lines(id)).toMatchObject([
      { action: 'sites.add', before: null, after: { name: 'Nord' } },
      { action: 'sites.change', before: { name: 'Nord' }, after: { name: 'Quartier nord' } },
    ])
    expect(await openSites()).toEqual(['Annexe', 'Centre', 'Quartier nord'])
  })

  it.each([
    ['name', { name: ' annexe' }, 'name', 'Un site porte déjà ce nom.'],
    ['number', { name: 'Sud', gestit_id: '7' }, 'gestit_id', 'Un autre site porte déjà ce numéro.'],
    ['empty name', { name: ' ' }, 'name', 'Le champ «\u00a0name\u00a0» ne doit pas être vide.'],
  ])('refuse a %s at its field', async (_, body, propertyPath, message) => {
    const refused = await admin.post('/api/sites', body)
    expect(refused.status).toBe(422)
    expect(refused.body.violations).toEqual([{ propertyPath, message }])
  })

  it.each([{ firstValue: 'A1' }, { firstValue: '' }, { siteCode: 'É' }, { siteCode: 'A B' }, { other: 1 }])(
    'refuse the numbering %j',
    async (change) => {
      const bar_codes_configuration = { siteCode: 'A', firstValue: '1', ...change }
      expect((await admin.put('/api/sites/2', { bar_codes_configuration })).status).toBe(422)
    },
  )

  describe('for whoever works at some of them', () => {
    beforeEach(async () => {
      await sql`insert into user_sites (user_id, site) select id, 2 from users where username = 'admin'`.execute(
        server.db,
      )
      return async () => {
        await sql`delete from user_sites`.execute(server.db)
      }
    })

    it.each([
      { name: 'Pris' },
      { enabled: false },
      { open_weekdays: [1] },
      { weekly_minutes: 60 },
      { gestit_id: '99' },
      { bar_codes_configuration: { siteCode: 'PRIS', firstValue: '1' } },
    ])('change there alone: %j', async (change) => {
      const before = (await biblio.get('/api/sites/1')).body
      expect(await admin.put('/api/sites/1', change)).toMatchObject({
        status: 403,
        body: { reason: 'SITE_CLOSED', message: 'Ce site ne vous est pas ouvert.' },
      })
      expect((await biblio.get('/api/sites/1')).body).toEqual(before)
      const { name } = (await biblio.get('/api/sites/2')).body
      expect((await admin.put('/api/sites/2', { name })).status).toBe(200)
    })

    it('is no site to add, for they could not open it', async () => {
      expect(await admin.post('/api/sites', { name: 'Ouest' })).toMatchObject({
        status: 403,
        body: {
          reason: 'SITE_CLOSED',
          message: 'Seul un compte ouvert à tous les sites peut en ajouter un.',
        },
      })
    })
  })

  it('take a number as well as a text for the first one', async () => {
    const written = await admin.put('/api/sites/2', {
      bar_codes_configuration: { siteCode: '', firstValue: 500 },
    })
    expect(written.body.bar_codes_configuration).toEqual({
      siteCode: '',
      firstValue: '500',
      symbology: 'CODE128',
    })
  })

  it('are no longer offered once they are out of service, and cannot all be', async () => {
    expect((await admin.put('/api/sites/2', { enabled: false })).body.enabled).toBe(false)
    expect(await openSites()).toEqual(['Centre', 'Quartier nord'])
    expect((await lecture.get('/api/agencies')).body['hydra:member']).not.toContainEqual(
      expect.objectContaining({ name: 'Annexe' }),
    )
    expect((await admin.put('/api/sites/3', { enabled: false })).status).toBe(200)
    const last = await admin.put('/api/sites/1', { enabled: false })
    expect(last.body.violations).toEqual([
      { propertyPath: 'enabled', message: 'C’est le seul site en service\u202f: il en faut un.' },
    ])
    expect(await openSites()).toEqual(['Centre'])
  })

  it('lend nothing and are not to work at while they are out of service, but take copies back', async () => {
    const lend = (site: number) => admin.post('/api/loanings', { beneficiary: 1, copy: 11 }, { site })
    await admin.put('/api/sites/2', { enabled: true })
    const loan = (await lend(2)).body
    await admin.put('/api/sites/2', { enabled: false })
    const closed = { status: 403, body: { reason: 'SITE_CLOSED' } }
    expect(await lecture.get('/api/copies', { site: 2 })).toMatchObject(closed)
    expect((await lecture.get('/api/copies', { site: 0 })).status).toBe(200)
    expect(
      (await admin.post('/api/loanings/return', { bar_code: loan.copy_barcode }, { site: 2 })).body.id,
    ).toBe(loan.id)
    for (const site of [2, 0]) {
      expect(await lend(site)).toMatchObject({
        ...closed,
        body: { message: 'Le site «\u00a0Annexe\u00a0» est hors service\u202f: rien ne s’y prête.' },
      })
    }
    // The copy lies at another counter.
    expect((await lend(1)).status).toBe(201)
  })

  it('are refused to an account of nothing but them while they are out of service, which may end its session', async () => {
    await sql`insert into user_sites (user_id, site) select id, 2 from users where username in ('lecture', 'admin')`.execute(
      server.db,
    )
    const [lone, chief] = [await server.as('lecture'), await server.as('admin')]
    await sql`update sites set enabled = true where id = 2`.execute(server.db)
    expect((await chief.put('/api/sites/2', { enabled: false })).body.violations).toMatchObject([
      { propertyPath: 'enabled', message: expect.stringContaining('votre seul site en service') },
    ])
    await sql`update sites set enabled = false where id = 2`.execute(server.db)
    const refused = { status: 403, body: { reason: 'SITE_CLOSED' } }
    for (const options of [{}, { site: 0 }, { site: 2 }])
      expect(await lone.get('/api/copies', options)).toMatchObject(refused)
    expect((await lone.get('/api/users/me')).body.sites).toEqual([])
    await sql`update sites set enabled = true where id = 2`.execute(server.db)
    expect((await lone.get('/api/copies')).status).toBe(200)
    await sql`update sites set enabled = false where id = 2`.execute(server.db)
    expect((await lone.post('/api/logout')).status).toBe(204)
    await sql`delete from user_sites`.execute(server.db)
  })

  it('leave one in service when all are put out of service at once', async () => {
    await admin.put('/api/sites/2', { enabled: true })
    await admin.put('/api/sites/3', { enabled: true })
    const answers = await Promise.all(
      [1, 2, 3].map((id) => admin.put(`/api/sites/${id}`, { enabled: false })),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 422])
    for (const id of [1, 2, 3]) await admin.put(`/api/sites/${id}`, { enabled: true })
  })

  it('are one where the parameter says so', async () => {
    for (const id of [2, 3]) await admin.put(`/api/sites/${id}`, { enabled: false })
    await setParameter(server, 'multisite', '0')
    const message =
      'Un autre site est en service\u202f: activez d’abord le paramètre «\u00a0Plusieurs sites\u00a0» (Réglages, Paramètres généraux).'
    for (const refused of [
      await admin.post('/api/sites', { name: 'Sud' }),
      await admin.put('/api/sites/2', { enabled: true }),
    ]) {
      expect(refused.status).toBe(422)
      expect(refused.body.violations).toEqual([{ propertyPath: 'enabled', message }])
    }
    expect((await admin.post('/api/sites', { name: 'Sud', enabled: false })).status).toBe(201)
    await setParameter(server, 'multisite', '1')
    expect((await admin.put('/api/sites/2', { enabled: true })).status).toBe(200)
  })

  it('are changed by their right alone, and never deleted', async () => {
    expect((await biblio.post('/api/sites', { name: 'Est' })).status).toBe(403)
    expect((await biblio.put('/api/sites/1', { name: 'Est' })).status).toBe(403)
    expect((await admin.put('/api/sites/99', { name: 'Est' })).status).toBe(404)
    expect((await admin.delete('/api/sites/2')).status).toBe(404)
  })
})
