// `npm run import FILE -- --user=NAME` brings in a file of any size, as the screen does, while the server is stopped or on PostgreSQL;
// `npm run import ARCHIVE.zip` brings a whole library into a new installation.
import { stat } from 'node:fs/promises'
import { basename } from 'node:path'

import { BackupRefusedError } from '../backup/backup-refused.ts'
import { runCommand } from '../backup/run-command.ts'
import { librarySummary } from '../data-export/library-summary.ts'
import { ArchiveRefusal, isArchive } from '../data-export/opened-archive.ts'
import { readArchive } from '../data-export/read-archive.ts'
import { environmentIds } from '../db/environments/environment-ids.ts'
import {
  openEnvironment,
  prepareDataDirectory,
  type StorageSettings,
} from '../db/environments/environment.ts'
import { codeOf } from '../db/error-code.ts'
import { importOnServer } from './import-on-server.ts'

const usage =
  'Usage\u202f: npm run import FICHIER -- --user=IDENTIFIANT [--subject=references|readers|loans] [--site=NOM] [--site-of="NOM DU FICHIER=NOM D’ICI"]… [--create-site=NOM]… [--dry-run] [--environment=NUMÉRO]\n' +
  '        npm run import ARCHIVE.zip, dans une installation neuve'

async function requireThere(file: string): Promise<void> {
  await stat(file).catch((error: unknown) => {
    if (codeOf(error) !== 'ENOENT') throw error
    throw new BackupRefusedError(`Le fichier «\u202f${file}\u202f» n’existe pas.`)
  })
}

/** The one that is named, else the only one. */
async function openWanted(storage: StorageSettings, named: string | undefined) {
  await prepareDataDirectory(storage)
  const ids = await environmentIds(storage)
  if (named === undefined && ids.length > 1)
    throw new BackupRefusedError(
      `${ids.length} bibliothèques sont ici\u202f: dites laquelle par --environment=NUMÉRO (npm run environment -- list).`,
    )
  const id = named === undefined ? (ids[0] ?? 1) : Number(named)
  if (named !== undefined && !ids.includes(id))
    throw new BackupRefusedError(`Il n’y a pas de bibliothèque «\u202f${named}\u202f» ici.`)
  return openEnvironment(storage, id)
}

/** Of a flag that may be there several times. */
const valuesOf = (flags: readonly string[], name: string): string[] =>
  flags.flatMap((flag) => (flag.startsWith(`--${name}=`) ? [flag.slice(name.length + 3)] : []))

/** « X=Y », of which neither is empty. */
function pairOf(said: string): [string, string] {
  const at = said.indexOf('=')
  const [theirs, ours] = [said.slice(0, at).trim(), said.slice(at + 1).trim()]
  if (at < 1 || theirs === '' || ours === '') throw new BackupRefusedError(usage)
  return [theirs, ours]
}

await runCommand(
  {
    usage,
    known: ['--user', '--subject', '--site', '--site-of', '--create-site', '--dry-run', '--environment'],
  },
  async ({ file, flags, storage }) => {
    const said = (name: string) => valuesOf(flags, name)[0]
    await requireThere(file)
    const username = said('user')
    const isWhole = username === undefined && (await isArchive(file))
    if (username === undefined && !isWhole) throw new BackupRefusedError(usage)
    const environment = await openWanted(storage, said('environment'))
    try {
      if (username === undefined) return librarySummary(await readArchive(environment, file))
      return await importOnServer(environment, {
        path: file,
        name: basename(file),
        username,
        subject: said('subject') ?? null,
        site: said('site') ?? null,
        sitesOf: new Map(valuesOf(flags, 'site-of').map(pairOf)),
        newSites: valuesOf(flags, 'create-site'),
        isDry: flags.includes('--dry-run'),
        now: () => new Date(),
      })
    } catch (error) {
      throw error instanceof ArchiveRefusal ? new BackupRefusedError(error.message) : error
    } finally {
      await environment.close()
    }
  },
)
