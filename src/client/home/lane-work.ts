import type { Symbology } from '../../domain/bar-code.ts'
import { daysBetween, frenchDay } from '../../domain/calendar-day.ts'
import { penaltyOf } from '../../domain/loan-rules.ts'
import { libraryToday, type KnownCopy } from '../../offline/counter.ts'
import { judgeLend } from '../../offline/judge-lend.ts'
import { OutboxWriteError } from '../../offline/outbox.ts'
import { verdictOf } from '../../offline/verdict.ts'
import { CallError } from '../api/call-error.ts'
import { currentConnection } from '../api/connection.ts'
import { type CounterActions, whyNotKept } from '../loans/counter-actions.ts'
import type { ScanSignal } from '../scanner/scan-feedback.ts'
import { inOrder } from './in-order.ts'
import {
  barCodeOf,
  type Decision,
  decide,
  type Found,
  type LaneCopy,
  type LaneLine,
  type LaneReader,
  type LendChoice,
  type May,
  type Mouth,
  notEligibleSentence,
  reservationsBefore,
  reservedQuestion,
  reservedSentence,
  type Step,
} from './lane.ts'
import {
  addLine,
  changeLine,
  findLine,
  isReturning,
  laneState,
  noteUnderWay,
  removeLine,
  sayInLane,
  setChosen,
  setStep,
} from './lane-store.ts'

/** What the lane works with; given by the screen at each render, so that rights and parameters are today's. */
export type LaneTools = {
  find: (code: string, symbology?: Symbology) => Promise<Found>
  actions: CounterActions
  /** The server's word on refusals that the device foresees: null when it did not answer. */
  askEligibility: (
    beneficiary: number,
    copy: number,
  ) => Promise<{ eligible: boolean; messages: string[] } | null>
  signal: (signal: ScanSignal) => void
  openForm: (copy: LaneCopy, to: LaneReader | null) => void
  fast_input: boolean
  may: May
  /** Days of grace before a penalty (parameter). */
  grace: number
}

let tools: LaneTools | null = null

/** Gives the lane its tools. */
export function equipLane(next: LaneTools): void {
  tools = next
}

type Job = { key: string; run: (line: LaneLine, tools: LaneTools) => Promise<void> }

const inTurn = inOrder<Job>(
  async ({ key, run }) => {
    const line = findLine(key)
    if (line && tools) await run(line, tools)
  },
  (error, { key }) => fail(key, error),
)

/** What could not be kept is said on its own line, and may be saved as a file. What is kept stays kept, whatever fails after it. */
function fail(key: string, error: unknown): void {
  if (findLine(key)?.step.name === 'kept') return keepWithTrouble(key, whyNotKept(error, notDoneSentence))
  const unsaved = error instanceof OutboxWriteError ? error.entry : null
  const refused = { name: 'said', signal: 'refusal', message: whyNotKept(error) } as const
  if (unsaved) end(key, { ...refused, ways: ['again', 'export'], unsaved })
  // Not looked up, it may still be taken back: that is kept on this device.
  else end(key, { ...refused, ways: error instanceof CallError ? ['again', 'return'] : ['again'] })
}

const notDoneSentence = 'Ce qui vient d’être demandé n’a pas abouti. Réessayez.'

function keepWithTrouble(key: string, trouble: string): void {
  changeLine(key, { trouble })
  if (tools) tell('refusal', trouble, tools)
}

/** Runs a job on a line after all that came before it. */
const workOn = (key: string, run: Job['run']): Promise<void> => inTurn({ key, run })

/** The same for what a person asks of a line, shown at once as being on its way: asked twice, it is done once. */
export async function workOnce(
  key: string,
  what: NonNullable<LaneLine['under_way']>,
  run: Job['run'],
): Promise<void> {
  if (findLine(key)?.under_way !== null) return
  noteUnderWay(key, what)
  await workOn(key, run)
  noteUnderWay(key, null)
}

/** A code from any mouth: its line is there at once, and is worked on after those before it. */
export function scanIntoLane(code: string, by: Mouth, symbology?: Symbology): Promise<void> {
  const line = addLine(code, by)
  return line ? workOn(line.key, (now, with_) => follow(now, with_, symbology)) : Promise.resolve()
}

/** A reader chosen by name: as their card would. */
export function chooseInLane(chosen: LaneReader): Promise<void> {
  const line = addLine(chosen.reader.label, 'fingers')
  return line ? workOn(line.key, (now, with_) => choose(now, with_, chosen)) : Promise.resolve()
}

/** A loan taken back from the card, whatever the lane just did with it; pressed twice, it is taken back once. */
export function returnIntoLane(bar_code: string): Promise<void> {
  const line = isReturning(bar_code) ? null : addLine(bar_code, 'fingers')
  return line ? workOnce(line.key, 'return', returnLine) : Promise.resolve()
}

async function follow(line: LaneLine, with_: LaneTools, symbology?: Symbology): Promise<void> {
  const found = await with_.find(line.code, symbology)
  const { chosen, lines } = laneState()
  const decision = decide(found, line, { chosen, lines, fast_input: with_.fast_input, may: with_.may })
  changeLine(line.key, { copy: copyOf(decision), with_reader: chosen?.reader.id ?? null })
  await perform(line.key, decision, with_)
}

const copyOf = (decision: Decision): LaneCopy | null => (decision.do === 'choose' ? null : decision.copy)

async function perform(key: string, decision: Decision, with_: LaneTools): Promise<void> {
  const line = findLine(key)
  if (!line) return
  switch (decision.do) {
    case 'choose':
      return choose(line, with_, decision.chosen)
    case 'lend':
      return lend(key, decision.known, decision.to, with_)
    case 'return':
      return giveBack(key, decision.copy, with_)
    case 'ask-reader':
      setStep(key, { name: 'asks-reader' })
      return tell('warning', `${decision.copy.title}\u202f: scannez la carte du lecteur.`, with_)
    case 'open-form':
      removeLine(key)
      return with_.openForm(decision.copy, laneState().chosen)
    case 'say':
      return end(key, decision.step)
  }
}

/** The reader is chosen, and what waited for one leaves with them. */
async function choose(line: LaneLine, with_: LaneTools, chosen: LaneReader): Promise<void> {
  setChosen(chosen)
  setStep(line.key, { name: 'reader', chosen })
  tell('success', `Lecteur\u202f: ${nameOf(chosen)}.`, with_)
  const isWaiting = ({ step, under_way }: LaneLine) => step.name === 'asks-reader' && under_way === null
  for (const waiting of laneState().lines.filter(isWaiting)) {
    // At once, before the scans behind: one of them may choose another reader.
    await follow(waiting, with_).catch((error: unknown) => fail(waiting.key, error))
  }
}

export const nameOf = ({ reader, relative }: LaneReader): string => {
  const own = `${reader.firstname} ${reader.lastname}`.trim()
  const other = reader.relatives.find(({ id }) => id === relative)
  return other ? `${own} (carte de ${other.name})` : own
}

/** Lends at the medium's terms, unless the rules or a reservation speak against it. */
export async function lend(
  key: string,
  known: KnownCopy,
  to: LaneReader,
  with_: LaneTools,
  choice: LendChoice = {},
): Promise<void> {
  const { reader, relative } = to
  const today = await libraryToday()
  const { obstacle, refusals, due, verdict } = await judgeLend({ ...known, loan: null }, reader.id, today)
  if (obstacle) return end(key, { name: 'said', signal: 'refusal', message: obstacle.message, ways: [] })
  let told = verdict
  if (choice.override_reason === undefined && refusals.length > 0) {
    const answer = await with_.askEligibility(reader.id, known.copy.id)
    if (!answer?.eligible) {
      const details = answer?.messages ?? [...verdict.reasons]
      return end(key, {
        name: 'asks',
        signal: 'refusal',
        message: notEligibleSentence,
        details,
        ways: ['override', 'open-form'],
        to,
        choice,
      })
    }
    // The server knows better: a loan was returned elsewhere, or the rule was changed.
    told = verdictOf([], [])
  }
  const before = reservationsBefore(known.reservations, reader.id, { start_date: today, end_date: due })
  if (choice.despite_reservations !== true && before.length > 0) {
    return end(key, {
      name: 'asks',
      signal: 'warning',
      message: reservedSentence,
      details: [...before.map(whoWaits), reservedQuestion],
      ways: ['despite-reservations', 'open-form'],
      to,
      choice,
    })
  }
  // On line the server may know of a reservation that this device does not: it is asked to say so. Off line the copy has left already.
  const despite = choice.despite_reservations ?? (currentConnection() === 'online' ? false : undefined)
  const entry = await with_.actions.lend({
    copy: known.copy,
    beneficiary: reader,
    due,
    resolves: choice.resolves ?? null,
    chosen: {
      ...(relative === null ? {} : { relative }),
      ...(choice.override_reason === undefined ? {} : { override_reason: choice.override_reason }),
      ...(despite === undefined ? {} : { despite_reservations: despite }),
    },
  })
  const kept = {
    act: 'lend',
    entry_id: entry.id,
    reader: nameOf(to),
    to,
    choice,
    verdict: told,
    due,
    days_late: 0,
    penalty: null,
    reserved: null,
  } as const
  changeLine(key, { step: { name: 'kept', ...kept }, with_reader: reader.id })
  tell('success', `Prêté\u202f: ${known.copy.name}, à ${nameOf(to)}, retour le ${frenchDay(due)}.`, with_)
}

const whoWaits = ({
  beneficiary_info,
  start_date,
  end_date,
}: Pick<KnownCopy['reservations'][number], 'beneficiary_info' | 'start_date' | 'end_date'>): string =>
  start_date === null
    ? beneficiary_info
    : `${beneficiary_info}, du ${frenchDay(start_date)} au ${frenchDay(end_date ?? start_date)}`

/** Takes a copy back, whoever has it and whatever the device knows of it: it lies on the counter. */
export async function giveBack(
  key: string,
  { bar_code, title, known, loan }: LaneCopy,
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
  const days_late = loan ? Math.max(0, daysBetween(loan.end_date, today)) : 0
  const penalty = loan && known?.medium ? penaltyOf(loan.end_date, today, with_.grace, known.medium) : null
  const reserved = known && known.reservations.length > 0 ? known.copy.reference : null
  const reader = borrower && `${borrower.firstname} ${borrower.lastname}`.trim()
  setStep(key, {
    name: 'kept',
    act: 'return',
    entry_id: entry.id,
    reader,
    to: null,
    choice: {},
    verdict: null,
    due: loan?.end_date ?? null,
    days_late,
    penalty: penalty?.penalty_amount ?? null,
    reserved,
  })
  const note = reserved !== null ? ' Réservé\u202f: à mettre de côté.' : days_late > 0 ? ' En retard.' : ''
  tell(note === '' ? 'success' : 'warning', `Rendu\u202f: ${title}.${note}`, with_)
}

/** What is known of the line's copy, taken back; a code that nobody knows, or that cannot be looked up now, is taken back too. */
export async function returnLine(line: LaneLine, with_: LaneTools): Promise<void> {
  const bar_code = barCodeOf(line)
  const found = await with_.find(bar_code).catch(() => null)
  const bare = { bar_code, title: bar_code, known: null, loan: null }
  const copy = found?.kind === 'copy' ? found.copy : (found === null && line.copy) || bare
  changeLine(line.key, { copy, ...doneNow() })
  await giveBack(line.key, copy, with_)
}

/** When and before whom a press is done: scanned within the minute, the copy is asked about, however old its line is. */
const doneNow = (): Pick<LaneLine, 'at' | 'with_reader'> => ({
  at: Date.now(),
  with_reader: laneState().chosen?.reader.id ?? null,
})

/** Looks a line up again, as if it were scanned now. */
export const again = (line: LaneLine, with_: LaneTools): Promise<void> => {
  setStep(line.key, { name: 'looking' })
  return follow(line, with_)
}

function end(key: string, step: Extract<Step, { name: 'said' | 'asks' }>): void {
  // Nothing new was kept, but the line's refused action is still there to be settled.
  if (step.name === 'said' && findLine(key)?.step.name === 'kept') return keepWithTrouble(key, step.message)
  setStep(key, step)
  if (tools) tell(step.signal, [step.message, ...(step.name === 'asks' ? step.details : [])].join(' '), tools)
}

export function tell(signal: ScanSignal, text: string, { signal: sound }: LaneTools): void {
  sayInLane(signal, text)
  sound(signal)
}
