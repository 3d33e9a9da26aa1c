import { createHash, randomBytes } from 'node:crypto'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'

import { sql } from 'kysely'

import { parameterFault, retiredParameters } from '../../domain/parameters.ts'
import type { Environment } from '../db/environments/environment.ts'
import { isOfData } from '../db/error-code.ts'
import type { Trx } from '../db/handles.ts'
import { forgetParameters } from '../library-facts/parameters.ts'
import { coverFile, coverSides } from '../files/cover-files.ts'
import { drawPicture, keepPicture, newPictureName, pathOfPicture } from '../files/drawn-picture.ts'
import type { FileBytes } from '../import-files/file-bytes.ts'
import { ImportFileRefusal } from '../import-files/import-file.ts'
import { iso2709Rows } from '../import-files/iso-2709.ts'
import { hashPassword } from '../session/password-hash.ts'
import { archiveTables, conditionsFile, imageName, noticesFile } from './archive-tables.ts'
import { ArchiveRefusal, type OpenedArchive, openLibraryArchive } from './opened-archive.ts'
import { readTable } from './read-table.ts'
import { bringBack, setAside } from './set-aside.ts'

const largestPicture = 5_000_000
const largestDocument = 20_000_000

/** Files that were written, to be taken away again if the rest cannot be. */
type Written = { paths: string[]; forget(): Promise<void> }

const nothingWritten = (): Written => {
  const paths: string[] = []
  return {
    paths,
    async forget() {
      for (const path of paths) await rm(path, { force: true })
    },
  }
}

/** Keeps the images and answers their versions by reference: the large one as it is, the small one drawn from it. */
async function readImages(
  archive: OpenedArchive,
  { files, known, written }: { files: string; known: ReadonlySet<number>; written: Written },
): Promise<{ reference: number; version: string }[]> {
  const kept: { reference: number; version: string }[] = []
  for (const file of archive.names) {
    const reference = Number(imageName.exec(file)?.[1])
    if (Number.isNaN(reference)) continue
    if (!known.has(reference)) throw new ArchiveRefusal(`${file} n’est l’image d’aucune référence.`)
    const picture = await archive.whole(file, largestPicture)
    const isWebP = picture.subarray(8, 12).toString('latin1') === 'WEBP'
    const drawn = isWebP
      ? await drawPicture(picture, [coverSides.small], { most: coverSides.large ** 2 })
      : null
    if (!drawn) throw new ArchiveRefusal(`${file} n’est pas une image WebP de la bonne taille.`)
    const version = newPictureName()
    const place = coverFile(reference, version)
    for (const side of Object.values(coverSides)) {
      written.paths.push(join(files, pathOfPicture(place.directory, place.name, side)))
    }
    await keepPicture(new Map([...drawn, [coverSides.large, picture]]), files, place)
    kept.push({ reference, version })
  }
  return kept
}

/** Keeps the conditions of loans, each under its own hash. */
async function readConditions(
  archive: OpenedArchive,
  { files, written }: { files: string; written: Written },
): Promise<void> {
  for (const file of archive.names) {
    if (!conditionsFile.test(file)) continue
    const document = await archive.whole(file, largestDocument)
    const hash = createHash('sha256').update(document).digest('hex').slice(0, 32)
    if (!document.subarray(0, 1024).includes('%PDF-') || file !== `conditions/${hash}.pdf`) {
      throw new ArchiveRefusal(`${file} n’est pas le document que son nom annonce.`)
    }
    const path = join(files, file)
    await mkdir(dirname(path), { recursive: true })
    const isNew = await writeFile(path, document, { flag: 'wx' }).then(
      () => true,
      (error: NodeJS.ErrnoException) => {
        if (error.code === 'EEXIST') return false
        throw error
      },
    )
    if (isNew) written.paths.push(path)
  }
}

export type ReadLibrary = {
  made_at: string
  rows: ReadonlyMap<string, number>
  images: number
  /** Accounts of the installation that the archive does not replace. */
  kept: string[]
}

/** Brings a whole archive into an installation where nobody has worked yet, or nothing of it; throws ArchiveRefusal. */
export async function readArchive(environment: Environment, path: string): Promise<ReadLibrary> {
  const written = nothingWritten()
  try {
    const archive = await openLibraryArchive(path)
    const read = await environment.db
      .transaction()
      .execute((trx) => readAll(trx, archive, { files: environment.files, written }))
    forgetParameters(environment)
    await sql`analyze`.execute(environment.db)
    return { made_at: archive.made_at, ...read }
  } catch (error) {
    await written.forget()
    throw sentenceOf(error)
  }
}

async function readAll(
  trx: Trx,
  archive: OpenedArchive,
  place: { files: string; written: Written },
): Promise<Omit<ReadLibrary, 'made_at'>> {
  await requireEmpty(trx)
  await forgetFurniture(trx)
  const aside = await setAside(trx)
  const rows = new Map<string, number>()
  const live = new Set<number>()
  const withNotice = new Set<number>()
  for (const table of archive.tables) {
    const seen = (cells: ReadonlyMap<string, string>) => {
      if (table.table === 'references') {
        const id = Number(cells.get('Numéro'))
        if (cells.get('Supprimé le') === '') live.add(id)
        if (cells.get('Notice d’origine') === 'oui') withNotice.add(id)
      }
      if (table.table === 'parameters') requireParameter(cells.get('Code')!, cells.get('Valeur')!)
    }
    try {
      rows.set(table.file, await readTable(trx, table, archive.listed(table.file), seen))
    } catch (error) {
      throw isOfData(error)
        ? new ArchiveRefusal(
            `${table.file} contredit les autres fichiers ou les règles de Comptoir (${ruleOf(error)}).`,
          )
        : error
    }
  }
  await trx.deleteFrom('parameters').where('code', 'in', retiredParameters).execute()
  rows.set(noticesFile, await readNotices(trx, archive, { live, withNotice }))
  const images = await readImages(archive, { ...place, known: live })
  for (const { reference, version } of images) {
    await sql`update "references" set image_version = ${version} where id = ${reference}`.execute(trx)
  }
  await readConditions(archive, place)
  // A password that nobody knows takes as long to be refused as any other.
  const password_hash = await hashPassword(randomBytes(32).toString('base64url'))
  await trx.updateTable('users').set({ password_hash }).where('password_hash', '=', '').execute()
  const kept = await bringBack(trx, aside)
  await setSequences(trx)
  await sql`update start_progress set dismissed_at = now() where dismissed_at is null`.execute(trx)
  return { rows, images: images.length, kept }
}

/** Locks what is looked at, so that nobody begins to work meanwhile. */
async function requireEmpty(trx: Trx): Promise<void> {
  await sql`lock table "references", beneficiaries, loanings, users in share row exclusive mode`.execute(trx)
  const { rows } = await sql<{ isUsed: boolean; hasPeople: boolean }>`
    select exists (select from "references") or exists (select from beneficiaries)
      or exists (select from loanings) or exists (select from copies) or exists (select from inventories) as "isUsed",
      exists (select from users) as "hasPeople"`.execute(trx)
  if (!rows[0]?.hasPeople) {
    throw new ArchiveRefusal(
      'Cette installation n’a pas encore de compte\u202f: démarrez Comptoir une fois, arrêtez-le, puis recommencez.',
    )
  }
  if (rows[0].isUsed) {
    throw new ArchiveRefusal(
      'Cette installation a déjà des références ou des lecteurs\u202f: une archive ne se reprend que dans une installation neuve. Rien n’a été changé.',
    )
  }
}

const keptAside = ['users', 'profiles', 'sites']

/** What every new installation is furnished with, and a preset: the archive has its own. */
async function forgetFurniture(trx: Trx): Promise<void> {
  await sql`delete from start_sample`.execute(trx)
  for (const { table } of archiveTables.toReversed()) {
    if (!keptAside.includes(table)) await sql`delete from ${sql.table(table)}`.execute(trx)
  }
}

function requireParameter(code: string, value: string): void {
  const fault = parameterFault(code, value)
  if (fault) throw new ArchiveRefusal(`parametres.csv\u202f: ${code} ${fault}`)
}

const noticesAtOnce = 200

/** Keeps the notices that references came from; answers how many there are in all. */
async function readNotices(
  trx: Trx,
  archive: OpenedArchive,
  { live, withNotice }: { live: ReadonlySet<number>; withNotice: ReadonlySet<number> },
): Promise<number> {
  const bytes: FileBytes = {
    size: 0,
    at: () => Promise.reject(new Error('only read from its beginning')),
    async *pieces() {
      yield* archive.listed(noticesFile)
    },
  }
  let count = 0
  let kept: { reference: number; format: 'iso2709'; content: Buffer; charset: string; act: null }[] = []
  const write = async () => {
    if (kept.length > 0) await trx.insertInto('reference_notices').values(kept).execute()
    kept = []
  }
  for await (const row of iso2709Rows(bytes, 'utf-8')) {
    count += 1
    if (row.type === 'damaged')
      throw new ArchiveRefusal(`${noticesFile}, notice ${row.line}\u202f: ${row.reason}`)
    const reference = Number(row.fields.find(({ tag }) => tag === '001')?.value)
    if (!live.has(reference)) {
      throw new ArchiveRefusal(`${noticesFile}, notice ${row.line}\u202f: sa référence n’existe pas.`)
    }
    if (!withNotice.has(reference)) continue
    const content = Buffer.from(row.original as Uint8Array)
    kept.push({ reference, format: 'iso2709', content, charset: 'utf-8', act: null })
    if (kept.length === noticesAtOnce) await write()
  }
  await write()
  return count
}

/** The next number of each table comes after those that were brought. */
async function setSequences(trx: Trx): Promise<void> {
  for (const { table, columns } of archiveTables) {
    if (!columns.some((column) => 'column' in column && column.column === 'id')) continue
    const { rows } = await sql<{
      last: number | null
    }>`select max(id) as last from ${sql.table(table)}`.execute(trx)
    const last = rows[0]?.last ?? null
    // Apart from the table, which may lie on another machine than the sequence.
    await sql`
      select setval(pg_get_serial_sequence(${`"${table}"`}, 'id'), ${last ?? 1}::bigint, ${last !== null})`.execute(
      trx,
    )
  }
}

const ruleOf = (error: Error): string =>
  ['constraint', 'column'].flatMap((name) => {
    const value: unknown = Reflect.get(error, name)
    return typeof value === 'string' ? [value] : []
  })[0] ?? error.message

const sentenceOf = (error: unknown): unknown =>
  error instanceof ImportFileRefusal ? new ArchiveRefusal(error.message) : error
