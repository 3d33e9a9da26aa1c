import { sql } from 'kysely'

import { mostConnections } from '../../../src/server/db/connections/connections.ts'
import { asRatio, inMs, median, quantile, type Section, skipped, type Table } from '../section.ts'
import { isBuilt, type ServerProcess, startServer } from '../server-process.ts'
import { findPostgres } from './bench-library.ts'
import { hostOf, makeLibrary, makeManyLibraries, type ManyLibraries } from './many-libraries.ts'
import { giveBack, lend, lookUp } from './product-calls.ts'
import { viaSocket } from './via-socket.ts'

/** BENCH_ENVIRONMENTS=1000 makes a thousand, in minutes. */
const known = Number(process.env['BENCH_ENVIRONMENTS'] ?? 60)
const awake = Math.min(50, known)
const whole = Math.min(awake + 10, known)
const library = { references: 500, copies: 1000, beneficiaries: 300, loans: 2000 }
/** It exports while another scans. */
const exporter = { references: 2000, copies: 4000, beneficiaries: 1000, loans: 20_000 }
const series = 3
const rounds = 20

/** Many environments on the connections of one process. */
export const environmentsSection: Section = {
  name: 'environments',
  async *run() {
    if ((await findPostgres()) === null) {
      yield skipped('Many environments', 'PostgreSQL is not reachable (TEST_DATABASE_URL)')
      return
    }
    if (!isBuilt()) {
      yield skipped('Many environments', 'dist/server is not built (npm run build:server)')
      return
    }
    const many = await makeManyLibraries(`comptoir_bench_environments_${process.pid}`, {
      known,
      whole,
      library,
    })
    const servers: ServerProcess[] = []
    const start = async () => {
      // The bench says by a header which library is read, as a proxy does.
      const server = await startServer(many, { env: { TRUST_PROXY: '1' } })
      servers.push(server)
      return server
    }
    try {
      const token = await makeLibrary(many, known + 1, exporter)
      const one = counterOf(await start(), many)
      const busy = await start()
      const crowd = counterOf(busy, many)
      yield await firstCalls(crowd, many)
      yield await amongOthers(one, crowd)
      yield await besideExports(crowd, busy, token)
    } finally {
      for (const server of servers) await server.stop()
      await many.drop()
    }
  },
}

type Counter = { scan(id: number): Promise<number> }

/** Somebody at each library’s counter, who looks up, lends and takes back one copy after the other. */
function counterOf(server: ServerProcess, { token }: ManyLibraries): Counter {
  const counters = new Map<number, () => Promise<number>>()
  const open = (id: number) => {
    const send = viaSocket(server.port, token, hostOf(id))
    let scans = 0
    return async () => {
      // At home, as every copy whose id is no multiple of six.
      const copy = 1 + 6 * (Math.floor(scans / 3) % Math.floor(library.copies / 12))
      const call = [lookUp(copy), lend(copy, 10), giveBack(copy)][scans % 3] ?? lookUp(copy)
      scans += 1
      const before = performance.now()
      await send(call)
      return performance.now() - before
    }
  }
  return {
    scan(id) {
      const scan = counters.get(id) ?? open(id)
      counters.set(id, scan)
      return scan()
    },
  }
}

/** The first is at the counter of the other server. */
const anyone = () => 2 + Math.floor(Math.random() * (awake - 1))

async function firstCalls(crowd: Counter, { connections }: ManyLibraries): Promise<Table> {
  const first: number[] = []
  for (let id = 1; id <= awake; id += 1) first.push(await crowd.scan(id))
  // So that each knows its statements.
  for (let n = 0; n < 20; n += 1) for (let id = 1; id <= awake; id += 1) await crowd.scan(id)
  const { rows } = await sql<{ n: number }>`
    select count(*)::int as n from pg_stat_activity where datname = current_database()`.execute(
    connections.ground,
  )
  return {
    title: `The first call to each of ${awake} libraries that slept, of ${known} known`,
    notes: [
      ...(known > whole
        ? [`${whole} are whole; the others have every table and no row but their name.`]
        : []),
      `Then ${rows[0]?.n ?? 0} connections, of both servers and the bench; each may have ${mostConnections}.`,
    ],
    columns: ['median, ms', 'p95, ms'],
    rows: [[inMs(median(first)), inMs(quantile(first, 0.95))]],
  }
}

/** In turn, so that what else the machine does weighs on each alike. */
async function inTurn(ways: readonly (() => Promise<number[]>)[]): Promise<number[][]> {
  const times = ways.map((): number[] => [])
  for (let round = 0; round < rounds; round += 1)
    for (const [at, way] of ways.entries()) times[at]?.push(...(await way()))
  return times
}

const several = (count: number, scan: () => Promise<number>) => async () => {
  const times: number[] = []
  for (let n = 0; n < count; n += 1) times.push(await scan())
  return times
}

const figures = (times: readonly number[], base: readonly number[]) => [
  String(times.length),
  inMs(median(times)),
  inMs(quantile(times, 0.95)),
  asRatio(median(times) / median(base)),
  asRatio(quantile(times, 0.95) / quantile(base, 0.95)),
]
const columns = ['run', 'what', 'scans', 'median, ms', 'p95, ms', 'ratio of medians', 'of p95']

/** The only one awake has a server of its own, on the same database at the same time. */
async function amongOthers(one: Counter, crowd: Counter): Promise<Table> {
  const rows: string[][] = []
  await several(200, () => one.scan(1))()
  for (let run = 1; run <= series; run += 1) {
    const [alone = [], same = [], any = []] = await inTurn([
      several(30, () => one.scan(1)),
      several(30, () => crowd.scan(2)),
      several(30, () => crowd.scan(anyone())),
    ])
    rows.push(
      [String(run), 'in the only one awake', ...figures(alone, alone)],
      [String(run), `in one of ${awake} awake, the others idle`, ...figures(same, alone)],
      [String(run), `each time in another of ${awake}`, ...figures(any, alone)],
    )
  }
  return {
    title: `A scan among ${awake} libraries awake, ${known} known, PostgreSQL`,
    notes: [
      `A third each of look-ups, loans and returns, one after the other; ${rounds} rounds of 30 of each row, in turn, on two built servers of one database.`,
    ],
    columns,
    rows,
  }
}

/** Whole files, pages and counts, each without a pause. */
const reads = [
  '/api/export/loanings?export_type=csv',
  '/api/loanings?order[beneficiary_lastname]=desc&page=400',
  '/api/loanings?filters[category|eq]=3',
]

async function besideExports(crowd: Counter, server: ServerProcess, token: string): Promise<Table> {
  const rows: string[][] = []
  let read = 0
  /** Reads until it is told to stop. */
  const exporting = () => {
    const stopping = new AbortController()
    const all = reads.map(async (path) => {
      while (!stopping.signal.aborted) {
        const answer = await fetch(`http://127.0.0.1:${server.port}${path}`, {
          headers: { authorization: `Bearer ${token}`, 'x-forwarded-host': hostOf(known + 1) },
        })
        if (!answer.ok) throw new Error(`${path} answered ${answer.status}`)
        for await (const piece of answer.body ?? []) read += (piece as Uint8Array).length
      }
    })
    return async () => {
      stopping.abort()
      await Promise.all(all)
    }
  }
  for (let run = 1; run <= series; run += 1) {
    const [alone = [], beside = []] = await inTurn([
      several(30, () => crowd.scan(2)),
      async () => {
        const stop = exporting()
        const times = await several(30, () => crowd.scan(2))()
        await stop()
        return times
      },
    ])
    rows.push(
      [String(run), 'alone', ...figures(alone, alone)],
      [String(run), 'beside', ...figures(beside, alone)],
    )
  }
  return {
    title: `A scan in one library while another of ${exporter.loans.toLocaleString('en')} loans exports, pages and counts without a pause`,
    notes: [
      `One built server; ${reads.length} readers of the other library at once, whose answers made ${(read / 1e6).toFixed(0)} MB. ${rounds} rounds of 30 scans of each row, in turn.`,
    ],
    columns,
    rows,
  }
}
