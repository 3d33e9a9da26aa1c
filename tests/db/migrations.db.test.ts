import { type Migration, sql } from 'kysely'
import { afterEach, describe, expect, it } from 'vitest'

import { labelOfField } from '../../src/client/catalogue/reference-words.ts'
import {
  type Environment,
  openEnvironment,
  type StorageSettings,
} from '../../src/server/db/environments/environment.ts'
import { DatabaseAheadError, DatabaseTooOldError, migrate } from '../../src/server/db/environments/migrate.ts'
import { seedEnvironment } from '../../src/server/seed-environment.ts'
import { lastReplaced, migrations } from '../../src/server/db/migrations/migrations.ts'
import { copyTemplate, emptyStorage, isEngineReachable, testEngine } from '../support/databases.ts'

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
    await seedEnvironment(first.db, 'mot-de-passe-admin')
    const before = await everything(first)
    await first.close()

    const again = await open(settings)
    await seedEnvironment(again.db, 'un-autre-mot-de-passe')
    expect(await appliedTo(again)).toEqual(applied)
    expect(await everything(again)).toEqual(before)
  })

  // An embedded directory belongs to one process, which migrates alone.
  it.skipIf(testEngine === 'embedded')(
    'lets servers that start at the same instant wait for each other',
    async () => {
      const settings = await empty()
      const servers = await Promise.all([1, 2, 3].map(() => open(settings)))
      const seeded = await Promise.all(servers.map(({ db }) => seedEnvironment(db, null)))
      expect(seeded.filter(({ generated }) => generated !== null)).toHaveLength(1)
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

  it('are named above the steps before the baseline, by which those who have them are known', () => {
    const [, ...later] = Object.keys(migrations)
    expect(later.filter((name) => name < '0077')).toEqual([])
    expect(later).toEqual(later.toSorted())
  })

  it('takes up a library that the steps before the baseline have made', async () => {
    const { environment } = await populated()
    const before = await everything(environment)
    await sql`update kysely_migration set name = '0001-circulation' where name = '0001-baseline'`.execute(
      environment.db,
    )
    // In the middle of the steps, the last came before two others.
    for (const name of lastReplaced.toReversed()) {
      await expect(migrate(environment.db, schema)).rejects.toThrow(DatabaseTooOldError)
      await sql`insert into kysely_migration values (${name}, '2026-11-25T09:00:00.000Z')`.execute(
        environment.db,
      )
    }
    await migrate(environment.db, schema)
    expect((await appliedTo(environment)).map(({ name }) => name)).toEqual(Object.keys(migrations))
    expect(await everything(environment)).toEqual(before)
  })

  it('names the fields of references as their forms do', async () => {
    const { environment } = await populated()
    const fields = await environment.db.selectFrom('reference_fields').select(['code', 'name']).execute()
    expect(fields).toHaveLength(24)
    for (const { code, name } of fields) {
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
