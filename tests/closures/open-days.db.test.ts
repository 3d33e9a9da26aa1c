import { randomUUID } from 'node:crypto'

import { parse } from 'csv-parse/sync'
import { sql } from 'kysely'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'

import { setParameter } from '../settings/set-parameter.ts'
import { type Client, describeServer } from '../support/test-server.ts'

describeServer('open days', (server) => {
  let admin: Client
  let biblio: Client
  beforeAll(async () => {
    admin = await server.as('admin')
    biblio = await server.as('biblio')
  })
  beforeEach(async () => {
    // A Tuesday.
    server.moveTo('2026-03-10T09:00:00.000Z')
    await sql`truncate loanings, idempotency_keys restart identity cascade`.execute(server.db)
    await sql`update copies set status = 'Disponible'`.execute(server.db)
    for (const { id } of (await admin.get('/api/closures')).body['hydra:member']) {
      expect((await admin.delete(`/api/closures/${id}`)).status).toBe(204)
    }
    for (const id of [1, 2]) await openOn(id, [1, 2, 3, 4, 5, 6, 7])
  })
  const openOn = async (site: number, open_weekdays: number[]) => {
    const { status, body } = await admin.put(`/api/sites/${site}`, { open_weekdays })
    expect([status, body.open_weekdays]).toEqual([200, open_weekdays])
  }
  const close = async (first_day: string, last_day = first_day, site: number | null = null) => {
    const added = await admin.post('/api/closures', { site, first_day, last_day, label: 'Fermeture' })
    expect(added.status).toBe(201)
    return added.body
  }
  const lend = async (body: object = {}, options: { site?: number } = {}) => {
    const lent = await biblio.post(
      '/api/loanings',
      { beneficiary: 1, copy: 1, ...body },
      { key: randomUUID(), ...options },
    )
    expect(lent.status).toBe(201)
    return lent.body
  }

  it('move the return of a loan past what is closed, and nothing where all is open', async () => {
    expect(await lend()).toMatchObject({ end_date: '2026-03-31', end_date_flagged: false })
    await close('2026-03-30', '2026-04-03')
    expect(await lend({ copy: 2 })).toMatchObject({ end_date: '2026-04-04', end_date_flagged: false })
    await openOn(1, [2, 3, 4, 5])
    expect(await lend({ copy: 3 })).toMatchObject({ end_date: '2026-04-07' })
  })

  it('are those of the site of the loan', async () => {
    await close('2026-03-31', '2026-03-31', 2)
    expect(await lend({}, { site: 1 })).toMatchObject({ site: 1, end_date: '2026-03-31' })
    expect(await lend({ copy: 2 }, { site: 2 })).toMatchObject({ site: 2, end_date: '2026-04-01' })
  })

  it('move a return that was chosen, too', async () => {
    await close('2026-03-20', '2026-03-21')
    expect(await lend({ expected_return_date: '2026-03-20' })).toMatchObject({
      end_date: '2026-03-22',
      end_date_flagged: true,
    })
  })

  it('move what is extended and what is changed', async () => {
    await close('2026-04-21', '2026-04-22')
    await close('2026-04-14')
    const { id } = await lend()
    const extended = await biblio.post(`/api/loanings/${id}/extend`, { duration_value: 3 })
    expect(extended.body).toMatchObject({ end_date: '2026-04-23', end_date_flagged: false })
    const changed = await biblio.put(`/api/loanings/${id}`, { duration_value: 5 })
    expect(changed.body).toMatchObject({ end_date: '2026-04-15', end_date_flagged: false })
  })

  it('are the only ones that a penalty and its grace count, where the library says so', async () => {
    await setParameter(server, 'delay_days_number_before_penalize', '2')
    const { id } = await lend()
    const [other, third] = [await lend({ copy: 2 }), await lend({ copy: 3 })]
    server.moveTo('2026-04-09T09:00:00.000Z')
    biblio = await server.as('biblio')
    const late = await biblio.post(`/api/loanings/${other.id}/return`, {}, { key: randomUUID() })
    // Nine days late, of which two of grace: a started week.
    expect(late.body).toMatchObject({ penalty_duration: 7, penalty_count: 1 })
    admin = await server.as('admin')
    await close('2026-04-01', '2026-04-07')
    const all = await biblio.post(`/api/loanings/${third.id}/return`, {}, { key: randomUUID() })
    expect(all.body).toMatchObject({ penalty_duration: 7, penalty_count: 1 })
    await setParameter(server, 'penalty_open_days_only', '1')
    const back = await biblio.post(`/api/loanings/${id}/return`, {}, { key: randomUUID() })
    expect(back.body).toMatchObject({ islate: true, penalty_duration: null, penalty: null })
    // A penalty of two open days is what the loan and its file tell from then on, beside nine days of lateness.
    await setParameter(server, 'delay_days_number_before_penalize', '0')
    const last = await lend({ copy: 4 })
    await sql`update loanings set start_date = '2026-03-10', end_date = '2026-03-31' where id = ${last.id}`.execute(
      server.db,
    )
    await biblio.post(`/api/loanings/${last.id}/return`, {}, { key: randomUUID() })
    const { body } = await biblio.get(`/api/loanings/${last.id}`)
    expect(body).toMatchObject({ penalty_duration: 2, penalty_count: 1 })
    const file = await admin.get(`/api/export/loanings?export_type=csv&filters[id|eq]=${last.id}`)
    const rows = parse(file.body as Buffer, { bom: true, delimiter: ';', columns: true })
    expect(rows).toEqual([expect.objectContaining({ 'Jours de retard': '9', Pénalité: '0,50' })])
    await setParameter(server, 'penalty_open_days_only', '0')
  })

  it('go to devices, those of the sites that are open to the person', async () => {
    await openOn(2, [3, 6])
    await close('2026-05-01')
    await close('2026-05-08', '2026-05-09', 2)
    const settings = async () => (await biblio.get('/api/snapshot')).body.settings
    expect((await settings()).openings).toEqual({
      weeks: [{ site: 2, weekdays: [3, 6] }],
      closures: [
        { site: null, first_day: '2026-05-01', last_day: '2026-05-01' },
        { site: 2, first_day: '2026-05-08', last_day: '2026-05-09' },
      ],
    })
    await lend()
    expect((await biblio.get('/api/snapshot')).body.loanings).toMatchObject([{ site: 1 }])
    await sql`insert into user_sites (user_id, site) select id, 1 from users where username = 'biblio'`.execute(
      server.db,
    )
    biblio = await server.as('biblio')
    expect((await settings()).openings).toMatchObject({ weeks: [], closures: [{ site: null }] })
    await sql`delete from user_sites`.execute(server.db)
    biblio = await server.as('biblio')
  })

  describe('closures', () => {
    it('are listed with their site, changed and removed, and the journal tells', async () => {
      const { id } = await close('2026-07-14')
      const changed = await admin.put(`/api/closures/${id}`, { label: 'Fête nationale', site: 2 })
      expect(changed).toMatchObject({
        status: 200,
        body: { '@type': 'Closure', label: 'Fête nationale', site: 2, site_name: 'Annexe', act: null },
      })
      const listed = await biblio.get('/api/closures?filters[label|like]=fete')
      expect(listed.body['hydra:member']).toMatchObject([{ id, first_day: '2026-07-14' }])
      expect((await admin.delete(`/api/closures/${id}`)).status).toBe(204)
      const { rows } = await sql<{ action: string }>`
        select action from audit_journal where entity = 'closures' and entity_id = ${id} order by id`.execute(
        server.db,
      )
      expect(rows.map(({ action }) => action)).toEqual(['closures.add', 'closures.change', 'closures.remove'])
    })

    it.each([
      [{ last_day: '2026-07-13' }, 'last_day', 'Le dernier jour est avant le premier.'],
      [
        { last_day: '2027-07-15' },
        'last_day',
        'Une fermeture dure au plus 366 jours\u202f: dernier jour au plus tard le 14/07/2027.',
      ],
      [{ site: 99 }, 'site', 'Ce site n’existe pas.'],
      [{ label: ' ' }, 'label', 'Le champ «\u00a0label\u00a0» ne doit pas être vide.'],
    ])('refuse %j', async (changes, propertyPath, message) => {
      const body = { site: null, first_day: '2026-07-14', last_day: '2026-07-14', label: 'Été', ...changes }
      const refused = await admin.post('/api/closures', body)
      expect([refused.status, refused.body.violations]).toEqual([422, [{ propertyPath, message }]])
    })

    it('refuse a change that turns them round', async () => {
      const { id } = await close('2026-07-14')
      expect((await admin.put(`/api/closures/${id}`, { first_day: '2026-07-15' })).status).toBe(422)
    })
  })

  it.each([
    [[], 'doit compter au moins un jour ouvert'],
    [[0], 'doit être au moins 1'],
    [[8], 'doit être au plus 7'],
    [[2, 2], 'ne doit pas nommer deux fois un jour'],
  ])('refuse the week %j', async (open_weekdays, said) => {
    const refused = await admin.put('/api/sites/1', { open_weekdays })
    expect([refused.status, refused.body.violations[0].message]).toEqual([422, expect.stringContaining(said)])
  })

  it.each(['{}', '{0}', '{8}', '{2,2}', '{1,null}'])('are refused by the database as %s', async (week) => {
    await expect(
      sql`update sites set open_weekdays = ${week}::integer[] where id = 1`.execute(server.db),
    ).rejects.toThrow('sites_open_weekdays')
  })
})
