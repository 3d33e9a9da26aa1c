import pino from 'pino'

import { endpoints } from '../../../src/contract/endpoints.ts'
import { createApp } from '../../../src/server/app.ts'
import { asRatio, inMs, median, type Table } from '../section.ts'
import type { BenchLibrary } from './bench-library.ts'
import { type Call, type Send, sizeOf, viaRouter } from './product-calls.ts'

const paths = ['/api/loanings', '/api/copies', '/api/references', '/api/beneficiaries']
/** Beside every order: what a list is mostly filtered by. */
const filtered = [
  '/api/loanings?filters[status|eq]=finished',
  '/api/loanings?filters[site|eq]=2',
  '/api/loanings?filters[islate|eq]=1',
  '/api/loanings?filters[category|eq]=3',
  '/api/loanings?filters[benefsearchname|like]=mar',
  '/api/copies?filters[status.name|eq]=Disponible',
  '/api/references?filters[category|eq]=1',
]
const rowsPerPage = 25

/** What a page in the middle and the last one cost beside the first, for every order of every long list. */
export async function deepPages(library: BenchLibrary, rounds: number): Promise<Table> {
  const { environment, token, engine, size } = library
  const app = createApp({ environments: [environment], logger: pino({ level: 'silent' }) })
  const send = viaRouter(app, token)
  const rows: string[][] = []
  for (const path of paths) {
    const listed = endpoints.find((one) => one.path === path && one.method === 'GET')?.list
    for (const order of listed?.orders ?? []) {
      rows.push(await compare(send, `${path}?order[${order}]=desc`, rounds))
    }
  }
  for (const query of filtered) rows.push(await compare(send, query, rounds))
  return {
    title: `Pages of a list at any depth, ${size.loans.toLocaleString('en')} loans, ${engine}`,
    notes: [
      `Median of ${rounds}, page by address, each with its total. « Unprepared » is the first time that a page in the middle is asked for.`,
    ],
    columns: ['list', 'rows', 'first page', 'in the middle', 'last page', 'deepest to first', 'unprepared'],
    rows,
  }
}

async function compare(send: Send, query: string, rounds: number): Promise<string[]> {
  const page = (number: number): Call => ({ method: 'GET', path: `${query}&page=${number}` })
  const { total } = sizeOf(await send(page(1)))
  const last = Math.max(1, Math.ceil(total / rowsPerPage))
  const middle = Math.ceil(last / 2)
  const timed = async (number: number) => {
    const before = performance.now()
    const { shown } = sizeOf(await send(page(number)))
    if (shown !== Math.min(rowsPerPage, total - (number - 1) * rowsPerPage)) {
      throw new Error(`page ${number} of ${query} holds ${shown} rows`)
    }
    return performance.now() - before
  }
  const unprepared = await timed(middle)
  // What the first one had prepared in the background is there when a page costs no more than a start's.
  for (let n = 0; n < 20; n += 1) await timed(middle + 1)
  const times: [number[], number[], number[]] = [[], [], []]
  for (let n = 0; n < rounds; n += 1) {
    times[0].push(await timed(1))
    times[1].push(await timed(Math.max(1, middle - n)))
    times[2].push(await timed(last))
  }
  const [first, inMiddle, atEnd] = times.map(median) as [number, number, number]
  return [
    decodeURIComponent(query),
    total.toLocaleString('en'),
    `${inMs(first)} ms`,
    `${inMs(inMiddle)} ms`,
    `${inMs(atEnd)} ms`,
    asRatio(Math.max(inMiddle, atEnd) / first),
    `${inMs(unprepared)} ms`,
  ]
}
