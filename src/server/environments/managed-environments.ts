import type { PresetCode } from '../../domain/presets/presets.ts'
import type { Environment, StorageSettings } from '../db/environment.ts'
import type { KnownEnvironment } from '../db/list-environments.ts'

export type ManageSettings = StorageSettings & { embeddedLimit: number; publicUrl: string }

export type NewEnvironment = {
  name: string
  hosts: readonly string[]
  preset: PresetCode | null
  /** The address of its administrator, who is invited by mail; a password is made up where it is null. */
  administrator: string | null
}

/** What there is, and what changes it: every change may be done again, and ends what was begun before. */
export type Manager = {
  list(): Promise<KnownEnvironment[]>
  /** `generated` is the first administrator's password, where nobody is invited. */
  add(wanted: NewEnvironment): Promise<{ id: number; wasThere: boolean; generated: string | null }>
  rename(id: number, name: string): Promise<void>
  giveHosts(id: number, hosts: readonly string[]): Promise<void>
  /** Opens it for as long as `work` takes. */
  within<T>(id: number, work: (environment: Environment) => Promise<T>): Promise<T>
  /** Brings each to this version, so many at a time; answers what is to be said. Throws BackupRefusedError where some failed. */
  migrate(atOnce: number, onProgress: (line: string) => void): Promise<string>
  /** For good, with its files; throws BackupRefusedError while a server does not let go of it. */
  remove(id: number): Promise<void>
  close(): Promise<void>
}
