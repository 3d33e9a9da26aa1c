import type { Symbology } from '../../domain/bar-code.ts'
import { fullName } from '../../domain/person-names.ts'
import { cardWords } from '../../offline/counter-actions.ts'
import type { Entry } from '../../offline/entry.ts'
import type { Verdict } from '../../offline/verdict.ts'
import type { ScannedReader } from '../beneficiaries/beneficiary-data.ts'
import type { ScannedCopy } from '../find/found.ts'
import type { Awaited } from '../reservations/awaited.ts'
import type { ScanSignal } from '../scanner/scan-feedback.ts'
import type { TakenUp } from '../scanner/scans-not-taken.ts'

// What stands at the counter: its readers, and a line for each scan or press.

/** A camera may see one label twice, while a person who types means it. */
export type ScanSource = 'camera' | 'scanner' | 'fingers'

export type Scan = {
  key: string
  code: string
  at: number
  by: ScanSource
  /** Only the camera tells it. */
  symbology?: Symbology | undefined
}

/** A card that was read off line and is nobody's whom this device knows: the server will say whose it is. */
export type CardToVerify = { card: string }

/** A known reader comes with the relative whose card it was. */
export type LaneReader = ScannedReader | CardToVerify

export const isCard = (to: LaneReader): to is CardToVerify => 'card' in to

/** A reader's number, or what is read on the card that stands for them. */
export type ReaderKey = number | string

export const readerKey = (to: LaneReader): ReaderKey => (isCard(to) ? to.card : to.reader.id)

export type Movement = 'lend' | 'return'

/** Each is a button. */
export type LineOption =
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
  | 'waive'
  | 'is-card'
  | 'is-copy'
  | 'change-site'

/** What a person granted to a loan so far, and the refused action's key. */
export type LendChoice = {
  override_reason?: string
  despite_reservations?: boolean
  /** Who waits on for what is lent before them. */
  passed?: readonly Awaited[]
  conditions_given?: boolean
  resolves?: string
}

export type May = { lend: boolean; return: boolean; override: boolean; sell?: boolean; receive?: boolean }

/** A line's state until the outbox takes it over. */
export type Step =
  | { name: 'looking' }
  | { name: 'reader'; chosen: LaneReader }
  /** `to` left a while ago and may still be meant. With `is_over` the line waits for no card any more. */
  | { name: 'asks-reader'; to: LaneReader | null; is_over: boolean }
  | {
      name: 'asks'
      signal: ScanSignal
      message: string
      details: string[]
      options: LineOption[]
      to: LaneReader | null
      choice: LendChoice
      /** For whom it may be set aside instead. */
      awaited?: Awaited | null
    }
  | {
      name: 'kept'
      act: Movement
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
      is_waived?: boolean
      /** Those that it counts, where the library counts no others. */
      open_days: number | null
      /** A reference that someone waits for. */
      reserved: number | null
      /** For whom the device would set it aside. */
      awaited: Awaited | null
      /** Before whom another reader's copy came back; `is_lent` once it was passed on. */
      not_theirs: { chosen: LaneReader; is_lent: boolean } | null
      /** Another copy was set aside for the reader. */
      frees: boolean
      /** What a loan costs by the rules, before the server says so; null for nothing. */
      amount: string | null
    }
  | { name: 'taken-back'; was: string }
  /** It left for good, at a price that is null for nothing. */
  | { name: 'sold'; to: string; price: string | null }
  /** It was set aside for whoever waits, instead of being lent. */
  | { name: 'set-aside'; awaited: Awaited; was: Step }
  /** Another site had sent it here. */
  | { name: 'received'; from: string; awaited?: Awaited | null }
  /** `unsaved` is the action that the device could not keep. */
  | { name: 'said'; signal: ScanSignal; message: string; options: LineOption[]; unsaved?: Entry }

export type Kept = Extract<Step, { name: 'kept' }>
/** A line that ended without an action. */
export type Ended = Extract<Step, { name: 'said' | 'asks' }>

/** What most kept lines say nothing of. */
export const plainKept = {
  name: 'kept',
  choice: {},
  verdict: null,
  due: null,
  of_its_days: [],
  days_late: 0,
  penalty: null,
  open_days: null,
  reserved: null,
  awaited: null,
  not_theirs: null,
  frees: false,
  amount: null,
} satisfies Partial<Kept>

export type LaneLine = Scan & {
  step: Step
  copy: ScannedCopy | null
  /** The same gesture means another thing for the next reader. */
  with_reader: ReaderKey | null
  /** Why what was asked could not be done. */
  trouble: string | null
  /** Asked again while under way, it is one gesture. */
  under_way: LineOption | 'take-back' | 'set-aside' | null
  /** The number of gestures other than scans until then. */
  gestures: number
  before: Before
  /** The reader whom this scan confirmed. */
  confirmed: LaneReader | null
}

/** At the scan; `in_sight` when the proposed reader's card could be read, `of` where it was read before that. */
type Before = {
  proposed: LaneReader | null
  in_sight: boolean
  chosen: LaneReader | null
  of?: TakenUp | null | undefined
}

/** `idle` greys the reader, and `gone` only leaves them readable. */
export type Presence = 'here' | 'idle' | 'gone'

/**
 * The last end, said aloud: its word, what its line tells as well, and of which title, which is cut where room is short.
 * `turn` tells two equal sentences apart.
 */
export type Said = { signal: ScanSignal; text: string; more: string; title: string | null; turn: number }

export const wholeOf = ({ text, more, title }: Said): string =>
  title === null ? text + more : `${text}${more}${beforeNext(text + more)}${title}.`

/** A sentence has its end already. */
export const beforeNext = (text: string): string => (/[.?!]$/.test(text) ? ' ' : '\u202f: ')

export const nameOf = (to: LaneReader): string => {
  if (isCard(to)) return `Carte ${to.card}`
  const { reader, relative } = to
  const own = fullName(reader)
  const other = reader.relatives.find(({ id }) => id === relative)
  return other ? `${own} (carte de ${other.name})` : own
}

/** Within a sentence. */
export const nameWithin = (to: LaneReader): string => (isCard(to) ? cardWords(to.card) : nameOf(to))

/** What is on the card of a reader who is chosen by name. */
export const labelOf = (to: LaneReader): string => (isCard(to) ? to.card : to.reader.label)

/** « Rendu par Léa Petit, n’était pas prêté à Amine Vidal » where another reader stands at the counter. */
export function returnedWords(reader: string | null, chosen?: LaneReader): string {
  return reader !== null && chosen
    ? `Rendu par ${reader}, n’était pas prêté à ${nameOf(chosen)}`
    : `Rendu${hadBy(reader)}`
}

export const hadBy = (reader: string | null): string => (reader === null ? '' : ` (prêté à ${reader})`)

export function isSameReader(one: LaneReader | null, other: LaneReader | null): boolean {
  if (one === null || other === null) return one === other
  const relativeOf = (to: LaneReader) => (isCard(to) ? null : to.relative)
  return readerKey(one) === readerKey(other) && relativeOf(one) === relativeOf(other)
}

/** Until its copy is found, a line has the scanned code. */
export const barCodeOf = ({ copy, code }: Pick<LaneLine, 'copy' | 'code'>): string => copy?.bar_code ?? code

/** How long a loan or a return can be undone, in milliseconds. */
export const undoMs = 10 * 60_000
