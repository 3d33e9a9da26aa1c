import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'

import * as v from 'valibot'

import type { StorageSettings } from '../db/environments/environment.ts'
import { asideStamp } from '../db/environments/kept-aside.ts'
import { codeOf } from '../db/error-code.ts'
import {
  isTooOld,
  lastBeforeBaseline,
  migrations as ours,
  namesOfToday,
} from '../db/migrations/migrations.ts'
import { type BackupLine, backupLine, formatVersion } from './backup-format.ts'
import { BackupRefusedError } from './backup-refused.ts'
import { type EnvironmentLoader, type FreshEnvironment, loadEnvironment } from './load-environment.ts'
import { type OneRestored, withPlaceOfOne } from './restore-place-of-one.ts'
import { inhabitedIds, openRestorePlace, type RestorePlace } from './restore-place.ts'
import { readHeader, unlockSeal, unsealed } from './sealed-file.ts'

type Restored = {
  made_at: string
  environments: number[]
  /** Where the former data is kept, or null when there was none. */
  kept: string | null
}

type RestoreSettings = {
  replace: boolean
  ask?: AskPassphrase
  now?: Date
  /** One library of the file, and no other; the file's only one where its `id` is null. */
  one?: Omit<OneRestored, 'id'> & { id: number | null }
}

/** Restores a whole backup, or one library of it, or nothing; throws BackupRefusedError, DataDirectoryBusyError. */
export async function restoreBackup(
  path: string,
  storage: StorageSettings,
  { replace, ask = nobody, now = new Date(), one }: RestoreSettings,
): Promise<Restored> {
  const source = await openBackupSource(path, ask)
  const { made_at, environments } = await checkBackup(source)
  const stamp = asideStamp(now)
  if (one) {
    const id = oneOf(environments, one.id, path)
    return withPlaceOfOne(storage, { one: { ...one, id }, replace }, async (place) => {
      const kept = await buildAndSwap(source, place, { stamp, only: id })
      return { made_at, environments: [place.id], kept }
    })
  }
  if (replace) requireNoneLost(environments, await inhabitedIds(storage), path)
  const place = await openRestorePlace(storage, replace)
  return { made_at, environments, kept: await buildAndSwap(source, place, { stamp, only: null }) }
}

type Asked = { stamp: string; only: number | null }

async function buildAndSwap(
  source: BackupSource,
  place: RestorePlace,
  { stamp, only }: Asked,
): Promise<string | null> {
  try {
    await build(source, place, only)
    return await place.swap(stamp)
  } finally {
    await place.close()
  }
}

function oneOf(environments: readonly number[], id: number | null, path: string): number {
  const [first, ...others] = environments
  const told = new Intl.ListFormat('fr').format(environments.map(String))
  if (id === null && first !== undefined && others.length === 0) return first
  if (id === null)
    throw new BackupRefusedError(
      `«\u202f${path}\u202f» contient les bibliothèques ${told}\u202f: dites laquelle par --environment=NUMÉRO.`,
    )
  if (environments.includes(id)) return id
  throw new BackupRefusedError(
    `«\u202f${path}\u202f» ne contient pas la bibliothèque ${id}, mais ${told}\u202f: rien n’a été restauré.`,
  )
}

/** What is here and not in the file would be served no more. */
function requireNoneLost(inFile: readonly number[], here: readonly number[], path: string): void {
  const lost = here.filter((id) => !inFile.includes(id))
  if (lost.length === 0) return
  const told =
    lost.length === 1
      ? `la bibliothèque ${lost[0]}, qui est ici et ne serait plus servie`
      : `les bibliothèques ${new Intl.ListFormat('fr').format(lost.map(String))}, qui sont ici et ne seraient plus servies`
  throw new BackupRefusedError(
    `«\u202f${path}\u202f» ne contient pas ${told}\u202f: restaurez une seule bibliothèque (--environment=${inFile[0]}), ` +
      'ou retirez d’abord ce qui n’y est pas (npm run environment -- remove).',
  )
}

const nobody: AskPassphrase = () => Promise.resolve(null)

async function checkBackup(source: BackupSource): Promise<Pick<Restored, 'made_at' | 'environments'>> {
  const { path } = source
  let made_at = ''
  const environments: number[] = []
  const inhabited = new Set<number>()
  let table: string | null = null
  for await (const part of readBackup(source)) {
    if (!('line' in part)) {
      if (table === 'users') inhabited.add(environments.at(-1) ?? 0)
      continue
    }
    table = 'table' in part.line ? part.line.table : null
    if ('comptoir' in part.line) made_at = part.line.made_at
    if (!('environment' in part.line)) continue
    environments.push(part.line.environment)
    const { migrations } = part.line
    if (isTooOld(migrations)) throw tooOld(path)
    const unknown = namesOfToday(migrations).filter((name) => !Object.hasOwn(ours, name))
    if (unknown.length > 0) throw newer(path, unknown)
  }
  if (environments.length === 0 || environments.some((id) => !inhabited.has(id))) {
    throw new BackupRefusedError(
      `La sauvegarde «\u202f${path}\u202f» est vide\u202f: aucun utilisateur ne s’y trouve. Rien n’a été restauré.`,
    )
  }
  return { made_at, environments }
}

const newer = (path: string, unknown: readonly string[]) =>
  new BackupRefusedError(
    `La sauvegarde «\u202f${path}\u202f» a été faite par une version plus récente de Comptoir (${unknown.join(', ')})\u202f: ` +
      'installez cette version, ou reprenez une sauvegarde plus ancienne.',
  )

const tooOld = (path: string) =>
  new BackupRefusedError(
    `La sauvegarde «\u202f${path}\u202f» vient d’une version d’essai trop ancienne de Comptoir\u202f: restaurez-la avec la ` +
      `version ${lastBeforeBaseline} de ses sources, et sauvegardez de nouveau.`,
  )

/** All that the file holds, or that `only` one. */
async function build(source: BackupSource, place: RestorePlace, only: number | null): Promise<void> {
  let current: { fresh: FreshEnvironment; loader: EnvironmentLoader | null } | null = null
  const leave = async () => {
    const left = current
    current = null
    await left?.loader?.close()
    await left?.fresh.close()
  }
  try {
    for await (const part of readBackup(source)) {
      if ('rows' in part) await current?.loader?.rows(part.rows)
      else if ('environment' in part.line) {
        await current?.loader?.finish()
        await leave()
        if (only !== null && part.line.environment !== only) continue
        current = { fresh: await place.open(part.line.environment), loader: null }
        current.loader = await loadEnvironment(current.fresh, part.line.migrations)
      } else if ('end' in part.line) await current?.loader?.finish()
      else if (!('comptoir' in part.line)) await current?.loader?.open(part.line)
    }
  } finally {
    await leave()
  }
}

type BackupPart = { line: BackupLine } | { rows: string[] }

const wholeBatch = 1000

/** Reads a backup; throws BackupRefusedError, also at the very end: trust nothing read before. */
async function* readBackup(source: BackupSource): AsyncGenerator<BackupPart> {
  const { path } = source
  const hash = createHash('sha256')
  let lines = 0
  let opened = false
  let sealed = false
  let rows: string[] = []
  try {
    for await (const text of textLines(source)) {
      if (sealed) throw damaged(path)
      if (text.startsWith('[') && opened) {
        rows.push(text)
        lines += 1
        hash.update(`${text}\n`)
        if (rows.length < wholeBatch) continue
        yield { rows }
        rows = []
        continue
      }
      const line = parseLine(path, text, opened)
      if (rows.length > 0) yield { rows }
      rows = []
      if ('end' in line) {
        sealed = line.end === lines && line.sha256 === hash.digest('hex')
        if (!sealed) throw damaged(path)
      } else {
        opened = true
        lines += 1
        hash.update(`${text}\n`)
      }
      yield { line }
    }
  } catch (error) {
    const code = codeOf(error)
    // Data packed like a backup's was damaged before its first line.
    const wasPacked = code === 'Z_DATA_ERROR' && !String(error).includes('incorrect header check')
    if (code.startsWith('Z_')) throw opened || wasPacked ? damaged(path) : stranger(path)
    throw error
  }
  if (!sealed) throw opened ? damaged(path) : stranger(path)
}

function parseLine(path: string, text: string, opened: boolean): BackupLine {
  const parsed = v.safeParse(v.pipe(v.string(), v.parseJson(), backupLine), text)
  if (!parsed.success) throw opened ? damaged(path) : stranger(path)
  const line = parsed.output
  if ('comptoir' in line === opened) throw opened ? damaged(path) : stranger(path)
  if ('comptoir' in line && line.comptoir > formatVersion) {
    throw new BackupRefusedError(
      `La sauvegarde «\u202f${path}\u202f» a été faite par une version plus récente de Comptoir (format ${line.comptoir})\u202f: ` +
        'installez cette version, ou reprenez une sauvegarde plus ancienne.',
    )
  }
  return line
}

/** Only a line feed ends a line, unlike Unicode's other line ends. */
async function* textLines(backup: BackupSource): AsyncGenerator<string> {
  const source = backup.open()
  const gunzip = createGunzip()
  source.once('error', (error) => gunzip.destroy(error))
  try {
    let begun: Buffer[] = []
    for await (const chunk of source.pipe(gunzip) as AsyncIterable<Buffer>) {
      let from = 0
      for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, from)) {
        begun.push(chunk.subarray(from, at))
        yield Buffer.concat(begun).toString('utf8')
        begun = []
        from = at + 1
      }
      if (from < chunk.length) begun.push(chunk.subarray(from))
    }
    if (begun.length > 0) yield Buffer.concat(begun).toString('utf8')
  } finally {
    source.destroy()
    gunzip.destroy()
  }
}

const stranger = (path: string) =>
  new BackupRefusedError(`Le fichier «\u202f${path}\u202f» n’est pas une sauvegarde de Comptoir.`)

type BackupSource = { path: string; open(): Readable }

type AskPassphrase = () => Promise<string | null>

/** Opens a backup, asking for its passphrase where it is sealed; throws BackupRefusedError. */
async function openBackupSource(path: string, ask: AskPassphrase): Promise<BackupSource> {
  const sealed = await readHeader(path).catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT')
      throw new BackupRefusedError(`Le fichier «\u202f${path}\u202f» n’existe pas.`)
    throw error
  })
  if (sealed === null) return { path, open: () => createReadStream(path) }
  if (sealed === 'damaged') throw damaged(path)
  if (sealed === 'newer') {
    throw new BackupRefusedError(
      `La sauvegarde «\u202f${path}\u202f» a été chiffrée par une version plus récente de Comptoir\u202f: installez cette version.`,
    )
  }
  const passphrase = await ask()
  if (passphrase === null) {
    throw new BackupRefusedError(
      `La sauvegarde «\u202f${path}\u202f» est chiffrée\u202f: donnez sa phrase secrète par BACKUP_PASSPHRASE.`,
    )
  }
  const seal = await unlockSeal(sealed, passphrase)
  if (seal === null) {
    throw new BackupRefusedError(
      `La phrase secrète n’est pas celle de «\u202f${path}\u202f», ou le début du fichier est abîmé\u202f: rien n’a été restauré.`,
    )
  }
  return { path, open: () => Readable.from(wholeOrRefused(path, unsealed(path, seal))) }
}

async function* wholeOrRefused(path: string, chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  try {
    yield* chunks
  } catch (cause) {
    // The disk's errors have a system code, GCM's none or one of OpenSSL.
    const code = cause instanceof Error && 'code' in cause ? String(cause.code) : ''
    throw code === '' || code.startsWith('ERR_') ? damaged(path) : cause
  }
}

const damaged = (path: string) =>
  new BackupRefusedError(
    `La sauvegarde «\u202f${path}\u202f» est coupée ou abîmée\u202f: rien n’a été restauré. Reprenez-en une autre.`,
  )
