// `npm run restore FILE` replaces what is there with a backup, or one library of it, and keeps it aside.
import { askOnTerminal, passphraseOfEnvironment } from './ask-passphrase.ts'
import { restoreBackup } from './restore-backup.ts'
import { environmentOf, runCommand, valueOf } from './run-command.ts'

const usage = [
  'Usage\u202f: npm run restore FICHIER [-- --replace]',
  '        npm run restore FICHIER -- --environment=NUMÉRO [--replace]',
  '        npm run restore FICHIER -- --hosts=pret.exemple.fr[,…] [--environment=NUMÉRO]',
].join('\n')

const known = ['--replace', '--environment', '--hosts']

await runCommand({ usage, known }, async ({ file, flags, storage, configuration: { embeddedLimit } }) => {
  const id = environmentOf(flags, usage)
  const hosts = valueOf(flags, 'hosts')?.split(',') ?? null
  const isOfOne = id !== null || hosts !== null
  const { made_at, kept, environments } = await restoreBackup(file, storage, {
    replace: flags.includes('--replace'),
    ...(isOfOne ? { one: { id, hosts, embeddedLimit } } : {}),
    ask: async () =>
      passphraseOfEnvironment() ?? (await askOnTerminal('Phrase secrète de la sauvegarde\u202f: ')),
  })
  const made = new Date(made_at).toLocaleString('fr-FR', { dateStyle: 'long', timeStyle: 'short' })
  const former =
    kept === null
      ? ''
      : ` Ce qui était là est gardé dans «\u202f${kept}\u202f»\u202f: effacez-le quand vous n’en aurez plus besoin.`
  const which = isOfOne ? `, pour la bibliothèque ${environments[0]} seule` : ''
  return `Sauvegarde du ${made} restaurée${which}.${former} Tout le monde devra se reconnecter.`
})
