import { streamXlsxRows } from 'hucre/xlsx'
import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'

import type { YearlyReport } from '../../src/contract/yearly-report.ts'
import { cellOf, type ReportCode } from '../../src/domain/yearly-report.ts'
import { importing } from '../imports/importing.ts'
import { emptyTables } from '../support/empty-tables.ts'
import { type Client, describeServer } from '../support/test-server.ts'

// Today is 10 March 2026, so the report is of 2025. What it must say was counted by hand from the rows below.

describeServer('the yearly report', (server) => {
  let admin: Client
  let report: YearlyReport

  beforeAll(async () => {
    admin = await server.as('admin')
    await emptyTables(server.db, 'loanings', 'reservations')
    const written = [
      // Books 1 to 6 are for adults, 7 to 9 for the young; of book 10 and of films nobody said.
      sql`update "references" set audience = case when id <= 6 then 'adult' when id <= 9 then 'youth' end`,
      sql`update copies set created_at = '2024-05-10T10:00:00Z'`,
      sql`update copies set buy_date = '2023-02-01' where id <= 8`,
      sql`update copies set buy_date = '2025-03-03' where id = 9`,
      sql`update copies set created_at = '2025-06-01T10:00:00Z' where id = 10`,
      sql`update copies set buy_date = '2025-12-31' where id = 15`,
      sql`update copies set status = 'Non Disponible', withdrawn_on = '2025-07-07', withdrawal_reason = 'Détruit' where id = 1`,
      sql`update copies set status = 'Non Disponible', withdrawn_on = '2026-01-05', withdrawal_reason = 'Donné' where id = 2`,
      sql`update copies set status = 'Non Disponible', withdrawn_on = '2024-12-31', withdrawal_reason = 'Donné' where id = 11`,
      sql`update copies set deleted_at = '2025-02-02T10:00:00Z' where id = 12`,
      sql`update beneficiaries set birth_year = 1980, commune = 'Lyon' where id = 1`,
      sql`update beneficiaries set birth_year = 2015 where id = 2`,
      sql`update beneficiaries set kind = 'collectivity', commune = 'Villeurbanne' where id = 4`,
      lent(1, 2, '2025-01-15', '25-64', 'adult'),
      lent(1, 3, '2025-12-31', '25-64', 'adult'),
      lent(2, 7, '2025-05-05', '6-10', 'youth'),
      lent(4, 13, '2025-06-06', 'collectivity', null),
      lent(3, 4, '2025-06-07', '25-64', 'adult', 'cancelled'),
      lent(2, 8, '2024-12-31', '6-10', 'youth'),
      // Somebody from Lyon, who was forgotten.
      lent(null, 5, '2025-02-02', null, 'adult'),
      sql`insert into cut_loans (loaning, previous_on, previous_here_on, cut_on, contract_type, agency_id, registered_on, commune, kind)
        values (7, '2024-06-01', '2024-06-01', '2025-06-02', 'CDI', 1, '2020-01-01', 'Lyon', 'person')`,
      sql`update sites set open_weekdays = '{2,3,5,6}', weekly_minutes = 1500 where id = 1`,
      sql`insert into closures (site, first_day, last_day, label) values (1, '2025-08-01', '2025-08-31', 'Été')`,
    ]
    for (const statement of written) await statement.execute(server.db)
    report = (await admin.get('/api/stats/yearly?site=0')).body as YearlyReport
  })

  const tableOf = (code: ReportCode, of = report) => {
    const table = of.tables.find((one) => one.code === code)!
    const total = { key: null, label: 'total' }
    return Object.fromEntries(
      [...table.rows, total].map((row) => [
        row.label,
        table.columns.length === 0
          ? cellOf(table.cells, { row: row.key, column: null })
          : Object.fromEntries(
              [...table.columns, total].map((column) => [
                column.label,
                cellOf(table.cells, { row: row.key, column: column.key }),
              ]),
            ),
      ]),
    )
  }

  it('is of the year before, whole', () => {
    expect(report.year).toBe(2025)
    expect(report.period).toEqual({ start_date: '2025-01-01', end_date: '2025-12-31' })
  })

  it('counts what was in the stock, what came and what left', () => {
    expect(tableOf('collections')).toEqual({
      DVD: { Adulte: 0, Jeunesse: 0, NC: 3, total: 3 },
      Livre: { Adulte: 5, Jeunesse: 3, NC: 1, total: 9 },
      total: { Adulte: 5, Jeunesse: 3, NC: 4, total: 12 },
    })
    expect(tableOf('acquisitions')).toEqual({
      DVD: { Adulte: 0, Jeunesse: 0, NC: 1, total: 1 },
      Livre: { Adulte: 0, Jeunesse: 1, NC: 1, total: 2 },
      total: { Adulte: 0, Jeunesse: 1, NC: 2, total: 3 },
    })
    expect(tableOf('withdrawals')).toEqual({
      DVD: { Détruit: 0, NC: 1, total: 1 },
      Livre: { Détruit: 1, NC: 0, total: 1 },
      total: { Détruit: 1, NC: 1, total: 2 },
    })
  })

  it('counts each borrower once, forgotten ones too, by age, commune, contract and kind', () => {
    expect(tableOf('borrowers_by_age')).toEqual({
      '0 à 5 ans': 0,
      '6 à 10 ans': 1,
      '11 à 14 ans': 0,
      '15 à 24 ans': 0,
      '25 à 64 ans': 1,
      '65 ans et plus': 0,
      Collectivités: 1,
      NC: 1,
      total: 4,
    })
    expect(tableOf('borrowers_by_commune')).toEqual({ Lyon: 2, Villeurbanne: 1, NC: 1, total: 4 })
    expect(tableOf('borrowers_by_contract')).toEqual({ CDI: 3, CDD: 1, total: 4 })
    expect(tableOf('borrowers_by_kind')).toEqual({ Personne: 3, Collectivité: 1, total: 4 })
  })

  it('counts loans by medium and audience, and by age', () => {
    expect(tableOf('loans')).toEqual({
      DVD: { Adulte: 0, Jeunesse: 0, NC: 1, total: 1 },
      Livre: { Adulte: 3, Jeunesse: 1, NC: 0, total: 4 },
      total: { Adulte: 3, Jeunesse: 1, NC: 1, total: 5 },
    })
    expect(tableOf('loans_by_age')).toMatchObject({
      '25 à 64 ans': 2,
      '6 à 10 ans': 1,
      Collectivités: 1,
      NC: 1,
      total: 5,
    })
  })

  it('tells open days and hours, and no hours where nobody wrote them', () => {
    expect(report.openings).toEqual([
      { id: 2, name: 'Annexe', days: 365, weekly_hours: null, hours: null },
      // 209 such weekdays, 18 of them in August; 25 hours in four days.
      { id: 1, name: 'Centre', days: 191, weekly_hours: 25, hours: 1194 },
    ])
  })

  it('checks that collections add up, and says what nobody wrote down', () => {
    expect(report.checks).toEqual([
      {
        about: 'Collections',
        isRight: true,
        said: '11 exemplaires au début, 3 de plus, 2 de moins, 12 à la fin.',
      },
      {
        about: 'Acquisitions',
        isRight: false,
        said: '1 exemplaire entré n’a pas de date d’achat\u202f: le jour de saisie en tient lieu.',
      },
      { about: 'Supports', isRight: true, said: 'Tous sont connus.' },
      { about: 'Publics', isRight: false, said: '4 exemplaires n’ont pas de public\u202f: NC.' },
      { about: 'Âges', isRight: false, said: '1 emprunteur n’a pas d’année de naissance\u202f: NC.' },
      { about: 'Communes', isRight: false, said: '1 emprunteur n’a pas de commune\u202f: NC.' },
      {
        about: 'Ouverture',
        isRight: false,
        said: 'Heures par semaine à écrire sous Réglages, Sites\u202f: Annexe.',
      },
    ])
  })

  it('is of one site, or of another year', async () => {
    const annexe = (await admin.get('/api/stats/yearly?site=2')).body as YearlyReport
    expect(tableOf('loans', annexe)).toEqual({
      DVD: { Adulte: null, Jeunesse: null, NC: 1, total: 1 },
      total: { Adulte: null, Jeunesse: null, NC: 1, total: 1 },
    })
    expect(tableOf('borrowers_by_kind', annexe)).toEqual({ Personne: 0, Collectivité: 1, total: 1 })
    const before = (await admin.get('/api/stats/yearly?site=0&year=2024')).body as YearlyReport
    expect(tableOf('collections', before)).toMatchObject({ total: { total: 11 } })
    expect(tableOf('loans', before)).toMatchObject({ total: { total: 1 } })
    const now = (await admin.get('/api/stats/yearly?site=0&year=2026')).body as YearlyReport
    expect(now.period).toEqual({ start_date: '2026-01-01', end_date: '2026-03-10' })
  })

  it('opens the very rows that each figure counts', async () => {
    for (const { code, rows, columns } of report.tables) {
      for (const row of [...rows.map(({ key }) => key), null]) {
        for (const column of columns.length === 0 ? [null] : [...columns.map(({ key }) => key), null]) {
          const part = (name: string, key: string | null) =>
            key === null ? '' : `&${name}=${encodeURIComponent(key)}`
          const { body } = await admin.get(
            `/api/stats/yearly/rows?site=0&table=${code}${part('row', row)}${part('column', column)}`,
          )
          const figure = cellOf(report.tables.find((one) => one.code === code)!.cells, { row, column })
          expect({
            code,
            row,
            column,
            count: body['hydra:totalItems'],
            told: body['hydra:member'].length,
          }).toEqual({
            code,
            row,
            column,
            count: figure ?? 0,
            told: figure ?? 0,
          })
        }
      }
    }
    const { body } = await admin.get('/api/stats/yearly/rows?site=0&table=borrowers_by_commune&row=Lyon')
    expect(
      body['hydra:member'].map(({ id, label }: { id: number | null; label: string }) => [id, label]),
    ).toEqual([
      [1, 'Alice Martin (M1)'],
      [null, 'Lecteur oublié'],
    ])
    // Past its end a figure still counts what it does.
    const past = await admin.get('/api/stats/yearly/rows?site=0&table=borrowers_by_commune&row=Lyon&page=2')
    expect([past.body['hydra:member'], past.body['hydra:totalItems']]).toEqual([[], 2])
  })

  it('names readers to whoever may list them and know who borrows most, and tells where they live to whoever may know it', async () => {
    const told = async (table: string) => {
      const { body } = await admin.get(`/api/stats/yearly/rows?site=0&table=${table}`)
      return body['hydra:member'] as { id: number | null; label: string; detail: string }[]
    }
    const all = await told('borrowers_by_commune')
    const unnamed = all.map(({ label }) => [null, label === 'Lecteur oublié' ? label : 'Lecteur']).toSorted()
    const without = async <T>(right: string, act: () => Promise<T>): Promise<T> => {
      await sql`delete from profile_rights where right_code = ${right}`.execute(server.db)
      try {
        return await act()
      } finally {
        await sql`insert into profile_rights (profile, right_code)
          select profile, ${right} from users where username = 'admin'`.execute(server.db)
      }
    }
    const named = (rows: readonly { id: number | null; label: string }[]) =>
      rows.map(({ id, label }) => [id, label])
    for (const right of ['STATISTIC_LOANINGS_BENEFICIARY', 'LIST_BENEFICIARIES']) {
      const rows = await without(right, () => told('borrowers_by_age'))
      expect(named(rows).toSorted()).toEqual(unnamed)
    }
    const [byCommune, byAge] = await without('BENEFICIARY_ADDRESS', async () => [
      await told('borrowers_by_commune'),
      await told('borrowers_by_age'),
    ])
    expect(named(byCommune).toSorted()).toEqual(unnamed)
    expect(named(byAge)).toEqual(named(all))
    expect(all.some(({ detail }) => detail.includes('Lyon'))).toBe(true)
    expect(byAge.some(({ detail }) => detail.includes('Lyon'))).toBe(false)
  })

  it('is a file with a figure a line, numbers as numbers and what is not known in words', async () => {
    const { body } = await admin.get('/api/export/yearly_report?site=0')
    const lines: unknown[][] = []
    for await (const { values } of streamXlsxRows(body as Buffer)) lines.push(values)
    expect(lines).toContainEqual(['Collections', 'Livre', 'Adulte', 5])
    expect(lines).toContainEqual(['Ouverture', 'Annexe', 'Heures', null, 'NC'])
  })

  describe('tells each table', () => {
    it('to whoever holds its right', async () => {
      await sql`insert into profiles (name) values ('Prêts seuls')`.execute(server.db)
      await sql`insert into profile_rights (profile, right_code) select id, 'STATISTIC_LOANINGS' from profiles where name = 'Prêts seuls'`.execute(
        server.db,
      )
      await sql`update users set profile = (select id from profiles where name = 'Prêts seuls') where username = 'lecture'`.execute(
        server.db,
      )
      const lecture = await server.as('lecture')
      const told = (await lecture.get('/api/stats/yearly?site=0')).body as YearlyReport
      expect(told.tables.map(({ code }) => code)).toEqual(['loans', 'loans_by_age'])
      expect((await lecture.get('/api/stats/yearly/rows?site=0&table=borrowers_by_age')).status).toBe(403)
      expect((await lecture.get('/api/stats/yearly/rows?site=0&table=loans')).status).toBe(200)
    })
  })

  it('counts nothing of an import that was taken back', async () => {
    const told = async () => (await admin.get('/api/stats/yearly?site=0&year=2026')).body as YearlyReport
    const before = await told()
    const files = importing(server, admin)
    const rows = ['titre;code-barres;site', 'Venu par erreur;88001;Centre', 'Venu par erreur;88002;Centre']
    const { act, counts } = await files.whole('fonds.csv', rows.join('\n'))
    expect(counts).toMatchObject({ copies: 2 })
    await sql`update copies set created_at = ${server.now.toISOString()} where bar_code in ('88001', '88002')`.execute(
      server.db,
    )
    expect(tableOf('acquisitions', await told())).toMatchObject({ total: { total: 2 } })
    await files.undo(act)
    expect(await told()).toEqual(before)
  })

  it('refuses what is no year, no site or no table', async () => {
    const refused = async (asked: string) => (await admin.get(`/api/stats/yearly${asked}`)).status
    expect(await refused('?year=25')).toBe(400)
    expect(await refused('?year=2027')).toBe(422)
    expect(await refused('?year=2026')).toBe(200)
    expect(await refused('?site=x')).toBe(400)
    expect(await refused('/rows?table=nothing')).toBe(400)
    expect(await refused('/rows?table=loans&row=%00')).toBe(400)
    expect(await refused('/rows?table=borrowers_by_commune&column=a%00b')).toBe(400)
  })
})

const lent = (
  reader: number | null,
  copy: number,
  day: string,
  age_band: string | null,
  audience: string | null,
  status = 'finished',
) => sql`
  insert into loanings (beneficiary, copy, site, status, start_date, end_date, return_date, duration_value, duration_type, lent_at, lent_received_at, age_band, audience)
  select ${reader}, c.id, c.site, ${status}, ${day}::date, ${day}::date + 21, case when ${status} = 'finished' then ${day}::date + 5 end,
    21, 'DAY', ${day}::date, ${day}::date, ${age_band}, ${audience}
  from copies c where c.id = ${copy}`
