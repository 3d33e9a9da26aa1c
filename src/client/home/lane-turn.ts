import { OutboxWriteError } from '../../offline/outbox.ts'
import { CallError } from '../api/call-error.ts'
import { type CounterActions, whyNotKept } from '../outbox/counter-actions.ts'
import { knownShapes } from '../scanner/known-shapes.ts'
import type { ScanSignal } from '../scanner/scan-feedback.ts'
import { inOrder } from './in-order.ts'
import type { FindScan } from '../find/find-scan.ts'
import { type LaneLine, type May, type Step, type Way, waysBack } from './lane.ts'
import { changeLine, findLine, noteUnderWay, noteWorked, sayInLane, setStep } from './lane-store.ts'

// Scans are worked on one after the other, and each line says how it ended.

/** Given anew at each render, because rights and parameters may change. */
export type LaneTools = {
  find: FindScan
  actions: CounterActions
  /** The server's word on refusals that the device foresees, or null without an answer. */
  askEligibility: (
    beneficiary: number,
    copy: number,
  ) => Promise<{ eligible: boolean; messages: string[] } | null>
  signal: (signal: ScanSignal) => void
  fast_input: boolean
  may: May
  /** Before a penalty (parameter). */
  grace: number
}

let tools: LaneTools | null = null

export function equipLane(next: LaneTools): void {
  tools = next
}

type Job = { run: (tools: LaneTools) => Promise<void>; onTrouble: (error: unknown) => void }

const inTurn = inOrder<Job>(
  async ({ run }) => {
    if (tools) await run(tools)
    noteWorked()
  },
  (error, { onTrouble }) => onTrouble(error),
)

/** Runs a job without a line after all before it. */
export const takeTurn = (run: Job['run'], onTrouble: Job['onTrouble']): Promise<void> =>
  inTurn({ run, onTrouble })

type LineWork = (line: LaneLine, tools: LaneTools) => Promise<void>

/** Runs a job on a line after all before it. */
export const workOn = (key: string, run: LineWork): Promise<void> =>
  takeTurn(
    async (with_) => {
      const line = findLine(key)
      if (line) await run(line, with_)
    },
    (error) => fail(key, error),
  )

/** Runs a job asked of a line once, however often asked, and shows it as under way. */
export async function workOnce(
  key: string,
  what: NonNullable<LaneLine['under_way']>,
  run: LineWork,
): Promise<void> {
  if (findLine(key)?.under_way !== null) return
  noteUnderWay(key, what)
  await workOn(key, run)
  noteUnderWay(key, null)
}

/** Tells on the line what could not be kept, to be saved as a file; what was kept stays kept. */
export function fail(key: string, error: unknown): void {
  if (findLine(key)?.step.name === 'kept') return keepWithTrouble(key, whyNotKept(error, notDoneSentence))
  const unsaved = error instanceof OutboxWriteError ? error.entry : null
  const refused = { name: 'said', signal: 'refusal', message: whyNotKept(error) } as const
  if (unsaved) end(key, { ...refused, ways: ['again', 'export'], unsaved })
  // A copy that could not be looked up may still be taken back on this device.
  else end(key, { ...refused, ways: ['again', ...(error instanceof CallError ? waysBackOf(key) : [])] })
}

const waysBackOf = (key: string): Way[] => waysBack(knownShapes().kindOf(findLine(key)?.code ?? ''))

const notDoneSentence = 'Ce qui vient d’être demandé n’a pas abouti. Réessayez.'

function keepWithTrouble(key: string, trouble: string): void {
  changeLine(key, { trouble })
  if (tools) tell('refusal', trouble, tools)
}

/** How a line ended when nothing was kept. */
export function end(key: string, step: Extract<Step, { name: 'said' | 'asks' }>): void {
  // The line's refused action is still there to be settled.
  if (step.name === 'said' && findLine(key)?.step.name === 'kept') return keepWithTrouble(key, step.message)
  setStep(key, step)
  if (tools) tell(step.signal, [step.message, ...(step.name === 'asks' ? step.details : [])].join(' '), tools)
}

export function tell(signal: ScanSignal, text: string, { signal: sound }: LaneTools, title?: string): void {
  sayInLane(signal, text, title)
  sound(signal)
}
