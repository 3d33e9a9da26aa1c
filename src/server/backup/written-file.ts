import { lstat, stat } from 'node:fs/promises'

import { byteSize } from '../../domain/byte-size.ts'
import { BackupRefusedError } from './backup-refused.ts'

/** Asked before anything is typed or written; throws BackupRefusedError where something has that name. */
export async function requireNewFile(file: string): Promise<void> {
  if (await lstat(file).catch(() => null))
    throw new BackupRefusedError(`«\u202f${file}\u202f» existe déjà\u202f: donnez un autre nom.`)
}

/** « nord.sauvegarde (2,4 Mo) ». */
export const withItsSize = async (file: string): Promise<string> =>
  `${file} (${byteSize((await stat(file)).size)})`
