import { randomUUID } from 'node:crypto'

import type { Logger } from 'pino'

import type { Environment } from '../db/environments/environment.ts'
import { type ChangeFeed, type FeedTimes, openChangeFeed } from './change-feed.ts'
import { type Doorbell, ownDoorbell, sharedDoorbell } from './doorbell.ts'

/** Tells open pages that something changed, in every environment of a server. */
export type LiveChanges = {
  ring(environment: Environment): void
  feedOf(environment: Environment): ChangeFeed
  readonly size: number
  close(): void
}

const usualTimes: FeedTimes = {
  gather: 250,
  look: 5000,
  lookDeaf: 1000,
  heartbeat: 25_000,
  check: 30_000,
  age: 3600_000,
}

export function openLiveChanges(logger: Logger, times: Partial<FeedTimes> = {}): LiveChanges {
  const self = randomUUID()
  const known = new Map<Environment, { doorbell: Doorbell; feed: ChangeFeed }>()
  let isClosed = false

  const of = (environment: Environment) => {
    let found = known.get(environment)
    if (!found) {
      const doorbell = environment.listener
        ? sharedDoorbell(environment, environment.listener, self)
        : ownDoorbell()
      const feed = openChangeFeed({ environment, doorbell, logger, times: { ...usualTimes, ...times } })
      if (isClosed) feed.close()
      // A restore closes it under its pages, which come back to the one that is opened instead.
      void environment.closed.then(() => {
        feed.close()
        known.delete(environment)
      })
      found = { doorbell, feed }
      known.set(environment, found)
    }
    return found
  }
  return {
    ring: (environment) => of(environment).doorbell.ring(),
    feedOf: (environment) => of(environment).feed,
    get size() {
      return [...known.values()].reduce((sum, { feed }) => sum + feed.size, 0)
    },
    close() {
      isClosed = true
      for (const { feed } of known.values()) feed.close()
    },
  }
}
