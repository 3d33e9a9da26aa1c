import { randomUUID } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { access } from 'node:fs/promises'

import { sql } from 'kysely'

import * as call from '../../contract/archives.ts'
import { type Archive, archives } from '../../contract/archives.ts'
import type { Collection, ListQuery } from '../../contract/list.ts'
import type { Db, Trx } from '../db/handles.ts'
import type { ReadInTurn } from '../db/lists/read-list.ts'
import { ownColumns, type Source, source } from '../db/lists/source.ts'
import { change, file, read, type VerbInput } from '../http/binding.ts'
import type { Exchange } from '../http/exchange.ts'
import { journal } from '../http/journal.ts'
import { conflict, done, forbidden, notFound, type Outcome } from '../http/outcome.ts'
import { fileName, type ServedFile } from '../http/served-file.ts'
import { ownArchives, seesWholeLibrary } from '../visibility/visibility.ts'
import { keptHours, pathOfArchive } from './archive-maker.ts'

const rowsFor = ({ visibility, caller }: Exchange): Source<typeof archives> =>
  source(archives, {
    from: sql`archives a`,
    where: sql`true`,
    seen: ownArchives(visibility, caller.user_id),
    id: sql`a.id`,
    columns: {
      ...ownColumns('a', 'status', 'total', 'done', 'problem', 'size', 'created_at', 'ended_at'),
      kept_until: sql`a.ended_at + make_interval(hours => ${keptHours})`,
    },
  })

const listArchives = (db: Db, list: ListQuery, exchange: Exchange): Promise<Collection<Archive>> =>
  rowsFor(exchange).list(db, list)

const findArchive = (db: Db | Trx, id: number, exchange: Exchange): Promise<Archive | null> =>
  rowsFor(exchange).find(db, id)

const noSuchArchive = 'Cette archive n’existe pas, ou son jour est passé.'

export const leavingRoutes = [
  read(call.archives.list, async (db, { list }, exchange) => done(await listArchives(db, list, exchange))),
  change(call.makeArchive, askForArchive),
  file(call.getArchiveFile, getArchiveFile),
  change(call.forgetArchive, forgetArchive),
]

const underWay = conflict(
  'WORK_UNDER_WAY',
  'Votre archive est en train de se faire\u202f: attendez qu’elle soit prête.',
)

/** The new archive takes the place of the person's earlier one, whose file is swept. */
async function askForArchive(trx: Trx, _: unknown, exchange: Exchange): Promise<Outcome<call.Archive>> {
  const { caller, visibility, now } = exchange
  if (!seesWholeLibrary(visibility)) return forbidden()
  const own = await trx
    .selectFrom('archives')
    .select(['id', 'ended_at'])
    .where('user_id', '=', caller.user_id)
    .forUpdate()
    .execute()
  if (own.some(({ ended_at }) => ended_at === null)) return underWay
  await trx
    .deleteFrom('archives')
    .where('user_id', '=', caller.user_id)
    .where('ended_at', 'is not', null)
    .execute()
  const at = now.toISOString()
  const made = await trx
    .insertInto('archives')
    .values({
      user_id: caller.user_id,
      place: randomUUID(),
      problem: null,
      size: null,
      created_at: at,
      touched_at: at,
      ended_at: null,
    })
    .onConflict((conflicting) => conflicting.doNothing())
    .returning('id')
    .executeTakeFirst()
  if (!made) return underWay
  await journal(trx, exchange, { action: 'archives.make', entity: 'archives', entity_id: made.id })
  return done((await findArchive(trx, made.id, exchange))!)
}

async function getArchiveFile(
  reads: ReadInTurn,
  { params: { id } }: VerbInput<typeof call.getArchiveFile>,
  exchange: Exchange,
): Promise<Outcome<ServedFile>> {
  const found = await reads((db) => findArchive(db, id, exchange))
  const isKept = found?.kept_until != null && new Date(found.kept_until) > exchange.now
  if (found?.status !== 'done' || !isKept) return notFound(noSuchArchive)
  const { place } = await reads((db) =>
    db.selectFrom('archives').select('place').where('id', '=', id).executeTakeFirstOrThrow(),
  )
  const path = pathOfArchive(exchange.environment.files, place)
  const isThere = await access(path).then(
    () => true,
    () => false,
  )
  if (!isThere) return notFound(noSuchArchive)
  const made = new Date(found.created_at)
  const name = fileName('bibliotheque', 'zip', made, exchange.parameters.get('timezone'))
  return done({ name, type: 'zip', bytes: bytesOf(path) })
}

/** Opens the file once somebody reads, and closes it whenever they stop. */
async function* bytesOf(path: string): AsyncGenerator<Uint8Array> {
  yield* createReadStream(path)
}

async function forgetArchive(
  trx: Trx,
  { params: { id } }: VerbInput<typeof call.forgetArchive>,
  exchange: Exchange,
): Promise<Outcome<null>> {
  const found = await findArchive(trx, id, exchange)
  if (!found) return notFound(noSuchArchive)
  if (found.ended_at === null) return underWay
  await trx.deleteFrom('archives').where('id', '=', id).execute()
  await journal(trx, exchange, { action: 'archives.remove', entity: 'archives', entity_id: id })
  return done(null)
}
