import { randomUUID } from 'node:crypto'

import { sql } from 'kysely'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'

import type { Copy } from '../../src/contract/catalogue.ts'
import { emptyTables } from '../support/empty-tables.ts'
import { type Client, describeServer, testNow } from '../support/test-server.ts'

/** Copies 1 to 10 are of Centre (1), 11 to 15 of Annexe (2). */
describeServer('a copy that goes from site to site', (server) => {
  let admin: Client
  beforeAll(async () => {
    admin = await server.as('admin')
    await sql`insert into sites (name, enabled) values ('Fermé', false), ('Bourg', true)`.execute(server.db)
  })
  beforeEach(async () => {
    server.moveTo(testNow)
    await emptyTables(server.db, 'sales', 'loanings', 'audit_journal')
    await sql`delete from user_sites`.execute(server.db)
    await sql`update copies set status = 'Disponible', deleted_at = null, withdrawn_on = null, sent_from = null, sent_at = null,
      type = 'Location', site = case when id <= 10 then 1 else 2 end`.execute(server.db)
  })
  const send = (copy: number, site: number | string = 2, as = admin) =>
    as.put(`/api/copies/${copy}`, { site })
  const confirm = (copy: number, as = admin) => as.put(`/api/copies/${copy}`, { status: 'Disponible' })
  const list = async (query: string, site = 0, as = admin): Promise<Copy[]> =>
    (await as.get(`/api/copies?${query}`, { site })).body['hydra:member']
  const idsOf = (copies: Copy[]) => copies.map(({ id }) => id)
  const said = ({ status, body }: Awaited<ReturnType<typeof send>>) => [
    status,
    body.violations?.[0] ?? body.message,
  ]

  it('is of its destination at once, on its way, and says from where and since when', async () => {
    // It is already tomorrow at the library.
    server.moveTo('2026-03-10T23:30:00.000Z')
    const late = await server.as('admin')
    const { status, body } = await send(1, '/api/sites/2', late)
    expect(status).toBe(200)
    expect(body).toMatchObject({
      site: 2,
      site_name: 'Annexe',
      status: { name: 'En transfert' },
      sent_from: { id: 1, name: 'Centre' },
      date: '2026-03-11',
    })
    expect(await list('id=2', 0, late)).toMatchObject([{ sent_from: null, date: null }])
  })

  it('is to be had once its arrival is confirmed', async () => {
    await send(1)
    const { status, body } = await confirm(1)
    expect([status, body.status_name, body.site, body.sent_from, body.date]).toEqual([
      200,
      'Disponible',
      2,
      null,
      null,
    ])
    expect((await admin.post('/api/loanings', { beneficiary: 4, copy: 1 })).status).toBe(201)
  })

  it('is taken back by who sent it, and is at home at once', async () => {
    await send(1)
    const { status, body } = await send(1, 1)
    expect([status, body.status_name, body.site, body.sent_from]).toEqual([200, 'Disponible', 1, null])
    // Once it has arrived, the same is a transfer like another.
    await send(1)
    await confirm(1)
    expect((await send(1, 1)).body).toMatchObject({ status_name: 'En transfert', sent_from: { id: 2 } })
  })

  it('is refused while on loan, sold, under way or where it is, and to what is no site in service', async () => {
    await admin.post('/api/loanings', { beneficiary: 1, copy: 1 })
    await sql`update copies set type = 'Vente' where id = 2`.execute(server.db)
    await admin.post('/api/sales', { beneficiary: 1, copy: 2 })
    await send(3)
    const answers = [
      await send(1),
      await send(2),
      await send(3),
      await send(3, 4),
      await send(4, 1),
      await send(4, 3),
      await send(4, 99),
    ]
    expect(answers.map(said)).toEqual([
      [409, '«\u00a0Livre numéro 1\u00a0» est en prêt\u202f: il se transfère une fois rendu.'],
      [409, '«\u00a0Livre numéro 2\u00a0» a été vendu le 10/03/2026\u202f: il ne se transfère pas.'],
      [409, '«\u00a0Livre numéro 3\u00a0» est déjà en transfert vers Annexe, depuis le 10/03/2026.'],
      [409, '«\u00a0Livre numéro 3\u00a0» est déjà en transfert vers Annexe, depuis le 10/03/2026.'],
      [422, { propertyPath: 'site', message: '«\u00a0Livre numéro 4\u00a0» est déjà à Centre.' }],
      [422, { propertyPath: 'site', message: 'Fermé n’est plus en service.' }],
      [422, { propertyPath: 'site', message: 'Ce site n’existe pas.' }],
    ])
  })

  it('is sent home by whoever took it back for another site, from their own', async () => {
    await sql`insert into user_sites select id, 1 from users where username = 'biblio'`.execute(server.db)
    const centre = await server.as('biblio')
    const atCentre = { site: 1 }
    await admin.post('/api/loanings', { beneficiary: 4, copy: 11 }, { site: 2 })
    // Of a closed site, and not yet come back: it is nothing to them.
    expect((await centre.put('/api/copies/11', { site: 2 }, atCentre)).status).toBe(404)
    const { body } = await centre.post('/api/loanings/return', { bar_code: '2001', penalty: false }, atCentre)
    expect(body.home_site).toEqual({ id: 2, name: 'Annexe' })
    expect((await centre.put('/api/copies/11', { site: 4 }, atCentre)).status).toBe(404)
    const sent = await centre.put('/api/copies/11', { site: 2 }, atCentre)
    expect(sent.body).toMatchObject({
      status_name: 'En transfert',
      site: 2,
      sent_from: { id: 1, name: 'Centre' },
    })
    expect((await confirm(11)).body).toMatchObject({ status_name: 'Disponible', site: 2 })
    // What somebody else took back is not theirs to move.
    await admin.post('/api/loanings', { beneficiary: 4, copy: 12 }, { site: 2 })
    await admin.post('/api/loanings/return', { bar_code: '2002' }, { site: 2 })
    expect((await centre.put('/api/copies/12', { site: 2 }, atCentre)).status).toBe(404)
    // Without a counter, where it stands is its own site.
    expect((await admin.put('/api/copies/12', { site: 2 })).status).toBe(422)
  })

  it('is asked for alone, and keeps a copy under way from being lent, hidden or removed', async () => {
    expect(said(await admin.put('/api/copies/1', { site: 2, state: 'GOOD' }))).toEqual([
      422,
      { propertyPath: 'site', message: 'Un transfert se demande seul, sans autre changement.' },
    ])
    await send(1)
    expect((await admin.put('/api/copies/1', { status: 'Non Disponible' })).body.message).toBe(
      '«\u00a0Livre numéro 1\u00a0» est en transfert\u202f: sa disponibilité ne se change pas.',
    )
    expect((await admin.post('/api/loanings', { beneficiary: 1, copy: 1 })).body.message).toContain(
      '(En transfert)',
    )
    expect((await admin.delete('/api/copies/1')).status).toBe(409)
    // What is written on it may still be put right.
    expect((await admin.put('/api/copies/1', { state: 'GOOD', status: 'Disponible' })).body).toMatchObject({
      state: 'GOOD',
      status_name: 'Disponible',
      site: 2,
    })
  })

  it('is sent although somebody waits for it', async () => {
    await sql`insert into reservations (beneficiary_id, reference_id, queue_position, site) values (1, 1, 1, 1)`.execute(
      server.db,
    )
    expect((await send(1)).status).toBe(200)
  })

  it('is done once however often it is asked with its key', async () => {
    const key = randomUUID()
    const ask = () => admin.put('/api/copies/1', { site: 2 }, { key })
    const [first, again] = [await ask(), await ask()]
    expect([first.status, again.body]).toEqual([200, first.body])
    const { rows } = await sql`select action from audit_journal where entity = 'copies'`.execute(server.db)
    expect(rows).toEqual([{ action: 'copies.send' }])
  })

  it('tells its way in the journal of its title', async () => {
    await send(1)
    await send(1, 1)
    await send(1)
    await confirm(1)
    const { body } = await admin.get('/api/journal?entity=references&id=1')
    const lines = body['hydra:member'].map(({ action, changes }: { action: string; changes: object[] }) => [
      action,
      changes.length,
    ])
    expect(lines).toEqual([
      ['Réception d’un exemplaire\u202f: 1001', 1],
      ['Envoi d’un exemplaire\u202f: 1001', 2],
      ['Transfert repris\u202f: 1001', 2],
      ['Envoi d’un exemplaire\u202f: 1001', 2],
    ])
  })

  describe('by right', () => {
    const withRights = async (...rights: string[]) => {
      await sql`delete from profile_rights where profile = (select id from profiles where name = 'Consultation')`.execute(
        server.db,
      )
      await sql`insert into profile_rights (profile, right_code) select p.id, r from profiles p, unnest(${rights}::text[]) r where p.name = 'Consultation'`.execute(
        server.db,
      )
      return server.as('lecture')
    }
    it.each([
      [['COPY_TRANSFER'], [200, 200, 200, 403]],
      [['LIST_TRANSFERS'], [403, 200, 403, 403]],
      [['COPY_MODIFY'], [403, 403, 403, 200]],
      [
        ['COPY_MODIFY', 'COPY_TRANSFER'],
        [200, 200, 200, 200],
      ],
    ])('%s may send, confirm, take back, change: %s', async (rights, statuses) => {
      const person = await withRights(...rights)
      await send(2)
      await send(3)
      const answers = [
        await send(1, 2, person),
        await confirm(2, person),
        await send(3, 1, person),
        await person.put('/api/copies/4', { state: 'GOOD' }),
      ]
      expect(answers.map(({ status }) => status)).toEqual(statuses)
    })
  })

  describe('seen', () => {
    const onlyAt = async (username: string, site: number) => {
      await sql`insert into user_sites select id, ${site} from users where username = ${username}`.execute(
        server.db,
      )
      return server.as(username)
    }
    const underWay = 'filters[status.name|eq]=En transfert'

    it('is an arrival where it goes and a departure where it was', async () => {
      await send(1)
      await send(11, 1)
      await send(12, 4)
      expect(idsOf(await list(`${underWay}&site=1`, 1))).toEqual([11])
      expect(idsOf(await list(underWay, 1))).toEqual([11])
      expect(idsOf(await list(`${underWay}&filters[sent_from|eq]=1`, 1))).toEqual([1])
      expect(idsOf(await list(`${underWay}&filters[sent_from|in]=1,2`, 2))).toEqual([1, 11, 12])
      // Neither from there nor to there.
      expect(idsOf(await list(`${underWay}&filters[sent_from|eq]=2`, 1))).toEqual([11])
    })

    it('is so for who works at one site only: it takes back its departures, and cannot receive them', async () => {
      const centre = await onlyAt('biblio', 1)
      expect((await send(1, 2, centre)).status).toBe(200)
      expect(idsOf(await list(`${underWay}&sent_from=1`, 0, centre))).toEqual([1])
      expect(idsOf(await list(underWay, 0, centre))).toEqual([])
      expect((await confirm(1, centre)).status).toBe(404)
      expect((await centre.put('/api/copies/1', { state: 'GOOD' })).status).toBe(404)
      expect((await send(1, 1, centre)).body).toMatchObject({ site: 1, status_name: 'Disponible' })
      expect((await send(13, 1, centre)).status).toBe(404)
    })

    it('is so for who works where it goes: they receive it, and send it nowhere meanwhile', async () => {
      const annexe = await onlyAt('biblio', 2)
      await send(1)
      expect(idsOf(await list(`${underWay}&sent_from=1`, 0, annexe))).toEqual([1])
      expect((await send(1, 1, annexe)).status).toBe(409)
      expect((await confirm(1, annexe)).status).toBe(200)
    })

    it('is sorted by sender and by day, and found by day', async () => {
      await send(11, 4)
      server.moveTo('2026-03-11T08:00:00.000Z')
      const next = await server.as('admin')
      await send(1, 4, next)
      await send(2, 4, next)
      const sorted = async (order: string) => idsOf(await list(`${underWay}&${order}`, 0, next))
      expect(await sorted('order[sent_from]=asc')).toEqual([11, 1, 2])
      expect(await sorted('order[sent_from]=desc')).toEqual([2, 1, 11])
      expect(await sorted('order[date]=asc')).toEqual([11, 1, 2])
      expect(await sorted('order[date]=desc')).toEqual([2, 1, 11])
      expect(await sorted('order[name]=desc')).toEqual([2, 1, 11])
      expect(idsOf(await list('date=2026-03-10', 0, next))).toEqual([11])
      expect(idsOf(await list('filters[date|gte]=2026-03-11', 0, next))).toEqual([1, 2])
    })
  })

  it('says nothing impossible, whoever writes to the database', async () => {
    const impossible = [
      sql`update copies set sent_from = 2, sent_at = now() where id = 1`,
      sql`update copies set status = 'En transfert', sent_from = 2 where id = 1`,
      sql`update copies set status = 'En transfert', sent_from = 1, sent_at = now() where id = 1`,
    ]
    for (const statement of impossible)
      await expect(statement.execute(server.db)).rejects.toThrow('copies_sent')
  })
})
