import { fork } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { fileURLToPath } from 'node:url'

import { sql } from 'kysely'

import type { Environment } from '../../../src/server/db/environments/environment.ts'
import { type BenchLibrary } from './bench-library.ts'
import { readCpu, usedBetween } from './cpu-clock.ts'
import type { ServerProcess } from '../server-process.ts'
import { openSession } from '../../support/open-session.ts'

export type DeviceOrder = {
  seconds: number
  /** Scans of each device; null: the next as soon as the last is answered. */
  perSecond: number | null
  devices: {
    port: number
    token: string
    /** Of its library, where a server has several. */
    host?: string
    reader: number
    device_id: string
    copies: number[]
  }[]
}

export type DevicesDone = {
  /** Milliseconds from each scan to its answer. */
  waits: number[]
  /** Keys of the actions that were confirmed. */
  lends: string[]
  returns: string[]
  /** Actions sent a second time with the same key. */
  repeated: number
  failures: string[]
  tookMs: number
  cpuMs: number
}

export type Run = DevicesDone & { cores: { server: number; postgres: number; generator: number } }

/** The last copy that a device was given. */
let lastCopy = 0

/** Lets devices scan against servers, shared out as by a proxy, and measures processors. */
export async function runDevices(
  library: BenchLibrary,
  servers: readonly ServerProcess[],
  { count, perSecond, seconds }: { count: number; perSecond: number | null; seconds: number },
): Promise<Run> {
  // Each copy is scanned three times, and comes round again if a device is faster.
  const needed = Math.min(
    400,
    Math.ceil((seconds * (perSecond ?? 60)) / 3) + 1,
    Math.floor(library.size.copies / 4 / count),
  )
  if (lastCopy > library.size.copies / 2) lastCopy = 0
  const devices: DeviceOrder['devices'] = []
  for (let n = 0; n < count; n++) {
    const { port } = servers[n % servers.length] ?? { port: 0 }
    const copies = await takeCopies(library.environment.db, needed, lastCopy)
    lastCopy = copies.at(-1) ?? 0
    devices.push({
      port,
      token: await openSession(library.environment.db),
      reader: 100 + ((n * 97) % (library.size.beneficiaries - 200)),
      device_id: randomUUID(),
      copies,
    })
  }
  await sql`update beneficiaries set exit_date = null where exit_date is not null and id = any(${devices.map(({ reader }) => reader)}::int[])`.execute(
    library.environment.db,
  )
  return runOrder({ seconds, perSecond, devices }, servers, [library.environment])
}

/** Has devices scan, measures processors, and throws unless all of it is in the libraries, once. */
export async function runOrder(
  order: DeviceOrder,
  servers: readonly ServerProcess[],
  libraries: readonly Pick<Environment, 'db'>[],
): Promise<Run> {
  const before = readCpu()
  const done = await generate(order)
  const after = readCpu()
  const backends = await listBackends(libraries)
  const cores = (pids: readonly number[]) => usedBetween(before, after, pids) / done.tookMs
  await checkNoneLost(libraries, done, order.devices)
  return {
    ...done,
    cores: {
      server: cores(servers.map(({ pid }) => pid)),
      postgres: cores(backends),
      generator: done.cpuMs / done.tookMs,
    },
  }
}

/** PostgreSQL's processes for this library, without the common ones (log, checkpoints). */
async function listBackends([one]: readonly Pick<Environment, 'db'>[]): Promise<number[]> {
  if (!one) return []
  const { rows } = await sql<{ pid: number }>`
    select pid from pg_stat_activity where datname = current_database()`.execute(one.db)
  return rows.map(({ pid }) => pid)
}

/** Copies at home after `last`, which no run before used, because a stopped device may have kept its last one. */
export async function takeCopies(db: Environment['db'], count: number, last: number): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select id from copies where status = 'Disponible' and deleted_at is null and id > ${last} order by id limit ${count}`.execute(
    db,
  )
  if (rows.length < count) throw new Error('the library has too few copies for so many devices')
  return rows.map(({ id }) => id)
}

function generate(order: DeviceOrder): Promise<DevicesDone> {
  return new Promise((resolve, reject) => {
    const child = fork(fileURLToPath(new URL('./load-generator.ts', import.meta.url)), {
      execArgv: ['--import', 'tsx'],
    })
    child.once('message', (done: DevicesDone) => resolve(done))
    child.once('error', reject)
    child.once('exit', (code) => reject(new Error(`the devices ended with ${code}`)))
    child.send(order)
  })
}

type Stored = {
  made: number
  distinct_loans: number
  closed: number
  open_twice: number
  known: number
  finished: number
}

/** Throws unless each confirmed loan and return is stored once, and no unconfirmed one is. */
async function checkNoneLost(
  libraries: readonly Pick<Environment, 'db'>[],
  { lends, returns, failures }: DevicesDone,
  devices: DeviceOrder['devices'],
): Promise<void> {
  if (failures.length > 0) throw new Error(`${failures.length} actions failed, the first: ${failures[0]}`)
  const ids = devices.map(({ device_id }) => device_id)
  const stored: Stored = { made: 0, distinct_loans: 0, closed: 0, open_twice: 0, known: 0, finished: 0 }
  for (const { db } of libraries) {
    const { rows } = await sql<Stored>`
      select count(*) as made, count(distinct l.loan_key) as distinct_loans,
        (select count(*) from idempotency_keys k where k.key = any(${returns}::uuid[]) and k.status = 200) as closed,
        (select count(*) from (
          select from loanings o where o.status = 'in_progress' group by o.copy having count(*) > 1) twice) as open_twice,
        (select count(*) from loanings where loan_key = any(${lends}::uuid[])) as known,
        (select count(*) from loanings where returned_device = any(${ids}::text[]) and status = 'finished') as finished
      from loanings l where l.lent_device = any(${ids}::text[])`.execute(db)
    const [sum] = rows
    if (sum) for (const name of names) stored[name] += sum[name]
  }
  const isWhole =
    stored.made === lends.length &&
    stored.distinct_loans === lends.length &&
    stored.known === lends.length &&
    stored.closed === returns.length &&
    stored.finished === returns.length &&
    stored.open_twice === 0
  if (!isWhole) {
    throw new Error(
      `confirmed ${lends.length} loans and ${returns.length} returns, found ${JSON.stringify(stored)}`,
    )
  }
}

const names = ['made', 'distinct_loans', 'closed', 'open_twice', 'known', 'finished'] as const
