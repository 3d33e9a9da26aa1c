import type { Environment } from './environment.ts'
import type { KnownEnvironment } from './list-environments.ts'

/** Works for an environment from its opening on, and ends once it is told that the environment closes. */
export type Attendant = (environment: Environment, closing: AbortSignal) => Promise<void>

/** The environments of a server: each is opened when it is first asked for, and closed once nobody asks any more. */
export type Environments = {
  /** Opens the one of a host where it sleeps; null where the host has none. Throws what its opening throws. */
  at(host: string): Promise<Environment | null>
  /** Opens the only one, however long its migrations take; does nothing where there are several. Throws what its opening throws. */
  openOnly(): Promise<void>
  /** One that is open, else the first that opens, for a question about the server as a whole. */
  any(): Promise<Environment | null>
  readonly known: readonly KnownEnvironment[]
  readonly open: readonly Environment[]
  /** Reads again which there are. */
  refresh(): Promise<void>
  /** Closes one for somebody who is about to replace it, and opens it no more for a few seconds. */
  letGo(id: number): Promise<void>
  /** Attends to each that is open and each that opens. Returns how to end that. */
  attend(attendant: Attendant): () => Promise<void>
  close(): Promise<void>
}

/** Rung by who changes which environments there are. */
export const environmentsChannel = 'comptoir_environments'

/** As a server takes them: some that are open already, or all there are. */
export const servedBy = (served: readonly Environment[] | Environments): Environments =>
  'attend' in served ? served : alwaysOpen(served)

/** Some that are open from beginning to end, and are closed by who opened them. */
function alwaysOpen(environments: readonly Environment[]): Environments {
  const byHost = new Map(
    environments.flatMap((environment) => environment.hosts.map((host) => [host.toLowerCase(), environment])),
  )
  const only = environments.length === 1 ? (environments[0] ?? null) : null
  return {
    known: environments,
    open: environments,
    refresh: () => Promise.resolve(),
    openOnly: () => Promise.resolve(),
    letGo: () => Promise.resolve(),
    any: async () => environments[0] ?? null,
    at: (host) => Promise.resolve(byHost.get(host.toLowerCase()) ?? only),
    attend(attendant) {
      const closing = new AbortController()
      const work = environments.map((environment) => attendant(environment, closing.signal))
      return async () => {
        closing.abort()
        await Promise.allSettled(work)
      }
    },
    close: async () => {
      await Promise.all(environments.map((environment) => environment.close()))
    },
  }
}
