import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { makeBackup } from '../../src/server/backup/make-backup.ts'
import { restoreBackup } from '../../src/server/backup/restore-backup.ts'
import {
  type Environment,
  openEnvironment,
  type StorageSettings,
} from '../../src/server/db/environments/environment.ts'
import { seedEnvironment } from '../../src/server/seed-environment.ts'
import { lookInto, temporaryDirectory } from '../backup/whole-base.ts'
import { emptyStorage, isEngineReachable, onPostgres, testEngine } from '../support/databases.ts'

/** The address with settings of its own, as an administrator may write it. */
const withSettings = (storage: StorageSettings, settings: Record<string, string>): StorageSettings => {
  const url = new URL(storage.databaseUrl ?? '')
  for (const [name, value] of Object.entries(settings)) url.searchParams.set(name, value)
  return { ...storage, databaseUrl: url.href }
}

describe.skipIf(testEngine === 'embedded' || !isEngineReachable())('the address of a database', () => {
  const drops: (() => Promise<void>)[] = []
  let storage: StorageSettings
  beforeEach(async () => {
    const empty = await emptyStorage()
    drops.push(empty.drop)
    storage = empty.settings
  })
  afterEach(async () => {
    for (const drop of drops.splice(0).reverse()) await drop()
  })
  const open = async (settings: StorageSettings): Promise<Environment> => {
    const environment = await openEnvironment(settings, 1)
    drops.push(() => environment.close())
    return environment
  }
  const tablesOf = async ({ db }: Environment, schema: string) => {
    const { rows } = await sql<{ n: number }>`
      select count(*) as n from pg_class where relnamespace = ${schema}::regnamespace and relkind = 'r'`.execute(
      db,
    )
    return rows[0]?.n ?? 0
  }

  it('keeps its own options and name, and the tables stay in the environment’s schema', async () => {
    const environment = await open(
      withSettings(storage, {
        options: '-c search_path=public -c statement_timeout=12345',
        application_name: 'pret',
      }),
    )
    expect(await tablesOf(environment, 'public')).toBe(0)
    expect(await tablesOf(environment, 'env_1')).toBeGreaterThan(30)
    const { rows } = await sql`select current_setting('statement_timeout') as timeout,
      current_setting('application_name') as name, current_setting('search_path') as path`.execute(
      environment.db,
    )
    expect(rows).toEqual([{ timeout: '12345ms', name: 'pret', path: 'env_1, public' }])
  })

  it('may name options and be saved, restored, and not replaced under a server', async () => {
    const settings = withSettings(storage, { options: '-c search_path=public', application_name: 'pret' })
    const served = await open(settings)
    await seedEnvironment(served.db, 'mot-de-passe-admin')
    const { path, drop } = await temporaryDirectory()
    const target = await emptyStorage()
    drops.push(target.drop, drop)
    await makeBackup(`${path}/b`, settings)
    await expect(restoreBackup(`${path}/b`, settings, { replace: true })).rejects.toThrow(
      'est relié à cette base',
    )
    await restoreBackup(`${path}/b`, withSettings(target.settings, { options: '-c search_path=public' }), {
      replace: false,
    })
    expect(
      await lookInto(target.settings, ({ db }) => db.selectFrom('users').select('username').execute()),
    ).toEqual([{ username: 'admin' }])
  })

  it('is refused when the environment’s schema is not the one that answers, and nothing is written', async () => {
    const role = `comptoir_role_${process.pid}`
    const { pathname } = new URL(storage.databaseUrl ?? '')
    await onPostgres(`drop role if exists ${role}`)
    await onPostgres(`create role ${role} login`)
    await onPostgres(`grant create on database ${pathname.slice(1)} to ${role}`)
    drops.push(() => onPostgres(`drop role ${role}`))
    // Somebody else’s schema: it may be named in a search path, and is passed over.
    await lookInto(storage, ({ db }) => sql`grant all on schema public to ${sql.id(role)}`.execute(db))
    const url = new URL(storage.databaseUrl ?? '')
    url.username = role
    drops.push(async () => {
      const owner = await openEnvironment(storage, 1)
      await sql`drop owned by ${sql.id(role)}`.execute(owner.db).finally(() => owner.close())
    })
    await expect(openEnvironment({ ...storage, databaseUrl: url.href }, 1)).rejects.toThrow(
      /ne s’ouvre pas sur le schéma .*env_1/,
    )
    await lookInto(storage, async (environment) => expect(await tablesOf(environment, 'public')).toBe(0))
  })

  it('is refused, and not saved, when an earlier version put the tables elsewhere', async () => {
    await lookInto(storage, async (environment) => {
      await seedEnvironment(environment.db, 'mot-de-passe-admin')
      const { rows } = await sql<{ name: string }>`select relname as name from pg_class
        where relnamespace = 'env_1'::regnamespace and relkind = 'r' and relname not like 'kysely%'`.execute(
        environment.db,
      )
      for (const { name } of rows)
        await sql`alter table ${sql.id('env_1', name)} set schema public`.execute(environment.db)
    })
    await expect(openEnvironment(storage, 1)).rejects.toThrow(
      /les tables sont dans .*public.* au lieu de .*env_1/,
    )
    const { path, drop } = await temporaryDirectory()
    drops.push(drop)
    await expect(makeBackup(`${path}/b`, storage)).rejects.toThrow(/aucune table/)
  })
})
