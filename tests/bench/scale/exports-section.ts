import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { promisify } from 'node:util'

import { asRatio, benchScale, median, type Section, skipped, type Table } from '../section.ts'
import { isBuilt, startServer } from '../server-process.ts'
import { type Engine, findPostgres, openBenchLibrary } from './bench-library.ts'
import { benchSize } from './scale-section.ts'

const rows = benchScale === 'full' ? 100_000 : 20_000
const rounds = benchScale === 'full' ? 5 : 3

/** A spreadsheet of copies: how much the product adds to the library that writes workbooks, and a whole export from the database. */
export const exportsSection: Section = {
  name: 'exports',
  async *run() {
    yield await writing()
    if (!isBuilt()) {
      yield skipped('Exports of a server', 'dist/server is not built (npm run build:server)')
      return
    }
    if ((await findPostgres()) === null) yield skipped('Exports on PostgreSQL', 'PostgreSQL is not reachable')
    else yield await whole('PostgreSQL')
    yield await whole('embedded')
  },
}

type Told = { took: number; bytes: number; before: number; most: number }

async function writing(): Promise<Table> {
  const told: Record<'library' | 'product', Told[]> = { library: [], product: [] }
  // In turn, because a machine warms up and slows down.
  for (let round = 0; round < rounds; round += 1) {
    for (const how of ['library', 'product'] as const) told[how].push(await inItsProcess(how))
  }
  const times = (how: keyof typeof told) => median(told[how].map(({ took }) => took))
  const line = (what: string, how: keyof typeof told) => [
    what,
    `${(times(how) / 1000).toFixed(2)} s`,
    asRatio(times(how) / times('library')),
    `${((told[how][0]?.bytes ?? 0) / 1e6).toFixed(1)} MB`,
    `${Math.max(...told[how].map(({ before, most }) => most - before)).toFixed(0)} MB`,
  ]
  return {
    title: `A workbook of ${rows.toLocaleString('en')} copies × 15 columns, written to nowhere`,
    notes: [
      `Median of ${rounds} in processes of their own, in turn; twelve texts, a day, an amount, a count.`,
    ],
    columns: ['', 'took', 'of the library alone', 'file', 'memory over its beginning, at most'],
    rows: [line('hucre alone', 'library'), line('the product', 'product')],
  }
}

async function inItsProcess(how: string): Promise<Told> {
  const args = ['--import', 'tsx', 'tests/bench/scale/one-export.ts', how, String(rows)]
  const { stdout } = await promisify(execFile)(process.execPath, args)
  return JSON.parse(stdout) as Told
}

/** As a person fetches it: rows are read in turn with the lists while the file is sent. */
async function whole(engine: Engine): Promise<Table> {
  const size = { ...benchSize, copies: rows, loans: benchSize.copies }
  const library = await openBenchLibrary(engine, size)
  // The server opens the directory itself.
  await library.environment.close()
  const server = await startServer(library)
  try {
    const memory = () =>
      Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${server.pid}/status`, 'utf8'))?.[1] ?? 0) / 1024
    const lines: string[][] = []
    for (const type of ['xlsx', 'csv']) {
      const before = memory()
      let most = before
      let bytes = 0
      const from = performance.now()
      const answer = await fetch(`${server.address}/api/export/copies?export_type=${type}`, {
        headers: { authorization: `Bearer ${library.token}` },
      })
      if (!answer.ok || !answer.body) throw new Error(`the export answered ${answer.status}`)
      for await (const piece of answer.body as unknown as AsyncIterable<Uint8Array>) {
        bytes += piece.length
        most = Math.max(most, memory())
      }
      lines.push([
        type,
        `${((performance.now() - from) / 1000).toFixed(1)} s`,
        `${(bytes / 1e6).toFixed(1)} MB`,
        `${before.toFixed(0)} MB`,
        `${most.toFixed(0)} MB`,
      ])
    }
    return {
      title: `${size.copies.toLocaleString('en')} copies exported by the server, ${engine}`,
      columns: ['', 'took', 'file', 'server’s memory before', 'at most'],
      rows: lines,
    }
  } finally {
    await server.stop()
    await library.drop()
  }
}
