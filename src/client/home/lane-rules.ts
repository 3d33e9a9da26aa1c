import type { ReturnedLoan } from '../../contract/returns.ts'
import { findIsbn13 } from '../../domain/bar-code.ts'
import { frenchDay, type CalendarDay } from '../../domain/calendar-day.ts'
import type { CodeKind } from '../../domain/code-shapes.ts'
import { obstacleToLend } from '../../domain/copy-obstacles.ts'
import { fullName } from '../../domain/person-names.ts'
import { reservationsBefore } from '../../domain/reservation-rules.ts'
import {
  copyReserved,
  noLoanToReturn,
  notForQuickInput,
  readerNotEligible,
  reservedQuestion,
} from '../../domain/sentences/counter.ts'
import type { KnownCopy } from '../../offline/counter.ts'
import { type Entry, isRefused } from '../../offline/entry.ts'
import type { LendJudgement } from '../../offline/judge-lend.ts'
import type { OpenLoan } from '../../offline/open-loans.ts'
import { isToVerify } from '../../offline/to-verify.ts'
import type { ScannedReader } from '../beneficiaries/beneficiary-data.ts'
import {
  bareCopy,
  cardAndCopy,
  cardOrCopy,
  type Found,
  isNobodysForSure,
  nobodysWords,
  type ScannedCopy,
} from '../find/found.ts'
import { awaitedBy } from '../reservations/awaited.ts'
import {
  type Movement,
  type CardToVerify,
  type Ended,
  isCard,
  type Kept,
  type LaneLine,
  type LaneReader,
  type LendChoice,
  type May,
  nameWithin,
  type Presence,
  readerKey,
  type Scan,
  type Step,
  type LineOption,
} from './lane.ts'

// The counter's rules: what a scan means, what speaks against a loan, what a line offers, and how long one waits.

const repeatMs = 2_000
const justDoneMs = 60_000

/** Whether the camera saw the last label again. */
export const isRepeat = (scan: Scan, lines: readonly LaneLine[]): boolean =>
  scan.by === 'camera' &&
  lines.some(({ code, at }) => code === scan.code && Math.abs(scan.at - at) < repeatMs)

/** What surrounds a scan; a reader is not `settled` when left too long, or proposed and not in sight. */
export type Counter = {
  chosen: LaneReader | null
  settled: 'yes' | 'left-alone' | 'unseen'
  lines: readonly LaneLine[]
  fast_input: boolean
  may: Omit<May, 'override'>
  /** The only movement that a person's button allows. */
  only?: Movement
  /** `kind` counts where nobody knows the code: its looks tell it, or a person's press. */
  read: { code: string; kind: CodeKind | null }
  /** A person has pressed what the code is. */
  said?: CodeKind | undefined
}

export type Decision =
  | { do: 'choose'; chosen: LaneReader }
  | { do: 'lend'; copy: ScannedCopy; known: KnownCopy; to: ScannedReader }
  /** The device knows no more than a code of the copy, of the reader or of both. */
  | { do: 'lend-to-verify'; copy: ScannedCopy; to: LaneReader }
  | { do: 'return'; copy: ScannedCopy }
  | { do: 'receive'; copy: ScannedCopy }
  | { do: 'ask-reader'; copy: ScannedCopy; to: LaneReader | null }
  | { do: 'open-form'; copy: ScannedCopy; to: LaneReader | null }
  | { do: 'say'; step: Ended; copy: ScannedCopy | null }

/** What a scan means here and now. */
export function decide(found: Found, scan: Pick<Scan, 'at'>, counter: Counter): Decision {
  if (found.kind === 'reader') return { do: 'choose', chosen: found.chosen }
  if (found.kind === 'copy') {
    const { copy, card } = found
    if (!card || counter.said === 'copy') return decideCopy(copy, scan, counter)
    if (counter.said === 'beneficiary') return { do: 'choose', chosen: card }
    return refuse(cardAndCopy(copy.title, card, 'Lequel est lu\u202f?'), null, ['is-card', 'is-copy'])
  }
  if (found.kind === 'isbn') return refuse(nobodysWords(found), null, ['add-copy'])
  // A copy lent at another site lies on this counter: it is brought back.
  if (found.kind === 'elsewhere') {
    const copy = { ...bareCopy(found.code), title: found.title }
    return found.isLent && counter.may.return && counter.only !== 'lend'
      ? { do: 'return', copy }
      : refuse(nobodysWords(found), copy, found.isLent ? [] : ['change-site'])
  }
  if (found.answer === 'offline') return decideUnknown(nobodysWords(found), counter)
  const { kind } = counter.read
  if (!isNobodysForSure(found)) return refuse(nobodysWords(found), null, ['again', ...optionsBack(kind)])
  return refuse(nobodysWords(found), null, ['add-copy'])
}

/** Whether a code that chose nobody may be somebody's card, by its looks: no label of the library, a misread one neither, and no ISBN. */
export const mayBeCard = (
  code: string,
  { kind_of, resembles }: { kind_of: KindOf; resembles: KindOf },
): boolean => {
  const kind = kind_of(code)
  return kind === 'beneficiary' || (kind === null && resembles(code) !== 'copy' && findIsbn13(code) === null)
}
type KindOf = (code: string) => CodeKind | null

/** Of what could not be looked up: a label is on a copy, which may be brought back; otherwise a person says that it is one. */
export const optionsBack = (kind: CodeKind | null): LineOption[] =>
  kind === 'beneficiary' ? [] : [kind ? 'return' : 'is-copy']

/** Off line a card is believed to be somebody's and a label some copy's: the server finds them later, or a person does. */
function decideUnknown(unknown: string, { chosen, settled, may, read: { code, kind } }: Counter): Decision {
  if (kind === null) return refuse(cardOrCopy(code), null, ['is-card', 'is-copy'])
  if (!may.lend) return refuse(unknown, null, ['again', ...optionsBack(kind)])
  if (kind === 'beneficiary') return { do: 'choose', chosen: { card: code } satisfies CardToVerify }
  if (chosen && settled === 'unseen') return askWhether(bareCopy(code), chosen, ['lend', 'return'])
  return chosen && settled === 'yes'
    ? { do: 'lend-to-verify', copy: bareCopy(code), to: chosen }
    : refuse(unknown, null, ['again', 'return'])
}

function decideCopy(copy: ScannedCopy, { at }: Pick<Scan, 'at'>, counter: Counter): Decision {
  const { known, loan } = copy
  const { chosen, may } = counter
  if (copy.sold) return refuse(copy.sold, copy)
  const recent = chosen && recentMovement(copy, at, chosen, counter.lines)
  if (loan) {
    if (counter.only === 'lend') return ask('Cet exemplaire est en prêt.', copy, ['return'], chosen)
    if (recent === 'lend') return ask('Déjà prêté à l’instant.', copy, ['return'], chosen)
    if (!may.return)
      return refuse(
        'Cet exemplaire est en prêt, et votre profil ne permet pas d’enregistrer un retour.',
        copy,
      )
    return { do: 'return', copy }
  }
  if (!known) return refuse(notForQuickInput, copy)
  const obstacle = obstacleToLend(known.copy, null)
  if (obstacle?.is === 'unavailable') {
    if (obstacle.status === 'En transfert' && may.receive) return { do: 'receive', copy }
    // Its return may be kept, whatever the device believes, because it lies on the counter.
    return refuse(obstacle.status === 'En Location' ? noLoanToReturn : notForQuickInput, copy, ['return'])
  }
  const settled = counter.settled === 'yes' ? chosen : null
  if (obstacle?.is === 'for-sale')
    // A sale has a price to look at: its form opens with what is known, as after a refused loan.
    return may.sell ? { do: 'open-form', copy, to: settled } : refuse(notForQuickInput, copy)
  if (!may.lend)
    return refuse('Cet exemplaire est disponible, et votre profil ne permet pas de prêter.', copy)
  // A button that says to whom is no second scan of the same label.
  if (recent === 'return' && counter.only !== 'lend')
    return ask('Déjà rendu à l’instant.', copy, ['lend'], chosen)
  // The form takes no card that is nobody's.
  if (!counter.fast_input && !(settled && isCard(settled))) return { do: 'open-form', copy, to: settled }
  if (chosen && counter.settled === 'unseen') return askWhether(copy, chosen)
  if (!settled) return { do: 'ask-reader', copy, to: chosen }
  return isCard(settled)
    ? { do: 'lend-to-verify', copy, to: settled }
    : { do: 'lend', copy, known, to: settled }
}

/** Whether the copy was returned and lent again since its row was drawn: numbers of loans grow. */
export const isLentSince = ({ loan }: ScannedCopy, of: OpenLoan): boolean =>
  loan !== null &&
  of.loan_id !== null &&
  // An entry of the outbox has no number yet, and may be this very loan, whose answer was lost.
  (loan.loan_id === null ? loan.beneficiary_id !== of.beneficiary_id : loan.loan_id > of.loan_id)

export const lentSinceWords = ({ title, known }: ScannedCopy): string =>
  `«\u00a0${title}\u00a0» a été rendu et prêté à ${known?.borrower ? fullName(known.borrower) : 'un autre lecteur'} depuis.`

/** The copy, with the loan of its row where this device knows another one or none. */
export function copyOfRow(copy: ScannedCopy, of: OpenLoan): ScannedCopy {
  if (copy.loan?.loan_id === of.loan_id) return copy
  return { ...copy, loan: of, known: copy.known && { ...copy.known, loan: of, borrower: null } }
}

export const askWhether = (
  copy: ScannedCopy,
  to: LaneReader,
  options: LineOption[] = ['lend'],
): Extract<Decision, { do: 'say' }> => ask(`Prêter à ${nameWithin(to)}\u202f?`, copy, options, to)

/** What only the whole loan can settle: the line waits for it. */
export const askInForm = (copy: ScannedCopy, to: LaneReader | null): Extract<Step, { name: 'asks' }> => {
  const isSale = copy.known?.copy.type !== 'Location'
  const message = isSale ? 'À vendre\u202f: vérifiez le prix.' : 'Vérifiez le prêt avant de l’enregistrer.'
  return { name: 'asks', signal: 'warning', message, details: [], options: ['open-form'], to, choice: {} }
}

/** What was done with this copy for this reader within a minute, so that a second scan undoes nothing. */
function recentMovement(
  copy: ScannedCopy,
  at: number,
  reader: LaneReader,
  lines: readonly LaneLine[],
): Movement | null {
  const last = lines.findLast((line) => line.step.name === 'kept' && line.copy?.bar_code === copy.bar_code)
  if (last?.step.name !== 'kept' || last.with_reader !== readerKey(reader) || at - last.at > justDoneMs)
    return null
  return last.step.act
}

const refuse = (message: string, copy: ScannedCopy | null = null, options: LineOption[] = []): Decision => ({
  do: 'say',
  copy,
  step: { name: 'said', signal: 'refusal', message, options },
})

const ask = (
  message: string,
  copy: ScannedCopy,
  options: LineOption[],
  to: LaneReader | null,
): Extract<Decision, { do: 'say' }> => ({
  do: 'say',
  copy,
  step: { name: 'asks', signal: 'warning', message, details: [], options, to, choice: {} },
})

/** What the device's rules say of a loan, and what the server said of their refusals; null where it was not asked or did not answer. */
export type LoanJudged = {
  today: CalendarDay
  judged: LendJudgement
  server: { eligible: boolean; messages: string[] } | null
}

/** What speaks against lending at the medium's terms, as a question or a refusal; null for nothing. */
export function objectionTo(
  known: KnownCopy,
  to: ScannedReader,
  choice: LendChoice,
  { today, judged, server }: LoanJudged,
): Ended | null {
  const { obstacle, refusals, due, verdict } = judged
  if (obstacle) return { name: 'said', signal: 'refusal', message: obstacle.message, options: [] }
  // A loan may have been returned elsewhere, or a rule changed, and the server knows.
  if (choice.override_reason === undefined && refusals.length > 0 && !server?.eligible)
    return {
      name: 'asks',
      signal: 'refusal',
      message: readerNotEligible,
      details: server?.messages ?? [...verdict.reasons],
      options: ['override', 'open-form'],
      to,
      choice,
    }
  const sought = { reader: to.reader.id, copy: known.copy.id, start_date: today, end_date: due }
  const before = reservationsBefore(known.reservations, sought, known.capacity)
  if (choice.despite_reservations !== true && before.length > 0)
    return {
      name: 'asks',
      signal: 'warning',
      message: copyReserved,
      details: [...before.map(whoWaits), reservedQuestion],
      options: ['despite-reservations', 'open-form'],
      to,
      choice,
      awaited: awaitedBy(before, known.copy.id, today),
    }
  const { medium } = known
  if (medium?.loaning_conditions_enabled && choice.conditions_given === undefined)
    return {
      name: 'asks',
      signal: 'warning',
      message: 'Conditions de prêt à remettre.',
      details: [medium.loaning_conditions_label ?? ''],
      // The whole form would lead away from the copies that wait behind it.
      options: ['conditions', 'no-conditions'],
      to,
      choice,
    }
  return null
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

/** What was answered for the last copy of that medium that this reader was lent here: it is handed over once. */
export function conditionsGivenBefore(
  reader: number,
  medium: number,
  lines: readonly LaneLine[],
): boolean | undefined {
  const answers = lines.flatMap(({ step, copy }) =>
    step.name === 'kept' && step.to && readerKey(step.to) === reader && copy?.known?.medium?.id === medium
      ? (step.choice.conditions_given ?? [])
      : [],
  )
  return answers.at(-1)
}

const rightFor: Partial<Record<LineOption, keyof May>> = {
  return: 'return',
  lend: 'lend',
  continue: 'lend',
  override: 'override',
  'despite-reservations': 'lend',
  conditions: 'lend',
  'no-conditions': 'lend',
  waive: 'return',
  'is-card': 'lend',
}

/**
 * The options of a line for these rights, which make its buttons and are checked again when a pressed one's turn comes;
 * `entry` is its state in the outbox.
 */
export function optionsOf({ step }: Pick<LaneLine, 'step'>, entry: Entry | null, may: May): LineOption[] {
  return offered(step, entry).filter((option) => {
    // It lends, and sells.
    if (option === 'open-form') return may.lend || may.sell === true
    const right = rightFor[option]
    return right === undefined || may[right]
  })
}

/** For whom a loan is asked about, or was refused. */
export const readerAskedFor = ({ step }: Pick<LaneLine, 'step'>): LaneReader | null =>
  step.name === 'asks' || step.name === 'kept' ? step.to : null

/** Whether the whole loan can make what stopped here: of whoever has no right to borrow, it asks a right to override as well. */
export const helpsInForm = (line: Pick<LaneLine, 'step'>, entry: Entry | null, may: May): boolean =>
  optionsOf(line, entry, may).includes('open-form') &&
  (may.override ||
    !offered(line.step, entry).includes('override') ||
    entry?.problem?.reason === 'BEYOND_BOUNDS')

/** Nothing was refused: only the whole loan can make it. */
export const isForForm = ({ step }: Pick<LaneLine, 'step'>): boolean =>
  step.name === 'asks' && step.options.length === 1 && step.options[0] === 'open-form'

function offered(step: Step, entry: Entry | null): readonly LineOption[] {
  switch (step.name) {
    case 'asks':
    case 'said':
      return step.options
    case 'asks-reader':
      // It may lie there to be taken back, whatever this device believes.
      if (step.is_over) return ['again', 'return']
      return step.to ? ['continue', 'return'] : ['return']
    case 'kept':
      if (isRefused(entry)) return optionsAfter(step, entry)
      return (['waive', 'lend'] as const).filter((option) =>
        option === 'waive' ? penaltyKept(step, entry) : step.not_theirs?.is_lent === false,
      )
    case 'looking':
    case 'reader':
    case 'taken-back':
    case 'sold':
    case 'set-aside':
    case 'received':
      return []
  }
}

/** What a return costs: by the server where it has answered; null for nothing. */
export function penaltyKept({ act, penalty }: Kept, entry: Entry | null): string | null {
  if (act === 'lend') return null
  const receipt = entry?.state === 'done' ? (entry.receipt as Partial<ReturnedLoan> | null) : null
  return receipt ? (receipt.penalty?.total ?? null) : penalty
}

/** Options after a refusal that the counter can take at once; the others are among the waiting actions. */
function optionsAfter({ act, to }: Kept, entry: Entry): LineOption[] {
  const { problem } = entry
  if (act === 'return' || !to) return []
  // Neither the rules nor the form here take a code.
  if (isToVerify(entry)) return problem?.reason === 'ALREADY_LENT' ? ['return'] : []
  if (problem?.reason === 'NOT_ELIGIBLE' || problem?.reason === 'BEYOND_BOUNDS')
    return ['override', 'open-form']
  if (problem?.reason === 'RESERVED') return ['despite-reservations']
  return problem?.reason === 'ALREADY_LENT' ? ['return'] : []
}

/** How long copies and readers wait for each other, in milliseconds. */
export type LaneTimes = { wait: number; idle: number; forget: number }

export const deliveredTimes: LaneTimes = { wait: 60_000, idle: 90_000, forget: 180_000 }

/** From parameters in seconds. */
export const timesOf = (seconds: Record<keyof LaneTimes, number | undefined>): LaneTimes => ({
  wait: milliseconds(seconds.wait, deliveredTimes.wait),
  idle: milliseconds(seconds.idle, deliveredTimes.idle),
  forget: milliseconds(seconds.forget, deliveredTimes.forget),
})

const milliseconds = (seconds: number | undefined, delivered: number): number =>
  seconds === undefined ? delivered : seconds * 1000

/** A clock put back tells nothing, so ahead counts like ago. */
export function presenceAfter(quietMs: number, { idle, forget }: LaneTimes): Presence {
  const quiet = Math.abs(quietMs)
  return quiet >= forget ? 'gone' : quiet >= idle ? 'idle' : 'here'
}

/** Whether a copy has waited too long. */
export const isOver = ({ at }: Pick<LaneLine, 'at'>, now: number, { wait }: LaneTimes): boolean =>
  Math.abs(now - at) > wait

/** What a reader means for a waiting copy: `lend` only if nothing but its group came between the scans. */
export function meetReader(
  waiting: LaneLine,
  reader: LaneLine,
  lines: readonly LaneLine[],
  times: LaneTimes,
): 'lend' | 'ask' | 'over' {
  if (isOver(waiting, reader.at, times)) return 'over'
  if (waiting.gestures !== reader.gestures) return 'ask'
  const placeOf = ({ key }: LaneLine) => lines.findIndex((line) => line.key === key)
  return lines.slice(placeOf(waiting) + 1, placeOf(reader)).every(isOfTheGroup) ? 'lend' : 'ask'
}

/** Another copy; an unknown code may have been another person's card. */
const isOfTheGroup = ({ copy, step }: LaneLine): boolean =>
  copy !== null && step.name !== 'kept' && step.name !== 'reader' && step.name !== 'looking'

/** A morning's lane; older lines are in the outbox and on the server. */
const longestLane = 80

/** Drops the oldest finished lines, but never a scan that waits for its turn. */
export function withoutOldest(lines: readonly LaneLine[]): readonly LaneLine[] {
  let surplus = lines.length - longestLane
  return surplus <= 0 ? lines : lines.filter((line) => surplus <= 0 || !isFinished(line) || surplus-- <= 0)
}

/** Whether neither a scan nor a person's answer is still to come. */
const isFinished = ({ step, under_way }: LaneLine): boolean =>
  under_way === null &&
  (step.name === 'said'
    ? step.options.every((option) => option === 'add-copy')
    : step.name === 'kept' ||
      step.name === 'reader' ||
      step.name === 'taken-back' ||
      step.name === 'sold' ||
      step.name === 'set-aside' ||
      step.name === 'received')
