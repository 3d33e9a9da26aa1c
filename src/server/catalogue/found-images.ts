import { sql } from 'kysely'
import type { Logger } from 'pino'

import type { Reference } from '../../contract/catalogue.ts'
import type { OutsideSource } from '../../domain/image-sources.ts'
import type { Environment } from '../db/environments/environment.ts'
import type { Trx } from '../db/handles.ts'
import { type DrawnPicture, keepPicture, newPictureName } from '../files/drawn-picture.ts'
import { type BackgroundLoop, type LoopSettings, startLoop } from '../jobs/background-loop.ts'
import { coverFile, coverSides } from '../files/cover-files.ts'
import { fetchCover } from './look-up/fetch-cover.ts'
import { OutsideStatusError, RefusedOutsideError } from './look-up/fetch-outside.ts'
import { findNotice, sourcesOf } from './look-up/find-notice.ts'

/** A code that nobody has a cover of is asked for again after a week, one that was not answered after a day. */
const restDays = { none: 7, silent: 1 }
/** The catalogues outside are asked no faster than this. */
const atOnce = 20
const everyMs = 60_000
const deadlineMs = 15_000

type Library = Pick<Environment, 'id' | 'db' | 'files' | 'tell'>
type Settings = { lookUpSources: readonly string[]; now: Date; stopping?: AbortSignal }
type Wanted = { id: number; code: string; rule: OutsideSource[] }

/** Looks for images of references that have none, newest first, where their medium's rule says so. */
export async function keepFoundImages(library: Library, settings: Settings): Promise<void> {
  if (settings.lookUpSources.length === 0) return
  for (const wanted of await wantedImages(library, settings.now)) {
    if (settings.stopping?.aborted) return
    const found = await findImage(library, wanted, settings)
    await keep(library, wanted, { found, now: settings.now })
    // The line is down, or a catalogue is: the others wait for the next time.
    if (found === 'silent') return
  }
}

async function wantedImages({ db }: Library, now: Date): Promise<Wanted[]> {
  const { rows } = await sql<Wanted>`
    select r.id, r.code, array_remove(array_remove(i.sources, 'own'), 'none') as rule
    from (select medium, string_to_array(rule, ',') as sources from media_images_sources) i
    join "references" r on r.medium = i.medium
    where i.sources && array['bnf', 'openlibrary'] and r.deleted_at is null and r.image_version is null
      and r.code ~ '^[0-9]{8,14}$' and not exists (
        select from found_images f
        where f.reference = r.id and f.code = r.code
          and case when f.image_version is null then f.again_at > ${now.toISOString()}::timestamptz
            else f.source = any(i.sources) end)
    order by r.id desc limit ${atOnce}`.execute(db)
  return rows
}

type Found = { source: OutsideSource; picture: DrawnPicture } | 'none' | 'silent'

async function findImage(
  library: Library,
  { code, rule }: Wanted,
  { lookUpSources, now }: Settings,
): Promise<Found> {
  const notice = await findNotice(library.db, code, { now, environment: library, lookUpSources })
  if (notice === 'silent') return 'silent'
  if (notice === 'unknown') return 'none'
  let isSilent = false
  for (const name of rule) {
    const address = notice.covers[name]
    const source = sourcesOf(lookUpSources).find((one) => one.name === name)
    if (address === undefined || !source) continue
    try {
      const picture = await fetchCover(source, address, { sides: Object.values(coverSides), deadlineMs })
      if (picture) return { source: name, picture }
    } catch (error) {
      isSilent ||= mayComeLater(error)
      library.tell({ level: 'warn', message: `${name} gave no cover: ${String(error)}` })
    }
  }
  return isSilent ? 'silent' : 'none'
}

/** What was refused, or is no picture, is so tomorrow too. */
const mayComeLater = (error: unknown): boolean =>
  error instanceof OutsideStatusError
    ? error.status >= 500 || error.status === 429
    : !(error instanceof RefusedOutsideError)

async function keep(
  { db, files }: Library,
  { id, code }: Wanted,
  { found, now }: { found: Found; now: Date },
): Promise<void> {
  const again = (days: number) => new Date(now.getTime() + days * 86_400_000).toISOString()
  const row =
    typeof found === 'string'
      ? { code, source: null, image_version: null, again_at: again(restDays[found]) }
      : { code, source: found.source, image_version: newPictureName(), again_at: now.toISOString() }
  if (typeof found !== 'string') {
    await keepPicture(found.picture, files, coverFile(id, row.image_version!))
  }
  await db
    .insertInto('found_images')
    .values({ reference: id, ...row })
    .onConflict((conflict) => conflict.column('reference').doUpdateSet(row))
    .execute()
}

/** What somebody took away is not sought again, unless the code changes. */
export async function refuseFoundImage(
  trx: Trx,
  { id, image_source }: Pick<Reference, 'id' | 'image_source'>,
): Promise<void> {
  if (image_source === null || image_source === 'own') return
  await trx
    .updateTable('found_images')
    .set({ source: null, image_version: null, again_at: 'infinity' })
    .where('reference', '=', id)
    .execute()
}

export const startFoundImages = (settings: {
  environments: LoopSettings['environments']
  lookUpSources: readonly string[]
  logger: Logger
}): BackgroundLoop =>
  startLoop({
    environments: settings.environments,
    logger: settings.logger,
    pollEvery: everyMs,
    outOfReach: 'images of references are out of reach',
    look: (environment, stopping) =>
      keepFoundImages(environment, { lookUpSources: settings.lookUpSources, now: new Date(), stopping }),
  })
