import pino from 'pino'

import { createApp } from '../../../src/server/app.ts'
import { asRatio, inMs, type Table } from '../section.ts'
import { isBuilt, startServer } from '../server-process.ts'
import { bareCounter, newLent, readModel } from './bare-counter.ts'
import type { BenchLibrary } from './bench-library.ts'
import { openLanes } from './captured-statements.ts'
import { connectionOf, lendModel } from './compare-with-bare-driver.ts'
import { isLendable } from './fill-library.ts'
import { viaRouter } from './product-calls.ts'
import { runDevices } from './run-devices.ts'

const bareLanes = 8

/** The most this machine can: bare connections without a pause, then devices before the server. */
export async function scansASecond(library: BenchLibrary, seconds: number): Promise<Table> {
  const bare = await bareScans(library, seconds)
  const rows = [[`bare pg, ${bareLanes} connections`, bare.toFixed(0), `${inMs(1000 / bare)} ms`, '']]
  if (isBuilt()) {
    const server = await startServer(library)
    try {
      await runDevices(library, [server], { count: 32, perSecond: null, seconds: 3 })
      const run = await runDevices(library, [server], { count: 32, perSecond: null, seconds })
      const product = run.waits.length / (run.tookMs / 1000)
      const name = 'product, 32 devices without a pause'
      rows.push([name, product.toFixed(0), `${inMs(1000 / product)} ms`, asRatio(bare / product)])
    } finally {
      await server.stop()
    }
  }
  return {
    title: `Scans a second, ${library.engine}, ${library.size.loans.toLocaleString('en')} loans`,
    notes: [
      'A third each of look-ups, loans and returns. Whoever scans, the server and PostgreSQL share this machine’s processors.',
      ...(isBuilt() ? [] : ['The product is left out: dist/server is not built (npm run build:server).']),
    ],
    columns: ['', 'scans a second', 'a scan', 'ratio'],
    rows,
  }
}

async function bareScans(library: BenchLibrary, seconds: number): Promise<number> {
  const { size, token, environment } = library
  const app = createApp({ environments: [environment], logger: pino({ level: 'silent' }) })
  const lent = await lendModel(library, viaRouter(app, token), Math.floor(size.beneficiaries / 3))
  const model = { lent, kept: await readModel(library, lent) }
  const lanes = await openLanes(connectionOf(library), bareLanes)
  let scans = 0
  const begin = performance.now()
  const end = begin + seconds * 1000
  const scan = async (lane: (typeof lanes)[number], at: number) => {
    const reader = await readerOf(lane, at)
    const counter = bareCounter(lane, token, reader, model)
    // Of the first half of the copies, each connection's own.
    const free = Array.from({ length: Math.floor(size.copies / 2) }, (_, n) => n + 1).filter(
      (copy) => isLendable(copy, size) && copy % bareLanes === at,
    )
    for (let n = 0; performance.now() < end; n += 1) {
      const own = newLent(free[n % free.length] ?? 0, size)
      await counter.lookUp(own.copy)
      await counter.lend(own)
      await counter.giveBack(own)
      scans += 3
    }
  }
  try {
    await Promise.all(lanes.map(scan))
    return scans / ((performance.now() - begin) / 1000)
  } finally {
    await Promise.all(lanes.map((lane) => lane.end()))
  }
}

/** One who may borrow, another for each. */
async function readerOf(lane: Awaited<ReturnType<typeof openLanes>>[number], at: number): Promise<number> {
  const { rows } = await lane.query<{ id: number }>(
    'select id from beneficiaries where exit_date is null and id > 100 order by id offset $1 limit 1',
    [at * 7],
  )
  return rows[0]?.id ?? 0
}
