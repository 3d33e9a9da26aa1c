import { fullName } from '../../domain/person-names.ts'
import { noLoanToReturn, notForQuickInput } from '../../domain/sentences/counter.ts'
import type { KnownCopy } from '../../offline/counter.ts'
import type { Verdict } from '../../offline/verdict.ts'
import type { ScannedReader } from '../beneficiaries/beneficiary-data.ts'
import { type Found, nobodysWords, type ScannedCopy } from '../find/found.ts'
import type { Entry } from '../../offline/entry.ts'
import type { ScanSignal } from '../scanner/scan-feedback.ts'

// The rules of the lane: what a scan does. Pure: what is known comes in, what is to be done goes out.

/** Which mouth said it. A camera may see one label twice; a person who types means it. */
export type Mouth = 'camera' | 'scanner' | 'fingers'

export type Scan = { key: string; code: string; at: number; by: Mouth }

/** The chosen reader, and the relative whose card it was. */
export type LaneReader = ScannedReader

export type Act = 'lend' | 'return'

/** Ways out of a line that stopped; each is a button. */
export type Way =
  'return' | 'lend' | 'continue' | 'override' | 'despite-reservations' | 'open-form' | 'again' | 'export'

/** What a person granted to a loan, and the key of the refused action that it settles: each answer adds to those before. */
export type LendChoice = { override_reason?: string; despite_reservations?: boolean; resolves?: string }

/** What the person's rights allow at the counter. */
export type May = { lend: boolean; return: boolean; override: boolean }

/** Where a line stands before the outbox takes it over, and what it leads to. */
export type Step =
  | { name: 'looking' }
  | { name: 'reader'; chosen: LaneReader }
  /** `to` is the reader left alone for too long, who may still be meant; over, it waits for no card any more. */
  | { name: 'asks-reader'; to: LaneReader | null; is_over: boolean }
  | {
      name: 'asks'
      signal: ScanSignal
      message: string
      details: string[]
      ways: Way[]
      to: LaneReader | null
      choice: LendChoice
    }
  | {
      name: 'kept'
      act: Act
      entry_id: string
      /** Who borrows, or who had it; null where the device does not know. */
      reader: string | null
      to: LaneReader | null
      choice: LendChoice
      /** What this device knew when it lent; null for a return, which nothing forbids. */
      verdict: Verdict | null
      due: string | null
      days_late: number
      /** By the rules, before the server says so. */
      penalty: string | null
      /** Reference that someone waits for. */
      reserved: number | null
    }
  | { name: 'taken-back'; was: string }
  /** `unsaved` is the action that the device could not keep. */
  | { name: 'said'; signal: ScanSignal; message: string; ways: Way[]; unsaved?: Entry }

export type LaneLine = Scan & {
  step: Step
  copy: ScannedCopy | null
  /** The reader chosen when this was done: the same gesture means another thing for the next one. */
  with_reader: number | null
  /** Why what was asked of this line could not be done. */
  trouble: string | null
  /** What was asked of this line and is on its way: asked again meanwhile, it is one gesture. */
  under_way: Way | 'take-back' | null
  /** How many gestures other than scans there had been by then. */
  gestures: number
  /** Who was proposed and who was chosen when it was scanned. */
  before: Before
  /** The reader whom this scan confirmed. */
  confirmed: LaneReader | null
}

/** `in_sight`: the card of the proposed reader could be read at that moment. */
export type Before = { proposed: LaneReader | null; in_sight: boolean; chosen: LaneReader | null }

export const nameOf = ({ reader, relative }: LaneReader): string => {
  const own = fullName(reader)
  const other = reader.relatives.find(({ id }) => id === relative)
  return other ? `${own} (carte de ${other.name})` : own
}

export const isSameReader = (one: LaneReader | null, other: LaneReader | null): boolean =>
  one?.reader.id === other?.reader.id && one?.relative === other?.relative

/** The code of the copy that a line is about; until it is found, the one that was scanned. */
export const barCodeOf = ({ copy, code }: Pick<LaneLine, 'copy' | 'code'>): string => copy?.bar_code ?? code

/** How long an action may be taken back once the server has it (page of calls, « undo »). */
export const undoMs = 10 * 60_000

const repeatMs = 2_000
const justDoneMs = 60_000

/** Whether the camera saw again what it has just given: not a second action. */
export const isRepeat = (scan: Scan, lines: readonly LaneLine[]): boolean =>
  scan.by === 'camera' &&
  lines.some(({ code, at }) => code === scan.code && Math.abs(scan.at - at) < repeatMs)

/**
 * What surrounds a scan. `fast_input` is the parameter; rights hide what the server would refuse. A reader is not `settled` when left
 * alone for too long, or when proposed by a pause and not in sight.
 */
export type Counter = {
  chosen: LaneReader | null
  settled: 'yes' | 'left-alone' | 'unseen'
  lines: readonly LaneLine[]
  fast_input: boolean
  may: Omit<May, 'override'>
  /** What alone a person asked for, by a button. */
  only?: Act
}

export type Decision =
  | { do: 'choose'; chosen: LaneReader }
  | { do: 'lend'; copy: ScannedCopy; known: KnownCopy; to: LaneReader }
  | { do: 'return'; copy: ScannedCopy }
  | { do: 'ask-reader'; copy: ScannedCopy; to: LaneReader | null }
  | { do: 'open-form'; copy: ScannedCopy; to: LaneReader | null }
  | { do: 'say'; step: Extract<Step, { name: 'said' | 'asks' }>; copy: ScannedCopy | null }

/** A scan's meaning at this counter, now. */
export function decide(found: Found, scan: Pick<Scan, 'at'>, counter: Counter): Decision {
  if (found.kind === 'reader') return { do: 'choose', chosen: found.chosen }
  if (found.kind === 'copy') return decideCopy(found.copy, scan, counter)
  if (found.kind === 'isbn') return refuse(nobodysWords(found))
  // Searches stop at the site's door, but a copy lent elsewhere may be brought back here.
  if (found.isSure && found.elsewhere)
    return refuse(`${nobodysWords(found)} S’il est rendu ici, le retour peut être enregistré.`, null, [
      'return',
    ])
  return found.isSure ? refuse(nobodysWords(found)) : refuse(nobodysWords(found), null, ['again', 'return'])
}

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
  // It lies on the counter, whatever the device believes: its return may be kept.
  if (known.copy.status === 'En Location') return refuse(noLoanToReturn, copy, ['return'])
  if (known.copy.status !== 'Disponible') return refuse(notForQuickInput, copy, ['return'])
  if (known.copy.type !== 'Location') return refuse(notForQuickInput, copy)
  if (!may.lend)
    return refuse('Cet exemplaire est disponible, et votre profil ne permet pas de prêter.', copy)
  if (recent === 'return') return ask('Déjà rendu à l’instant.', copy, ['lend'], chosen)
  const settled = counter.settled === 'yes' ? chosen : null
  if (!counter.fast_input) return { do: 'open-form', copy, to: settled }
  if (chosen && counter.settled === 'unseen') return askWhether(copy, chosen)
  return settled ? { do: 'lend', copy, known, to: settled } : { do: 'ask-reader', copy, to: chosen }
}

/** A copy that was not for this reader beyond doubt. */
export const askWhether = (copy: ScannedCopy, to: LaneReader): Extract<Decision, { do: 'say' }> =>
  ask(`Prêter à ${nameOf(to)}\u202f?`, copy, ['lend'], to)

/**
 * What was just done with this copy for the chosen reader, within a minute: scanning it again undoes nothing by itself.
 * What was done before the reader was chosen is another gesture: a copy taken back, then a card, then the copy lends it.
 */
function recentAct(
  copy: ScannedCopy,
  at: number,
  { reader }: LaneReader,
  lines: readonly LaneLine[],
): Act | null {
  const last = lines.findLast((line) => line.step.name === 'kept' && line.copy?.bar_code === copy.bar_code)
  if (last?.step.name !== 'kept' || last.with_reader !== reader.id || at - last.at > justDoneMs) return null
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
