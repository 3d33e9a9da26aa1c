import type { Environment } from './environment.ts'
import type { KnownEnvironment } from './list-environments.ts'

/** Works for an environment from its opening on, and ends once it is told that the environment closes. */
export type Attendant = (environment: Environment, closing: AbortSignal) => Promise<void>

/** The environments of a server: each is opened when it is first asked for, and closed once nobody asks any more. */
export type Environments = {
  /** Opens the one of a host where it sleeps; null where the host has none. Throws what its opening throws. */
  at(host: string): Promise<Environment | null>
  /** Whether a host has one, or had one that was moved away; opens none. */
  knows(host: string): Promise<boolean>
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

/**
 * Which library answers at a host, in lower case: the one that has it; else the first, where it has no host or is alone, so
 * that adding a second does not take it off the air; one whose hosts are not known is nobody's. Null where the host is nobody’s. `known` goes by number, and one that
 * is still being added, which has no host yet, is not the first.
 */
export function whoAnswers<T extends KnownEnvironment>(known: readonly T[]) {
  const byHost = new Map(known.flatMap((one) => one.hosts.map((host) => [host.toLowerCase(), one] as const)))
  const [first = null, ...others] = known
  const isOfAnyHost = first !== null && first.hosts.length === 0 && first.isSilent !== true
  const rest = first && (others.length === 0 || isOfAnyHost) ? first : null
  return {
    isNamed: (host: string): boolean => byHost.has(host),
    at: (host: string): T | null => byHost.get(host) ?? rest,
  }
}

/** As a server takes them: some that are open already, or all there are. */
export const servedBy = (served: readonly Environment[] | Environments): Environments =>
  'attend' in served ? served : alwaysOpen(served)

/** Some that are open from beginning to end, and are closed by who opened them. */
function alwaysOpen(environments: readonly Environment[]): Environments {
  const answering = whoAnswers(environments)
  return {
    known: environments,
    open: environments,
    refresh: () => Promise.resolve(),
    openOnly: () => Promise.resolve(),
    letGo: () => Promise.resolve(),
    any: async () => environments[0] ?? null,
    at: async (host) => answering.at(host.toLowerCase()),
    knows: async (host) => answering.at(host.toLowerCase()) !== null,
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
