import { inMs, quantile, type Table } from '../section.ts'
import type { BenchLibrary } from './bench-library.ts'
import { type Run, runDevices } from './run-devices.ts'
import { startServer } from '../server-process.ts'

export const columns = [
  'devices',
  'scans a second asked',
  'answered a second',
  'scans',
  'median',
  'p95',
  'processors: server',
  'PostgreSQL',
  'devices',
  'processor time a scan: server',
  'PostgreSQL',
] as const

export const mix =
  'A third each of look-ups, loans and returns, every loan and return with its own Idempotency-Key, one in fifty sent twice. After each row the database was asked: each confirmed action is there, none twice. Waits are counted from the scan.'
export const shared =
  'Devices (a process of their own), server and PostgreSQL share this machine’s processors; « processors » is how many of them the server and the processes of PostgreSQL that serve it kept busy.'

/** Twenty devices as a library has them, then ever more until the answers come late or no faster. */
export async function loadByDevices(library: BenchLibrary, seconds: number): Promise<Table> {
  const server = await startServer(library)
  const rows: string[][] = []
  try {
    await runDevices(library, [server], { count: 10, perSecond: 3, seconds: 3 })
    let limit = ''
    for (let count = 20; limit === ''; count *= 2) {
      const run = await runDevices(library, [server], {
        count,
        perSecond: 3,
        seconds: count === 20 ? seconds : Math.min(seconds, 15),
      })
      rows.push(rowOf(String(count), String(count * 3), run))
      if (quantile(run.waits, 0.95) > 1000)
        limit = `${count} devices: an answer in twenty takes over a second`
      else if (answeredPerSecond(run) < count * 3 * 0.9) limit = `${count} devices: no more is answered`
    }
    const run = await runDevices(library, [server], {
      count: 32,
      perSecond: null,
      seconds: Math.min(seconds, 15),
    })
    rows.push(rowOf('32, without a pause', 'all it can', run))
    return {
      title: `Devices that scan, one server process, PostgreSQL, ${library.size.loans.toLocaleString('en')} loans`,
      notes: [mix, shared, `Limit reached at ${limit}.`],
      columns,
      rows,
    }
  } finally {
    await server.stop()
  }
}

/** The same scans without a pause, on one, two and four server processes of one database. */
export async function loadByProcesses(library: BenchLibrary, seconds: number): Promise<Table> {
  const rows: string[][] = []
  for (const count of [1, 2, 4]) {
    const servers = await Promise.all(Array.from({ length: count }, () => startServer(library)))
    try {
      await runDevices(library, servers, { count: 32, perSecond: null, seconds: 3 })
      const run = await runDevices(library, servers, { count: 32, perSecond: null, seconds })
      rows.push(rowOf(String(count), 'all they can', run))
    } finally {
      await Promise.all(servers.map((server) => server.stop()))
    }
  }
  return {
    title: 'One, two and four server processes on one PostgreSQL',
    notes: ['32 devices without a pause, shared out evenly.', shared],
    columns: ['processes', ...columns.slice(1)],
    rows,
  }
}

const answeredPerSecond = (run: Run) => run.waits.length / (run.tookMs / 1000)

export function rowOf(name: string, asked: string, run: Run): string[] {
  const { server, postgres, generator } = run.cores
  return [
    name,
    asked,
    answeredPerSecond(run).toFixed(0),
    String(run.waits.length),
    `${inMs(quantile(run.waits, 0.5))} ms`,
    `${inMs(quantile(run.waits, 0.95))} ms`,
    ...[server, postgres, generator].map((cores) => cores.toFixed(2)),
    ...[server, postgres].map((cores) => `${inMs((cores * 1000) / answeredPerSecond(run))} ms`),
  ]
}
