import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

import { sql } from 'kysely'

import { frenchNumber } from '../../domain/french-number.ts'
import type { Trx } from '../db/handles.ts'
import { readParameters } from '../library-facts/parameters.ts'
import { coverFile, coverSides } from '../files/cover-files.ts'
import { pathOfPicture } from '../files/drawn-picture.ts'
import { unlessGone } from '../files/unless-gone.ts'
import { type ArchiveTable, cellSql, csvLine } from './archive-table.ts'
import {
  archiveTables,
  archiveVersion,
  conditionsFile,
  imageFile,
  manifestFile,
  noticesFile,
  pageFile,
} from './archive-tables.ts'
import { writtenNotices } from './write-notices.ts'
import { openZip, type ZipWriter } from './zip-writer.ts'

type Told = { library: string; made: string; rows: ReadonlyMap<string, number> }

/** The page of the archive that says what each file and each column is. */
function readMePage({ library, made, rows }: Told): string {
  const count = (file: string) => frenchNumber(rows.get(file) ?? 0)
  const tables = archiveTables.map(({ file, about, columns }) =>
    [
      `<h2 id="${file}">${file}</h2>`,
      `<p>${escaped(about)} ${count(file)} lignes.</p>`,
      '<table><thead><tr><th>Colonne</th><th>Ce qu’elle dit</th></tr></thead><tbody>',
      ...columns.map(({ title, about }) => `<tr><td>${escaped(title)}</td><td>${escaped(about)}</td></tr>`),
      '</tbody></table>',
    ].join('\n'),
  )
  return `<!doctype html>
<html lang="fr">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(library)}\u202f: archive du ${made}</title>
<style>
body { font: 1rem/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; color: #211f1b; }
table { border-collapse: collapse; width: 100%; }
th, td { text-align: left; vertical-align: top; padding: .3rem .6rem; border-bottom: 1px solid #ddd6ca; }
td:first-child { width: 16rem; font-weight: 600; }
</style>
</head>
<body>
<h1>${escaped(library)}\u202f: tout ce que contient Comptoir</h1>
<p>Archive faite le ${made}. Elle contient des données personnelles\u202f: gardez-la en lieu sûr, et détruisez-la quand elle ne sert plus.</p>
<p>Tout autre logiciel de bibliothèque peut la lire, sans Comptoir\u202f: les notices sont en UNIMARC, le reste en tableaux.</p>
<h2>Comment lire ces fichiers</h2>
<ul>
<li>Les fichiers <b>.csv</b> s’ouvrent dans un tableur\u202f: UTF-8, colonnes séparées par des points-virgules, noms des colonnes sur la première ligne.</li>
<li>Les jours sont écrits AAAA-MM-JJ, les instants en temps universel, les montants avec un point. Une apostrophe est ajoutée devant un texte que le tableur prendrait pour une formule.</li>
<li>Les lignes se désignent par leur numéro\u202f: celui d’un lecteur, dans prets.csv, est le «\u00a0Numéro\u00a0» de lecteurs.csv. Les colonnes «\u00a0pour la lecture\u00a0» le redisent en clair.</li>
<li>Pour reprendre le tout dans une installation neuve de Comptoir\u202f: <code>npm run import CETTE-ARCHIVE.zip</code>.</li>
</ul>
<h2>Les autres fichiers</h2>
<table><thead><tr><th>Fichier</th><th>Ce qu’il contient</th></tr></thead><tbody>
<tr><td>notices.mrc</td><td>Les ${count('notices.mrc')} références en UNIMARC (ISO 2709, UTF-8), chacune sous son numéro (001), avec ses exemplaires en 995\u202f: $b et $c site, $e emplacement, $f code-barres, $k cote, $o disponibilité, $q public, $r type, $u état, $5 achat. Une notice de plus de 99\u202f999 octets n’a que ses premiers exemplaires\u202f; exemplaires.csv les a tous.</td></tr>
<tr><td>images/</td><td>L’image de chaque référence qui en a une, au format WebP, sous le numéro de la référence.</td></tr>
<tr><td>conditions/</td><td>Les conditions de prêt remises aux lecteurs, en PDF.</td></tr>
<tr><td>archive.json</td><td>Pour les machines\u202f: combien chaque fichier a de lignes, et son empreinte (SHA-256).</td></tr>
</tbody></table>
<p>N’y sont pas\u202f: les mots de passe et secrets, les sessions et appareils, les courriels envoyés, le journal des changements et les actes qui s’annulent, les inventaires (ce qu’ils ont changé est dans les exemplaires), les étiquettes qui restent à imprimer, les vues des listes.</p>
${tables.join('\n')}
</body>
</html>
`
}

const escapes: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
const escaped = (text: string) => text.replace(/[&<>"]/g, (sign) => escapes[sign]!)

type Making = {
  /** Of one instant, for as long as it is read. */
  trx: Trx
  /** Where the environment's files lie. */
  files: string
  path: string
  now: Date
  onProgress?: (done: number) => void
  stopping?: AbortSignal
}

export class ArchiveStoppedError extends Error {}

const rowsPerFetch = 1000

/** Rows, notices and images: what `onProgress` counts up to. */
export async function sizeOfArchive(trx: Trx): Promise<number> {
  const counts = archiveTables.map(({ table }) => sql`(select count(*) from ${sql.table(table)})`)
  const { rows } = await sql<{ total: number }>`
    select ${sql.join(counts, sql` + `)}
      + (select count(*) + count(image_version) from "references" where deleted_at is null) as total`.execute(
    trx,
  )
  return rows[0]?.total ?? 0
}

/** Writes all that a library may take elsewhere to one zip, whose entries are alike as long as nothing changed; answers its size. */
export async function makeArchive(making: Making): Promise<number> {
  const zip = openZip(making.path)
  try {
    return await writeAll(zip, making)
  } catch (error) {
    zip.abandon()
    throw error
  }
}

async function writeAll(zip: ZipWriter, { trx, files, now, onProgress, stopping }: Making): Promise<number> {
  const parameters = await readParameters(trx)
  const library = parameters.get('work_council')
  const rows = new Map<string, number>()
  const prints: Record<string, { rows: number; sha256: string }> = {}
  let done = 0
  const advance = (by: number) => {
    if (stopping?.aborted) throw new ArchiveStoppedError()
    done += by
    onProgress?.(done)
  }
  const addTable = async (name: string, pieces: AsyncIterable<{ bytes: Uint8Array; rows: number }>) => {
    const print = createHash('sha256')
    let count = 0
    async function* counted() {
      for await (const piece of pieces) {
        print.update(piece.bytes)
        count += piece.rows
        advance(piece.rows)
        yield piece.bytes
      }
    }
    await zip.add(name, counted())
    rows.set(name, count)
    prints[name] = { rows: count, sha256: print.digest('hex') }
  }

  await addTable(noticesFile, notices(trx, library))
  for (const table of archiveTables) await addTable(table.file, tableRows(trx, table))
  for await (const { id, image_version } of images(trx)) {
    const { directory, name } = coverFile(id, image_version)
    const picture = await readThere(join(files, pathOfPicture(directory, name, coverSides.large)))
    if (picture) await zip.add(imageFile(id), once(picture), true)
    advance(1)
  }
  for (const path of await conditions(trx)) {
    const document = await readThere(join(files, path))
    if (document) await zip.add(path, once(document), true)
  }
  const made = frenchInstant(now, parameters.get('timezone'))
  await zip.add(pageFile, once(Buffer.from(readMePage({ library, made, rows }))))
  const manifest = { comptoir: archiveVersion, made_at: now.toISOString(), files: prints }
  await zip.add(manifestFile, once(Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`)))
  return zip.close()
}

async function* notices(trx: Trx, library: string) {
  for await (const some of writtenNotices(trx, library))
    yield { bytes: Buffer.concat(some), rows: some.length }
}

async function* tableRows(trx: Trx, { table, columns, order }: ArchiveTable) {
  const values = sql.join(columns.map(cellSql))
  const sorted = sql.join(order.map((column) => sql`t.${sql.ref(column)}`))
  const header = columns.map(({ title }) => (title.includes(';') ? `"${title}"` : title))
  yield { bytes: Buffer.from(`\ufeff${header.join(';')}\r\n`), rows: 0 }
  await sql`declare leaving no scroll cursor for
    select to_json(array[${values}])::text as row from ${sql.table(table)} t order by ${sorted}`.execute(trx)
  for (;;) {
    const { rows } = await sql<{ row: string }>`fetch ${sql.lit(rowsPerFetch)} from leaving`.execute(trx)
    const lines = rows.map(({ row }) => csvLine(columns, JSON.parse(row) as (string | null)[]))
    if (lines.length > 0) yield { bytes: Buffer.from(lines.join('')), rows: lines.length }
    if (rows.length < rowsPerFetch) break
  }
  await sql`close leaving`.execute(trx)
}

async function* images(trx: Trx) {
  for (let after = 0; ;) {
    const some = await trx
      .selectFrom('references')
      .select(['id', 'image_version'])
      .where('id', '>', after)
      .where('deleted_at', 'is', null)
      .where('image_version', 'is not', null)
      .orderBy('id')
      .limit(rowsPerFetch)
      .execute()
    for (const { id, image_version } of some) yield { id, image_version: image_version! }
    const last = some.at(-1)
    if (!last) return
    after = last.id
  }
}

/** Those of today, and those that readers were given. */
async function conditions(trx: Trx): Promise<string[]> {
  const { rows } = await sql<{ path: string }>`
    select path from (
      select loaning_conditions_file as path from media
      union select 'conditions/' || conditions_version || '.pdf' from loanings
    ) p where path is not null order by path collate "C"`.execute(trx)
  return rows.flatMap(({ path }) => (conditionsFile.test(path) ? [path] : []))
}

/** A file that is gone meanwhile was replaced. */
const readThere = (path: string): Promise<Buffer | null> => readFile(path).catch(unlessGone)

async function* once(bytes: Uint8Array) {
  yield await Promise.resolve(bytes)
}

const frenchInstant = (now: Date, timeZone: string) =>
  new Intl.DateTimeFormat('fr-FR', { timeZone, dateStyle: 'long', timeStyle: 'short' }).format(now)
