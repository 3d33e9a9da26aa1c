import type { PresetCode } from '../../domain/presets/presets.ts'
import type { Environment, StorageSettings } from '../db/environments/environment.ts'
import type { KnownEnvironment } from '../db/environments/list-environments.ts'

export type ManageSettings = StorageSettings & { embeddedLimit: number; publicUrl: string }

export type NewEnvironment = {
  name: string
  hosts: readonly string[]
  /** Of the first one, where it has none yet. */
  firstHosts: readonly string[]
  preset: PresetCode | null
  /** The address of its administrator, who is invited by mail; a password is made up where it is null. */
  administrator: string | null
}

export type AddedEnvironment = {
  id: number
  wasThere: boolean
  /** The one that answered at any host until now, and now answers at its own. */
  wasAlone: KnownEnvironment | null
  /** The first administrator's password, where nobody is invited. */
  generated: string | null
  /** Where the link of the administrator's invitation leads, which was written by now; null where nobody was invited. */
  invitedTo: string | null
}

/** What there is, and what changes it: every change may be done again, and ends what was begun before. */
export type Manager = {
  list(): Promise<KnownEnvironment[]>
  add(wanted: NewEnvironment): Promise<AddedEnvironment>
  /** `add` may have told apart the first of those that were there `before`. */
  undoAdd(id: number, before: readonly KnownEnvironment[]): Promise<void>
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
