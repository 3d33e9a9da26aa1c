import { randomUUID } from 'node:crypto'

import { sql } from 'kysely'
import type pg from 'pg'
import pino from 'pino'

import { calendarDayOf, plusDays } from '../../../src/domain/calendar-day.ts'
import { daysShown, firstDayShown } from '../../../src/domain/calendar-weeks.ts'
import { createApp } from '../../../src/server/app.ts'
import { asRatio, inMs, median, quantile, type Section, skipped, type Table } from '../section.ts'
import { bareDesk, bareRecordStatements, type Saved } from './bare-records.ts'
import { type BenchLibrary, findPostgres, openBenchLibrary } from './bench-library.ts'
import { openLanes, StatementRecorder } from './captured-statements.ts'
import { connectionOf } from './compare-with-bare-driver.ts'
import { readerWithMany } from './fill-library.ts'
import {
  calendarOf,
  type Call,
  loanPage,
  readerCard,
  referencePage,
  saveCoded,
  type Send,
  viaRouter,
} from './product-calls.ts'
import { benchRounds, benchSize } from './scale-section.ts'

/** The catalogue and the readers on a large library: what is read and saved at a desk. */
export const recordsSection: Section = {
  name: 'records',
  async *run() {
    const version = await findPostgres()
    if (version === null) {
      yield skipped('Records on PostgreSQL', 'PostgreSQL is not reachable (TEST_DATABASE_URL)')
      return
    }
    const library = await openBenchLibrary('PostgreSQL', benchSize)
    try {
      yield await compareRecords(library, benchRounds)
    } finally {
      await library.drop()
    }
  },
}

/** Words of titles, each with a category and a medium, so that few or many are found. */
const searches = ['énigme', 'biblio', 'sorc', 'ombre et', 'secret', 'pirate et chat', 'tome 7', 'OCEAN']

/** Of which there are fifty and more. */
const calendarWords = ['énigme', 'secret', 'sorc', 'ombre']

const codedType = 'Collection'
/** Two sets of twenty values that share ten, so that each save removes ten and adds ten. */
const codedSets = [0, 10].map((from) => Array.from({ length: 20 }, (_, n) => `Collection numéro ${from + n}`))

async function compareRecords(library: BenchLibrary, rounds: number): Promise<Table> {
  const { environment, token } = library
  await addCodedValues(library)
  const recorder = new StatementRecorder(environment.pool)
  const appOn = (one: typeof environment) =>
    createApp({ environments: [one], logger: pino({ level: 'silent' }) })
  const product = viaRouter(appOn(environment), token)
  // Lists have connections of their own: they are counted on those that are listened to.
  const listened = viaRouter(appOn({ ...environment, reads: environment.db }), token)
  const lanes = await openLanes(connectionOf(library), 1)
  const today = calendarDayOf(new Date(), 'Europe/Paris')
  const many = readerWithMany.id
  try {
    const bare = bareDesk(lanes[0] as pg.Client, token, await journalOf(library, product))
    const asked = (n: number) => ({
      title: searches[n % searches.length] ?? '',
      category: 1 + (n % 7),
      medium: 1 + (n % 4),
    })
    const saved = (n: number, id: number): Saved => ({
      id,
      name: `Référence enregistrée ${n}`,
      type: codedType,
      values: codedSets[n % 2] ?? [],
    })
    const readReader = [readerCard(many), loansOf(many)]
    return tableOf(library, [
      await compare('references: part of a title, two filters, order, total', {
        target: 2,
        statements: bareRecordStatements.list,
        calls: (n) => [referencePage(asked(n))],
        bare: (n) => bare.list(asked(n)),
      }),
      await compare('calendar: 50 references by part of a title, 12 weeks of their copies', {
        target: 2,
        statements: bareRecordStatements.calendar,
        calls: (n) => [calendarOf(calendarWords[n % calendarWords.length] ?? '')],
        bare: (n) =>
          bare.calendar(calendarWords[n % calendarWords.length] ?? '', [
            firstDayShown(today, 4, 0),
            plusDays(firstDayShown(today, 4, 0), daysShown - 1),
            today,
          ]),
      }),
      await compare(
        'a reader with 400 open loans and as many past: its card and the first page of its loans',
        {
          target: 2,
          statements: bareRecordStatements.reader,
          calls: () => readReader,
          bare: () => bare.reader(many, today),
        },
      ),
      await compare('saving a reference with 20 coded fields', {
        target: 3,
        statements: bareRecordStatements.save,
        calls: (n) => [saveCoded(saved(n, 10 + (n % 50)))],
        bare: (n) => bare.save(saved(n, 110 + (n % 50))),
      }),
    ])
  } finally {
    await Promise.all(lanes.map((lane) => lane.end()))
  }

  type Way = {
    target: number
    statements: number
    calls: (n: number) => Call[]
    bare: (n: number) => Promise<void>
  }
  async function compare(name: string, { target, statements, calls, bare }: Way): Promise<Compared> {
    const send = async (to: Send, n: number) => {
      for (const call of calls(n)) await to(call)
    }
    const counted = (await recorder.record(() => send(listened, 0))).statements.length
    const times: Compared['times'] = { product: [], bare: [] }
    for (let n = 0; n < rounds + warmUp; n++) {
      const ways = { product: () => send(product, n), bare: () => bare(n) }
      // Another one first at each round, so that none always finds the bed made.
      for (const way of n % 2 === 0 ? (['product', 'bare'] as const) : (['bare', 'product'] as const)) {
        const before = performance.now()
        await ways[way]()
        if (n >= warmUp) times[way].push(performance.now() - before)
      }
    }
    return { name, target, statements: `${counted} / ${statements}`, times }
  }
}

const warmUp = 30
type Compared = {
  name: string
  target: number
  statements: string
  times: { product: number[]; bare: number[] }
}

const loansOf = (reader: number): Call =>
  loanPage({ 'beneficiary|eq': String(reader) }, ['start_date', 'desc'])

async function addCodedValues({ environment: { db } }: BenchLibrary): Promise<void> {
  await sql`insert into list_types (name, "group") values (${codedType}, 'list')`.execute(db)
  const names = [...new Set(codedSets.flat())]
  await sql`
    insert into list_values (name, "group", type)
    select given.name, 'list', t.id from unnest(${names}::text[]) as given (name), list_types t where t.name = ${codedType}`.execute(
    db,
  )
}

/** What the product writes into the journal for such a save: the floor writes as much. */
async function journalOf({ environment: { db } }: BenchLibrary, product: Send) {
  for (const values of codedSets) {
    await product(saveCoded({ id: 9, name: `Modèle ${randomUUID()}`, type: codedType, values }))
  }
  const { rows } = await sql<{ before: string; after: string }>`
    select before::text, after::text from audit_journal where entity = 'references' and entity_id = 9
    order by id desc limit 1`.execute(db)
  const [row] = rows
  if (!row) throw new Error('the product journalled no save')
  return row
}

function tableOf({ engine, size }: BenchLibrary, compared: readonly Compared[]): Table {
  return {
    title: `Records beside the fewest statements by hand, ${engine}, ${size.references.toLocaleString('en')} references, ${size.loans.toLocaleString('en')} loans`,
    notes: ['Statements: of the product / by hand, prepared by name. Medians.'],
    columns: ['call', 'statements', 'by hand', 'product', 'ratio', 'at most', 'p95'],
    rows: compared.map(({ name, target, statements, times }) => {
      const [bare, product] = [median(times.bare), median(times.product)]
      return [
        name,
        statements,
        `${inMs(bare)} ms`,
        `${inMs(product)} ms`,
        asRatio(product / bare),
        asRatio(target),
        `${inMs(quantile(times.product, 0.95))} ms`,
      ]
    }),
  }
}
