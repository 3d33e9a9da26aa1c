import { streamXlsxRows } from 'hucre/xlsx'
import { sql } from 'kysely'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'

import type { CountedRow } from '../../src/contract/counted-rows.ts'
import type { Part, ReaderStats } from '../../src/contract/stats.ts'
import { emptyTables } from '../support/empty-tables.ts'
import { type Client, describeServer, testNow } from '../support/test-server.ts'

// Today is Tuesday 10 March 2026.

describeServer('statistics', (server) => {
  let admin: Client
  beforeAll(async () => (admin = await server.as('admin')))
  beforeEach(async () => {
    server.moveTo(testNow)
    await emptyTables(server.db, 'loanings', 'reservations')
    await sql`update beneficiaries set created_at = '2020-01-15'`.execute(server.db)
    await sql`update "references" set deleted_at = null`.execute(server.db)
  })

  type More = { reader?: number | null; back?: string; status?: string; amount?: string }
  const lend = (copy: number, start: string, due: string, more: More = {}) =>
    sql`insert into loanings (beneficiary, copy, site, status, start_date, end_date, return_date, duration_value, duration_type, amount, lent_at, lent_received_at)
      select ${more.reader === undefined ? 1 : more.reader}, c.id, c.site,
        ${more.status ?? (more.back === undefined ? 'in_progress' : 'finished')}, ${start}, ${due},
        ${more.back ?? null}, 21, 'DAY', ${more.amount ?? '0'}, ${start}::date, ${start}::date
      from copies c where c.id = ${copy}`.execute(server.db)
  const ask = async (path: string, client = admin, site?: number) =>
    client.get(`/api/stats/${path}`, site === undefined ? {} : { site })
  const read = async (path: string, client = admin, site?: number) => {
    const { status, body } = await ask(path, client, site)
    expect({ status, body }).toMatchObject({ status: 200 })
    return body
  }
  const counts = (parts: { name: string | null; count: number }[]) =>
    Object.fromEntries(parts.map(({ name, count }) => [name ?? 'none', count]))

  describe('of each day', () => {
    beforeEach(async () => {
      await lend(1, '2026-02-09', '2026-03-02', { back: '2026-03-05' })
      await lend(2, '2026-03-05', '2026-03-26')
      await lend(11, '2026-03-05', '2026-03-12')
      await lend(3, '2026-03-06', '2026-03-27', { status: 'cancelled' })
      await lend(4, '2026-03-31', '2026-04-21')
    })

    it('are of the current month, its last day included, beside as many days of the month before', async () => {
      const { period, before, days, exits, returns } = await read('activity')
      expect(period).toEqual({ start_date: '2026-03-01', end_date: '2026-03-31' })
      expect(before).toEqual({ start_date: '2026-02-01', end_date: '2026-02-10' })
      expect(days).toHaveLength(31)
      expect(days[4]).toEqual({ day: '2026-03-05', exits: 2, returns: 1 })
      expect(days[5]).toEqual({ day: '2026-03-06', exits: 0, returns: 0 })
      expect(days[30]).toEqual({ day: '2026-03-31', exits: 1, returns: 0 })
      expect(exits).toEqual({ now: 3, before: 1 })
      expect(returns).toEqual({ now: 1, before: 0 })
    })

    it('are of a chosen site, or of all of them', async () => {
      expect((await read('activity', admin, 2)).exits.now).toBe(1)
      expect((await read('activity?site=1', admin, 2)).exits.now).toBe(2)
      expect((await read('activity?site=0', admin, 2)).exits.now).toBe(3)
    })

    it('show each series to whoever holds its right', async () => {
      await sql`insert into profiles (name) values ('Sorties')`.execute(server.db)
      await sql`insert into profile_rights (profile, right_code) select id, 'STATISTIC_EXITSDAY' from profiles where name = 'Sorties'`.execute(
        server.db,
      )
      await sql`update users set profile = (select id from profiles where name = 'Sorties') where username = 'lecture'`.execute(
        server.db,
      )
      const of = await read('activity', await server.as('lecture'))
      expect(of).toMatchObject({ exits: { now: 3 }, returns: null })
      expect(of.days[4]).toEqual({ day: '2026-03-05', exits: 2, returns: null })
    })
  })

  it('refuse a period that is turned round, too long, too old or no day', async () => {
    const refused = async (query: string, propertyPath: string) => {
      const { status, body } = await ask(`activity?${query}`)
      expect([status, body.violations?.[0]?.propertyPath]).toEqual([422, propertyPath])
    }
    await refused('start_date=2026-03-10&end_date=2026-03-09', 'end_date')
    await refused('start_date=2006-03-10&end_date=2026-03-09', 'end_date')
    await refused('start_date=1000-01-01&end_date=1000-12-31', 'end_date')
    expect((await ask('activity?start_date=2026-02-30')).status).toBe(400)
    expect((await ask('references?category=1,x')).status).toBe(400)
  })

  it('of references are shares of the catalogue, and the ten that were lent most', async () => {
    for (const copy of [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11])
      await lend(copy, '2026-03-02', '2026-03-23', { back: '2026-03-03' })
    await lend(11, '2026-03-04', '2026-03-11')
    await lend(1, '2026-02-04', '2026-02-11', { back: '2026-02-05' })
    await sql`update "references" set deleted_at = now() where id = 15`.execute(server.db)
    const all = await read('references')
    expect(all.total).toBe(14)
    expect(counts(all.categories)).toEqual({ Roman: 10, Film: 4 })
    expect(counts(all.media)).toEqual({ Livre: 10, DVD: 4 })
    expect(all.tops).toHaveLength(10)
    expect(all.tops[0]).toEqual({ id: 11, name: 'Film numéro 1', loans: 2 })
    expect((await read('references?category=2')).total).toBe(4)
    expect((await read('references?medium=1&site=2')).total).toBe(0)
    expect((await read('references?category=1,2&medium=2&site=2')).tops).toEqual([
      { id: 11, name: 'Film numéro 1', loans: 2 },
    ])
    const file = await admin.get('/api/export/stats_references?category=2')
    expect(file.headers.get('content-disposition')).toBe(
      'attachment; filename="stats-refs-20260310-100000.xlsx"',
    )
    const rows: unknown[][] = []
    for await (const { values } of streamXlsxRows(file.body as Buffer)) rows.push(values)
    const first = rows.findIndex(([title]) => title === 'Référence')
    expect(rows[first + 1]).toEqual(['Film numéro 1', 'Varda, Agnès', 'Film', 'DVD', 1, 2])
    expect(rows.slice(first + 1)).toHaveLength(4)
  })

  it('of readers count each once, by contract, site and years, and name the first ten to whoever may know them', async () => {
    await sql`update beneficiaries set created_at = '2026-03-02' where id = 4`.execute(server.db)
    await lend(1, '2026-03-02', '2026-03-23', { reader: 2, back: '2026-03-03' })
    await lend(1, '2026-03-04', '2026-03-25', { reader: 2 })
    await lend(2, '2026-03-04', '2026-03-25', { reader: 1 })
    await lend(11, '2026-03-04', '2026-03-11', { reader: 4 })
    await lend(3, '2026-02-04', '2026-02-11', { reader: 1, back: '2026-02-05' })
    const all = await read('beneficiaries')
    expect(all).toMatchObject({ active: { now: 3, before: 1 }, registered: { now: 1, before: 0 } })
    expect(counts(all.contracts)).toEqual({ CDI: 2, CDD: 1 })
    expect(counts(all.sites)).toEqual({ Centre: 2, Annexe: 1 })
    expect(all.ages).toEqual([
      { band: '1', count: 1 },
      { band: '2', count: 0 },
      { band: '5', count: 0 },
      { band: '10', count: 2 },
      { band: 'more', count: 0 },
    ])
    expect(all.tops).toEqual([
      { id: 2, name: 'Éric Dupont (M2)', loans: 2 },
      { id: 1, name: 'Alice Martin (M1)', loans: 1 },
      { id: 4, name: 'Jean Sans-Courriel (M4)', loans: 1 },
    ])
    await sql`insert into profiles (name) values ('Chiffres')`.execute(server.db)
    await sql`insert into profile_rights (profile, right_code) select id, 'STATISTIC_BENEFICIARIES' from profiles where name = 'Chiffres'`.execute(
      server.db,
    )
    await sql`update users set profile = (select id from profiles where name = 'Chiffres') where username = 'benevole'`.execute(
      server.db,
    )
    const unnamed = await read('beneficiaries', await server.as('benevole'))
    expect(unnamed.tops).toBeNull()
    expect(JSON.stringify(unnamed)).not.toContain('Martin')
  })

  it('of readers open the very readers that each counts', async () => {
    await sql`update beneficiaries set created_at = '2026-03-02' where id = 4`.execute(server.db)
    await sql`update beneficiaries set contract_type = null where id = 2`.execute(server.db)
    try {
      await lend(1, '2026-03-02', '2026-03-23', { reader: 2, back: '2026-03-03' })
      await lend(1, '2026-03-04', '2026-03-25', { reader: 2 })
      await lend(2, '2026-03-04', '2026-03-25', { reader: 1 })
      await lend(11, '2026-03-04', '2026-03-11', { reader: 4 })
      for (const site of [0, 1, 2]) {
        const { active, contracts, sites, ages } = await read(`beneficiaries?site=${site}`)
        const figures: [query: string, count: number][] = [
          ['', active.now],
          ...contracts.map(({ name, count }: Part): [string, number] => [
            `&by=contract&part=${name ?? ''}`,
            count,
          ]),
          ...sites.map(({ id, count }: Part): [string, number] => [`&by=site&part=${id ?? ''}`, count]),
          ...ages.map(({ band, count }: ReaderStats['ages'][number]): [string, number] => [
            `&by=seniority&part=${band}`,
            count,
          ]),
        ]
        for (const [query, count] of figures) {
          const rows = await read(`beneficiaries/rows?site=${site}${query}`)
          expect([site, query, rows['hydra:totalItems'], rows['hydra:member'].length]).toEqual([
            site,
            query,
            count,
            count,
          ])
        }
      }
      const named = async (query: string) =>
        (await read(`beneficiaries/rows?site=0&${query}`))['hydra:member'].map(
          ({ id, label }: CountedRow) => [id, label],
        )
      expect(await named('by=contract&part=')).toEqual([[2, 'Éric Dupont (M2)']])
      expect(await named('by=site&part=2')).toEqual([[4, 'Jean Sans-Courriel (M4)']])
      expect(await named('by=seniority&part=1')).toEqual([[4, 'Jean Sans-Courriel (M4)']])
      expect((await ask('beneficiaries/rows?by=medium')).status).toBe(400)
      // As in the yearly report: to whoever may list readers and know who borrows most.
      for (const right of ['STATISTIC_LOANINGS_BENEFICIARY', 'LIST_BENEFICIARIES']) {
        await sql`delete from profile_rights where right_code = ${right}`.execute(server.db)
        try {
          expect(await named('')).toEqual([1, 2, 3].map(() => [null, 'Lecteur']))
        } finally {
          await sql`insert into profile_rights (profile, right_code)
            select profile, ${right} from users where username = 'admin'`.execute(server.db)
        }
      }
    } finally {
      await sql`update beneficiaries set contract_type = 'CDD' where id = 2`.execute(server.db)
    }
  })

  it('of loans count what began, how much of it was late, and what it brought', async () => {
    await lend(1, '2026-02-02', '2026-02-23', { back: '2026-02-25', amount: '1.50' })
    await lend(2, '2026-03-02', '2026-03-23', { back: '2026-03-03', amount: '0.25' })
    await lend(3, '2026-03-01', '2026-03-09', { amount: '2.00' })
    await lend(11, '2026-03-04', '2026-03-11')
    await lend(12, '2026-03-04', '2026-03-11', { status: 'cancelled' })
    const two = 'start_date=2026-02-01&end_date=2026-03-31'
    const all = await read(`loanings?${two}`)
    expect(all).toMatchObject({
      loans: { now: 4, before: 0 },
      late: { now: 2, before: 0 },
      amount: { now: '3.75', before: '0.00' },
    })
    expect(all.months).toEqual([
      { month: '2026-02', count: 1 },
      { month: '2026-03', count: 3 },
    ])
    expect(counts(all.media)).toEqual({ Livre: 3, DVD: 1 })
    expect(counts(all.categories)).toEqual({ Roman: 3, Film: 1 })
    expect(counts(all.sites)).toEqual({ Centre: 3, Annexe: 1 })
    const how = async (query: string) => (await read(`loanings?${two}&${query}`)).loans.now
    expect(await how('delay=late')).toBe(2)
    expect(await how('delay=notlate')).toBe(2)
    expect(await how('delay=late&progress=in_progress')).toBe(1)
    expect(await how('progress=finished')).toBe(2)
    expect([await how('progress=canceled'), await how('progress=cancelled')]).toEqual([1, 1])
    expect((await read(`loanings?${two}`, admin, 2)).loans.now).toBe(1)
    expect(await read('loanings')).toMatchObject({
      before: { start_date: '2026-02-01', end_date: '2026-02-10' },
      loans: { now: 3, before: 1 },
      late: { now: 1, before: 1 },
      amount: { now: '2.25', before: '1.50' },
    })
    expect((await read('loanings?delay=notlate')).late).toEqual({ now: 0, before: 0 })
  })

  it('of this moment are what is out, by how late it is', async () => {
    await lend(1, '2026-01-02', '2026-03-09')
    await lend(2, '2025-10-02', '2025-10-23')
    await lend(11, '2026-03-04', '2026-03-10')
    await lend(3, '2026-02-02', '2026-02-23', { back: '2026-02-25' })
    const all = await read('active')
    expect(all).toMatchObject({ total: 3, late: 2 })
    expect(counts(all.media)).toEqual({ Livre: 2, DVD: 1 })
    expect(counts(all.sites)).toEqual({ Centre: 2, Annexe: 1 })
    expect(all.delays.map(({ count }: { count: number }) => count)).toEqual([1, 1, 0, 0, 1])
    expect((await read('active?site=2')).total).toBe(1)
  })

  it('are closed to whoever holds none of their rights', async () => {
    await sql`insert into profiles (name) values ('Rien')`.execute(server.db)
    await sql`update users set profile = (select id from profiles where name = 'Rien') where username = 'biblio'`.execute(
      server.db,
    )
    const nobody = await server.as('biblio')
    for (const path of [
      'activity',
      'references',
      'beneficiaries',
      'beneficiaries/rows',
      'loanings',
      'active',
    ])
      expect((await ask(path, nobody)).status).toBe(403)
    expect((await nobody.get('/api/export/stats_references')).status).toBe(403)
  })
})
