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
export async function checksOf(db: Db, told: Told, asked: CountedIn): Promise<YearlyReport['checks']> {
  const totalOf = (code: ReportCode) => {
    const table = told.tables.find((one) => one.code === code)
    return table ? cellOf(table.cells, { row: null, column: null }) : null
  }
  const unknownOf = (code: ReportCode, side: 'row' | 'column') => {
    const table = told.tables.find((one) => one.code === code)
    return table
      ? cellOf(table.cells, { row: side === 'row' ? '' : null, column: side === 'column' ? '' : null })
      : null
  }
  const [held, came, left] = [totalOf('collections'), totalOf('acquisitions'), totalOf('withdrawals')]
  const checks: YearlyReport['checks'] = []
  if (held !== null && came !== null && left !== null) {
    const before = await countHeld(db, plusDays(asked.period.start_date, -1), asked)
    const isRight = before + came - left === held
    checks.push({
      about: 'Collections',
      isRight,
      said: `${countedWords(before, 'exemplaire', 'exemplaires')} au début, ${frenchNumber(came)} de plus, ${frenchNumber(left)} de moins, ${frenchNumber(held)} à la fin${
        isRight ? '.' : `\u202f: il en manque ou en trop ${Math.abs(before + came - left - held)}.`
      }`,
    })
    const undated = await countUndated(db, asked)
    checks.push({
      about: 'Acquisitions',
      isRight: undated === 0,
      said:
        undated === 0
          ? 'Chaque exemplaire entré a sa date d’achat.'
          : `${countedWords(undated, 'exemplaire entré n’a', 'exemplaires entrés n’ont')} pas de date d’achat\u202f: le jour de saisie en tient lieu.`,
    })
  }
  const unknown: readonly [
    number | null,
    about: string,
    one: string,
    many: string,
    what: string,
    all?: string,
  ][] = [
    [unknownOf('collections', 'row'), 'Supports', 'exemplaire n’a', 'exemplaires n’ont', 'pas de support'],
    [unknownOf('collections', 'column'), 'Publics', 'exemplaire n’a', 'exemplaires n’ont', 'pas de public'],
    [
      unknownOf('borrowers_by_age', 'row'),
      'Âges',
      'emprunteur n’a',
      'emprunteurs n’ont',
      'pas d’année de naissance',
    ],
    [
      unknownOf('borrowers_by_commune', 'row'),
      'Communes',
      'emprunteur n’a',
      'emprunteurs n’ont',
      'pas de commune',
      'Toutes sont connues.',
    ],
  ]
  for (const [count, about, one, many, what, all = 'Tous sont connus.'] of unknown) {
    if (count === null) continue
    checks.push({
      about,
      isRight: count === 0,
      said: count === 0 ? all : `${countedWords(count, one, many)} ${what}\u202f: NC.`,
    })
  }
  const silent = told.openings.filter(({ weekly_hours }) => weekly_hours === null)
  checks.push({
    about: 'Ouverture',
    isRight: silent.length === 0,
    said:
      silent.length === 0
        ? 'Les heures de chaque site sont connues.'
        : `Heures par semaine à écrire sous Réglages, Sites\u202f: ${silent.map(({ name }) => name).join(', ')}.`,
  })
  return checks
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
