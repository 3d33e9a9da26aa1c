import { sql } from 'kysely'

import { daysBetween } from '../../domain/calendar-day.ts'
import { dueOn, loanAmount, penaltyOf } from '../../domain/loan-rules.ts'
import { alwaysOpen } from '../../domain/open-days.ts'
import { bulkInsert } from './bulk-insert.ts'
import { graceDays } from './demonstration-media.ts'
import { type Random, seededRandom } from './random.ts'
import type { PlannedLoan } from './simulate-loans.ts'
import type { Writing } from './write-library.ts'

const columns = {
  id: 'int',
  beneficiary: 'int',
  relative: 'int',
  copy: 'int',
  site: 'int',
  status: 'text',
  start_date: 'date',
  end_date: 'date',
  return_date: 'date',
  duration_value: 'int',
  duration_type: 'text',
  amount: 'numeric',
  free: 'boolean',
  free_reason: 'int',
  comment: 'text',
  return_comment: 'text',
  delay_reason: 'int',
  delay_comment: 'text',
  penalty_count: 'int',
  penalty_duration: 'int',
  penalty_amount: 'numeric',
  lent_by: 'int',
  returned_by: 'int',
  state_before_return: 'text',
} as const

const times = { lent_minute: 'int', returned_minute: 'int' } as const

const comments = [
  'Prêt par téléphone.',
  'Boîtier sans jaquette.',
  'Prêté avec son livret.',
  'Rayure légère déjà là.',
]
const returnComments = [
  'Rendu dans la boîte.',
  'Couverture tachée.',
  'Page cornée.',
  'Livret manquant, rapporté le lendemain.',
]
const delayComments = [
  'A téléphoné\u202f: rapporte samedi.',
  'Hospitalisée, sa fille rapportera.',
  'Ne le retrouve pas, cherche encore.',
  'Parti en vacances avec.',
  'Deux courriels sans réponse.',
]

/** Hours are the library's, whatever its summer time. */
export async function writeLoans({ trx, plan, furniture, dayOf, today, wrote }: Writing): Promise<void> {
  const random = seededRandom(71)
  const rows = plan.loans.map((loan, at) => ({
    id: at + 1,
    ...rowOf(loan, random, { dayOf, today, furniture }),
  }))
  const names = Object.keys(columns)
  await bulkInsert(trx, 'loanings', { ...columns, ...times }, rows, {
    into: [...names, 'lent_at', 'lent_received_at', 'returned_at', 'returned_received_at'],
    values: sql`${sql.join(names.map((name) => sql.ref(`r.${name}`)))}, lent.at, lent.at, back.at, back.at`,
    from: sql`
      cross join lateral (select (r.start_date + r.lent_minute * interval '1 minute') at time zone 'Europe/Paris' as at) lent
      cross join lateral (select (r.return_date + r.returned_minute * interval '1 minute') at time zone 'Europe/Paris' as at) back`,
    onProgress: (count) => wrote(count, 'Prêts'),
  })
  // As lending would have written them (domain/age-bands.ts).
  await sql`
    update loanings l set audience = r.audience, age_band = case
      when b.kind = 'collectivity' then 'collectivity'
      else (array['0-5', '6-10', '11-14', '15-24', '25-64', '65+'])[
        width_bucket(extract(year from l.start_date)::int - b.birth_year, array[6, 11, 15, 25, 65]) + 1] end
    from copies c join "references" r on r.id = c.reference, beneficiaries b
    where c.id = l.copy and b.id = l.beneficiary`.execute(trx)
}

function rowOf(
  loan: PlannedLoan,
  random: Random,
  { dayOf, today, furniture }: Pick<Writing, 'dayOf' | 'today' | 'furniture'>,
) {
  const { copy, isFree, isCancelled } = loan
  const { medium } = copy.work
  const start_date = dayOf(loan.start)
  const isOut = loan.returned > 0 && !isCancelled
  const usual = { duration_value: medium.duration, duration_type: 'WEEK' as const }
  const byRules = dueOn(start_date, usual, { cycle_value: null, cycle_type: null }, null, alwaysOpen)
  // Loans by weeks are never due on a closed day, so these were made for days.
  const isDueToday = isOut && loan.due === 1
  const end_date = isDueToday ? today : byRules
  const duration =
    end_date === byRules
      ? usual
      : { duration_value: daysBetween(start_date, end_date), duration_type: 'DAY' as const }
  const return_date = isOut || isCancelled ? null : dayOf(loan.returned)
  const penalty =
    return_date !== null && random.chance(0.6)
      ? penaltyOf(
          { end_date, return_date },
          { grace_days: graceDays, open_days_only: false },
          { ...medium, penalty_duration_type: 'WEEK' },
          alwaysOpen,
        )
      : null
  const isExplained =
    loan.due <= 0 && loan.returned > loan.due && !isCancelled && random.chance(isOut ? 0.4 : 0.08)
  return {
    beneficiary: loan.reader.id,
    relative: loan.relative?.id ?? null,
    copy: copy.id,
    site: furniture.sites[copy.site],
    status: isCancelled ? 'cancelled' : isOut ? 'in_progress' : 'finished',
    start_date,
    end_date,
    return_date,
    ...duration,
    amount: loanAmount(medium.price, duration.duration_value, isFree),
    free: isFree,
    free_reason: isFree ? random.pick(furniture.freeReasons) : null,
    comment: random.chance(0.01) ? random.pick(comments) : '',
    return_comment: return_date !== null && random.chance(0.015) ? random.pick(returnComments) : '',
    delay_reason: isExplained ? random.pick(furniture.delayReasons) : null,
    delay_comment: isExplained ? random.pick(delayComments) : '',
    penalty_count: penalty?.penalty_count ?? null,
    penalty_duration: penalty?.penalty_duration ?? null,
    penalty_amount: penalty?.penalty_amount ?? null,
    lent_by: random.pick(furniture.users),
    returned_by: return_date === null ? null : random.pick(furniture.users),
    state_before_return: return_date === null ? null : copy.state,
    lent_minute: loan.lentAt,
    returned_minute: loan.returnedAt,
  }
}
