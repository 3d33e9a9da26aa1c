import { type CalendarDay, frenchDay } from '../domain/calendar-day.ts'
import {
  alreadyLent,
  notAvailable,
  notForLoan,
  obstacleToLend,
  withdrawnFromStock,
} from '../domain/copy-obstacles.ts'
import {
  type Beyond,
  boundsOf,
  defaultDuration,
  type Duration,
  type DueSteps,
  eligibilityRefusals,
  type Refusal,
  stepsToDue,
  termsBeyondBounds,
} from '../domain/loan-rules.ts'
import { calendarOf } from '../domain/open-days.ts'
import { readerName } from '../domain/person-names.ts'
import type { KnownCopy } from './counter.ts'
import type { StoredBeneficiary } from './device-store.ts'
import { type KnownLibrary, numberKnown, openingsKnown, readLibrary } from './known-library.ts'
import { loansInLibrary, type OpenLoan } from './open-loans.ts'
import { doubtsOfKnowledge, type Verdict, verdictOf } from './verdict.ts'

/** Why the copy itself cannot be lent, with the server's codes. */
type Obstacle = {
  code: 'ALREADY_LENT' | 'ALREADY_LENT_TO_SAME' | 'COPY_UNAVAILABLE' | 'COPY_WITHDRAWN' | 'NOT_FOR_LOAN'
  message: string
}

export type LendJudgement = {
  obstacle: Obstacle | null
  refusals: Refusal[]
  beyond: Beyond[]
  duration: Duration
  due: CalendarDay
  /** Whether the device knows all that decides that day: else the server may give another, and nobody is to be told this one. */
  is_due_known: boolean
  /** How that day was found. */
  steps: DueSteps
  /** The verdict's reasons include them. */
  doubts: string[]
  verdict: Verdict
}

const anyone = { contracts: [], statuses: [], dossiers: [] }
const noMedium = {
  name: '',
  duration: null,
  duration_type: null,
  end_day: null,
  max_loaning: null,
  max_late: null,
  eligibility: anyone,
}

/** Judges a loan by the snapshot and the outbox; `duration` is the person's choice, `site` the counter's (0 for none). */
export const judgeLend = (
  known: Pick<KnownCopy, 'copy' | 'loan' | 'borrower' | 'medium'>,
  beneficiary_id: number,
  today: CalendarDay,
  {
    duration,
    start_date = today,
    site,
    now = new Date(),
  }: { duration?: Duration; start_date?: CalendarDay; site?: number | undefined; now?: Date } = {},
): Promise<LendJudgement> =>
  readLibrary(async (library) => {
    const { copy } = known
    const medium = known.medium ?? noMedium
    const isMediumUnknown = copy.medium !== null && !known.medium
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
      ...doubtsOfReader(library, reader, now),
      ...(library && medium.max_loaning !== null && (await hasUnplaced(library, loans))
        ? ['Le support d’un prêt en attente de ce lecteur n’est pas connu de cet appareil.']
        : []),
      ...(isMediumUnknown ? ['Les règles de ce support ne sont pas connues de cet appareil.'] : []),
    ]
    const obstacle = obstacleOf(known, beneficiary_id)
    // The loan will be of the counter's site, and so are its open days.
    const calendar = calendarOf(openingsKnown(library), (site ?? library?.mark.site) || copy.site)
    const steps = stepsToDue(start_date, chosen, copy, medium.end_day, calendar)
    const beyond = termsBeyondBounds(
      { start_date, end_date: steps.due },
      { day: today, cycle: copy, medium, calendar },
      boundsOf((code) => numberKnown(library, code)),
    )
    const against = [...(obstacle ? [obstacle] : []), ...beyond, ...refusals].map(({ message }) => message)
    return {
      obstacle,
      refusals,
      beyond,
      duration: chosen,
      due: steps.due,
      is_due_known: library?.settings?.openings !== undefined && !isMediumUnknown,
      steps,
      doubts,
      verdict: verdictOf(against, doubts),
    }
  })

/** Why this device's word on a reader is doubtful; empty when it knows all that the rules ask. */
export const doubtsAbout = (beneficiary_id: number, now = new Date()): Promise<string[]> =>
  readLibrary(async (library) => doubtsOfReader(library, await library?.beneficiaryById(beneficiary_id), now))

function doubtsOfReader(
  library: KnownLibrary | null,
  reader: StoredBeneficiary | undefined,
  now: Date,
): string[] {
  const doubts = doubtsOfKnowledge(library?.mark ?? null, library?.clock ?? null, now)
  return library && !reader ? [...doubts, 'Ce lecteur n’est pas encore connu de cet appareil.'] : doubts
}

/** Whether a waiting loan is of a copy unknown here: its medium is unknown too. */
async function hasUnplaced(library: KnownLibrary, loans: readonly OpenLoan[]): Promise<boolean> {
  const copies = await Promise.all(
    loans
      .filter(({ waiting, medium }) => waiting && medium === null)
      .map(async ({ copy_id }) => (copy_id === null ? undefined : library.copyById(copy_id))),
  )
  return copies.includes(undefined)
}

function obstacleOf(
  { copy, loan, borrower }: Pick<KnownCopy, 'copy' | 'loan' | 'borrower'>,
  beneficiary_id: number,
): Obstacle | null {
  const { name } = copy
  const obstacle = obstacleToLend(copy, loan)
  if (!obstacle) return null
  switch (obstacle.is) {
    case 'withdrawn':
      return { code: 'COPY_WITHDRAWN', message: withdrawnFromStock(name) }
    case 'lent': {
      if (obstacle.loan.beneficiary_id === beneficiary_id)
        return { code: 'ALREADY_LENT_TO_SAME', message: alreadyLent(name, 'ce lecteur') }
      const who = borrower ? readerName(borrower) : 'un autre lecteur'
      const since = `depuis le ${frenchDay(obstacle.loan.start_date)}`
      return { code: 'ALREADY_LENT', message: alreadyLent(name, `${who}, ${since}`) }
    }
    case 'unavailable':
      return { code: 'COPY_UNAVAILABLE', message: notAvailable(name, obstacle.status) }
    case 'for-sale':
      return { code: 'NOT_FOR_LOAN', message: notForLoan(name) }
  }
}
