import { type CalendarDay, frenchDay } from '../../domain/calendar-day.ts'
import { frenchMoney } from '../../domain/money.ts'
import type { LentLoan } from '../../contract/loans.ts'
import type { ReturnedLoan } from '../../contract/returns.ts'
import { reservedQuestion } from '../../domain/sentences/counter.ts'
import { type Entry, isRefused } from '../../offline/entry.ts'
import type { Tone } from '../ui/status-tag.tsx'
import { type Awaited, awaitedBy, awaitedIn, freedWords } from '../reservations/awaited.ts'
import { passedWords, reservedWords } from '../reservations/reservation-words.ts'
import { kindOf } from '../outbox/outbox-entries.ts'
import { kindWords, verifiedLater } from '../counter/refused.ts'
import { openDaysCounted } from '../loans/penalty-words.ts'
import { counted } from '../ui/words.ts'
import { copyLeftUnusable } from '../outbox/unusable-return.ts'
import { keptWord, otherSide, stateWords } from '../outbox/entry-words.ts'
import { isToVerify } from '../../offline/to-verify.ts'
import {
  isCard,
  type Kept,
  type LaneLine,
  type LaneReader,
  type May,
  nameOf,
  nameWithin,
  returnedWords,
  type Step,
  undoMs,
  type LineOption,
} from './lane.ts'
import { optionsOf, penaltyKept } from './lane-rules.ts'

export type LaneIcon = 'lend' | 'return' | 'reader' | 'looking' | 'question' | 'stop' | 'undone'

/** A line in words: what, who and until when, its state, notes and options. */
export type LineWords = {
  icon: LaneIcon
  title: string
  sentence: string
  /** What a loan costs, or null for nothing. */
  price: string | null
  state: { word: string; tone: Tone }
  notes: { tone: 'good' | 'warn' | 'bad' | 'quiet'; text: string }[]
  /** The reference whose reservations are to be read. */
  reserved: number | null
  /** For whom it is set aside, its copy, and whether the server knows that it is here; `isOffer` instead of lending it. */
  awaited: { by: Awaited; copy: number | null; isRecorded: boolean; isOffer?: true } | null
  /** The copy that came back unusable, null while only this device knows it; undefined for any other. */
  unusable: number | null | undefined
  /** The copy that came back here, and where it is to be sent. */
  sendHome: { copy: number; site: { id: number; name: string } } | null
  options: LineOption[]
  /** Whether a refusal is to be settled among the waiting actions. */
  toSettle: boolean
  /** The button that undoes it, or null. */
  takeBack: string | null
}

/**
 * `now` is in epoch milliseconds; the device's judgement counts off line, the server's answer on line; `under`
 * is the name that the line stands under, or null.
 */
type Moment = { now: number; today: CalendarDay; isOnline: boolean; may: May; under: string | null }

/** `entry` is the line's state in the outbox. */
export function lineWordsOf(line: LaneLine, entry: Entry | null, moment: Moment): LineWords {
  const { step } = line
  const title = line.copy?.title ?? line.code
  const plain = {
    title,
    price: null,
    notes: noteOf(line.trouble),
    reserved: null,
    awaited: null,
    unusable: undefined,
    sendHome: null,
    options: optionsOf(line, entry, moment.may).filter((option) => isOfUse(option, step, moment)),
    toSettle: false,
    takeBack: 'Retirer',
  }
  switch (step.name) {
    case 'looking':
      return {
        ...plain,
        icon: 'looking',
        sentence: '',
        state: { word: 'Recherche…', tone: 'wait' },
        takeBack: null,
      }
    case 'reader':
      return {
        ...plain,
        icon: 'reader',
        title: nameOf(step.chosen),
        sentence: isCard(step.chosen) ? toVerifyWord : step.chosen.reader.label,
        state: { word: 'Lecteur', tone: 'quiet' },
        takeBack: null,
      }
    case 'asks-reader': {
      const awaited = awaitedNow(line, moment.today)
      return {
        ...plain,
        icon: 'question',
        sentence: waitingSentence(step, awaited),
        state: step.is_over
          ? { word: 'Plus en attente', tone: 'bad' }
          : { word: 'Attend un lecteur', tone: 'warn' },
        awaited: awaited?.is_set_aside ? null : offerOf(line, awaited),
      }
    }
    case 'asks': {
      const first = step.options.includes('lend') ? awaitedByAnother(line, step, moment) : null
      return {
        ...plain,
        icon: step.signal === 'refusal' ? 'stop' : 'question',
        sentence: first ? `${reservedWords(first)}. ${step.message}` : step.message,
        state:
          step.signal === 'refusal' ? { word: 'Refusé', tone: 'bad' } : { word: 'À confirmer', tone: 'warn' },
        notes: [...step.details.map((text) => ({ tone: 'quiet' as const, text })), ...plain.notes],
        awaited: offerOf(line, step.awaited ?? (first?.is_set_aside ? null : first)),
      }
    }
    case 'said':
      return {
        ...plain,
        icon: 'stop',
        sentence: step.message,
        state: step.options.includes('is-copy')
          ? { word: 'À confirmer', tone: 'warn' }
          : { word: 'Refusé', tone: 'bad' },
      }
    case 'taken-back':
      return {
        ...plain,
        icon: 'undone',
        sentence: '',
        state: { word: step.was, tone: 'quiet' },
        takeBack: null,
      }
    case 'sold':
      return {
        ...plain,
        icon: 'lend',
        sentence: step.to === moment.under ? '' : `Vendu à ${step.to}`,
        price: step.price === null ? null : frenchMoney(step.price),
        state: { word: 'Vendu', tone: 'good' },
        takeBack: null,
      }
    case 'set-aside':
      return {
        ...plain,
        icon: 'return',
        sentence: '',
        state: { word: 'Non prêté', tone: 'quiet' },
        awaited: {
          by: { ...step.awaited, is_set_aside: true },
          copy: line.copy?.known?.copy.id ?? null,
          isRecorded: true,
        },
        takeBack: null,
      }
    case 'received':
      return {
        ...plain,
        icon: 'return',
        sentence: `Reçu de ${step.from}`,
        state: { word: 'Reçu', tone: 'good' },
        awaited: step.awaited
          ? { by: step.awaited, copy: line.copy?.known?.copy.id ?? null, isRecorded: true }
          : null,
        takeBack: null,
      }
    case 'kept':
      return keptWords(line, step, entry, moment)
  }
}

/** On line this device knows whether a copy is lent: only off line may one that it believes free lie there to be taken back. */
const isOfUse = (option: LineOption, { name }: Step, { isOnline }: Moment): boolean =>
  option !== 'return' || name !== 'asks-reader' || !isOnline

function waitingSentence(
  { to, is_over }: Extract<Step, { name: 'asks-reader' }>,
  awaited: Awaited | null,
): string {
  if (is_over) return 'Scannez-le de nouveau, ou retirez-le\u202f: aucun lecteur n’est venu à temps.'
  const state = awaited ? reservedWords(awaited) : 'Disponible'
  if (to) return `${state}\u202f: encore pour ${nameWithin(to)}\u202f? Sinon, scannez la carte du lecteur.`
  return awaited
    ? `${state}\u202f: scannez sa carte pour le lui prêter${awaited.is_set_aside ? '' : ', ou mettez-le de côté'}.`
    : `${state}\u202f: scannez la carte du lecteur, ou cherchez son nom.`
}

/** Who is served first by a copy that is here. */
const awaitedNow = ({ copy }: LaneLine, today: CalendarDay): Awaited | null =>
  copy?.known ? awaitedBy(copy.known.reservations, copy.known.copy.id, today) : null

/** Before the rules are asked, whoever is asked about may be the one who waits. */
function awaitedByAnother(
  line: LaneLine,
  { to }: Extract<Step, { name: 'asks' }>,
  { today }: Moment,
): Awaited | null {
  const awaited = awaitedNow(line, today)
  return awaited && to && awaited.name !== nameOf(to) ? awaited : null
}

function keptWords(
  line: LaneLine,
  step: Kept,
  entry: Entry | null,
  { now, isOnline, may, under }: Moment,
): LineWords {
  const receipt = entry?.state === 'done' ? (entry.receipt as Partial<ReturnedLoan> | null) : null
  const refused = isRefused(entry)
  // A loan of a closed site is not the person's to open again.
  const isElsewhere = receipt?.copy !== undefined && receipt.beneficiary === undefined
  const awaited = refused
    ? offerOf(line, step.act === 'lend' ? (awaitedIn(entry.problem)[0] ?? null) : null)
    : awaitedOf(line, step, receipt)
  const isUnverified = entry !== null && isToVerify(entry) && kindOf(entry) === 'waiting'
  const canTakeBack = entry?.state !== 'set_aside' && !isElsewhere && (refused || now - line.at < undoMs)
  return {
    icon: refused ? 'stop' : step.act,
    // Once it has answered, the server tells what was but a code.
    title: ((isElsewhere || !line.copy?.known) && receipt?.reference_name) || (line.copy?.title ?? line.code),
    sentence:
      step.act === 'return'
        ? returnedWords(step.reader)
        : isUnverified || (entry && kindOf(entry) === 'refused')
          ? notLentSentence(step, under)
          : lendSentence(step, receipt, under),
    price: refused ? null : priceOf(step, receipt),
    state: isUnverified ? { word: toVerifyWord, tone: 'warn' } : keptState(entry, isOnline),
    notes: [
      ...(line.confirmed
        ? [{ tone: 'quiet' as const, text: confirmedWords(nameOf(line.confirmed), under) }]
        : []),
      ...(refused ? refusalNotes(step, entry) : []),
      ...(isUnverified && !isOnline ? [{ tone: 'warn' as const, text: verifiedLater }] : []),
      ...(step.not_theirs
        ? [{ tone: 'warn' as const, text: `N’était pas prêté à ${nameOf(step.not_theirs.chosen)}.` }]
        : []),
      ...(step.act === 'return' && !refused ? returnNotes(step, entry, receipt, awaited !== null) : []),
      ...(step.act === 'lend' && !refused ? [...passedNotes(step), ...freedNotes(step, receipt)] : []),
      ...(refused ? [] : daysNotes(step, receipt)),
      ...(isOnline || (entry && kindOf(entry) !== 'waiting') ? [] : verdictNotes(step)),
      ...noteOf(line.trouble),
    ],
    reserved: refused ? null : reservedOf(step, receipt),
    awaited,
    unusable: refused || !entry ? undefined : copyLeftUnusable(entry),
    // Somebody waits for it: it stays here, or goes to where they fetch it.
    sendHome: refused || awaited ? null : homeOf(receipt),
    options: optionsOf(line, entry, may).filter((option) => option !== 'waive' || canTakeBack),
    toSettle: entry?.state === 'conflict',
    takeBack: canTakeBack ? 'Annuler' : null,
  }
}

const confirmedWords = (name: string, under: string | null): string =>
  name === under ? 'Choix confirmé par ce scan.' : `${name}\u202f: choix confirmé par ce scan.`

const homeOf = (receipt: Partial<ReturnedLoan> | null): LineWords['sendHome'] =>
  receipt?.home_site && receipt.copy !== undefined ? { copy: receipt.copy, site: receipt.home_site } : null

/** The device may be wrong until the server has answered. */
const reservedOf = (
  { reserved }: Pick<Kept, 'reserved'>,
  receipt: Partial<ReturnedLoan> | null,
): number | null => receipt?.reservation_reference ?? (receipt?.copy === undefined ? reserved : null)

/** By the server where it has answered; the name is the device's, because what is done keeps none. */
function awaitedOf(
  { copy }: LaneLine,
  { act, awaited }: Kept,
  receipt: Partial<ReturnedLoan> | null,
): LineWords['awaited'] {
  if (act !== 'return') return null
  if (receipt === null || receipt.copy === undefined) {
    return awaited ? { by: awaited, copy: copy?.known?.copy.id ?? null, isRecorded: false } : null
  }
  const told = receipt.awaited_by
  if (!told) return null
  const name = awaited?.id === told.id ? awaited.name : null
  return { by: { ...told, name }, copy: receipt.copy, isRecorded: true }
}

/** Its copy has not left: it may be set aside instead of being lent. */
const offerOf = ({ copy }: LaneLine, by: Awaited | null): LineWords['awaited'] =>
  by && { by, copy: copy?.known?.copy.id ?? null, isRecorded: true, isOffer: true }

/** That it is kept on the device, then the server's word; after a reload neither is known before the device was read. */
function keptState(entry: Entry | null, isOnline: boolean): { word: string; tone: Tone } {
  if (!entry) return { word: 'Lecture…', tone: 'wait' }
  if (entry.state === 'sending' || entry.state === 'queued')
    return { word: keptWord(isOnline, entry), tone: 'wait' }
  const refused: boolean = isRefused(entry)
  // As every line of the counter that was refused.
  if (refused) return { word: 'Refusé', tone: 'bad' }
  return stateWords[entry.state]
}

const toVerifyWord = 'À vérifier'

/** The heading has said to whom, so its lines say only until when. */
function lendSentence(
  { reader, due, to }: Kept,
  receipt: Partial<ReturnedLoan> | null,
  under: string | null,
): string {
  const until = receipt?.end_date ?? due
  if (until && reader !== null && reader === under) return `Retour le ${frenchDay(until)}`
  return `Prêté à ${to ? nameWithin(to) : (reader ?? '')}${until ? `, retour le ${frenchDay(until)}` : ''}`
}

/** What was refused, or is to be verified, is not lent, and comes back on no day. */
const notLentSentence = ({ reader, to }: Kept, under: string | null): string =>
  reader === null || reader === under ? '' : `Pour ${to ? nameWithin(to) : reader}`

function priceOf({ act, amount }: Kept, receipt: Partial<ReturnedLoan> | null): string | null {
  const price = act === 'lend' ? (receipt?.amount ?? amount) : null
  return price && Number(price) > 0 ? frenchMoney(price) : null
}

/** What the device explained of its date, unless the server gave another than it had said. */
function daysNotes({ due, of_its_days }: Kept, receipt: Partial<ReturnedLoan> | null): LineWords['notes'] {
  if (due !== null && receipt?.end_date !== undefined && receipt.end_date !== due) return []
  return of_its_days.map((text) => ({ tone: 'quiet' as const, text }))
}

const passedNotes = ({ choice: { passed = [] } }: Kept): LineWords['notes'] =>
  passed.length === 0 ? [] : [{ tone: 'warn', text: passedWords(passed) }]

/** By the server where it has answered. */
function freedNotes({ frees }: Kept, receipt: Partial<ReturnedLoan & LentLoan> | null): LineWords['notes'] {
  const isFreed = receipt === null ? frees : receipt.freed_copy !== undefined
  return isFreed ? [{ tone: 'warn', text: freedWords(receipt?.freed_copy?.bar_code ?? null) }] : []
}

/** How sure the device's judgement is, until the server answers. */
function verdictNotes({ verdict }: Kept): LineWords['notes'] {
  if (verdict === null) return []
  const why = verdict.reasons.join(' ')
  switch (verdict.colour) {
    case 'green':
      return [{ tone: 'good', text: 'Peut emprunter\u202f: règles vérifiées sur cet appareil.' }]
    case 'amber':
      return [{ tone: 'warn', text: `À vérifier\u202f: ${why.charAt(0).toLowerCase()}${why.slice(1)}` }]
    case 'red':
      return [{ tone: 'bad', text: `Prêté malgré un refus\u202f: ${why}` }]
  }
}

function returnNotes(
  step: Kept,
  entry: Entry | null,
  receipt: Partial<ReturnedLoan> | null,
  isNamed: boolean,
): LineWords['notes'] {
  const { days_late, is_waived = false, open_days, reserved } = step
  const total = penaltyKept(step, entry)
  const waived = is_waived ? ', pénalité levée' : ''
  const counts = open_days === null ? '' : `, ${openDaysCounted(receipt?.penalty_duration ?? open_days)}`
  const isReserved = !isNamed && reservedOf({ reserved }, receipt) !== null
  return [
    ...(days_late > 0
      ? [
          {
            tone: 'warn' as const,
            text: `${counted(days_late, 'jour', 'jours')} de retard${total ? `${counts}, pénalité ${frenchMoney(total)}` : waived}`,
          },
        ]
      : []),
    ...(isReserved
      ? [{ tone: 'warn' as const, text: 'Réservé\u202f: à mettre de côté pour la personne qui l’attend.' }]
      : []),
    ...(receipt?.home_site && !isNamed
      ? [{ tone: 'warn' as const, text: `À renvoyer à ${receipt.home_site.name}.` }]
      : []),
  ]
}

/** Why the server refused, who waits, and the question of the way out. */
function refusalNotes({ act }: Kept, { problem, device_id }: Entry): LineWords['notes'] {
  if (!problem) return []
  const asks = act === 'lend' && problem.reason === 'RESERVED'
  return [
    { tone: 'bad', text: problem.message },
    ...(asks ? [...otherSide(problem, device_id), reservedQuestion] : []).map((text) => ({
      tone: 'quiet' as const,
      text,
    })),
  ]
}

const noteOf = (trouble: string | null): LineWords['notes'] =>
  trouble === null ? [] : [{ tone: 'bad', text: trouble }]

/** An option's button, which names who would get the copy, unless `said` where it stands has the name already. */
export function optionLabel(
  option: LineOption,
  { step }: Pick<LaneLine, 'step'>,
  said: readonly string[] = [],
): string {
  const asked = namedBy(step)
  const name = asked && (isCard(asked) ? asked.card : nameOf(asked))
  const to = name !== null && said.some((words) => words.includes(name)) ? null : asked
  switch (option) {
    case 'return':
      return 'Rendre'
    case 'lend':
      return to ? `Prêter à ${nameWithin(to)}` : 'Prêter'
    case 'continue':
      return to ? `Continuer avec ${nameWithin(to)}` : 'Continuer'
    case 'override':
    case 'despite-reservations':
      return 'Prêter quand même'
    case 'conditions':
      return 'Conditions remises'
    case 'no-conditions':
      return 'Prêter sans les remettre'
    case 'waive':
      return 'Lever la pénalité'
    case 'open-form':
      return said.length > 0 ? 'Prêt complet' : 'Ouvrir le prêt complet'
    case 'again':
      return step.name === 'asks-reader' ? 'Attendre un lecteur' : 'Réessayer'
    case 'export':
      return 'Exporter les actions'
    case 'add-copy':
      return 'Ajouter l’exemplaire'
    case 'is-card':
      return kindWords.beneficiary
    case 'is-copy':
      return kindWords.copy
    case 'change-site':
      return 'Changer de site'
  }
}

const namedBy = (step: Step): LaneReader | null =>
  step.name === 'asks' || step.name === 'asks-reader'
    ? step.to
    : step.name === 'kept'
      ? (step.not_theirs?.chosen ?? null)
      : null
