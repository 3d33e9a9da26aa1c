import { sql } from 'kysely'

import { type Environment } from './environment.ts'
import { postgresEnvironmentIds } from './environment-ids.ts'
import type { Db } from '../handles.ts'
import { hostsMovedAway } from './kept-aside.ts'
import { ownName } from './own-name.ts'

export type KnownEnvironment = Pick<Environment, 'id' | 'name' | 'hosts'> & {
  /** Its machine, which may be another than the one that is asked, does not answer: its name and hosts are not known. */
  isSilent?: true
}

export type Listed = {
  here: readonly KnownEnvironment[]
  /** Hosts of those that were moved to another place, which are not an unknown one's; null where none was. */
  movedAway: readonly string[] | null
}

/** What a server finds in its database; one that is empty is to be a first library. */
export async function listHere(ground: Db): Promise<Listed> {
  const [ids, movedAway] = [await postgresEnvironmentIds(ground), await hostsMovedAway(ground)]
  return { here: await listSchemas(ground, ids.length === 0 && !movedAway ? [1] : ids), movedAway }
}

/** So many at a time, because each is a table of its own and a statement holds a lock on each. */
const readAtOnce = 200

/** What each schema says of itself; a schema that is not furnished yet has no host. */
export async function listSchemas(db: Db, ids: readonly number[]): Promise<KnownEnvironment[]> {
  const known: KnownEnvironment[] = []
  for (let from = 0; from < ids.length; from += readAtOnce) {
    const some = ids.slice(from, from + readAtOnce)
    const { rows: there } = await sql<{ id: number }>`
      select id from unnest(${some}::int[]) id where to_regclass('env_' || id || '.environment') is not null`.execute(
      db,
    )
    const rows = there.length === 0 ? [] : await readSchemas(db, there).catch(() => readOneByOne(db, there))
    const told = new Map(rows.map((row) => [row.id, row]))
    known.push(...some.map((id) => told.get(id) ?? { id, name: 'Comptoir', hosts: [] }))
  }
  return known
}

/** On several machines one that is lost does not keep the libraries of the others from being known. */
async function readOneByOne(db: Db, seeded: readonly { id: number }[]): Promise<readonly KnownEnvironment[]> {
  const troubles: unknown[] = []
  const rows: KnownEnvironment[] = []
  for (const one of seeded) {
    try {
      rows.push(...(await readSchemas(db, [one])))
    } catch (error) {
      troubles.push(error)
      rows.push({ id: one.id, name: 'Comptoir', hosts: [], isSilent: true })
    }
  }
  if (troubles.length === seeded.length) throw troubles[0]
  return rows
}

async function readSchemas(db: Db, seeded: readonly { id: number }[]): Promise<readonly KnownEnvironment[]> {
  const { rows } = await sql<KnownEnvironment>`${sql.join(
    seeded.map(
      ({ id }) =>
        sql`select ${sql.lit(id)} as id, ${ownName(`env_${id}`)} as name, hosts from ${sql.table(`env_${id}.environment`)}`,
    ),
    sql` union all `,
  )}`.execute(db)
  return rows
}
