import { setTimeout as pause } from 'node:timers/promises'

import { Gauge } from 'prom-client'

import type { Environment } from '../db/environment.ts'
import type { Environments } from '../db/environments.ts'

/** A silent database must not keep the other figures waiting. */
const patienceMs = 2000

export const poolConnections = (environments: Environments) =>
  new Gauge({
    name: 'comptoir_pool_connections',
    help: 'Connections to the database: all, at rest, and callers that wait for one',
    labelNames: ['environment', 'state'],
    registers: [],
    collect() {
      this.reset()
      for (const { id, pool } of environments.open) {
        this.set({ environment: id, state: 'total' }, pool.totalCount)
        this.set({ environment: id, state: 'idle' }, pool.idleCount)
        this.set({ environment: id, state: 'waiting' }, pool.waitingCount)
      }
    },
  })

export const mailsWaiting = (environments: Environments) =>
  new Gauge({
    name: 'comptoir_mails_waiting',
    help: 'Mails that have not left yet; absent while the database does not answer',
    labelNames: ['environment'],
    registers: [],
    async collect() {
      this.reset()
      await Promise.all(
        environments.open.map(async (environment) => {
          const patience = pause(patienceMs, null, { ref: false })
          const waiting = await Promise.race([countWaiting(environment), patience])
          if (waiting !== null) this.set({ environment: environment.id }, waiting)
        }),
      )
    },
  })

async function countWaiting({ db }: Environment): Promise<number | null> {
  try {
    const { waiting } = await db
      .selectFrom('mail_outbox')
      .select((eb) => eb.fn.countAll<number>().as('waiting'))
      .where('status', '=', 'queued')
      .executeTakeFirstOrThrow()
    return waiting
  } catch {
    return null
  }
}
