import { daysBetween, frenchDay, weekdayOf } from '../../domain/calendar-day.ts'
import { explainDue, startDayNote } from '../../domain/due-words.ts'
import { loanAmount, penaltyOf } from '../../domain/loan-rules.ts'
import { frenchMoney } from '../../domain/money.ts'
import { fullName } from '../../domain/person-names.ts'
import { reservationsBefore } from '../../domain/reservation-rules.ts'
import { copyReserved, readerNotEligible, reservedQuestion } from '../../domain/sentences/counter.ts'
import { libraryToday, type KnownCopy } from '../../offline/counter.ts'
import { judgeLend } from '../../offline/judge-lend.ts'
import { knownCalendarOf } from '../../offline/known-library.ts'
import { verdictOf } from '../../offline/verdict.ts'
import { currentConnection } from '../api/connection.ts'
import { currentSession } from '../api/session.ts'
import type { ScannedReader } from '../beneficiaries/beneficiary-data.ts'
import type { ScannedCopy } from '../find/found.ts'
import { awaitedBy, awaitedWords } from '../reservations/awaited.ts'
import { counted } from '../ui/words.ts'
import {
  barCodeOf,
  isCard,
  type LaneLine,
  type LendChoice,
  nameOf,
  readerKey,
  returnedWords,
} from './lane.ts'
import { changeLine, chosenKey, laneState, setStep } from './lane-store.ts'
import { end, type LaneTools, tell } from './lane-turn.ts'

/** Lends at the medium's terms, unless a rule or a reservation objects. */
export async function lend(
  key: string,
  known: KnownCopy,
  to: ScannedReader,
  with_: LaneTools,
  choice: LendChoice = {},
): Promise<void> {
  const { reader, relative } = to
  const today = await libraryToday()
  const judged = await judgeLend({ ...known, loan: null }, reader.id, today, {
    site: currentSession()?.site?.id,
  })
  const { obstacle, refusals, due, verdict } = judged
  if (obstacle) return end(key, { name: 'said', signal: 'refusal', message: obstacle.message, ways: [] })
  let told = verdict
  if (choice.override_reason === undefined && refusals.length > 0) {
    const answer = await with_.askEligibility(reader.id, known.copy.id)
    if (!answer?.eligible) {
      const details = answer?.messages ?? [...verdict.reasons]
      return end(key, {
        name: 'asks',
        signal: 'refusal',
        message: readerNotEligible,
        details,
        ways: ['override', 'open-form'],
        to,
        choice,
      })
    }
    // A loan was returned elsewhere, or a rule changed, and the server knows.
    told = verdictOf([], [])
  }
  const before = reservationsBefore(known.reservations, {
    reader: reader.id,
    copy: known.copy.id,
    start_date: today,
    end_date: due,
  })
  if (choice.despite_reservations !== true && before.length > 0) {
    const awaited = awaitedBy(before, known.copy.id, today)
    return end(key, {
      name: 'asks',
      signal: 'warning',
      message: copyReserved,
      details: [...before.map(whoWaits), reservedQuestion],
      ways: ['despite-reservations', 'open-form'],
      to,
      choice,
      awaited,
    })
  }
  const { medium } = known
  const conditions_given =
    choice.conditions_given ??
    (medium?.loaning_conditions_enabled ? givenBefore(reader.id, medium.id) : undefined)
  if (medium?.loaning_conditions_enabled && conditions_given === undefined) {
    return end(key, {
      name: 'asks',
      signal: 'warning',
      message: 'Conditions de prêt à remettre.',
      details: [medium.loaning_conditions_label ?? ''],
      // The whole form would lead away from the copies that wait behind it.
      ways: ['conditions', 'no-conditions'],
      to,
      choice,
    })
  }
  const given = conditions_given === undefined ? {} : { conditions_given }
  // On line the server must tell a reservation unknown here; off line the copy has already left.
  const despite = choice.despite_reservations ?? (currentConnection() === 'online' ? false : undefined)
  const entry = await with_.actions.lend({
    copy: known.copy,
    beneficiary: reader,
    due,
    resolves: choice.resolves ?? null,
    chosen: {
      ...(relative === null ? {} : { relative }),
      ...(choice.override_reason === undefined ? {} : { override_reason: choice.override_reason }),
      ...given,
      ...(despite === undefined ? {} : { despite_reservations: despite }),
    },
  })
  const price = loanAmount(known.copy.price, judged.duration.duration_value, false)
  const kept = {
    act: 'lend',
    entry_id: entry.id,
    reader: nameOf(to),
    to,
    choice: { ...choice, ...given },
    verdict: told,
    due,
    of_its_days: [
      explainDue(judged.steps, judged.duration, medium?.end_day ?? null),
      startDayNote(medium?.start_day ?? null, weekdayOf(today)),
    ].filter((words) => words !== null),
    days_late: 0,
    penalty: null,
    reserved: null,
    amount: price,
  } as const
  changeLine(key, { step: { name: 'kept', ...kept }, with_reader: reader.id })
  const cost = Number(price) > 0 ? `, ${frenchMoney(price)}` : ''
  tell('success', `Prêté à ${nameOf(to)} jusqu’au ${frenchDay(due, today)}${cost}`, with_, known.copy.name)
}

/** What was answered for the last copy of that medium that this reader was lent here: it is handed over once. */
function givenBefore(reader: number, medium: number): boolean | undefined {
  const answers = laneState().lines.flatMap(({ step, copy }) =>
    step.name === 'kept' && step.to && readerKey(step.to) === reader && copy?.known?.medium?.id === medium
      ? (step.choice.conditions_given ?? [])
      : [],
  )
  return answers.at(-1)
}

const whoWaits = ({
  beneficiary_info,
  beneficiary_name = beneficiary_info,
  start_date,
  end_date,
}: KnownCopy['reservations'][number]): string =>
  start_date === null
    ? beneficiary_name
    : `${beneficiary_name}, du ${frenchDay(start_date)} au ${frenchDay(end_date ?? start_date)}`

/** Takes a copy back whoever has it, because it lies on the counter. */
export async function giveBack(
  key: string,
  { bar_code, title, known, loan }: ScannedCopy,
  with_: LaneTools,
): Promise<void> {
  const today = await libraryToday()
  const borrower = known?.borrower ?? null
  const entry = await with_.actions.giveBack({
    bar_code,
    copy: known?.copy ?? null,
    loan,
    beneficiary: borrower,
  })
  const end_date = loan?.end_date ?? null
  const days_late = end_date === null ? 0 : Math.max(0, daysBetween(end_date, today))
  const penalty =
    loan && end_date !== null && known?.medium && days_late > 0
      ? penaltyOf(
          { end_date, return_date: today },
          with_.grace,
          known.medium,
          await knownCalendarOf(loan.site),
        )
      : null
  const awaited = known && awaitedBy(known.reservations, known.copy.id, today)
  const reader = borrower && fullName(borrower)
  const { chosen, presence } = laneState()
  const not_theirs =
    // Whose card is not known yet may be the very reader.
    reader && chosen && !isCard(chosen) && presence !== 'gone' && chosen.reader.id !== borrower.id
      ? { chosen, is_lent: false }
      : null
  setStep(key, {
    name: 'kept',
    act: 'return',
    entry_id: entry.id,
    reader,
    to: null,
    choice: {},
    verdict: null,
    due: end_date,
    of_its_days: [],
    days_late,
    penalty: penalty?.penalty_amount ?? null,
    reserved: awaited && known ? known.copy.reference : null,
    awaited,
    not_theirs,
  })
  const notes = [
    ...(awaited ? [`, ${awaitedWords(awaited)}`] : []),
    ...(days_late > 0 ? [`, ${counted(days_late, 'jour', 'jours')} de retard`] : []),
  ]
  const isPlain = notes.length === 0 && not_theirs === null
  tell(
    isPlain ? 'success' : 'warning',
    `${returnedWords(reader, not_theirs?.chosen)}${notes.join('')}`,
    with_,
    title,
  )
}

/** Takes the line's copy back, even if its code is unknown or cannot be looked up now. */
export async function returnLine(line: LaneLine, with_: LaneTools): Promise<void> {
  const bar_code = barCodeOf(line)
  const found = await with_.find(bar_code).catch(() => null)
  const bare = { bar_code, title: bar_code, known: null, loan: null }
  const copy = found?.kind === 'copy' ? found.copy : (found === null && line.copy) || bare
  changeLine(line.key, { copy, ...doneNow() })
  await giveBack(line.key, copy, with_)
}

/** A button pressed is an act of now, however old its line. */
const doneNow = (): Pick<LaneLine, 'at' | 'with_reader'> => ({
  at: Date.now(),
  with_reader: chosenKey(),
})
