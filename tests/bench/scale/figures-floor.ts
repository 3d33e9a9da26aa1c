import pino from 'pino'

import { createApp } from '../../../src/server/app.ts'
import { asRatio, inMs, median, type Table } from '../section.ts'
import type { BenchLibrary } from './bench-library.ts'
import { openLanes, replay, type Statement, StatementRecorder } from './captured-statements.ts'
import { connectionOf } from './compare-with-bare-driver.ts'
import { figures, viaRouter } from './product-calls.ts'

const warmUp = 3

/** Figures through the real router, in turn with their own statements alone on bare `pg`, prepared by name. */
export async function compareFigures(library: BenchLibrary, rounds: number): Promise<Table> {
  const { environment, token, size, engine } = library
  const recorder = new StatementRecorder(environment.pool)
  const appWith = (reads: typeof environment.reads) =>
    createApp({ environments: [{ ...environment, reads }], logger: pino({ level: 'silent' }) })
  const product = viaRouter(appWith(environment.reads), token)
  // Figures have connections of their own: they are recorded on those that are listened to.
  const listened = viaRouter(appWith(environment.db), token)
  const lanes = await openLanes(connectionOf(library), 4)
  const rows: string[][] = []
  try {
    for (const [name, path] of figures()) {
      const call = { method: 'GET', path } as const
      const recorded = await recorder.record(() => listened(call))
      const statements = recorded.statements.filter(tellsSomething)
      const times: [product: number[], bare: number[]] = [[], []]
      for (let n = 0; n < warmUp + rounds; n += 1) {
        const ways = [() => product(call), () => replay(statements, lanes)] as const
        for (const way of n % 2 === 0 ? ([0, 1] as const) : ([1, 0] as const)) {
          const before = performance.now()
          await ways[way]()
          if (n >= warmUp) times[way].push(performance.now() - before)
        }
      }
      const [whole, bare] = [median(times[0]), median(times[1])]
      const counted = `${recorded.statements.length} / ${statements.length}`
      rows.push([name, counted, inMs(bare), inMs(whole), asRatio(whole / bare)])
    }
  } finally {
    await Promise.all(lanes.map((lane) => lane.end()))
  }
  return {
    title: `Figures beside their statements alone, ${engine}, ${size.loans.toLocaleString('en')} loans`,
    notes: [`Median of ${rounds}, ms, turn by turn; 2 × at most is aimed at.`],
    columns: ['figures', 'statements: product / alone', 'alone', 'product', 'ratio'],
    rows,
  }
}

/** A transaction's own statements give no figure. */
const tellsSomething = ({ text }: Statement): boolean =>
  !/^\s*(begin|start|set|commit|rollback)\b/i.test(text)
