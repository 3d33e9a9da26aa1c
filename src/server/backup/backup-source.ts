import { codeOf } from '../db/error-code.ts'
import { createReadStream } from 'node:fs'
import { Readable } from 'node:stream'

import { BackupRefusedError } from './backup-refused.ts'
import { unlockSeal, readHeader, unsealed } from './sealed-file.ts'

export type BackupSource = { path: string; open(): Readable }

export type AskPassphrase = () => Promise<string | null>

/** Opens a backup, asking for its passphrase where it is sealed; throws BackupRefusedError. */
export async function openBackupSource(path: string, ask: AskPassphrase): Promise<BackupSource> {
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

export const damaged = (path: string) =>
  new BackupRefusedError(
    `La sauvegarde «\u202f${path}\u202f» est coupée ou abîmée\u202f: rien n’a été restauré. Reprenez-en une autre.`,
  )
