import { beforeAll, expect, it } from 'vitest'

import { setParameter } from '../settings/set-parameter.ts'
import { type Answer, type Client, describeServer } from '../support/test-server.ts'

const members = <T>({ body }: Answer, field: string): T[] =>
  body['hydra:member'].map((row: Record<string, T>) => row[field])

describeServer('a person limited to some sites', (server) => {
  let biblio: Client
  let benevole: Client
  const open = async (username: string, sites: number[]) => {
    const user = await server.db
      .selectFrom('users')
      .select('id')
      .where('username', '=', username)
      .executeTakeFirstOrThrow()
    await server.db.deleteFrom('user_sites').where('user_id', '=', user.id).execute()
    if (sites.length === 0) return
    await server.db
      .insertInto('user_sites')
      .values(sites.map((site) => ({ user_id: user.id, site })))
      .execute()
  }
  beforeAll(async () => {
    biblio = await server.as('biblio')
    benevole = await server.as('benevole')
    await server.db
      .insertInto('sites')
      .values({ name: 'Bibliobus', gestit_id: null, deleted_at: null })
      .execute()
    await server.db.updateTable('copies').set({ site: 3 }).where('id', 'in', [9, 10]).execute()
    // The same work at two sites.
    await server.db.updateTable('copies').set({ reference: 1 }).where('id', '=', 15).execute()
    for (const [copy, site] of [
      [1, 1],
      [11, 2],
      [9, 3],
    ] as const) {
      expect((await biblio.post('/api/loanings', { beneficiary: 1, copy }, { site })).status).toBe(201)
    }
    await open('benevole', [2, 3])
  })

  // With no site, or with « all sites »: both mean their own.
  it.each([{}, { site: 0 }])('sees the loans and copies of their sites (%o)', async (options) => {
    const loans = await benevole.get('/api/loanings', options)
    expect(members<number>(loans, 'site').sort()).toEqual([2, 3])
    expect(loans.body['hydra:totalItems']).toBe(2)
    expect((await benevole.get('/api/loanings?site=1', options)).body['hydra:totalItems']).toBe(0)

    const copies = await benevole.get('/api/copies?limit=50', options)
    expect([...new Set(members<number>(copies, 'site'))].sort()).toEqual([2, 3])
    expect(copies.body['hydra:totalItems']).toBe(7)
    expect((await benevole.get('/api/copies?bar_code=1001', options)).body['hydra:totalItems']).toBe(0)
  })

  it('counts a work’s copies at their sites', async () => {
    const counted = async (client: Client) => {
      const [row] = (await client.get('/api/references?id=1&with_copies=1')).body['hydra:member']
      const { body } = await client.get('/api/references/1')
      return [row.copies_count, row.copies.length, body.copies_count, body.copies.length]
    }
    expect(await counted(biblio)).toEqual([2, 2, 2, 2])
    expect(await counted(benevole)).toEqual([1, 1, 1, 1])
  })

  it('keeps to one of their sites when they choose it, and to none of the others', async () => {
    expect(members(await benevole.get('/api/loanings', { site: 3 }), 'site')).toEqual([3])
    for (const path of ['/api/loanings', '/api/copies', '/api/references', '/api/beneficiaries']) {
      const answer = await benevole.get(path, { site: 1 })
      expect([answer.status, answer.body.reason]).toEqual([403, 'SITE_CLOSED'])
    }
    expect((await biblio.get('/api/loanings')).body['hydra:totalItems']).toBe(3)
  })

  it('sees the readers of their agencies where the library works by site', async () => {
    const names = async (client: Client) =>
      members<string>(await client.get('/api/beneficiaries'), 'matricule')
    const found = async (client: Client) =>
      members<string>(
        await client.get('/api/beneficiaries/autocomplete?searchname=M&with_inactive=1'),
        'matricule',
      )
    expect((await names(benevole)).sort()).toEqual(['M1', 'M2', 'M3', 'M4'])
    await setParameter(server, 'by_site_beneficiaries', '1')
    expect((await names(benevole)).sort()).toEqual(['M3', 'M4'])
    expect((await found(benevole)).sort()).toEqual(['M3', 'M4'])
    expect((await found(biblio)).sort()).toEqual(['M1', 'M2', 'M3', 'M4'])
    await setParameter(server, 'by_site_beneficiaries', '0')
  })

  it('finds no loan of a site that is closed to them, and takes back what comes from there', async () => {
    const loanAt = async (site: number) =>
      (await biblio.get('/api/loanings', { site })).body['hydra:member'][0]
    const [closed, own] = [await loanAt(1), await loanAt(2)]
    const limited = await server.as('biblio')
    await open('biblio', [2, 3])
    const path = `/api/loanings/${closed.id}`
    const answers = [
      await limited.get(path),
      await limited.put(path, { comment: 'lu' }),
      await limited.delete(path),
      await limited.post(`${path}/extend`, { duration_value: 1 }),
      await limited.post(`${path}/delay`, { delay_comment: 'lu' }),
      await limited.post(`${path}/cancel`),
      await limited.post(`${path}/return`),
      await limited.post(`${path}/undo`),
    ]
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 404))
    // A site that is chosen limits lists, not what is open by its address.
    expect((await limited.get(`/api/loanings/${own.id}`, { site: 3 })).status).toBe(200)
    expect((await limited.post('/api/loanings/return', { bar_code: closed.copy_barcode })).status).toBe(200)
    await open('biblio', [])
    expect((await biblio.post(`${path}/undo`)).status).toBe(200)
  })

  it('finds no reader of an agency that is closed to them where the library works by site', async () => {
    await setParameter(server, 'by_site_beneficiaries', '1')
    await open('biblio', [2, 3])
    const statusOf = async (id: number) => [
      (await biblio.get(`/api/beneficiaries/${id}`)).status,
      (await biblio.put(`/api/beneficiaries/${id}`, { message: 'lu' })).status,
    ]
    expect(await statusOf(2)).toEqual([404, 404])
    expect(await statusOf(4)).toEqual([200, 200])
    expect((await biblio.put('/api/relatives/1', { number: 'R2B' })).status).toBe(404)
    expect((await biblio.post('/api/beneficiaries/2/remind')).status).toBe(404)
    await setParameter(server, 'by_site_beneficiaries', '0')
    expect(await statusOf(2)).toEqual([200, 200])
    await open('biblio', [])
  })

  it('takes off line no name that their lists do not show', async () => {
    for (const beneficiary_id of [2, 4]) {
      await server.db.insertInto('reservations').values({ beneficiary_id, reference_id: 8 }).execute()
    }
    const namesOf = async () =>
      (await biblio.get('/api/snapshot?site=2', { site: 2 })).body.reservations.map(
        ({ beneficiary_info }: { beneficiary_info: string }) => beneficiary_info,
      )
    expect(await namesOf()).toEqual(['M2 - Dupont Éric', 'M4 - Sans-Courriel Jean'])
    await setParameter(server, 'by_site_beneficiaries', '1')
    expect(await namesOf()).toEqual(['Lecteur d’un autre site', 'M4 - Sans-Courriel Jean'])
    await setParameter(server, 'by_site_beneficiaries', '0')
  })

  it('writes to those who hold loans of their sites', async () => {
    await biblio.post('/api/loanings', { beneficiary: 2, copy: 2 }, { site: 1 })
    await open('biblio', [2, 3])
    const count = async () => (await biblio.post('/api/mail/recap?dry_run=1')).body.count
    expect(await count()).toBe(1)
    await open('biblio', [])
    expect(await count()).toBe(2)
  })

  it('lends for their one site without saying so', async () => {
    await open('benevole', [3])
    const lent = await benevole.post('/api/loanings', { beneficiary: 4, copy: 3 })
    expect(lent.body).toMatchObject({ site: 3 })
    expect(members(await benevole.get('/api/loanings'), 'site')).toEqual([3, 3])
  })
})
