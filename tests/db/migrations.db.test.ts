import { type Migration, sql } from 'kysely'
import { afterEach, describe, expect, it } from 'vitest'

import { labelOfField } from '../../src/client/catalogue/reference-words.ts'
import { findReference } from '../../src/server/catalogue/reference-queries.ts'
import { type Environment, openEnvironment, type StorageSettings } from '../../src/server/db/environment.ts'
import { DatabaseAheadError, migrate } from '../../src/server/db/migrate.ts'
import { furnishEnvironment } from '../../src/server/furnish-environment.ts'
import { migrations } from '../../src/server/db/migrations/migrations.ts'
import { wrongTallies } from '../support/loan-tallies.ts'
import { copyTemplate, emptyStorage, isEngineReachable, testEngine } from '../support/databases.ts'

const allSites = {
  open: null,
  listed: null,
  readersBySite: false,
  returnsSince: null,
  rights: new Set<never>(),
}

const schema = testEngine === 'embedded' ? 'public' : 'env_1'

/** What a next version might bring: a column for every row, and a constraint that every row must hold. */
const madeUp: Migration = {
  up: async (db) => {
    await sql`alter table loanings add column shelf text not null default 'A'`.execute(db)
    await sql`alter table loanings add constraint loanings_shelf check (shelf <> '')`.execute(db)
    await sql`create table shelves (id integer primary key)`.execute(db)
  },
}

const appliedTo = async ({ db }: Environment) =>
  (await sql<{ name: string; timestamp: string }>`select * from kysely_migration order by name`.execute(db))
    .rows

/** Every row of every table but the migrations' own, as JSON, by table. */
async function everything({ db }: Environment): Promise<Record<string, Record<string, unknown>[]>> {
  const tables = await sql<{ name: string }>`
    select table_name as name from information_schema.tables
    where table_schema = ${schema} and table_type = 'BASE TABLE' and table_name not like 'kysely%'
    order by 1`.execute(db)
  const rows: Record<string, Record<string, unknown>[]> = {}
  for (const { name } of tables.rows) {
    const held = await sql<{ row: Record<string, unknown> }>`
      select to_json(t) as row from ${sql.table(name)} t order by to_json(t)::text`.execute(db)
    rows[name] = held.rows.map(({ row }) => row)
  }
  return rows
}

describe.skipIf(!isEngineReachable())(`migrations (${testEngine})`, () => {
  const closing: (() => Promise<void>)[] = []
  afterEach(async () => {
    for (const close of closing.splice(0).reverse()) await close()
  })
  const empty = async () => {
    const { settings, drop } = await emptyStorage()
    closing.push(drop)
    return settings
  }
  const open = async (settings: StorageSettings) => {
    const environment = await openEnvironment(settings, 1)
    closing.push(() => environment.close())
    return environment
  }
  const populated = async () => {
    const storage = await copyTemplate()
    closing.push(storage.drop)
    await sql`insert into loanings (beneficiary, copy, site, status, start_date, end_date, return_date, duration_value, duration_type,
        lent_at, lent_received_at)
      select 1 + n % 4, 1 + n % 10, 1, 'finished', '2026-01-01', '2026-01-22', '2026-01-20', 3, 'WEEK', now(), now()
      from generate_series(1, 500) n`.execute(storage.environment.db)
    return storage
  }

  it('makes everything in an empty database, and nothing twice', async () => {
    const settings = await empty()
    const first = await openEnvironment(settings, 1)
    const applied = await appliedTo(first)
    expect(applied.map(({ name }) => name)).toEqual(Object.keys(migrations))
    await furnishEnvironment(first.db, 'mot-de-passe-admin')
    const before = await everything(first)
    await first.close()

    const again = await open(settings)
    await furnishEnvironment(again.db, 'un-autre-mot-de-passe')
    expect(await appliedTo(again)).toEqual(applied)
    expect(await everything(again)).toEqual(before)
  })

  // An embedded directory belongs to one process, which migrates alone.
  it.skipIf(testEngine === 'embedded')(
    'lets servers that start at the same instant wait for each other',
    async () => {
      const settings = await empty()
      const servers = await Promise.all([1, 2, 3].map(() => open(settings)))
      const furnished = await Promise.all(servers.map(({ db }) => furnishEnvironment(db, null)))
      expect(furnished.filter(({ generated }) => generated !== null)).toHaveLength(1)
      for (const server of servers) {
        expect((await appliedTo(server)).map(({ name }) => name)).toEqual(Object.keys(migrations))
        const held = await everything(server)
        expect([held['environment'], held['users'], held['sites']].map((rows) => rows?.length)).toEqual([
          1, 1, 1,
        ])
      }
    },
  )

  it('keeps every row of a populated database', async () => {
    const { environment } = await populated()
    const before = await everything(environment)
    expect(before['loanings']).toHaveLength(500)
    await migrate(environment.db, schema, { ...migrations, '9999-made-up': madeUp })
    const after = await everything(environment)
    expect(after).toEqual({
      ...before,
      loanings: before['loanings']?.map((row) => ({ ...row, shelf: 'A' })),
      shelves: [],
    })
  })

  it('counts the loans of an older database into its tallies', async () => {
    const { environment } = await populated()
    const { db } = environment
    await sql`drop table loan_tallies`.execute(db)
    for (const name of ['tally_loans_added', 'tally_loans_changed', 'tally_loans_gone', 'forget_tallies'])
      await sql`drop function ${sql.id(name)} cascade`.execute(db)
    // Alone: those after it are applied already.
    await migrations['0005-loan-tallies']?.up(db)
    expect((await db.selectFrom('loan_tallies').select('loans').execute()).map(({ loans }) => loans)).toEqual(
      [500],
    )
    expect(await wrongTallies(db)).toEqual([])
  })

  it('makes rows of the coded fields that references had, of several spellings the first', async () => {
    const { environment } = await populated()
    const { db } = environment
    await sql`drop table reference_fields, reference_list_values, list_values, list_type_media, list_types`.execute(
      db,
    )
    await sql`alter table "references" add column authors jsonb not null default '{}'`.execute(db)
    const before = [
      { author: { Auteur: ['Zola, Émile', ' Sand, George '], 70: ['Sempé'] }, list: { Fonds: ['A > B'] } },
      { author: { auteur: ['zola, emile', 'Zola, Émile', ''], ' ': ['X'] }, painter: { Auteur: ['Y'] } },
      { author: ['Y'], editor: { Presse: 'Y' } },
      [],
    ]
    for (const [n, authors] of before.entries()) {
      await sql`update "references" set authors = ${JSON.stringify(authors)}::jsonb where id = ${n + 1}`.execute(
        db,
      )
    }
    await migrations['0027-coded-fields']?.up(db)
    const types = await sql<{
      name: string
    }>`select "group" || ' ' || name as name from list_types order by 1`.execute(db)
    expect(types.rows.map(({ name }) => name)).toEqual(['author 70', 'author Auteur', 'list Fonds'])
    const told = await Promise.all([1, 2, 3, 4].map((id) => findReference(db, id, allSites)))
    expect(told.map((reference) => reference?.authors)).toEqual([
      { author: { Auteur: ['Zola, Émile', 'Sand, George'], 70: ['Sempé'] }, list: { Fonds: ['A > B'] } },
      { author: { Auteur: ['Zola, Émile'] } },
      {},
      {},
    ])
    const columns = await sql<{ name: string }>`
      select column_name as name from information_schema.columns
      where table_schema = ${schema} and table_name = 'references' and column_name = 'authors'`.execute(db)
    expect(columns.rows).toEqual([])
    const fields = await sql<{ code: string; name: string }>`select code, name from reference_fields`.execute(
      db,
    )
    expect(fields.rows).toHaveLength(24)
    for (const { code, name } of fields.rows) {
      expect([labelOfField(`tags.${code}`), labelOfField(`reference_data.${code}`)]).toContain(name)
    }
  })

  it('leaves a database as it was when a migration fails on the way', async () => {
    const { environment } = await populated()
    const before = await everything(environment)
    const broken: Migration = {
      up: async (db) => {
        await madeUp.up(db)
        await sql`alter table loanings add constraint never check (id < 100)`.execute(db)
      },
    }
    const next = { ...migrations, '9998-made-up': madeUp, '9999-broken': broken }
    await expect(migrate(environment.db, schema, next)).rejects.toThrow()
    expect(await everything(environment)).toEqual(before)
    expect((await appliedTo(environment)).map(({ name }) => name)).toEqual(Object.keys(migrations))
  })

  it('refuses a database that a newer version has changed, in a sentence', async () => {
    const settings = await empty()
    const newer = await openEnvironment(settings, 1)
    await migrate(newer.db, schema, { ...migrations, '9999-made-up': madeUp })
    const refused = migrate(newer.db, schema)
    await expect(refused).rejects.toThrow(DatabaseAheadError)
    await expect(refused).rejects.toThrow(
      'La base a été mise à jour par une version plus récente de Comptoir (9999-made-up)\u202f: ' +
        'installez cette version, ou reprenez une sauvegarde faite avant la mise à jour.',
    )
    await newer.close()
    await expect(open(settings)).rejects.toThrow(DatabaseAheadError)
    // Nothing holds the directory or the database after a refused start.
    await expect(open(settings)).rejects.toThrow(DatabaseAheadError)
  })
})
