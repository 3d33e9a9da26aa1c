import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

import { getRequestListener } from '@hono/node-server'
import type pg from 'pg'
import pino from 'pino'

import { createApp } from '../../../src/server/app.ts'
import type { Environment } from '../../../src/server/db/environments/environment.ts'
import { asRatio, inMs, median, type Table } from '../section.ts'
import { bareCounter, bareStatements, checkSameRows, type Lent, newLent, readModel } from './bare-counter.ts'
import type { BenchLibrary } from './bench-library.ts'
import { openLanes, replay, type Statement, StatementRecorder } from './captured-statements.ts'
import { isLendable } from './fill-library.ts'
import {
  autocomplete,
  type Call,
  dueToday,
  giveBack,
  lend,
  lookUp,
  monthOfLoans,
  openLoansByDue,
  type Send,
  titlesWith,
  viaHttp,
  viaRouter,
} from './product-calls.ts'

type Times = { product: number[]; bare: number[]; http: number[] }
/** `statements`: of the product, and of the bare side where it is written by hand. */
type Compared = { name: string; target: number; statements: string; times: Times }

/** Typed at a counter: names in pieces, with and without accents, a number. */
const searches = ['dup', 'müller', 'lefevre', 'leg elise', 'rousseau zo', 'garcia', 'M2345', '2000012345']

/** Parts of titles: a word, a piece of one, two words, no word of any. */
const titles = ['énigme', 'biblio', 'sorc', 'ombre et', 'le secret', 'pirate et chat', 'tome 7', 'OCEAN']

/** The counter's calls through the real router, in turn with the least that does the same on bare `pg`. */
export async function compareWithBareDriver(library: BenchLibrary, rounds: number): Promise<Table> {
  const { environment, token, size } = library
  const recorder = new StatementRecorder(environment.pool)
  const appOn = (one: Environment) => createApp({ environments: [one], logger: pino({ level: 'silent' }) })
  const app = appOn(environment)
  // Lists have connections of their own: they are recorded on those that are listened to.
  const listened = viaRouter(appOn({ ...environment, reads: environment.db }), token)
  const server = createServer(getRequestListener(app.fetch)).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const product = viaRouter(app, token)
  const http = viaHttp((server.address() as AddressInfo).port, token)
  const lanes = await openLanes(connectionOf(library), 4)
  const reader = Math.floor(size.beneficiaries / 3)
  const model = await lendModel(library, product, reader)
  const counter = bareCounter(lanes[0] as pg.Client, token, reader, {
    lent: model,
    kept: await readModel(library, model),
  })
  try {
    const compared = [
      await compareLookUp(),
      ...(await compareCirculation()),
      await compareRead('25 of the loans of a month: status, dates, order, total', (n) =>
        monthOfLoans(1 + (n % 3), 1 + (n % 4)),
      ),
      await compareRead('25 of the open loans by due day: status, date, order, total', (n) =>
        openLoansByDue(1 + (n % 4)),
      ),
      await compareRead('due today (home page, 100 rows)', () => dueToday()),
      await compareRead('references, part of a title', (n) => titlesWith(titles[n % titles.length] ?? '')),
      await compareRead('beneficiary autocomplete', (n) => autocomplete(searches[n % searches.length] ?? '')),
    ]
    return tableOf(library, compared)
  } finally {
    await Promise.all(lanes.map((lane) => lane.end()))
    server.close()
    server.closeAllConnections()
  }

  async function compareLookUp(): Promise<Compared> {
    const times: Times = { product: [], bare: [], http: [] }
    let sent = 0
    for (let n = 0; n < rounds + warmUp; n++) {
      const copy = 1 + ((n * 7919) % size.copies)
      // Untimed: it also brings the pages of this round into memory, for all three alike.
      sent = (await recorder.record(() => product(lookUp(copy)))).statements.length
      await inTurn(n, times, {
        product: () => product(lookUp(copy)),
        bare: () => counter.lookUp(copy),
        http: () => http(lookUp(copy)),
      })
    }
    return { name: 'look-up by bar code', target: 2, statements: `${sent} / ${bareStatements.lookUp}`, times }
  }

  async function compareRead(name: string, callOf: (n: number) => Call): Promise<Compared> {
    const times: Times = { product: [], bare: [], http: [] }
    let statements: Statement[] = []
    for (let n = 0; n < rounds + warmUp; n++) {
      const call = callOf(n)
      statements = (await recorder.record(() => listened(call))).statements
      await inTurn(n, times, {
        product: () => product(call),
        bare: () => replay(statements, lanes),
        http: () => http(call),
      })
    }
    return { name, target: 2, statements: String(statements.length), times }
  }

  /** Lends a copy three ways, then takes it back three ways; each way has copies of its own. */
  async function compareCirculation(): Promise<Compared[]> {
    const ways = [0, 1, 2].map((way) => freeCopies(library, way)) as [number[], number[], number[]]
    const copyOf = (way: 0 | 1 | 2, n: number) => ways[way][n % ways[way].length] ?? 0
    const lending: Times = { product: [], bare: [], http: [] }
    const returning: Times = { product: [], bare: [], http: [] }
    const sent = { lend: 0, giveBack: 0 }
    const counted = async (kind: keyof typeof sent, act: () => Promise<string>) => {
      const { statements } = await recorder.record(act)
      sent[kind] = statements.length
    }
    for (let n = 0; n < rounds + warmUp; n++) {
      const [mine, theirs] = [copyOf(0, n + 1), copyOf(2, n + 1)]
      const bare = newLent(copyOf(1, n + 1), size)
      await inTurn(n, lending, {
        product: () => counted('lend', () => product(lend(mine, reader))),
        bare: () => counter.lend(bare),
        http: () => http(lend(theirs, reader)),
      })
      await inTurn(n, returning, {
        product: () => counted('giveBack', () => product(giveBack(mine))),
        bare: () => counter.giveBack(bare),
        http: () => http(giveBack(theirs)),
      })
      if (n % 50 === 0) await checkSameRows(library, model, bare)
    }
    return [
      { name: 'lend', target: 3, statements: `${sent.lend} / ${bareStatements.lend}`, times: lending },
      {
        name: 'return',
        target: 3,
        statements: `${sent.giveBack} / ${bareStatements.return}`,
        times: returning,
      },
    ]
  }
}

/** A lend and a return of the product, of a copy that is lent by nobody else. */
export async function lendModel(library: BenchLibrary, product: Send, reader: number): Promise<Lent> {
  const model = newLent(freeCopies(library, 0)[0] ?? 0, library.size)
  await product(lend(model.copy, reader, model.lend))
  await product(giveBack(model.copy, model.return))
  return model
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

/** Copies of the last quarter that can be lent; each way has its own. */
function freeCopies({ size }: BenchLibrary, way: number): number[] {
  const from = Math.floor((size.copies * 3) / 4 / 6) * 6
  const all = Array.from({ length: Math.floor((size.copies - from) / 6) }, (_, n) => from + n * 6 + 1 + way)
  return all.filter((copy) => isLendable(copy, size))
}

export const connectionOf = ({ environment, databaseUrl }: BenchLibrary): pg.ClientConfig =>
  databaseUrl
    ? { connectionString: databaseUrl, options: `-c search_path=env_${environment.id},public` }
    : { ...environment.engine?.connection }

function tableOf({ engine, size }: BenchLibrary, compared: readonly Compared[]): Table {
  return {
    title: `Calls beside the least that bare pg needs, ${engine}, ${size.loans.toLocaleString('en')} loans`,
    notes: [
      'Look-up, lend and return beside statements written by hand and prepared by name, which leave the same rows (checked); lists beside their own statements prepared by name. « Statements »: of the product / by hand.',
    ],
    columns: ['call', 'statements', 'bare pg', 'product', 'ratio', 'at most', 'over HTTP'],
    rows: compared.map(({ name, target, statements, times }) => {
      const bare = median(times.bare)
      const product = median(times.product)
      return [
        name,
        statements,
        `${inMs(bare)} ms`,
        `${inMs(product)} ms`,
        asRatio(product / bare),
        asRatio(target),
        `${inMs(median(times.http))} ms`,
      ]
    }),
  }
}
