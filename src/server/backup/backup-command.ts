// `npm run backup FILE`: everything to one file, while the server works or not.
import { stat } from 'node:fs/promises'

import { makeBackup } from './make-backup.ts'
import { runCommand } from './run-command.ts'

await runCommand('Usage\u202f: npm run backup FICHIER', async ({ file, storage }) => {
  await makeBackup(file, storage)
  const { size } = await stat(file)
  return `Sauvegarde faite\u202f: ${file} (${(size / 1e6).toFixed(1).replace('.', ',')}\u202fMo).`
})
