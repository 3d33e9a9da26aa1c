import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'

import { faultOfPassword } from '../session/password-rules.ts'
import { BackupRefusedError } from './backup-refused.ts'

export async function askOnTerminal(question: string): Promise<string | null> {
  const { stdin, stderr } = process
  if (!stdin.isTTY) return null
  stderr.write(question)
  const nowhere = new Writable({ write: (_piece, _encoding, done) => done() })
  const lines = createInterface({ input: stdin, output: nowhere, terminal: true })
  lines.once('SIGINT', () => process.exit(130))
  try {
    return await lines.question('')
  } finally {
    lines.close()
    stderr.write('\n')
  }
}

/** Never an argument, because the machine's other accounts can read those. */
export const passphraseOfEnvironment = (): string | null => process.env['BACKUP_PASSPHRASE'] || null

export const faultOfPassphrase = (passphrase: string | null): string | null =>
  passphrase === null ? null : faultOfPassword(passphrase, '')

/** What a backup is sealed with; throws BackupRefusedError for one that is soon guessed. */
export function fitPassphrase(passphrase: string | null): string | null {
  const fault = faultOfPassphrase(passphrase)
  if (fault) throw new BackupRefusedError(`La phrase secrète ne convient pas. ${fault}`)
  return passphrase
}
