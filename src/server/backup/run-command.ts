import { type Configuration, ConfigurationError, readConfiguration } from '../process/configuration.ts'
import { openMachines } from '../db/connections/machines.ts'
import { DataDirectoryBusyError } from '../db/engine/embedded-engine.ts'
import { type StorageSettings } from '../db/environments/environment.ts'
import { DatabaseMisplacedError, DatabaseTooOldError } from '../db/environments/migrate.ts'
import { requireOwnConnections, SharedConnectionsError } from '../db/connections/own-connections.ts'
import { BackupRefusedError } from './backup-refused.ts'

type Command = {
  file: string
  /** What follows it. */
  more: readonly string[]
  flags: readonly string[]
  storage: StorageSettings
  configuration: Configuration
}

/** Runs a command on the storage of the environment variables; a refusal is a sentence and exit code 1. */
export async function runCommand(
  { usage, known, most = 1 }: { usage: string; known: readonly string[]; most?: number },
  run: (command: Command) => Promise<string>,
): Promise<void> {
  try {
    const args = process.argv.slice(2)
    const flags = args.filter((arg) => arg.startsWith('--'))
    const [file, ...more] = args.filter((arg) => !arg.startsWith('--'))
    const isUnderstood = more.length < most && flags.every((flag) => known.includes(flag.replace(/=.*$/, '')))
    if (file === undefined || !isUnderstood) throw new BackupRefusedError(usage)
    const configuration = readConfiguration(process.env)
    const { dataDir } = configuration
    if (configuration.databaseUrl !== null) await requireOwnConnections(configuration.databaseUrl)
    const databaseUrl =
      configuration.databaseUrl && (await openMachines(configuration.databaseUrl).writable())
    const said = await run({ file, more, flags, storage: { dataDir, databaseUrl }, configuration })
    process.stdout.write(`${said}\n`)
  } catch (error) {
    const isPlain = [
      BackupRefusedError,
      ConfigurationError,
      DataDirectoryBusyError,
      DatabaseMisplacedError,
      DatabaseTooOldError,
      SharedConnectionsError,
    ].some((kind) => error instanceof kind)
    process.stderr.write(`${sentenceOf(error, isPlain)}\n`)
    process.exitCode = 1
  }
}

/** The value of a flag `--name=value`; undefined where it is not given. */
export const valueOf = (flags: readonly string[], name: string): string | undefined =>
  flags.find((flag) => flag.startsWith(`--${name}=`))?.slice(name.length + 3)

/** The library of --environment=; null where none is named. Throws BackupRefusedError with the `usage`. */
export function environmentOf(flags: readonly string[], usage: string): number | null {
  if (!flags.some((flag) => flag.startsWith('--environment'))) return null
  const given = valueOf(flags, 'environment') ?? ''
  if (!/^[1-9]\d{0,8}$/.test(given)) throw new BackupRefusedError(usage)
  return Number(given)
}

const disk: Record<string, string> = {
  ENOSPC: 'Le disque est plein\u202f: libérez de la place, puis recommencez.',
  EACCES: 'Ce fichier ou ce répertoire ne peut pas être écrit ou lu par ce compte.',
  EROFS: 'Ce répertoire est en lecture seule.',
  ENOENT: 'Ce répertoire n’existe pas.',
}

function sentenceOf(error: unknown, isPlain: boolean): string {
  if (!(error instanceof Error)) return String(error)
  if (isPlain) return error.message
  const sentence = disk[String(Reflect.get(error, 'code'))]
  return sentence === undefined ? (error.stack ?? error.message) : `${sentence} (${error.message})`
}
