import { type CalendarDay, frenchDay } from '../domain/calendar-day.ts'
import {
  defaultDuration,
  type Duration,
  dueOn,
  eligibilityRefusals,
  type Refusal,
} from '../domain/loan-rules.ts'
import type { KnownCopy } from './counter.ts'
import type { SnapshotMark } from './device-meta.ts'
import { readLibrary } from './known-library.ts'
import { loansInLibrary, type OpenLoan } from './open-loans.ts'

/** Why the copy itself cannot leave, in the words and codes of the server. */
export type Obstacle = {
  code: 'ALREADY_LENT' | 'ALREADY_LENT_TO_SAME' | 'COPY_UNAVAILABLE' | 'NOT_FOR_LOAN'
  message: string
}

/** What the rules say before the server is asked. `certain` is false when `doubts` (sentences) are worth showing. */
export type LendJudgement = {
  obstacle: Obstacle | null
  refusals: Refusal[]
  duration: Duration
  due: CalendarDay
  certain: boolean
  doubts: string[]
}

const freshMs = 15 * 60_000
const anyone = { contracts: [], statuses: [], dossiers: [] }
/** A reference without a medium sets no limit. */
const noMedium = {
  name: '',
  duration: null,
  duration_type: null,
  end_day: null,
  max_loaning: null,
  max_late: null,
  eligibility: anyone,
}

/** Judges a loan by the snapshot and the outbox: what may be told at once, and how sure it is. `duration` is the person's choice. */
export const judgeLend = (
  known: Pick<KnownCopy, 'copy' | 'loan' | 'borrower' | 'medium'>,
  beneficiary_id: number,
  today: CalendarDay,
  {
    duration,
    start_date = today,
    now = new Date(),
  }: { duration?: Duration; start_date?: CalendarDay; now?: Date } = {},
): Promise<LendJudgement> =>
  readLibrary(async (library) => {
    const { copy } = known
    const medium = known.medium ?? noMedium
    const chosen = duration ?? defaultDuration(medium)
    const reader = await library?.beneficiaryById(beneficiary_id)
    const loans = library ? await loansInLibrary(library, beneficiary_id, today) : []
    const refusals = reader
      ? eligibilityRefusals({
          start_date,
          beneficiary: { ...reader, is_active: true },
          medium,
          open_loans: copy.medium === null ? 0 : loans.filter((loan) => loan.medium === copy.medium).length,
          late_loans: loans.filter(({ late }) => late).length,
        })
      : []
    const doubts = [
      ...(library
        ? doubtsOfAge(library.mark, now)
        : ['Cet appareil n’a pas encore les données de la bibliothèque.']),
      ...(library && !reader ? ['Ce lecteur n’est pas encore connu de cet appareil.'] : []),
      ...(copy.medium !== null && !known.medium
        ? ['Les règles de ce support ne sont pas connues de cet appareil.']
        : []),
    ]
    return {
      obstacle: obstacleOf(known, beneficiary_id),
      refusals,
      duration: chosen,
      due: dueOn(start_date, chosen, copy, medium.end_day),
      certain: doubts.length === 0,
      doubts,
    }
  })

function obstacleOf(
  { copy, loan, borrower }: Pick<KnownCopy, 'copy' | 'loan' | 'borrower'>,
  beneficiary_id: number,
): Obstacle | null {
  const title = `«\u00a0${copy.name}\u00a0»`
  if (loan) return obstacleOfLoan(title, loan, borrower, beneficiary_id)
  if (copy.status !== 'Disponible') {
    return { code: 'COPY_UNAVAILABLE', message: `${title} n’est pas disponible (${copy.status}).` }
  }
  return copy.type === 'Location'
    ? null
    : { code: 'NOT_FOR_LOAN', message: `${title} se vend et ne se prête pas.` }
}

function obstacleOfLoan(
  title: string,
  loan: OpenLoan,
  borrower: KnownCopy['borrower'],
  beneficiary_id: number,
): Obstacle {
  const who = borrower
    ? `${borrower.matricule} - ${borrower.lastname} ${borrower.firstname}`
    : 'un autre lecteur'
  if (loan.beneficiary_id === beneficiary_id) {
    return { code: 'ALREADY_LENT_TO_SAME', message: `${title} est déjà prêté à ce lecteur.` }
  }
  return {
    code: 'ALREADY_LENT',
    message: `${title} est déjà prêté à ${who}, depuis le ${frenchDay(loan.start_date)}.`,
  }
}

function doubtsOfAge({ asked_at }: SnapshotMark, now: Date): string[] {
  const ageMs = now.getTime() - Date.parse(asked_at)
  if (ageMs <= freshMs) return []
  const minutes = Math.floor(ageMs / 60_000)
  const age = minutes < 120 ? `${minutes}\u00a0min` : `${Math.floor(minutes / 60)}\u00a0h`
  return [`Les données de cet appareil datent d’il y a ${age}.`]
}
