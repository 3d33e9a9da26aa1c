import { sql } from 'kysely'
import { beforeAll, expect, it } from 'vitest'

import { type Client, describeServer } from '../support/test-server.ts'

describeServer('copies: adding, changing, removing', (server) => {
  let biblio: Client
  beforeAll(async () => {
    biblio = await server.as('biblio')
    await sql`insert into locations (label) values ('Rayon A')`.execute(server.db)
  })

  it('adds one that can be lent at once', async () => {
    const { status, body } = await biblio.post('/api/copies', {
      reference: '/api/references/1',
      site: '/api/sites/1',
      bar_code: 'N1',
      location: 1,
      price: '12.5',
      buy_date: '2026-01-02',
    })
    expect(status).toBe(201)
    expect(body).toMatchObject({
      name: 'Livre numéro 1',
      bar_code: 'N1',
      site_name: 'Centre',
      location: { id: 1, label: 'Rayon A' },
      location_label: 'Rayon A',
      price: '12.50',
      state: 'VERY_GOOD',
      status_name: 'Disponible',
      type: 'Location',
      buy_date: '2026-01-02',
    })
    expect((await biblio.post('/api/loanings', { beneficiary: 1, copy: body.id })).status).toBe(201)
  })

  it('says whose a bar code is already', async () => {
    const { body } = await biblio.post('/api/copies', { reference: 2, site: 1, bar_code: '1001' })
    expect(body.violations).toEqual([
      {
        propertyPath: 'bar_code',
        message: 'Le code-barres 1001 est déjà celui d’un exemplaire de «\u00a0Livre numéro 1\u00a0».',
      },
    ])
    const at = await Promise.all(
      Array.from({ length: 5 }, () => biblio.post('/api/copies', { reference: 2, site: 1, bar_code: 'N2' })),
    )
    expect(at.map(({ status }) => status).sort()).toEqual([201, 422, 422, 422, 422])
  })

  it('gives the next code of the site to copies that come without one, never the same twice', async () => {
    const at = await Promise.all(
      Array.from({ length: 8 }, () => biblio.post('/api/copies', { reference: 3, site: 1 })),
    )
    expect(at.map(({ status }) => status)).toEqual(Array.from({ length: 8 }, () => 201))
    expect(new Set(at.map(({ body }) => body.bar_code)).size).toBe(8)
  })

  it('takes a code only as a scanner would read it', async () => {
    const { body } = await biblio.post('/api/copies', { reference: 2, site: 1, bar_code: 'A12345B' })
    expect(body.violations[0]).toEqual({
      propertyPath: 'bar_code',
      message: 'Ce code se lirait «\u00a012345\u00a0»\u202f: écrivez-le ainsi.',
    })
  })

  it('gives a withdrawn copy’s code to another', async () => {
    expect((await biblio.delete('/api/copies/5?reason=Perdu')).status).toBe(204)
    const withdrawn = await server.db
      .selectFrom('copies')
      .select(['withdrawal_reason', 'withdrawn_on'])
      .where('id', '=', 5)
      .executeTakeFirst()
    expect(withdrawn).toEqual({ withdrawal_reason: 'Perdu', withdrawn_on: expect.any(String) })
    expect((await biblio.post('/api/copies', { reference: 6, site: 1, bar_code: '1005' })).status).toBe(201)
  })

  it('refuses to withdraw, or to make available, what is on loan', async () => {
    await biblio.post('/api/loanings', { beneficiary: 2, copy: 6 })
    const removed = await biblio.delete('/api/copies/6')
    expect(removed).toMatchObject({ status: 409, body: { reason: 'IN_USE' } })
    const toggled = await biblio.put('/api/copies/6', { status: 'Non Disponible' })
    expect(toggled).toMatchObject({ status: 409, body: { reason: 'COPY_UNAVAILABLE' } })
  })

  it('takes a copy off the shelf and puts it back', async () => {
    const off = await biblio.put('/api/copies/7', { status: 'Non Disponible', state: 'DAMAGED' })
    expect(off.body).toMatchObject({ status_name: 'Non Disponible', is_unavailable: true, state: 'DAMAGED' })
    expect((await biblio.post('/api/loanings', { beneficiary: 1, copy: 7 })).status).toBe(409)
    await biblio.put('/api/copies/7', { status: 'Disponible' })
    expect((await biblio.post('/api/loanings', { beneficiary: 1, copy: 7 })).status).toBe(201)
  })

  it('gives a copy no code of a reader’s card, nor of a relative’s', async () => {
    await sql`update beneficiaries set reader_id = 'Carte-Ab' where id = 4`.execute(server.db)
    for (const bar_code of ['R1', 'r2a', 'CARTE-ab']) {
      const { body } = await biblio.post('/api/copies', { reference: 8, site: 1, bar_code })
      expect(body.violations).toEqual([
        {
          propertyPath: 'bar_code',
          message: `Le code-barres ${bar_code} est celui d’une carte de lecteur.`,
        },
      ])
    }
  })

  it('demands a cycle where the medium is lent by cycles', async () => {
    await sql`update media set duration_type = 'CYCLE' where id = 3`.execute(server.db)
    await sql`update "references" set medium = 3 where id = 8`.execute(server.db)
    const without = await biblio.post('/api/copies', { reference: 8, site: 1, bar_code: 'N8' })
    expect(without.body.violations[0].propertyPath).toBe('cycle_value')
    const half = await biblio.post('/api/copies', { reference: 8, site: 1, bar_code: 'N8', cycle_value: 2 })
    expect(half.body.violations[0].propertyPath).toBe('cycle_type')
    const whole = { reference: 8, site: 1, bar_code: 'N8', cycle_value: 2, cycle_type: 'WEEK' }
    expect((await biblio.post('/api/copies', whole)).status).toBe(201)
  })

  it('keeps to the sites that are open to the person', async () => {
    await sql`insert into user_sites (user_id, site) select id, 1 from users where username = 'biblio'`.execute(
      server.db,
    )
    const limited = await server.as('biblio')
    const added = await limited.post('/api/copies', { reference: 1, site: 2, bar_code: 'N9' })
    expect(added.body.violations[0]).toEqual({ propertyPath: 'site', message: 'Ce site n’existe pas.' })
    expect((await limited.put('/api/copies/11', { state: 'GOOD' })).status).toBe(404)
    expect((await limited.delete('/api/copies/11')).status).toBe(404)
    const clash = await limited.post('/api/copies', { reference: 1, site: 1, bar_code: '2001' })
    expect(clash.body.violations[0].message).toBe(
      'Le code-barres 2001 est déjà celui d’un exemplaire d’un autre site.',
    )
    const reference = await limited.delete('/api/references/11')
    expect(reference.status).toBe(403)
    await sql`delete from user_sites`.execute(server.db)
  })

  it('asks the right of each', async () => {
    const reading = await server.as('lecture')
    expect((await reading.post('/api/copies', { reference: 1, site: 1, bar_code: 'Z' })).status).toBe(403)
    expect((await reading.put('/api/copies/1', { state: 'GOOD' })).status).toBe(403)
    expect((await reading.delete('/api/copies/1')).status).toBe(403)
  })
})
