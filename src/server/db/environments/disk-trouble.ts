import { randomBytes } from 'node:crypto'
import { mkdir, open, rm, statfs } from 'node:fs/promises'
import { join, resolve } from 'node:path'

import { codeOf } from '../error-code.ts'

/** The size of one piece of the database's journal, without which the embedded engine cannot start. */
const leastRoom = 16 * 1024 * 1024

/** Nobody can write in the data directory; the message is for the terminal. */
export class DataDirectoryUnusableError extends Error {
  override readonly name = 'DataDirectoryUnusableError'
}

export async function requireWritableDirectory(directory: string): Promise<void> {
  const path = resolve(directory)
  const probe = join(path, `.probe-${randomBytes(6).toString('hex')}`)
  try {
    await mkdir(path, { recursive: true, mode: 0o700 })
    const file = await open(probe, 'wx', 0o600)
    await file.sync().finally(() => file.close())
  } catch (cause) {
    throw new DataDirectoryUnusableError(sentenceOf(path, codeOf(cause)), { cause })
  } finally {
    await rm(probe, { force: true }).catch(() => undefined)
  }
}

function sentenceOf(path: string, code: string): string {
  const named = `Le répertoire de données «\u202f${path}\u202f»`
  if (code === 'ENOSPC') return fullAtStart(path)
  if (code === 'EROFS')
    return `${named} est en lecture seule\u202f: rendez-le inscriptible, ou choisissez-en un autre par DATA_DIR.`
  if (code === 'EACCES' || code === 'EPERM')
    return `${named} ne peut pas être écrit par ce compte\u202f: donnez-lui ce droit, ou choisissez-en un autre par DATA_DIR.`
  if (code === 'ENOTDIR' || code === 'EEXIST')
    return `${named} n’est pas un répertoire\u202f: choisissez-en un autre par DATA_DIR.`
  return `${named} ne peut pas être écrit (${code || 'erreur inconnue'})\u202f: choisissez-en un autre par DATA_DIR.`
}

export const fullAtStart = (path: string): string =>
  `Le disque du répertoire de données «\u202f${path}\u202f» est plein\u202f: libérez de la place, puis relancez Comptoir.`

export async function isDiskFull(directory: string): Promise<boolean> {
  const { bavail, bsize } = await statfs(directory).catch(() => ({ bavail: Infinity, bsize: 1 }))
  return bavail * bsize < leastRoom
}

/** Whether PostgreSQL (« disk full ») or the system refused to write for want of room. */
export const saysDiskFull = (error: unknown): boolean => ['53100', 'ENOSPC', 'EDQUOT'].includes(codeOf(error))
