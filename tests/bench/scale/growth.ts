import pino from 'pino'

import { createApp } from '../../../src/server/app.ts'
import { asRatio, inMs, median, type Table } from '../section.ts'
import type { BenchLibrary } from './bench-library.ts'
import { readerWithFew, readerWithMany } from './fill-library.ts'
import {
  autocomplete,
  type Call,
  dueToday,
  eligibility,
  figures,
  findAnything,
  giveBack,
  late,
  lend,
  loanPage,
  lookUp,
  monthOfLoans,
  openLoansByDue,
  openLoansOfReader,
  quarterByReturn,
  readerCard,
  type Send,
  sizeOf,
  viaRouter,
} from './product-calls.ts'

type Way = { send: Send; calls: (n: number) => readonly Call[] }
type Pair = { name: string; one: Way; other: Way }

/** The same calls on a young library and on one that has grown, turn by turn; with all that is searched and counted where asked for. */
export async function compareGrowth(
  young: BenchLibrary,
  old: BenchLibrary,
  rounds: number,
  isWhole = false,
): Promise<Table> {
  const [one, other] = [young, old].map(sendTo) as [Send, Send]
  const both = (name: string, calls: (n: number) => readonly Call[]): Pair => ({
    name,
    one: { send: one, calls },
    other: { send: other, calls },
  })
  const { copies, beneficiaries } = young.size
  const pairs = [
    both('look-up by bar code', (n) => [lookUp(1 + ((n * 7919) % copies))]),
    both('lend, then return', (n) => lendAndReturn(copies, n, Math.floor(beneficiaries * 0.4))),
    both('due today (home page)', () => [dueToday()]),
    both('late (home page)', () => [late()]),
    both('beneficiary autocomplete', (n) => [autocomplete(['dup', 'garcia', 'leg elise'][n % 3] ?? '')]),
    both('open loans by due day: status, date, order, total', (n) => [openLoansByDue(1 + (n % 4))]),
    both('loans of a month: status, dates, order, total', (n) => [monthOfLoans(1 + (n % 3))]),
    both('loans of a quarter by day of return', (n) => [quarterByReturn(1 + (n % 3))]),
    both('every returned loan, newest first', () => [
      loanPage({ 'status|eq': 'finished' }, ['start_date', 'desc']),
    ]),
    ...(isWhole
      ? [
          both('search of anything, five calls', (n) => findAnything(someWords[n % someWords.length] ?? '')),
          ...figures().map(([name, path]) => both(name, () => [{ method: 'GET', path }])),
        ]
      : []),
  ]
  const rows: string[][] = []
  for (const pair of pairs) {
    const { times, totals } = await inTurn(pair, rounds)
    const [before, after] = times
    rows.push([
      pair.name,
      `${inMs(before)} ms`,
      `${inMs(after)} ms`,
      asRatio(after / before),
      totals.join(' → '),
    ])
  }
  const [few, many] = [young, old].map(({ size }) => size.loans.toLocaleString('en')) as [string, string]
  return {
    title: `${few} loans and ${many}, ${old.engine}`,
    notes: ['The last column says how many loans each list found.'],
    columns: ['call', few, many, 'ratio', 'total of the list'],
    rows,
  }
}

/** What a reader with four hundred loans costs beside one with four. */
export async function compareReaders(library: BenchLibrary, rounds: number): Promise<Table> {
  const send = sendTo(library)
  const { copies } = library.size
  const pair = (name: string, calls: (reader: number) => (n: number) => readonly Call[]): Pair => ({
    name,
    one: { send, calls: calls(readerWithFew.id) },
    other: { send, calls: calls(readerWithMany.id) },
  })
  const pairs = [
    pair('lend, then return', (reader) => (n) => lendAndReturn(copies, n, reader)),
    pair('eligibility', (reader) => (n) => [eligibility(reader, 1 + ((n * 7919) % copies))]),
    pair('card', (reader) => () => [readerCard(reader)]),
    pair('open loans, first page', (reader) => () => [openLoansOfReader(reader)]),
  ]
  const rows: string[][] = []
  for (const one of pairs) {
    const [few, many] = (await inTurn(one, rounds)).times
    rows.push([one.name, `${inMs(few)} ms`, `${inMs(many)} ms`, asRatio(many / few)])
  }
  return {
    title: `A reader with ${readerWithFew.open} loans open and one with ${readerWithMany.open}, ${library.engine}`,
    notes: [
      'Every medium limits both the loans and the late ones, so that both are counted at each lending.',
    ],
    columns: ['call', `${readerWithFew.open} open`, `${readerWithMany.open} open`, 'ratio'],
    rows,
  }
}

function sendTo({ environment, token }: BenchLibrary): Send {
  const app = createApp({ environments: [environment], logger: pino({ level: 'silent' }) })
  return viaRouter(app, token)
}

/** Copies of the first half that are at home: the comparison with the bare driver uses the others. */
function lendAndReturn(copies: number, n: number, reader: number): readonly Call[] {
  const copy = ((n * 6) % (copies / 2 - 6)) + 1 + (reader % 5)
  return [lend(copy, reader), giveBack(copy)]
}

const someWords = ['martin', 'lumiere', 'ombre et feu', '2000', 'lefevre alice']

const warmUp = 10

async function inTurn(
  { one, other }: Pair,
  rounds: number,
): Promise<{ times: [number, number]; totals: string[] }> {
  const times: [number[], number[]] = [[], []]
  const totals = ['', '']
  for (let n = 0; n < rounds + warmUp; n++) {
    for (const turn of n % 2 === 0 ? ([0, 1] as const) : ([1, 0] as const)) {
      const { send, calls } = turn === 0 ? one : other
      const made = calls(n)
      const before = performance.now()
      let answer = ''
      for (const call of made) answer = await send(call)
      const took = performance.now() - before
      if (n >= warmUp) times[turn].push(took)
      if (answer.includes('"hydra:totalItems"')) totals[turn] = sizeOf(answer).total.toLocaleString('en')
    }
  }
  return { times: [median(times[0]), median(times[1])], totals: totals.filter((total) => total !== '') }
}
