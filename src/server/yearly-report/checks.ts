import { sql } from 'kysely'

import type { YearlyReport } from '../../contract/yearly-report.ts'
import { plusDays } from '../../domain/calendar-day.ts'
import { cellOf, type ReportCode } from '../../domain/yearly-report.ts'
import { frenchNumber } from '../../domain/french-number.ts'
import type { Db } from '../db/handles.ts'
import { copiesInSight } from '../sight/sight.ts'
import type { CountedIn } from '../stats/borrowers.ts'
import { countOf, slicesOfTable } from '../stats/in-slices.ts'
import { heldOn, wasThere } from './counted.ts'

const countedWords = (count: number, one: string, many: string) =>
  count === 1 ? `1 ${one}` : `${frenchNumber(count)} ${many}`

type Told = Pick<YearlyReport, 'tables' | 'openings'>

/** What is to be looked at before the report is sent: what does not add up, and what nobody wrote down. */
export async function checksOf(db: Db, told: Told, asked: CountedIn): Promise<Check[]> {
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

const countUndated = async (db: Db, { period, sight, timezone }: CountedIn): Promise<number> =>
  countOf(
    db,
    await slicesOfTable(db, 'copies', sql`c.id`),
    (slice) => sql`
      select count(*)::int as count from copies c where ${copiesInSight(sight)} and ${wasThere} and c.buy_date is null and ${slice}
        and (c.created_at at time zone ${timezone})::date between ${period.start_date}::date and ${period.end_date}::date`,
  )
