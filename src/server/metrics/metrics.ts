import { setTimeout as pause } from 'node:timers/promises'

import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client'

import type { Environment } from '../db/environments/environment.ts'
import type { Environments } from '../db/environments/environments.ts'
import type { Answered } from '../http/run-change.ts'
import { hashing } from '../session/password-hash.ts'

/** A silent database must not keep the other figures waiting. */
const patienceMs = 2000

const poolConnections = (environments: Environments) =>
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

const mailsWaiting = (environments: Environments) =>
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

/** The process's own figures, at `/metrics` in Prometheus' text format. */
export type Metrics = {
  /** `endpoint` is null for pages and unknown addresses, because raw paths would grow without end. */
  answered(endpoint: string | null, status: number, seconds: number): void
  replayed(endpoint: string): void
  conflicted(reason: string): void
  openStreams(count: () => number): void
  contentType: string
  read(): Promise<string>
}

export function openMetrics(environments: Environments): Metrics {
  const registry = new Registry()
  const registers = [registry]
  collectDefaultMetrics({ register: registry })
  const duration = new Histogram({
    name: 'comptoir_http_request_duration_seconds',
    help: 'Time to answer a request, by call of the contract and class of status',
    labelNames: ['endpoint', 'status'],
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers,
  })
  const replays = new Counter({
    name: 'comptoir_idempotent_replays_total',
    help: 'Actions that came again with their key and got their first answer',
    labelNames: ['endpoint'],
    registers,
  })
  const conflicts = new Counter({
    name: 'comptoir_conflicts_total',
    help: 'Actions that met a conflict, by reason',
    labelNames: ['reason'],
    registers,
  })
  let countStreams = () => 0
  const eventStreams = new Gauge({
    name: 'comptoir_event_streams_open',
    help: 'Event streams open now',
    registers: [],
    collect() {
      this.set(countStreams())
    },
  })
  registry.registerMetric(eventStreams)
  registry.registerMetric(passwordHashes())
  registry.registerMetric(poolConnections(environments))
  registry.registerMetric(mailsWaiting(environments))

  return {
    answered: (endpoint, status, seconds) =>
      duration.observe({ endpoint: endpoint ?? 'other', status: `${Math.floor(status / 100)}xx` }, seconds),
    replayed: (endpoint) => replays.inc({ endpoint }),
    conflicted: (reason) => conflicts.inc({ reason }),
    openStreams: (count) => {
      countStreams = count
    },
    contentType: registry.contentType,
    read: () => registry.metrics(),
  }
}

const passwordHashes = () =>
  new Gauge({
    name: 'comptoir_password_hashes',
    help: 'Passwords being hashed, and waiting for it',
    labelNames: ['state'],
    registers: [],
    collect() {
      this.set({ state: 'running' }, hashing.running)
      this.set({ state: 'waiting' }, hashing.waiting)
    },
  })

/** Counts replays and conflicts; a replayed conflict is only a replay. */
export const countChange =
  (metrics: Pick<Metrics, 'replayed' | 'conflicted'>) =>
  (endpoint: string, { replayed, status, answer }: Answered): void => {
    if (replayed) metrics.replayed(endpoint)
    else if (status === 409) {
      const { reason } = JSON.parse(answer) as { reason?: string }
      metrics.conflicted(reason ?? 'OTHER')
    }
  }
