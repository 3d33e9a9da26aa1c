import { codeOf } from '../db/error-code.ts'
import { createHash } from 'node:crypto'
import { createGunzip } from 'node:zlib'

import * as v from 'valibot'

import { BackupRefusedError } from './backup-refused.ts'
import { type BackupLine, backupLine, formatVersion } from './backup-format.ts'
import { type BackupSource, damaged } from './backup-source.ts'

type BackupPart = { line: BackupLine } | { rows: string[] }

const wholeBatch = 1000

/** Reads a backup; throws BackupRefusedError, also at the very end: trust nothing read before. */
export async function* readBackup(source: BackupSource): AsyncGenerator<BackupPart> {
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
