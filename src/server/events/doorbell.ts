import { emitter } from '../../domain/emitter.ts'
import type { Listener } from '../db/connections/listener.ts'
import type { Environment } from '../db/environments/environment.ts'

/** Says that something was committed; a ring may be lost, so listeners also look unasked. */
export type Doorbell = {
  ring(): void
  /** Calls back at every ring, of any process; returns how to stop. */
  listen(onRing: () => void): () => void
  /** False while other processes' rings cannot be heard. */
  readonly isHearing: boolean
}

/** The embedded engine has one process, and cannot LISTEN. */
export function ownDoorbell(): Doorbell {
  const { tell, watch } = emitter()
  return { ring: tell, listen: watch, isHearing: true }
}

/** At most one notification of a process in this time. */
const gatherMs = 100
/** Rings between processes of one PostgreSQL by NOTIFY; `self` is this one, which need not hear itself. */
export function sharedDoorbell(
  { id, pool }: Pick<Environment, 'id' | 'pool'>,
  listener: Listener,
  self: string,
): Doorbell {
  const own = ownDoorbell()
  const channel = `comptoir_env_${id}`
  let gathering: NodeJS.Timeout | undefined
  let isRungMeanwhile = false

  const tellOthers = () => {
    // After the commit, because NOTIFY holds a lock of the whole cluster until its commit is on disk.
    pool.query('select pg_notify($1, $2)', [channel, self]).catch(() => undefined)
    gathering = setTimeout(() => {
      gathering = undefined
      if (isRungMeanwhile) tellOthers()
    }, gatherMs).unref()
    isRungMeanwhile = false
  }

  return {
    ring() {
      own.ring()
      if (gathering) isRungMeanwhile = true
      else tellOthers()
    },
    listen(onRing) {
      const stops = [
        own.listen(onRing),
        listener.listen(channel, (payload) => {
          if (payload !== self) onRing()
        }),
      ]
      return () => stops.forEach((stop) => stop())
    },
    get isHearing() {
      return listener.isHearing
    },
  }
}
