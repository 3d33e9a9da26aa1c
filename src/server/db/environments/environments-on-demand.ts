import { atMost } from '../at-most.ts'
import { SchemaReplacedError } from '../connections/schema-lock.ts'
import type { Environment, Migrating } from './environment.ts'
import { type Attendant, type Environments, whoAnswers } from './environments.ts'
import type { KnownEnvironment, Listed } from './list-environments.ts'

/** What is read on the pages of one that is not served. */
const shutBy = {
  trouble:
    'Cette bibliothèque ne s’ouvre pas pour l’instant. La personne qui s’occupe du serveur en trouve la cause dans son journal.',
  migration:
    'Mise à jour en cours\u202f: cette bibliothèque revient dans un instant. Ce qui est scanné attend sur l’appareil.',
  opening: 'Cette bibliothèque s’ouvre\u202f: réessayez dans un instant.',
  move: 'Cette bibliothèque a été déplacée, et son adresse ne mène pas encore au nouvel endroit. Ce qui est scanné attend sur l’appareil.',
  work: 'Cette bibliothèque est arrêtée un moment, le temps que sa base soit reprise ou déplacée. Ce qui est scanné attend sur l’appareil.',
}

/** An environment did not open; its cause is in the log, and the others go on. */
export class EnvironmentShutError extends Error {
  override readonly name = 'EnvironmentShutError'
  constructor(sentence: string = shutBy.trouble, options?: ErrorOptions) {
    super(sentence, options)
  }
}

type EnvironmentsSettings = {
  /** Reads which there are; asked again for a host that is not known, at most once in `lookMs`. */
  list(): Promise<Listed>
  open(id: number, migrating: Migrating): Promise<Environment>
  /** Whether something keeps it from sleeping, as a queued mail does. */
  isBusy(environment: Environment): Promise<boolean>
  onEvent(event: { level: 'info' | 'warn' | 'error'; message: string }): void
  times?: Partial<EnvironmentsTimes>
}

export type EnvironmentsTimes = {
  /** An environment that nobody asked for so long closes. */
  idleMs: number
  /** So long it stays open where nobody but the clock asked for it. */
  visitMs: number
  /** Every environment is opened once in so long, for what is due there. */
  roundMs: number
  /** How often it is looked who sleeps. */
  lookMs: number
  /** One that does not open is not tried again for so long. */
  shutMs: number
  /** A call waits so long for one that opens or migrates. */
  patienceMs: number
}

const usualTimes: EnvironmentsTimes = {
  idleMs: 600_000,
  visitMs: 60_000,
  roundMs: 3 * 3600_000,
  lookMs: 2000,
  shutMs: 5000,
  patienceMs: 5000,
}

/** Migrations that calls began, at once: the connections are for who is awake. */
const mostMigrations = 4

type Opened = {
  environment: Promise<Environment>
  ready: Environment | null
  isMigrating: boolean
  idleMs: number
  closing: AbortController
  attendants: Set<Promise<void>>
}

/** One that is broken does not speak for a server; where so many are, the database is. */
const mostTried = 3

export async function openEnvironmentsOnDemand(settings: EnvironmentsSettings): Promise<Environments> {
  const { onEvent } = settings
  const times = { ...usualTimes, ...settings.times }
  const migrationInTurn = atMost(mostMigrations)
  const attending = new Map<Attendant, Set<Promise<void>>>()
  const opened = new Map<number, Opened>()
  const closingNow = new Map<number, Promise<void>>()
  const visitedAt = new Map<number, number>()
  const shut = new Map<number, { error: EnvironmentShutError; until: number }>()
  let known: readonly KnownEnvironment[] = []
  let answering = whoAnswers(known)
  let moved: ReadonlySet<string> | null = null
  let readAt = -Infinity
  let reading: Promise<void> | null = null
  let isClosed = false
  const startedAt = performance.now()
  const warn = (id: number) => (error: unknown) =>
    onEvent({ level: 'warn', message: `environment ${id}: ${String(error)}` })

  const read = (): Promise<void> =>
    (reading ??= settings
      .list()
      .then(({ here: listed, movedAway }) => {
        known = listed.map((one) => (one.isSilent ? asItWasKnown(one) : one))
        moved = movedAway && new Set(movedAway.map((host) => host.toLowerCase()))
        answering = whoAnswers(known)
        readAt = performance.now()
        const still = new Set(listed.map(({ id }) => id))
        for (const [id, one] of opened) if (!still.has(id)) void close(id, one)
        for (const seen of [visitedAt, shut])
          for (const id of seen.keys()) if (!still.has(id)) seen.delete(id)
      })
      .finally(() => {
        reading = null
      }))

  const asItWasKnown = (silent: KnownEnvironment): KnownEnvironment => ({
    ...silent,
    ...known.find(({ id }) => id === silent.id),
    isSilent: true,
  })

  /** A reading under way may have begun before what its asker was told of. */
  const readAnew = async (): Promise<void> => {
    await reading?.catch(() => undefined)
    await read()
  }

  /** An environment may have been added, or have taken another host, since they were read. */
  const lookFor = async (host: string): Promise<void> => {
    if (!answering.isNamed(host) && performance.now() - readAt >= times.lookMs)
      await read().catch(() => undefined)
  }

  /** Where nobody is left, whoever asks was somebody's who moved. */
  const hasMoved = (host: string): boolean =>
    moved !== null && !answering.isNamed(host) && (moved.has(host) || known.length === 0)

  function attend(one: Opened, environment: Environment, attendant: Attendant): void {
    const work = attendant(environment, one.closing.signal).catch(warn(environment.id))
    const all = attending.get(attendant)
    for (const set of [one.attendants, all]) {
      set?.add(work)
      void work.then(() => set?.delete(work))
    }
  }

  function open(id: number): Opened {
    const found = opened.get(id)
    if (found) return found
    const trouble = shut.get(id)
    if (trouble && trouble.until > performance.now()) throw trouble.error
    const migrating: Migrating = async (migration) => {
      one.isMigrating = true
      await migrationInTurn(migration)
      one.isMigrating = false
    }
    const one: Opened = {
      environment: (closingNow.get(id) ?? Promise.resolve()).then(() => settings.open(id, migrating)),
      ready: null,
      isMigrating: false,
      idleMs: times.visitMs,
      closing: new AbortController(),
      attendants: new Set(),
    }
    opened.set(id, one)
    visitedAt.set(id, performance.now())
    one.environment.then(
      (environment) => {
        one.ready = environment
        // A restore replaced the database: what this process remembers of it is dropped, and the next call opens the new one.
        void environment.replaced.then(({ message }) => {
          onEvent({ level: 'warn', message })
          return close(id, one)
        })
        for (const attendant of attending.keys()) attend(one, environment, attendant)
      },
      (error: unknown) => {
        // It may have been closed meanwhile, and another opened in its place.
        if (opened.get(id) === one) opened.delete(id)
        onEvent({ level: 'error', message: `environment ${id} does not open: ${String(error)}` })
        shut.set(id, {
          error: new EnvironmentShutError(
            error instanceof SchemaReplacedError ? shutBy.work : shutBy.trouble,
            { cause: error },
          ),
          until: performance.now() + times.shutMs,
        })
      },
    )
    return one
  }

  /** Goes on opening one whose caller was told to come back. */
  async function waitFor(id: number, one: Opened): Promise<Environment> {
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(
        () => reject(new EnvironmentShutError(one.isMigrating ? shutBy.migration : shutBy.opening)),
        times.patienceMs,
      )
    })
    const ready = one.environment.catch(() => open(id).environment)
    return Promise.race([ready, late]).finally(() => clearTimeout(timer))
  }

  function close(id: number, one: Opened): Promise<void> {
    if (opened.get(id) !== one) return closingNow.get(id) ?? Promise.resolve()
    opened.delete(id)
    one.closing.abort()
    const ended = (async () => {
      const environment = await one.environment.catch(() => null)
      await Promise.all(one.attendants)
      await environment?.close()
    })()
      // The next opening waits for this, whatever came of it.
      .catch(warn(id))
      .finally(() => closingNow.delete(id))
    closingNow.set(id, ended)
    visitedAt.set(id, performance.now())
    return ended
  }

  /** Closes who is idle, and visits who slept through a round. */
  async function look(): Promise<void> {
    // The only one has nobody to make room for.
    for (const [id, one] of known.length > 1 ? opened : []) {
      if (!one.ready || performance.now() - one.ready.usedAt < one.idleMs) continue
      const isBusy = await settings.isBusy(one.ready).catch(() => true)
      // What it still waits for (a slow reader of a file, a step of a job) keeps no other from closing.
      if (!isBusy && performance.now() - one.ready.usedAt >= one.idleMs) void close(id, one)
    }
    const due = known.find(
      ({ id }) => !opened.has(id) && performance.now() - (visitedAt.get(id) ?? startedAt) >= times.roundMs,
    )
    if (due) {
      visitedAt.set(due.id, performance.now())
      await open(due.id).environment
    }
  }
  let looking: Promise<void> | null = null
  const timer = setInterval(() => {
    looking ??= look()
      .catch(() => undefined)
      .finally(() => {
        looking = null
      })
  }, times.lookMs).unref()

  await read()
  return {
    get known() {
      return known
    },
    get open() {
      return [...opened.values()].flatMap(({ ready }) => ready ?? [])
    },
    refresh: readAnew,
    async openOnly() {
      const [only, ...others] = known
      if (only && others.length === 0) await open(only.id).environment
    },
    async letGo(id) {
      shut.set(id, {
        error: new EnvironmentShutError(shutBy.work),
        until: performance.now() + times.shutMs,
      })
      const one = opened.get(id)
      if (one) await close(id, one)
    },
    async any() {
      for (const { ready } of opened.values()) if (ready) return ready
      let trouble: unknown = null
      for (const { id } of isClosed ? [] : known.slice(0, mostTried)) {
        try {
          return await waitFor(id, open(id))
        } catch (error) {
          trouble = error
        }
      }
      if (trouble !== null) throw trouble
      return null
    },
    async at(host) {
      const name = host.toLowerCase()
      await lookFor(name)
      if (hasMoved(name)) throw new EnvironmentShutError(shutBy.move)
      const id = answering.at(name)?.id
      if (id === undefined || isClosed) return null
      const one = open(id)
      one.idleMs = times.idleMs
      one.ready?.use()
      return one.ready ?? waitFor(id, one)
    },
    async knows(host) {
      const name = host.toLowerCase()
      await lookFor(name)
      return hasMoved(name) || answering.at(name) !== null
    },
    attend(attendant) {
      attending.set(attendant, new Set())
      for (const one of opened.values()) if (one.ready) attend(one, one.ready, attendant)
      return async () => {
        const under = attending.get(attendant) ?? new Set<Promise<void>>()
        attending.delete(attendant)
        await Promise.all(under)
      }
    },
    async close() {
      isClosed = true
      clearInterval(timer)
      await looking
      await Promise.all([...opened].map(([id, one]) => close(id, one)))
      await Promise.all(closingNow.values())
    },
  }
}
