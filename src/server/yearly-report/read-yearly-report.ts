import { sql } from 'kysely'

import type { readYearlyReport as readYearlyReportCall, YearlyReport } from '../../contract/yearly-report.ts'
import { plusDays } from '../../domain/calendar-day.ts'
import { frenchNumber } from '../../domain/french-number.ts'
import { calendarOf, openDaysBetween } from '../../domain/open-days.ts'
import {
  cellOf,
  type Counted,
  counted,
  type ReportCell,
  type ReportCode,
  type ReportDimension,
  reportDimensions,
  type ReportPart,
  reportPeriod,
  type ReportTable,
  reportTables,
  unknownPart,
} from '../../domain/yearly-report.ts'
import type { Db } from '../db/handles.ts'
import { atSites } from '../db/lists/list-sql.ts'
import type { VerbInput } from '../http/binding.ts'
import type { Exchange } from '../http/exchange.ts'
import { done, type Outcome, type Refused, violation } from '../http/outcome.ts'
import { visibleCopies, type Visibility } from '../visibility/visibility.ts'
import { askedSites } from '../stats/asked-period.ts'
import type { CountedIn } from '../stats/borrowers.ts'
import { countOf, countsOf, slicesOfTable } from '../stats/in-slices.ts'
import { countedRows, heldOn, wasThere } from './counted.ts'

const countedWords = (count: number, one: string, many: string) =>
  count === 1 ? `1 ${one}` : `${frenchNumber(count)} ${many}`

type Told = Pick<YearlyReport, 'tables' | 'openings'>

/** What is to be looked at before the report is sent: what does not add up, and what nobody wrote down. */
async function checksOf(db: Db, told: Told, asked: CountedIn): Promise<Check[]> {
  const cellIn: CellIn = (code, at) => {
    const table = told.tables.find((one) => one.code === code)
    return table ? cellOf(table.cells, { row: null, column: null, ...at }) : null
  }
  return [...(await checksOfStock(db, cellIn, asked)), ...checksOfUnknown(cellIn), checkOfHours(told)]
}

type Check = YearlyReport['checks'][number]
/** Null of a table that is not told; the total of what is left out, and an empty part is what is not known. */
type CellIn = (code: ReportCode, at: { row?: string; column?: string }) => number | null

async function checksOfStock(db: Db, cellIn: CellIn, asked: CountedIn): Promise<Check[]> {
  const [held, came, left] = [
    cellIn('collections', {}),
    cellIn('acquisitions', {}),
    cellIn('withdrawals', {}),
  ]
  if (held === null || came === null || left === null) return []
  const before = await countHeld(db, plusDays(asked.period.start_date, -1), asked)
  const isRight = before + came - left === held
  const undated = await countUndated(db, asked)
  return [
    {
      about: 'Collections',
      isRight,
      said: `${countedWords(before, 'exemplaire', 'exemplaires')} au début, ${frenchNumber(came)} de plus, ${frenchNumber(left)} de moins, ${frenchNumber(held)} à la fin${
        isRight ? '.' : `\u202f: il en manque ou en trop ${Math.abs(before + came - left - held)}.`
      }`,
    },
    {
      about: 'Acquisitions',
      isRight: undated === 0,
      said:
        undated === 0
          ? 'Chaque exemplaire entré a sa date d’achat.'
          : `${countedWords(undated, 'exemplaire entré n’a', 'exemplaires entrés n’ont')} pas de date d’achat\u202f: le jour de saisie en tient lieu.`,
    },
  ]
}

type Unknown = {
  in: Parameters<CellIn>
  about: string
  lacks: readonly [one: string, many: string]
  what: string
  none?: string
}

const unknowns: readonly Unknown[] = [
  {
    in: ['collections', { row: '' }],
    about: 'Supports',
    lacks: ['exemplaire n’a', 'exemplaires n’ont'],
    what: 'pas de support',
  },
  {
    in: ['collections', { column: '' }],
    about: 'Publics',
    lacks: ['exemplaire n’a', 'exemplaires n’ont'],
    what: 'pas de public',
  },
  {
    in: ['borrowers_by_age', { row: '' }],
    about: 'Âges',
    lacks: ['emprunteur n’a', 'emprunteurs n’ont'],
    what: 'pas d’année de naissance',
  },
  {
    in: ['borrowers_by_commune', { row: '' }],
    about: 'Communes',
    lacks: ['emprunteur n’a', 'emprunteurs n’ont'],
    what: 'pas de commune',
    none: 'Toutes sont connues.',
  },
]

const checksOfUnknown = (cellIn: CellIn): Check[] =>
  unknowns.flatMap(({ in: where, about, lacks, what, none = 'Tous sont connus.' }) => {
    const count = cellIn(...where)
    if (count === null) return []
    const said = count === 0 ? none : `${countedWords(count, ...lacks)} ${what}\u202f: NC.`
    return [{ about, isRight: count === 0, said }]
  })

function checkOfHours({ openings }: Told): Check {
  const silent = openings.filter(({ weekly_hours }) => weekly_hours === null)
  return {
    about: 'Ouverture',
    isRight: silent.length === 0,
    said:
      silent.length === 0
        ? 'Les heures de chaque site sont connues.'
        : `Heures par semaine à écrire sous Réglages, Sites\u202f: ${silent.map(({ name }) => name).join(', ')}.`,
  }
}

const countHeld = async (db: Db, day: string, asked: CountedIn): Promise<number> =>
  countOf(db, await heldOn(day, asked).from(db), (slice) => sql`select count(*)::int as count from ${slice}`)

const countUndated = async (db: Db, { period, visibility, timezone }: CountedIn): Promise<number> =>
  countOf(
    db,
    await slicesOfTable(db, 'copies', sql`c.id`),
    (slice) => sql`
      select count(*)::int as count from copies c where ${visibleCopies(visibility)} and ${wasThere} and c.buy_date is null and ${slice}
        and (c.created_at at time zone ${timezone})::date between ${period.start_date}::date and ${period.end_date}::date`,
  )

type ReportAsked = CountedIn & { year: number }
type Asked = Pick<VerbInput<typeof readYearlyReportCall>['query'], 'year' | 'site'>

/** The year before this one, and the chosen site, unless said. */
export function askedReport(
  { year, site }: Asked,
  { today, visibility, parameters }: Pick<Exchange, 'today' | 'visibility' | 'parameters'>,
): { ok: true; answer: ReportAsked } | Refused {
  const places = askedSites(site, visibility)
  if (!places.ok) return places
  const thisYear = Number(today.slice(0, 4))
  const told = year ?? thisYear - 1
  if (told > thisYear) return violation('year', 'Cette année n’a pas commencé.')
  const answer = {
    year: told,
    period: reportPeriod(told, today),
    visibility: places.visibility,
    timezone: parameters.get('timezone'),
  }
  return { ok: true, answer }
}

const tablesFor = ({ rights }: Pick<Visibility, 'rights'>): ReportTable[] =>
  reportTables.filter(({ right }) => rights.has(right))

/** What a library tells each year, each table for whoever holds its right. */
export async function readYearlyReport(
  db: Db,
  { query }: VerbInput<typeof readYearlyReportCall>,
  exchange: Exchange,
): Promise<Outcome<YearlyReport>> {
  const asked = askedReport(query, exchange)
  return asked.ok ? done(await serializeReport(db, asked.answer, exchange)) : asked
}

/** The same, of what was asked. */
export async function serializeReport(
  db: Db,
  asked: ReportAsked,
  exchange: Pick<Exchange, 'openings'>,
): Promise<YearlyReport> {
  const media = await mediaNames(db)
  const tables: YearlyReport['tables'] = []
  for (const what of counted) {
    const of = tablesFor(asked.visibility).filter(({ counts }) => counts === what)
    if (of.length === 0) continue
    const cells = await cellsOf(db, what, of, asked)
    for (const table of of) tables.push(tellTable(table, cells[table.code] ?? [], media))
  }
  const order = reportTables.map(({ code }): string => code)
  tables.sort((a, b) => order.indexOf(a.code) - order.indexOf(b.code))
  const openings = await openingsOf(db, asked, exchange)
  return {
    year: asked.year,
    period: asked.period,
    tables,
    openings,
    checks: await checksOf(db, { tables, openings }, asked),
  }
}

/** All tables of the same rows, which are found once. */
async function cellsOf(
  db: Db,
  what: Counted,
  tables: readonly ReportTable[],
  asked: CountedIn,
): Promise<Record<string, ReportCell[]>> {
  const { from, parts, tallied } = countedRows[what](asked)
  const told = tallied ?? { parts, count: sql`1` }
  const dimensions = [...new Set(tables.flatMap(({ rows, columns }) => (columns ? [rows, columns] : [rows])))]
  const partOf = (dimension: ReportDimension) => {
    const part = told.parts[dimension]
    if (!part) throw new Error(`${what} are not told apart by ${dimension}`)
    return part
  }
  const named = dimensions.map((dimension) => sql`${partOf(dimension)} as ${sql.ref(dimension)}`)
  const found = await countsOf(
    db,
    tallied ? [tallied.from] : await from(db),
    Object.fromEntries(dimensions.map((dimension) => [dimension, 'text'])),
    (slice) => sql`
      select ${sql.join(named)}, sum(${told.count})::int as count from ${slice}
      group by ${sql.join(dimensions.map((_, at) => sql.lit(at + 1)))}`,
  )
  const { rows } = await sql<Record<string, ReportCell[]>>`
    with found as materialized (select * from ${found} told)
    select ${sql.join(
      tables.map(
        ({ code, rows: by, columns }) => sql`(
          select coalesce(json_agg(json_build_object('row', cell.by_row, 'column', cell.by_column, 'count', cell.count)
            order by cell.by_row, cell.by_column), '[]')
          from (select ${sql.ref(by)} as by_row, ${columns ? sql.ref(columns) : sql`''`} as by_column, sum(x.count)::int as count
            from found x group by 1, 2 having sum(x.count) <> 0) cell) as ${sql.ref(code)}`,
      ),
    )}`.execute(db)
  return rows[0] ?? {}
}

async function mediaNames(db: Db): Promise<ReportPart[]> {
  const { rows } =
    await sql<ReportPart>`select id::text as key, name as label from media order by search_text(name), id`.execute(
      db,
    )
  return rows
}

function tellTable(
  { code, rows, columns }: ReportTable,
  cells: readonly ReportCell[],
  media: readonly ReportPart[],
): YearlyReport['tables'][number] {
  const partsOf = (dimension: ReportDimension, side: 'row' | 'column') => {
    const met = new Map<string, number>()
    for (const cell of cells) met.set(cell[side], (met.get(cell[side]) ?? 0) + cell.count)
    return partsMet(dimension, met, media)
  }
  return {
    code: code as YearlyReport['tables'][number]['code'],
    rows: partsOf(rows, 'row'),
    columns: columns ? partsOf(columns, 'column') : [],
    cells: [...cells],
  }
}

/** All fixed parts, else those that are met, the largest first but media by their names; what is not known comes last. */
function partsMet(
  dimension: ReportDimension,
  met: ReadonlyMap<string, number>,
  media: readonly ReportPart[],
): ReportPart[] {
  const shape: { title: string; fixed?: readonly ReportPart[] } = reportDimensions[dimension]
  const named = (): ReportPart[] =>
    [...met]
      .filter(([key]) => key !== '')
      .toSorted(([a, counted], [b, others]) => others - counted || a.localeCompare(b, 'fr'))
      .map(([key]) => ({ key, label: key }))
  const parts = shape.fixed ?? (dimension === 'medium' ? media.filter(({ key }) => met.has(key)) : named())
  return [...parts, ...(met.has('') ? [unknownPart] : [])]
}

/** The days on which each site was open, and its hours where somebody wrote how many a week has. */
async function openingsOf(
  db: Db,
  { period, visibility }: CountedIn,
  { openings }: Pick<Exchange, 'openings'>,
): Promise<YearlyReport['openings']> {
  const { rows } = await sql<{ id: number; name: string; weekly_minutes: number | null }>`
    select s.id, s.name, s.weekly_minutes from sites s
    where s.deleted_at is null and s.enabled and ${atSites(sql`s.id`, visibility.listed)} order by search_text(s.name), s.id`.execute(
    db,
  )
  return rows.map(({ id, name, weekly_minutes }) => {
    const calendar = calendarOf(openings, id)
    const days = openDaysBetween(plusDays(period.start_date, -1), period.end_date, calendar)
    const hours =
      weekly_minutes === null ? null : Math.round((weekly_minutes / calendar.weekdays.length / 60) * days)
    return { id, name, days, weekly_hours: weekly_minutes === null ? null : weekly_minutes / 60, hours }
  })
}
