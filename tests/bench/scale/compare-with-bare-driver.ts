import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

import { getRequestListener } from '@hono/node-server'
import type pg from 'pg'
import pino from 'pino'

import { createApp } from '../../../src/server/app.ts'
import { asRatio, inMs, median, type Table } from '../section.ts'
import type { BenchLibrary } from './bench-library.ts'
import { openLanes, replay, type Statement, StatementRecorder } from './captured-statements.ts'
import { barCodeOf } from './fill-library.ts'
import {
  autocomplete,
  type Call,
  dueToday,
  giveBack,
  idOf,
  lend,
  lookUp,
  monthOfLoans,
  openLoansByDue,
  viaHttp,
  viaRouter,
} from './product-calls.ts'

type Times = { product: number[]; bare: number[]; http: number[] }
type Compared = { name: string; target: number; statements: number; times: Times }

/** Typed at a counter: names in pieces, with and without accents, a number. */
const searches = ['dup', 'müller', 'lefevre', 'leg elise', 'rousseau zo', 'garcia', 'M2345', '2000012345']

/** Each call of the counter through the real router, beside its own statements sent by bare `pg`, turn by turn. */
export async function compareWithBareDriver(library: BenchLibrary, rounds: number): Promise<Table> {
  const { environment, token, size } = library
  const recorder = new StatementRecorder(environment.pool)
  const app = createApp({ environments: [environment], logger: pino({ level: 'silent' }) })
  const server = createServer(getRequestListener(app.fetch)).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const product = viaRouter(app, token)
  const http = viaHttp((server.address() as AddressInfo).port, token)
  const lanes = await openLanes(connectionOf(library), 4)
  try {
    const compared = [
      await compareRead('look-up by bar code', 2, (n) => lookUp(1 + ((n * 7919) % size.copies))),
      ...(await compareCirculation()),
      await compareRead('25 of the loans of a month: status, dates, order, total', 1.3, (n) =>
        monthOfLoans(1 + (n % 3), 1 + (n % 4)),
      ),
      await compareRead('25 of the open loans by due day: status, date, order, total', 1.3, (n) =>
        openLoansByDue(1 + (n % 4)),
      ),
      await compareRead('due today (home page, 100 rows)', 1.3, () => dueToday()),
      await compareRead('beneficiary autocomplete', 1.3, (n) =>
        autocomplete(searches[n % searches.length] ?? ''),
      ),
    ]
    return tableOf(library, compared)
  } finally {
    await Promise.all(lanes.map((lane) => lane.end()))
    server.close()
    server.closeAllConnections()
  }

  async function compareRead(name: string, target: number, callOf: (n: number) => Call): Promise<Compared> {
    const times: Times = { product: [], bare: [], http: [] }
    let statements: Statement[] = []
    for (let n = 0; n < rounds + warmUp; n++) {
      const call = callOf(n)
      // Untimed: it also brings the pages of this round into memory, for all three alike.
      statements = (await recorder.record(() => product(call))).statements
      await inTurn(n, times, {
        product: () => product(call),
        bare: () => replay(statements, lanes),
        http: () => http(call),
      })
    }
    return { name, target, statements: statements.length, times }
  }

  /** Lends a copy three ways, then takes it back three ways; each way has copies of its own. */
  async function compareCirculation(): Promise<Compared[]> {
    const reader = Math.floor(size.beneficiaries / 3)
    const model = freeCopy(size.copies, 0, 3)
    const modelKeys = { lend: randomUUID(), giveBack: randomUUID() }
    const lent = await recorder.record(() => product(lend(model, reader, modelKeys.lend)))
    const returned = await recorder.record(() => product(giveBack(model, modelKeys.giveBack)))
    const modelLoan = idOf(lent.result)
    const lending: Times = { product: [], bare: [], http: [] }
    const returning: Times = { product: [], bare: [], http: [] }
    for (let n = 0; n < rounds + warmUp; n++) {
      const [mine, bare, theirs] = [0, 1, 2].map((way) => freeCopy(size.copies, n + 1, way)) as [
        number,
        number,
        number,
      ]
      const inItsPlace = new Map<unknown, unknown>([
        [model, bare],
        [model - size.references, bare - size.references],
        [barCodeOf(model), barCodeOf(bare)],
        [modelKeys.lend, randomUUID()],
        [modelKeys.giveBack, randomUUID()],
      ])
      const values = (value: unknown) => (inItsPlace.has(value) ? inItsPlace.get(value) : value)
      await inTurn(n, lending, {
        product: () => product(lend(mine, reader)),
        bare: () =>
          replay(lent.statements, lanes, values, ({ text }, { rows }) => {
            if (text.startsWith('insert into "loanings"'))
              inItsPlace.set(modelLoan, (rows[0] as { id: number }).id)
          }),
        http: () => http(lend(theirs, reader)),
      })
      let closed = 0
      await inTurn(n, returning, {
        product: () => product(giveBack(mine)),
        bare: () =>
          replay(returned.statements, lanes, values, ({ text }, { rowCount }) => {
            if (text.startsWith('update "loanings"')) closed += rowCount ?? 0
          }),
        http: () => http(giveBack(theirs)),
      })
      if (closed !== 1) throw new Error('the replay closed no loan: it did not do what the product does')
    }
    return [
      { name: 'lend', target: 2, statements: lent.statements.length, times: lending },
      { name: 'return', target: 2, statements: returned.statements.length, times: returning },
    ]
  }
}

const warmUp = 30

/** Each way in turn, another one first at each round, so that none always finds the bed made. */
async function inTurn(
  n: number,
  times: Times,
  ways: Record<keyof Times, () => Promise<unknown>>,
): Promise<void> {
  const order = (['product', 'bare', 'http'] as const).map((_, at, all) => all[(at + n) % 3] ?? 'product')
  for (const way of order) {
    const before = performance.now()
    await ways[way]()
    if (n >= warmUp) times[way].push(performance.now() - before)
  }
}

/** Copies of the last quarter that are at home, none asked for twice; their ids are like no other number of a lending. */
const freeCopy = (copies: number, n: number, way: number): number =>
  Math.floor((copies * 3) / 4 / 6) * 6 + ((n * 6) % Math.floor(copies / 4 - 12)) + 1 + way

export const connectionOf = ({ environment, databaseUrl }: BenchLibrary): pg.ClientConfig =>
  databaseUrl
    ? { connectionString: databaseUrl, options: `-c search_path=env_${environment.id},public` }
    : { ...environment.engine?.connection }

function tableOf({ engine, size }: BenchLibrary, compared: readonly Compared[]): Table {
  return {
    title: `Calls beside their own SQL through bare pg, ${engine}, ${size.loans.toLocaleString('en')} loans`,
    columns: ['call', 'statements', 'bare pg', 'product', 'ratio', 'at most', 'over HTTP'],
    rows: compared.map(({ name, target, statements, times }) => {
      const bare = median(times.bare)
      const product = median(times.product)
      return [
        name,
        String(statements),
        `${inMs(bare)} ms`,
        `${inMs(product)} ms`,
        asRatio(product / bare),
        asRatio(target),
        `${inMs(median(times.http))} ms`,
      ]
    }),
  }
}
