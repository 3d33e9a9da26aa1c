import { sql } from 'kysely'
import { beforeAll, beforeEach, expect, it } from 'vitest'

import { sweep } from '../../src/server/housekeeping/housekeeping.ts'
import { type Client, describeServer } from '../support/test-server.ts'
import { unseed } from '../support/unseed.ts'

describeServer('the removable sample', (server) => {
  let admin: Client
  beforeAll(async () => {
    admin = await server.as('admin')
  })
  beforeEach(() => unseed(server.db))
  const count = async (path: string) => (await admin.get(path)).body['hydra:totalItems'] as number
  const counts = async () => ({
    references: await count('/api/references'),
    copies: await count('/api/copies'),
    readers: await count('/api/beneficiaries'),
    media: await count('/api/media'),
    categories: await count('/api/categories'),
    loans: await count('/api/loanings'),
  })
  const none = { references: 0, copies: 0, readers: 0, media: 0, categories: 0, loans: 0 }
  const idOf = async (table: 'copies' | 'beneficiaries', column: string, code: string) => {
    const { rows } = await sql<{ id: number }>`
      select id from ${sql.table(table)} where ${sql.ref(column)} = ${code} and deleted_at is null`.execute(
      server.db,
    )
    return rows[0]?.id
  }
  const lend = async (reader: number | undefined, copy: number | undefined) =>
    expect((await admin.post('/api/loanings', { beneficiary: reader, copy })).status).toBe(201)

  it('is some forty titles and twenty readers, counts for nothing done, and goes in one call', async () => {
    const laid = await admin.post('/api/start/sample')
    expect(laid).toMatchObject({
      status: 201,
      body: {
        tasks: { media: false, categories: false, reference: false, reader: false, loan: false },
        sample: {
          references: 40,
          copies: 54,
          readers: 20,
          reader_id: 'EXL01',
          bar_codes: ['EX001', 'EX002', 'EX003'],
        },
      },
    })
    const there = await counts()
    expect(there).toMatchObject({ references: 40, copies: 54, readers: 20, media: 3, loans: 0 })
    expect((await admin.post('/api/start/sample')).body).toEqual(laid.body)
    expect(await counts()).toEqual(there)

    const copy = await idOf('copies', 'bar_code', 'EX001')
    await lend(await idOf('beneficiaries', 'reader_id', 'EXL01'), copy)
    expect((await admin.get('/api/start')).body.tasks.loan).toBe(false)
    const removed = await admin.delete('/api/start/sample')
    expect(removed).toMatchObject({ status: 200, body: { sample: null } })
    expect(await counts()).toEqual(none)
    expect((await admin.delete('/api/start/sample')).status).toBe(200)
    expect((await admin.post('/api/start/sample')).body.sample).toEqual(laid.body.sample)
  })

  it('leaves what was there, and what its own titles have since become of', async () => {
    await admin.post('/api/media', { name: 'Livre', duration: 9, duration_type: 'DAY' })
    await admin.post('/api/start/sample')
    const { body } = await admin.get('/api/media')
    const dvd = body['hydra:member'].find(({ name }: { name: string }) => name === 'DVD')
    await admin.post('/api/references', { name: 'Playtime', medium: dvd.id })
    await admin.delete('/api/start/sample')
    expect(await counts()).toMatchObject({ references: 1, media: 2, categories: 0 })
    expect((await admin.get('/api/media?name=Livre')).body['hydra:member']).toMatchObject([{ duration: 9 }])
  })

  it('stays whole while a reader or a copy of the library holds on to it, and says what does', async () => {
    await admin.post('/api/start/sample')
    const there = await counts()
    const own = (await admin.post('/api/beneficiaries', { lastname: 'Martin', firstname: 'Anne' })).body.id
    const copy = await idOf('copies', 'bar_code', 'EX001')
    await lend(own, copy)
    const refused = await admin.delete('/api/start/sample')
    expect(refused).toMatchObject({ status: 409, body: { reason: 'IN_USE', facts: { count: 1 } } })
    expect(refused.body.message).toMatch(
      /^L’exemple n’a pas été retiré\s: «\s.+\s» \(EX001\) est ou a été prêté à un de vos lecteurs\. Supprimez d’abord ce prêt\.$/,
    )
    expect(await counts()).toEqual({ ...there, readers: there.readers + 1, loans: 1 })

    const { body: loans } = await admin.get('/api/loanings')
    expect((await admin.delete(`/api/loanings/${loans['hydra:member'][0].id}`)).status).toBe(204)
    const reference = (await admin.get('/api/references?limit=1')).body['hydra:member'][0].id
    await admin.post('/api/copies', { reference, site: 1, bar_code: 'A1' })
    expect((await admin.delete('/api/start/sample')).body.message).toMatch(
      /\(A1\) est à vous\. Retirez-le d’abord/,
    )
    await admin.delete(`/api/copies/${await idOf('copies', 'bar_code', 'A1')}`)
    await sql`update copies set deleted_at = now() where bar_code = 'A1'`.execute(server.db)
    await sql`insert into reservations (beneficiary_id, reference_id, queue_position) values (${own}, ${reference}, 1)`.execute(
      server.db,
    )
    expect((await admin.delete('/api/start/sample')).body.message).toMatch(/est réservé\. Annulez d’abord/)
    await sql`update reservations set status = 'canceled', queue_position = null`.execute(server.db)
    expect((await admin.delete('/api/start/sample')).status).toBe(200)
    expect(await counts()).toEqual({ ...none, readers: 1 })
  })

  it('takes the next codes where its own are somebody’s', async () => {
    const medium = (await admin.post('/api/media', { name: 'Livre' })).body.id
    const reference = (await admin.post('/api/references', { name: 'Germinal', medium })).body.id
    await admin.post('/api/copies', { reference, site: 1, bar_code: 'EX001' })
    await admin.post('/api/beneficiaries', { lastname: 'Martin', firstname: 'Anne', reader_id: 'EXL01' })
    expect((await admin.post('/api/start/sample')).body.sample).toMatchObject({
      reader_id: 'EXL02',
      bar_codes: ['EX002', 'EX003', 'EX004'],
    })
  })

  it('leaves what somebody has made their own since, with the loans of it', async () => {
    await admin.post('/api/start/sample')
    const reader = await idOf('beneficiaries', 'reader_id', 'EXL01')
    const copy = await idOf('copies', 'bar_code', 'EX001')
    const { reference } = (await admin.get(`/api/copies?filters[id|eq]=${copy}`)).body['hydra:member'][0]
    await admin.put(`/api/beneficiaries/${reader}`, { lastname: 'Martin', firstname: 'Réelle' })
    await admin.put(`/api/references/${reference}`, { name: 'Registre de la commune' })
    await lend(reader, copy)
    expect((await admin.delete('/api/start/sample')).status).toBe(200)
    expect((await admin.get(`/api/beneficiaries/${reader}`)).body.lastname).toBe('Martin')
    expect((await admin.get(`/api/references/${reference}`)).body.name).toBe('Registre de la commune')
    expect(await counts()).toMatchObject({ references: 1, readers: 1, loans: 1 })
  })

  it('leaves a copy that was touched with its title, also once the journal has forgotten', async () => {
    await admin.post('/api/start/sample')
    const copy = await idOf('copies', 'bar_code', 'EX001')
    expect((await admin.put(`/api/copies/${copy}`, { status: 'Non Disponible' })).status).toBe(200)
    await sql`update audit_journal set at = at - interval '3 years'`.execute(server.db)
    // The last line stays, whatever its age.
    await admin.post('/api/keywords', { name: 'Après' })
    await sql`update parameters set value = '24' where code = 'journal_months'`.execute(server.db)
    await sweep(server.environment, server.now)
    expect((await admin.delete('/api/start/sample')).status).toBe(200)
    const { reference } = (await admin.get(`/api/copies?filters[id|eq]=${copy}`)).body['hydra:member'][0]
    expect((await admin.get(`/api/references/${reference}`)).status).toBe(200)
    expect(await counts()).toMatchObject({ references: 1, readers: 0 })
  })

  it('is for who may change each of its things', async () => {
    const { body: profile } = await admin.post('/api/profiles', {
      name: 'Réglages seuls',
      rights: ['PARAMETER_GENERAL'],
    })
    await admin.post('/api/users', {
      username: 'reglages',
      role: profile.id,
      password: 'un chat gris sur le toit',
    })
    const only = await server.as('reglages')
    expect((await only.post('/api/start/sample')).status).toBe(403)
    await admin.post('/api/start/sample')
    expect((await only.delete('/api/start/sample')).status).toBe(403)
    expect(await counts()).toMatchObject({ references: 40, readers: 20 })
    await admin.delete('/api/start/sample')
  })

  it('is taken away by nobody who does not have its site, and is laid at a site that is theirs', async () => {
    await sql`insert into sites (name) values ('Annexe')`.execute(server.db)
    const { rows } = await sql<{ id: number }>`
      select id from sites where enabled and deleted_at is null order by id`.execute(server.db)
    const [first, last] = [rows[0]!.id, rows.at(-1)!.id]
    await sql`insert into users (username, password_hash, profile)
      select 'ailleurs', password_hash, profile from users where username = 'admin'`.execute(server.db)
    await sql`insert into user_sites (user_id, site) select id, ${last} from users where username = 'ailleurs'`.execute(
      server.db,
    )
    const elsewhere = await server.as('ailleurs')
    const sitesOfCopies = async () =>
      (
        await sql<{ site: number }>`select distinct site from copies where deleted_at is null`.execute(
          server.db,
        )
      ).rows

    await admin.post('/api/start/sample')
    expect(await sitesOfCopies()).toEqual([{ site: first }])
    const there = await counts()
    const lines = () => server.db.selectFrom('audit_journal').select('id').execute()
    const before = await lines()
    const refused = await elsewhere.delete('/api/start/sample')
    expect(refused).toMatchObject({
      status: 403,
      body: { message: 'L’exemple a des exemplaires sur un site qui ne vous est pas ouvert.' },
    })
    expect(await counts()).toEqual(there)
    expect(await lines()).toEqual(before)
    expect((await admin.get('/api/start')).body.sample).toMatchObject({ references: 40, readers: 20 })
    await admin.delete('/api/start/sample')

    expect((await elsewhere.post('/api/start/sample')).status).toBe(201)
    expect(await sitesOfCopies()).toEqual([{ site: last }])
    expect((await elsewhere.delete('/api/start/sample')).status).toBe(200)
    expect(await counts()).toEqual(none)
  })
})
