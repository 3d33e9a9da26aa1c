// `npm run restore FILE` replaces what is there with a backup, and keeps it aside.
import { askOnTerminal, passphraseOfEnvironment } from './ask-passphrase.ts'
import { restoreBackup } from './restore-backup.ts'
import { runCommand } from './run-command.ts'

const usage = 'Usage\u202f: npm run restore FICHIER [-- --replace]'

await runCommand({ usage, known: ['--replace'] }, async ({ file, flags, storage }) => {
  const { made_at, kept } = await restoreBackup(file, storage, {
    replace: flags.includes('--replace'),
    ask: async () =>
      passphraseOfEnvironment() ?? (await askOnTerminal('Phrase secrète de la sauvegarde\u202f: ')),
  })
  const made = new Date(made_at).toLocaleString('fr-FR', { dateStyle: 'long', timeStyle: 'short' })
  const former =
    kept === null
      ? ''
      : ` Ce qui était là est gardé dans «\u202f${kept}\u202f»\u202f: effacez-le quand vous n’en aurez plus besoin.`
  return `Sauvegarde du ${made} restaurée.${former} Tout le monde devra se reconnecter.`
})
