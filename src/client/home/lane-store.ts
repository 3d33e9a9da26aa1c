import { useSyncExternalStore } from 'react'

import type { ScanSignal } from '../scanner/scan-feedback.ts'
import { currentSession, watchSession } from '../session/session.ts'
import {
  barCodeOf,
  isRepeat,
  type LaneLine,
  type LaneReader,
  type Mouth,
  type Scan,
  type Step,
} from './lane.ts'

// The lane outlives its screen: looking at a loan and coming back finds the same lines and the same reader.

/** How the last thing ended, said aloud. `turn` tells two equal sentences apart. */
export type Said = { signal: ScanSignal; text: string; turn: number }

/** Lines oldest first. */
export type LaneState = { chosen: LaneReader | null; lines: readonly LaneLine[]; said: Said | null }

/** A morning's lane; older lines are in the outbox and on the server. */
const longestLane = 80

/** What nobody waits for any more: neither the queue of scans, nor a person's answer. */
const isFinished = ({ step, under_way }: LaneLine): boolean =>
  under_way === null &&
  (step.name === 'said'
    ? step.ways.length === 0
    : step.name === 'kept' || step.name === 'reader' || step.name === 'taken-back')

/** The lane without the oldest of its finished lines where it is too long: a scan that waits for its turn is never dropped. */
function shortened(lines: readonly LaneLine[]): readonly LaneLine[] {
  let surplus = lines.length - longestLane
  return surplus <= 0 ? lines : lines.filter((line) => surplus <= 0 || !isFinished(line) || surplus-- <= 0)
}

const empty: LaneState = { chosen: null, lines: [], said: null }
let state = empty
let keys = 0
const listeners = new Set<() => void>()

export const laneState = (): LaneState => state

export const useLaneState = (): LaneState =>
  useSyncExternalStore((listener) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  }, laneState)

function become(next: Partial<LaneState>): void {
  state = { ...state, ...next }
  for (const listener of listeners) listener()
}

/** Adds a line at once, before anything is looked up; null when the camera merely saw the same label again. */
export function addLine(code: string, by: Mouth, at = Date.now()): LaneLine | null {
  const scan: Scan = { key: String(++keys), code, at, by }
  if (isRepeat(scan, state.lines)) return null
  const line: LaneLine = {
    ...scan,
    step: { name: 'looking' },
    copy: null,
    with_reader: null,
    trouble: null,
    under_way: null,
  }
  become({ lines: shortened([...state.lines, line]) })
  return line
}

export const findLine = (key: string): LaneLine | null => state.lines.find((line) => line.key === key) ?? null

export function changeLine(key: string, change: Partial<Omit<LaneLine, 'key'>>): void {
  become({
    lines: state.lines.map((line) => (line.key === key ? { ...line, trouble: null, ...change } : line)),
  })
}

/** Says that something asked of a line is on its way, or no more; a trouble told meanwhile stays. */
export function noteUnderWay(key: string, under_way: LaneLine['under_way']): void {
  become({ lines: state.lines.map((line) => (line.key === key ? { ...line, under_way } : line)) })
}

/** Whether a copy is being taken back. */
export const isReturning = (bar_code: string): boolean =>
  state.lines.some((line) => line.under_way === 'return' && barCodeOf(line) === bar_code)

export const setStep = (key: string, step: Step): void => changeLine(key, { step })

export function removeLine(key: string): void {
  become({ lines: state.lines.filter((line) => line.key !== key) })
}

/** Chooses the reader, or nobody. */
export function setChosen(chosen: LaneReader | null): void {
  become({ chosen })
}

export function sayInLane(signal: ScanSignal, text: string): void {
  become({ said: { signal, text, turn: (state.said?.turn ?? 0) + 1 } })
}

/** Nothing of one person’s counter is seen by the next. */
export function clearLane(): void {
  become(empty)
}

watchSession(() => {
  if (currentSession() === null) clearLane()
})
