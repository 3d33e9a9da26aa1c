// `npm run backup FILE` writes everything, or one library, to one file, whether the server runs or not.
import { askOnTerminal, fitPassphrase, passphraseOfEnvironment } from './ask-passphrase.ts'
import { BackupRefusedError } from './backup-refused.ts'
import { makeBackup } from './make-backup.ts'
import { environmentOf, runCommand } from './run-command.ts'
import { requireNewFile, withItsSize } from './written-file.ts'

const usage = 'Usage\u202f: npm run backup FICHIER [-- --encrypt --environment=NUMÉRO]'

await runCommand({ usage, known: ['--encrypt', '--environment'] }, async ({ file, flags, storage }) => {
  await requireNewFile(file)
  const passphrase = await newPassphrase(flags.includes('--encrypt'))
  await makeBackup(file, storage, passphrase, environmentOf(flags, usage))
  const made = await withItsSize(file)
  return passphrase === null
    ? `Sauvegarde faite\u202f: ${made}.`
    : `Sauvegarde chiffrée faite\u202f: ${made}. Sans sa phrase secrète, personne ne pourra la reprendre.`
})

/** BACKUP_PASSPHRASE, or one typed twice if a seal is wanted; null for no seal. */
async function newPassphrase(isWanted: boolean): Promise<string | null> {
  return fitPassphrase(passphraseOfEnvironment() ?? (isWanted ? await typedTwice() : null))
}

async function typedTwice(): Promise<string> {
  const typed = await askOnTerminal('Phrase secrète de la sauvegarde\u202f: ')
  if (typed === null)
    throw new BackupRefusedError(
      'Pour chiffrer, donnez la phrase secrète par BACKUP_PASSPHRASE, ou sur un terminal.',
    )
  if (typed !== (await askOnTerminal('La même, pour vérifier\u202f: ')))
    throw new BackupRefusedError('Les deux phrases secrètes diffèrent\u202f: rien n’a été sauvegardé.')
  return typed
}
