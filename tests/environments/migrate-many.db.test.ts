import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'

import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { openConnections, type Connections } from '../../src/server/db/connections/connections.ts'
import { startEmbeddedEngine } from '../../src/server/db/engine/embedded-engine.ts'
import { openEnvironment, type StorageSettings } from '../../src/server/db/environments/environment.ts'
import { migrate } from '../../src/server/db/environments/migrate.ts'
import { listHere } from '../../src/server/db/environments/list-environments.ts'
import { openEnvironmentsOnDemand } from '../../src/server/db/environments/environments-on-demand.ts'
import type { Db } from '../../src/server/db/handles.ts'
import { lastReplaced, migrations } from '../../src/server/db/migrations/migrations.ts'
import { onSchema, openPool } from '../../src/server/db/connections/pool.ts'
import { openManager } from '../../src/server/environments/manage-environments.ts'
import { emptyStorage, isEngineReachable, testEngine } from '../support/databases.ts'

const names = Object.keys(migrations)

describe.skipIf(!isEngineReachable())(`libraries that are behind (${testEngine})`, () => {
  let storage: StorageSettings
  let drop: () => Promise<void>
  const ids = testEngine === 'embedded' ? [1, 2] : [1, 2, 3, 4, 5]

  /** Its schema as it is, without the opening that would bring it to this version. */
  async function asItIs<T>(id: number, work: (db: Db, schema: string) => Promise<T>): Promise<T> {
    if (storage.databaseUrl) {
      const schema = `env_${id}`
      const { pool, db } = openPool({
        connectionString: storage.databaseUrl,
        ...onSchema(schema),
        max: 1,
      })
      return work(db, schema).finally(() => pool.end())
    }
    const directory = join(storage.dataDir, 'environments', String(id))
    await mkdir(directory, { recursive: true })
    const engine = await startEmbeddedEngine(join(directory, 'database'))
    const { pool, db } = openPool({ ...engine.connection, max: 1 })
    return work(db, 'public').finally(() => pool.end().then(() => engine.stop()))
  }
  const applied = (id: number) =>
    asItIs(id, async (db, schema) => {
      const { rows } = await sql<{ name: string }>`
        select name from ${sql.table(`${schema}.kysely_migration`)} order by name`.execute(db)
      return rows.map(({ name }) => name)
    })
  const makeFormer = (id: number) =>
    asItIs(id, async (db, schema) => {
      await migrate(db, schema)
      await sql`update ${sql.table(`${schema}.kysely_migration`)} set name = ${lastReplaced[0]} where name = '0001-baseline'`.execute(
        db,
      )
      for (const name of lastReplaced.slice(1))
        await sql`insert into ${sql.table(`${schema}.kysely_migration`)} values (${name}, '')`.execute(db)
      const hosts = [`pret${id}.fr`]
      await db
        .insertInto('environment')
        .values({ id, name: `Nord ${id}`, hosts, image_path: null })
        .execute()
    })
  const manager = () => openManager({ ...storage, embeddedLimit: 5, publicUrl: 'https://pret.fr' })

  beforeAll(async () => {
    ;({ settings: storage, drop } = await emptyStorage())
    for (const id of ids) await makeFormer(id)
  })
  afterAll(() => drop())

  it('are brought to this version, and each that fails is named with its cause and stays as it was', async () => {
    const [first = 0, second = 0] = ids
    await asItIs(first, async (db, schema) => {
      await sql`insert into ${sql.table(`${schema}.kysely_migration`)} (name, timestamp) values ('9999-avenir', '')`.execute(
        db,
      )
    })
    const lines: string[] = []
    const managing = manager()
    const failed = managing.migrate(2, (line) => lines.push(line))
    await expect(failed).rejects.toThrow(/1 bibliothèque n’a pas pu l’être, et reste comme avant/)
    await expect(failed).rejects.toThrow(new RegExp(`${first}\\t.*version plus récente.*9999-avenir`))
    expect(lines).toHaveLength(ids.length)
    expect(lines.at(-1)).toMatch(new RegExp(`^${ids.length} sur ${ids.length}\u202f: `))
    const since = names.filter((name) => name !== '0001-baseline')
    expect(await applied(first)).toEqual([...lastReplaced, ...since, '9999-avenir'])
    expect(await applied(second)).toEqual(names)

    await asItIs(first, async (db, schema) => {
      await sql`delete from ${sql.table(`${schema}.kysely_migration`)} where name = '9999-avenir'`.execute(db)
    })
    expect(await managing.migrate(2, () => undefined)).toMatch(/^1 bibliothèque mise à jour, /)
    expect(await managing.migrate(2, () => undefined)).toMatch(/^aucune bibliothèque mise à jour, /)
    expect(await applied(first)).toEqual(names)
    await managing.close()
  })

  describe.skipIf(testEngine === 'embedded')('while a server runs', () => {
    let connections: Connections
    const stops: (() => Promise<void>)[] = []
    beforeAll(() => {
      connections = openConnections(storage.databaseUrl ?? '', { most: 8 })
    })
    afterAll(async () => {
      for (const stop of stops) await stop()
      await connections.end()
    })
    const serve = async (patienceMs: number) => {
      const environments = await openEnvironmentsOnDemand({
        list: () => listHere(connections.ground),
        open: (id, migrating) => openEnvironment({ ...storage, connections, migrating }, id),
        isBusy: () => Promise.resolve(false),
        onEvent: () => undefined,
        times: { patienceMs, shutMs: 10 },
      })
      stops.push(() => environments.close())
      return environments
    }
    /** As the version before left it. */
    const putBack = async () => {
      for (const id of ids) {
        await sql`drop schema ${sql.id(`env_${id}`)} cascade`.execute(connections.ground)
        await makeFormer(id)
      }
    }

    it('are each migrated once, by whoever comes first', async () => {
      await putBack()
      const environments = await serve(60_000)
      const managing = manager()
      const [said] = await Promise.all([
        managing.migrate(4, () => undefined),
        ...ids.map((id) => environments.at(`pret${id}.fr`)),
      ])
      expect(said).toContain('bibliothèque')
      for (const id of ids) expect(await applied(id)).toEqual(names)
      await managing.close()
      for (const stop of stops.splice(0)) await stop()
    })

    it('say so on their own pages while it lasts, and keep no other waiting', async () => {
      await putBack()
      const environments = await serve(50)
      const slow = new pg.Client({ connectionString: storage.databaseUrl ?? '' })
      await slow.connect()
      await slow.query('begin; lock table env_2.kysely_migration in exclusive mode')
      // Until it is known that it migrates it is said to open.
      const saidOf2 = () => environments.at('pret2.fr').then(() => 'open', String)
      await expect.poll(saidOf2).toContain('Mise à jour en cours')
      await expect
        .poll(() =>
          environments.at('pret3.fr').then(
            (one) => one?.id,
            () => null,
          ),
        )
        .toBe(3)
      expect((await environments.any())?.id).toBe(3)
      expect(await saidOf2()).toContain('Mise à jour en cours')
      await slow.end()
      await expect
        .poll(() =>
          environments.at('pret2.fr').then(
            (one) => one?.id,
            () => null,
          ),
        )
        .toBe(2)
      expect(await applied(2)).toEqual(names)
    })
  })
})
