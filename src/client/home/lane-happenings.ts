import type { Symbology } from '../../domain/bar-code.ts'
import type { CalendarDay } from '../../domain/calendar-day.ts'
import type { CodeKind } from '../../domain/code-shapes.ts'
import type { KnownCopy } from '../../offline/counter.ts'
import type { VerifyGesture } from '../../offline/counter-actions.ts'
import type { Entry } from '../../offline/entry.ts'
import type { OpenLoan } from '../../offline/open-loans.ts'
import type { ScannedReader } from '../beneficiaries/beneficiary-data.ts'
import type { AnsweredAsk, Turns } from '../counter/turns.ts'
import type { Found, ScannedCopy } from '../find/found.ts'
import type { GiveBack, Lend } from '../outbox/keep-actions.ts'
import type { Awaited } from '../reservations/awaited.ts'
import type { ScanSignal } from '../scanner/scan-feedback.ts'
import type { TakenUp } from '../scanner/scans-not-taken.ts'
import type {
  Movement,
  Kept,
  LaneLine,
  LaneReader,
  LendChoice,
  LineOption,
  May,
  Presence,
  Said,
  ScanSource,
  Step,
} from './lane.ts'
import type { LaneTimes, LoanJudged } from './lane-rules.ts'

// What the counter's engine (lane-engine.ts) is told, asks and answers.

/** Lines stand oldest first; a pause in typing only proposes `proposed`. */
export type LaneState = Turns<Turn, Ask> & {
  chosen: LaneReader | null
  presence: Presence
  /** The line whose unknown code alone made the reader `gone`. */
  doubted_by: string | null
  /** Unknown codes alone made the reader `gone`: what waits may be theirs or the next one's, and only a person knows. */
  is_doubted: boolean
  proposed: LaneReader | null
  lines: readonly LaneLine[]
  said: Said | null
  keys: number
  /** When the counter was last touched or last worked on a scan, in epoch milliseconds. */
  touched_at: number
  /** Gestures other than scans. */
  gestures: number
  is_proposal_stale: boolean
}

export const emptyLane: LaneState = {
  chosen: null,
  presence: 'here',
  doubted_by: null,
  is_doubted: false,
  proposed: null,
  lines: [],
  said: null,
  turns: [],
  doing: null,
  keys: 0,
  touched_at: 0,
  gestures: 0,
  is_proposal_stale: false,
}

/** Today's rights and parameters, the time in epoch milliseconds, and what the library's codes look like. */
export type Known = {
  now: number
  times: LaneTimes
  may: May
  fast_input: boolean
  is_online: boolean
  kind_of: (code: string) => CodeKind | null
  /** What a code looks like when its check digit is left out: a misread label is still a label. */
  resembles: (code: string) => CodeKind | null
}

export type Happening =
  | {
      what: 'scan'
      code: string
      by: ScanSource
      symbology?: Symbology | undefined
      in_sight?: boolean
      of?: TakenUp | undefined
    }
  /** A reader chosen in sight, as their card would. */
  | { what: 'choose'; chosen: LaneReader }
  /** A typed name, which holds the scans until it is found whose it is. */
  | { what: 'name'; search: number }
  /** A loan of the reader's card or of a list, which is that of `copy`, and a copy that was looked up. */
  | { what: 'return'; bar_code: string; copy?: ScannedCopy; is_waived?: boolean }
  | { what: 'lend'; bar_code: string; to: LaneReader | null }
  /** `reason` is the motive of an override. */
  | { what: 'option'; key: string; option: LineOption; reason?: string | undefined }
  | { what: 'take-back'; key: string }
  /** An unknown code has its copy now, under this code. */
  | { what: 'code-given'; key: string; code: string }
  /** The whole loan beside the lane is being saved, or a copy set aside; or no longer is. */
  | { what: 'under-way'; keys: readonly string[]; by: 'open-form' | 'set-aside' | null }
  /** It made the line's loan, or sold its copy. */
  | { what: 'form-settled'; key: string; step: Step; reader: number }
  /** Its copy is kept for whoever waits, and `refused` was its action. */
  | { what: 'set-aside'; key: string; awaited: Awaited; refused: string | null }
  /** It is kept for nobody any more. */
  | { what: 'put-back'; key: string }
  /** The same copy has a newer line in it. */
  | { what: 'scanned-again'; key: string }
  /** It came under a dialog, and stands in the strip of codes that nobody took. */
  | { what: 'missed'; code: string }
  | { what: 'propose'; proposed: LaneReader | null }
  | { what: 'close-reader' }
  | { what: 'touch' }
  | { what: 'time' }
  /** Something else than a scan was done, so copies that wait for a card now ask. */
  | { what: 'gesture' }
  /** A scan came in pieces, whose code nobody knows. */
  | { what: 'broken' }
  /** The server has answered about an action that was kept. */
  | { what: 'say'; signal: ScanSignal; text: string; more?: string; title: string | null }
  | { what: 'kept-lines'; lines: readonly LaneLine[] }
  | { what: 'leave' }
  | Answered
  | { what: 'trouble'; ask: Ask; trouble: Trouble }

/** A person let the reader off the penalty; `of` is the loan whose row was pressed, and no other is closed. */
export type Pressed = { is_waived?: boolean | undefined; of?: OpenLoan | undefined }

export type Turn =
  | { do: 'look'; key: string; how: Looking; is_again?: boolean }
  | { do: 'choose'; key: string; chosen: LaneReader }
  | { do: 'name'; search: number }
  | ({ do: 'return'; key: string } & Pressed)
  | { do: 'option'; key: string; option: LineOption; reason: string | undefined }
  | { do: 'take-back'; key: string }
  | { do: 'settle'; key: string; id: string }

/** `lend_to` is the button's reader, and `kind` what a button says that an unknown code is. */
export type Looking = { lend_to?: { reader: LaneReader | null }; kind?: CodeKind }

/** A refused action that is dropped once another is kept in its place. */
export type Settles = { id: string; reason: string } | null

/** An action to be written to the outbox, and what its line becomes then. */
export type Keeping = {
  ask: 'keep'
  key: string
  action:
    | { do: 'lend'; gesture: Lend }
    | { do: 'lend-to-verify'; gesture: VerifyGesture }
    | { do: 'return'; gesture: GiveBack }
  step: Omit<Kept, 'entry_id'>
  tells: { signal: ScanSignal; text: string; more?: string; title: string }
  settles: Settles
}

/** The engine asks the device and the server; each ask is answered once, or ends in trouble. */
export type Ask =
  | { ask: 'find'; key: string; code: string; symbology: Symbology | undefined; how: Looking }
  /** Whose it is, to take it back whatever is answered. */
  | ({
      ask: 'find-to-return'
      key: string
      code: string
      symbology: Symbology | undefined
      settles: Settles
    } & Pressed)
  | { ask: 'name'; search: number }
  | {
      ask: 'judge'
      key: string
      known: KnownCopy
      to: ScannedReader
      choice: LendChoice
      settles: Settles
    }
  | ({ ask: 'judge-return'; key: string; copy: ScannedCopy; settles: Settles } & Pressed)
  | Keeping
  | { ask: 'receive'; key: string; copy: ScannedCopy }
  | { ask: 'entry'; key: string; id: string; option: LineOption; reason: string | undefined }
  | { ask: 'drop'; key: string; id: string; reason: string }
  /** With `waives` the copy is taken back again, without its penalty. */
  | { ask: 'undo'; key: string; id: string; act: Movement; waives?: boolean }

export type Answers = {
  find: Found
  'find-to-return': Found
  name: LaneReader | null
  judge: LoanJudged
  'judge-return': { today: CalendarDay; penalty: string | null; open_days: number | null }
  keep: { entry_id: string }
  /** Null where it is no longer under way. */
  receive: { from: string; awaited: Awaited | null } | null
  entry: Entry | null
  drop: unknown
  /** Why it could not be undone. */
  undo: string | null
}

/** Why what was asked could not be done. */
export type Trouble = {
  message: string
  /** Its words where the line has an action already, which stays kept. */
  message_beside_kept: string
  /** The action that the device could not keep. */
  unsaved: Entry | null
  /** Whether the server failed to answer, and not the device. */
  is_call: boolean
  /** Whether nothing came back at all. */
  is_network: boolean
}

export type AskOf<Name extends Ask['ask']> = Extract<Ask, { ask: Name }>

export type Answered = AnsweredAsk<Ask, Answers>

export type Effect = { do: 'ask'; ask: Ask } | { do: 'signal'; signal: ScanSignal }
