import type { CodeKind } from '../../domain/code-shapes.ts'
import { fullName } from '../../domain/person-names.ts'
import { noLoanToReturn, notForQuickInput } from '../../domain/sentences/counter.ts'
import type { KnownCopy } from '../../offline/counter.ts'
import type { Verdict } from '../../offline/verdict.ts'
import type { ScannedReader } from '../beneficiaries/beneficiary-data.ts'
import type { Awaited } from '../reservations/awaited.ts'
import { type Found, isNobodysForSure, nobodysWords, type ScannedCopy } from '../find/found.ts'
import type { Entry } from '../../offline/entry.ts'
import type { ScanSignal } from '../scanner/scan-feedback.ts'

// The lane's rules are pure: what is known comes in, what to do goes out.

/** A camera may see one label twice, while a person who types means it. */
export type Mouth = 'camera' | 'scanner' | 'fingers'

export type Scan = { key: string; code: string; at: number; by: Mouth }

/** A card that was read off line and is nobody's whom this device knows: the server will say whose it is. */
export type CardToVerify = { card: string }

/** A known reader comes with the relative whose card it was. */
export type LaneReader = ScannedReader | CardToVerify

export const isCard = (to: LaneReader): to is CardToVerify => 'card' in to

/** A reader's number, or what is read on the card that stands for them. */
export type ReaderKey = number | string

export const readerKey = (to: LaneReader): ReaderKey => (isCard(to) ? to.card : to.reader.id)

export type Act = 'lend' | 'return'

/** Each is a button. */
export type Way =
  | 'return'
  | 'lend'
  | 'continue'
  | 'override'
  | 'despite-reservations'
  | 'open-form'
  | 'again'
  | 'export'
  | 'add-copy'
  | 'conditions'
  | 'no-conditions'
  | 'is-card'
  | 'is-copy'

/** What a person granted to a loan so far, and the refused action's key. */
export type LendChoice = {
  override_reason?: string
  despite_reservations?: boolean
  conditions_given?: boolean
  resolves?: string
}

export type May = { lend: boolean; return: boolean; override: boolean; sell?: boolean; receive?: boolean }

/** A line's state until the outbox takes it over. */
export type Step =
  | { name: 'looking' }
  | { name: 'reader'; chosen: LaneReader }
  /** `to` left too long ago but may still be meant; `is_over` no longer waits for a card. */
  | { name: 'asks-reader'; to: LaneReader | null; is_over: boolean }
  | {
      name: 'asks'
      signal: ScanSignal
      message: string
      details: string[]
      ways: Way[]
      to: LaneReader | null
      choice: LendChoice
      /** For whom it may be set aside instead. */
      awaited?: Awaited | null
    }
  | {
      name: 'kept'
      act: Act
      entry_id: string
      /** Who borrows or had it; null where the device does not know. */
      reader: string | null
      to: LaneReader | null
      choice: LendChoice
      /** The device's judgement at lending; null for a return. */
      verdict: Verdict | null
      due: string | null
      /** Why it is due that day, and that its medium is lent on another weekday. */
      of_its_days: string[]
      days_late: number
      /** By the rules, before the server says so. */
      penalty: string | null
      /** A reference that someone waits for. */
      reserved: number | null
      /** For whom the device would set it aside; lines of before have none. */
      awaited?: Awaited | null
      /** Before whom another reader's copy came back; `is_lent` once it was passed on. Lines of before have none. */
      not_theirs?: { chosen: LaneReader; is_lent: boolean } | null
      /** What a loan costs by the rules, before the server says so; null for nothing. */
      amount?: string | null
    }
  | { name: 'taken-back'; was: string }
  /** It left for good, at a price that is null for nothing. */
  | { name: 'sold'; to: string; price: string | null }
  /** It was in transfer to this site. */
  | { name: 'received'; from: string; awaited?: Awaited | null }
  /** `unsaved` is the action that the device could not keep. */
  | { name: 'said'; signal: ScanSignal; message: string; ways: Way[]; unsaved?: Entry }

export type LaneLine = Scan & {
  step: Step
  copy: ScannedCopy | null
  /** The same gesture means another thing for the next reader. */
  with_reader: ReaderKey | null
  /** Why what was asked could not be done. */
  trouble: string | null
  /** Asked again while under way, it is one gesture. */
  under_way: Way | 'take-back' | null
  /** The number of gestures other than scans until then. */
  gestures: number
  before: Before
  /** The reader whom this scan confirmed. */
  confirmed: LaneReader | null
}

/** At the scan; `in_sight` when the proposed reader's card could be read. */
export type Before = { proposed: LaneReader | null; in_sight: boolean; chosen: LaneReader | null }

export const nameOf = (to: LaneReader): string => {
  if (isCard(to)) return `Carte ${to.card}`
  const { reader, relative } = to
  const own = fullName(reader)
  const other = reader.relatives.find(({ id }) => id === relative)
  return other ? `${own} (carte de ${other.name})` : own
}

/** « Rendu par Léa Petit, n’était pas prêté à Amine Vidal » where another reader stands at the counter. */
export function returnedWords(reader: string | null, chosen?: LaneReader): string {
  if (reader === null) return 'Rendu'
  return chosen ? `Rendu par ${reader}, n’était pas prêté à ${nameOf(chosen)}` : `Rendu (prêté à ${reader})`
}

export function isSameReader(one: LaneReader | null, other: LaneReader | null): boolean {
  if (one === null || other === null) return one === other
  const relativeOf = (to: LaneReader) => (isCard(to) ? null : to.relative)
  return readerKey(one) === readerKey(other) && relativeOf(one) === relativeOf(other)
}

/** Until its copy is found, a line has the scanned code. */
export const barCodeOf = ({ copy, code }: Pick<LaneLine, 'copy' | 'code'>): string => copy?.bar_code ?? code

/** Page of calls, « undo ». */
export const undoMs = 10 * 60_000

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
  /** The only act that a person's button allows. */
  only?: Act
  /** `kind` counts where nobody knows the code: its looks tell it, or a person's press. */
  read: { code: string; kind: CodeKind | null }
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
  | { do: 'say'; step: Extract<Step, { name: 'said' | 'asks' }>; copy: ScannedCopy | null }

/** What a scan means here and now. */
export function decide(found: Found, scan: Pick<Scan, 'at'>, counter: Counter): Decision {
  if (found.kind === 'reader') return { do: 'choose', chosen: found.chosen }
  if (found.kind === 'copy') return decideCopy(found.copy, scan, counter)
  if (found.kind === 'isbn') return refuse(nobodysWords(found), null, ['add-copy'])
  // A copy lent at another site lies on this counter: it is brought back.
  if (found.kind === 'elsewhere')
    return found.isLent && counter.may.return && counter.only !== 'lend'
      ? { do: 'return', copy: { bar_code: found.code, title: found.title, known: null, loan: null } }
      : refuse(nobodysWords(found), null, [])
  if (found.answer === 'offline') return decideUnknown(nobodysWords(found), counter)
  const isSure = isNobodysForSure(found)
  const back = waysBack(counter.read.kind)
  if (isSure && found.elsewhere && back.length > 0)
    return refuse(`${nobodysWords(found)} ${broughtBack}`, null, ['add-copy', ...back])
  return isSure
    ? refuse(nobodysWords(found), null, ['add-copy'])
    : refuse(nobodysWords(found), null, ['again', ...back])
}

/** A reader's card is nothing to return. */
export const waysBack = (kind: CodeKind | null): Way[] => (kind === 'beneficiary' ? [] : ['return'])

/** Off line a card is believed to be somebody's and a label some copy's: the server finds them later, or a person does. */
function decideUnknown(unknown: string, { chosen, settled, may, read: { code, kind } }: Counter): Decision {
  if (!may.lend) return refuse(unknown, null, ['again', ...waysBack(kind)])
  if (kind === 'beneficiary') return { do: 'choose', chosen: { card: code } }
  if (kind === null) return refuse(cardOrCopy(code), null, ['is-card', 'is-copy'])
  return chosen && settled === 'yes'
    ? { do: 'lend-to-verify', copy: { bar_code: code, title: code, known: null, loan: null }, to: chosen }
    : refuse(unknown, null, ['again', 'return'])
}

const cardOrCopy = (code: string): string =>
  `Code inconnu de cet appareil\u202f: «\u00a0${code}\u00a0». Est-ce une carte ou un exemplaire\u202f?`

const broughtBack = 'S’il est rendu ici, le retour peut être enregistré.'

function decideCopy(copy: ScannedCopy, { at }: Pick<Scan, 'at'>, counter: Counter): Decision {
  const { known, loan } = copy
  const { chosen, may } = counter
  const recent = chosen && recentAct(copy, at, chosen, counter.lines)
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
  // Its return may be kept, whatever the device believes, because it lies on the counter.
  if (known.copy.status === 'En Location') return refuse(noLoanToReturn, copy, ['return'])
  if (known.copy.status === 'En transfert' && may.receive) return { do: 'receive', copy }
  if (known.copy.status !== 'Disponible') return refuse(notForQuickInput, copy, ['return'])
  const settled = counter.settled === 'yes' ? chosen : null
  if (known.copy.type !== 'Location')
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

export const askWhether = (copy: ScannedCopy, to: LaneReader): Extract<Decision, { do: 'say' }> =>
  ask(`Prêter à ${nameOf(to)}\u202f?`, copy, ['lend'], to)

/** What only the whole loan can settle: the line waits for it. */
export const askInForm = (copy: ScannedCopy, to: LaneReader | null): Extract<Step, { name: 'asks' }> => {
  const isSale = copy.known?.copy.type !== 'Location'
  const message = isSale ? 'À vendre\u202f: vérifiez le prix.' : 'Vérifiez le prêt avant de l’enregistrer.'
  return { name: 'asks', signal: 'warning', message, details: [], ways: ['open-form'], to, choice: {} }
}

/** What was done with this copy for this reader within a minute, so that a second scan undoes nothing. */
function recentAct(
  copy: ScannedCopy,
  at: number,
  reader: LaneReader,
  lines: readonly LaneLine[],
): Act | null {
  const last = lines.findLast((line) => line.step.name === 'kept' && line.copy?.bar_code === copy.bar_code)
  if (last?.step.name !== 'kept' || last.with_reader !== readerKey(reader) || at - last.at > justDoneMs)
    return null
  return last.step.act
}

const refuse = (message: string, copy: ScannedCopy | null = null, ways: Way[] = []): Decision => ({
  do: 'say',
  copy,
  step: { name: 'said', signal: 'refusal', message, ways },
})

const ask = (
  message: string,
  copy: ScannedCopy,
  ways: Way[],
  to: LaneReader | null,
): Extract<Decision, { do: 'say' }> => ({
  do: 'say',
  copy,
  step: { name: 'asks', signal: 'warning', message, details: [], ways, to, choice: {} },
})
