import type { Logger } from 'pino'

import type { Environment } from '../db/environments/environment.ts'
import { type Environments, servedBy } from '../db/environments/environments.ts'

export type LoopSettings = {
  environments: readonly Environment[] | Environments
  logger: Logger
  /** In milliseconds. */
  pollEvery?: number
  outOfReach: string
  /** Does the work there is; ends early once `stopping` is aborted. */
  look(environment: Environment, stopping: AbortSignal): Promise<void>
}

export type BackgroundLoop = {
  wake(): void
  /** Ends after the work under way, or after `within` milliseconds. */
  stop(within?: number): Promise<void>
}

/** In each environment, as long as it is open. */
export function startLoop(settings: LoopSettings): BackgroundLoop {
  const { environments, logger, pollEvery = 5000, outOfReach, look } = settings
  const stopping = new AbortController()
  const naps = new Set<() => void>()
  let wakes = 0

  const nap = (since: number, ended: AbortSignal) =>
    new Promise<void>((resolve) => {
      const end = () => {
        clearTimeout(timer)
        naps.delete(end)
        ended.removeEventListener('abort', end)
        resolve()
      }
      const timer = setTimeout(end, pollEvery)
      naps.add(end)
      ended.addEventListener('abort', end)
      // Work committed since it woke may have been missed.
      if (wakes !== since || ended.aborted) end()
    })

  const endAttending = servedBy(environments).attend(async (environment, closing) => {
    const ended = AbortSignal.any([stopping.signal, closing])
    while (!ended.aborted) {
      const since = wakes
      try {
        await look(environment, ended)
      } catch (error) {
        if (!ended.aborted) logger.warn({ err: error, environment: environment.id }, outOfReach)
      }
      await nap(since, ended)
    }
  })

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
      await Promise.race([endAttending(), patience])
      clearTimeout(timer)
    },
  }
}
