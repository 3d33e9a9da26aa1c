import type { Logger } from 'pino'

import type { Environment } from '../db/environment.ts'

export type LoopSettings<E extends Pick<Environment, 'id'>> = {
  environments: readonly E[]
  logger: Logger
  /** In milliseconds. */
  pollEvery?: number
  outOfReach: string
  /** Does the work there is; ends early once `stopping` is aborted. */
  look(environment: E, stopping: AbortSignal): Promise<void>
}

export type BackgroundLoop = {
  wake(): void
  /** Ends after the work under way, or after `within` milliseconds. */
  stop(within?: number): Promise<void>
}

export function startLoop<E extends Pick<Environment, 'id'>>(settings: LoopSettings<E>): BackgroundLoop {
  const { environments, logger, pollEvery = 5000, outOfReach, look } = settings
  const stopping = new AbortController()
  const naps = new Set<() => void>()
  let wakes = 0

  const nap = (since: number) =>
    new Promise<void>((resolve) => {
      const end = () => {
        clearTimeout(timer)
        naps.delete(end)
        resolve()
      }
      const timer = setTimeout(end, pollEvery)
      naps.add(end)
      // Work committed since it woke may have been missed.
      if (wakes !== since || stopping.signal.aborted) end()
    })

  const lookForEver = async (environment: E) => {
    while (!stopping.signal.aborted) {
      const since = wakes
      try {
        await look(environment, stopping.signal)
      } catch (error) {
        logger.warn({ err: error, environment: environment.id }, outOfReach)
      }
      await nap(since)
    }
  }
  const running = Promise.all(environments.map(lookForEver))

  const wake = () => {
    wakes += 1
    for (const end of naps) end()
  }
  return {
    wake,
    async stop(within = 5000) {
      stopping.abort()
      wake()
      let timer: NodeJS.Timeout | undefined
      const patience = new Promise<void>((resolve) => {
        timer = setTimeout(resolve, within)
      })
      await Promise.race([running, patience])
      clearTimeout(timer)
    },
  }
}
