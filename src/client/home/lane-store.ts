import { useSyncExternalStore } from 'react'

import type { ScanSignal } from '../scanner/scan-feedback.ts'
import { currentSession, watchSession } from '../api/session.ts'
import {
  barCodeOf,
  isRepeat,
  isSameReader,
  type LaneLine,
  type LaneReader,
  type Mouth,
  type ReaderKey,
  readerKey,
  type Scan,
  type Step,
} from './lane.ts'
import { forgetKeptLane, keepLane } from './lane-memory.ts'
import { deliveredTimes, isOver, type LaneTimes, type Presence, presenceAfter } from './lane-waiting.ts'

// The lane outlives its screen, so that somebody who looks at a loan finds it again.

/** The last end, said aloud, and of which title: where room is short it is the title that is cut. `turn` tells two equal sentences apart. */
export type Said = { signal: ScanSignal; text: string; title: string | null; turn: number }

export const wholeOf = ({ text, title }: Said): string => (title === null ? text : `${text}\u202f: ${title}.`)

/** Lines stand oldest first; a pause in typing only proposes `proposed`. */
export type LaneState = {
  chosen: LaneReader | null
  presence: Presence
  proposed: LaneReader | null
  lines: readonly LaneLine[]
  said: Said | null
}

/** A morning's lane; older lines are in the outbox and on the server. */
const longestLane = 80

/** Whether neither a scan nor a person's answer is still to come. */
const isFinished = ({ step, under_way }: LaneLine): boolean =>
  under_way === null &&
  (step.name === 'said'
    ? step.ways.every((way) => way === 'add-copy')
    : step.name === 'kept' ||
      step.name === 'reader' ||
      step.name === 'taken-back' ||
      step.name === 'sold' ||
      step.name === 'received')

/** Drops the oldest finished lines, but never a scan that waits for its turn. */
function shortened(lines: readonly LaneLine[]): readonly LaneLine[] {
  let surplus = lines.length - longestLane
  return surplus <= 0 ? lines : lines.filter((line) => surplus <= 0 || !isFinished(line) || surplus-- <= 0)
}

const empty: LaneState = { chosen: null, presence: 'here', proposed: null, lines: [], said: null }
let state = empty
let keys = 0
let times = deliveredTimes
/** When the counter was last touched or last worked on a scan. */
let touchedAt = Date.now()
/** Gestures other than scans. */
let gestures = 0
let isProposalStale = false
const listeners = new Set<() => void>()

export const laneState = (): LaneState => state

export const chosenKey = (): ReaderKey | null => state.chosen && readerKey(state.chosen)

export const useLaneState = (): LaneState =>
  useSyncExternalStore((listener) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  }, laneState)

function become(next: Partial<LaneState>): void {
  state = { ...state, ...next }
  for (const listener of listeners) listener()
}

export function setTimes(next: LaneTimes): void {
  times = next
}
export const laneTimes = (): LaneTimes => times

const isAtWork = (): boolean =>
  state.lines.some(({ step, under_way }) => step.name === 'looking' || under_way !== null)

/** Nobody leaves while scans are worked on. */
const quietSince = (now: number): Presence => (isAtWork() ? 'here' : presenceAfter(now - touchedAt, times))

/** What time alone changes: the reader greys and goes, and copies wait no more. */
export function settleTime(now = Date.now()): void {
  const quiet = quietSince(now)
  if (quiet === 'gone') isProposalStale = true
  // A reader who is gone comes back only by being chosen again.
  const presence = state.presence === 'gone' ? 'gone' : state.chosen === null ? 'here' : quiet
  const isLate = (line: LaneLine) =>
    line.step.name === 'asks-reader' &&
    !line.step.is_over &&
    line.under_way === null &&
    !isAtWork() &&
    isOver(line, now, times)
  if (presence === state.presence && !state.lines.some(isLate)) return
  become({
    presence,
    lines: state.lines.map((line) =>
      isLate(line) ? { ...line, step: { name: 'asks-reader', to: null, is_over: true } } : line,
    ),
  })
}

export function noteTouch(now = Date.now()): void {
  settleTime(now)
  touchedAt = now
  if (state.presence === 'idle') become({ presence: 'here' })
}

/** Something else than a scan was done, so copies that wait for a card now ask. */
export function noteGesture(): void {
  gestures += 1
}

/** Adds a line before it is looked up; null when the camera saw the same label again. */
export function addLine(code: string, by: Mouth, inSight = false, at = Date.now()): LaneLine | null {
  noteTouch(at)
  const scan: Scan = { key: String(++keys), code, at, by }
  if (isRepeat(scan, state.lines)) return null
  const { proposed, chosen } = state
  const line: LaneLine = {
    ...scan,
    step: { name: 'looking' },
    copy: null,
    with_reader: null,
    trouble: null,
    under_way: null,
    gestures,
    before: { proposed, in_sight: inSight && !isProposalStale, chosen },
    confirmed: null,
  }
  become({ lines: shortened([...state.lines, line]) })
  return line
}

/** Makes the line as new as if scanned now. */
export function renewLine(key: string): void {
  const before = { proposed: null, in_sight: false, chosen: state.chosen }
  changeLine(key, { at: Date.now(), gestures, before, step: { name: 'looking' } })
}

export const findLine = (key: string): LaneLine | null => state.lines.find((line) => line.key === key) ?? null

export function changeLine(key: string, change: Partial<Omit<LaneLine, 'key'>>): void {
  become({
    lines: state.lines.map((line) => (line.key === key ? { ...line, trouble: null, ...change } : line)),
  })
}

/** Notes what was asked of a line, or its end; a trouble told meanwhile stays. */
export function noteUnderWay(key: string, under_way: LaneLine['under_way']): void {
  become({ lines: state.lines.map((line) => (line.key === key ? { ...line, under_way } : line)) })
}

export const isReturning = (bar_code: string): boolean =>
  state.lines.some((line) => line.under_way === 'return' && barCodeOf(line) === bar_code)

export const setStep = (key: string, step: Step): void => changeLine(key, { step })

/** Chooses a reader, or nobody, and ends any proposal. */
export function setChosen(chosen: LaneReader | null): void {
  touchedAt = Date.now()
  become({ chosen, presence: 'here', proposed: null })
}

export function closeReader(): void {
  noteGesture()
  setChosen(null)
}

export function propose(proposed: LaneReader | null): void {
  if (isSameReader(proposed, state.proposed)) return
  noteTouch()
  isProposalStale = false
  become({ proposed })
}

/** The reader was waiting while a scan was worked on. */
export function noteWorked(): void {
  touchedAt = Date.now()
}

export function sayInLane(signal: ScanSignal, text: string, title: string | null = null): void {
  become({ said: { signal, text, title, turn: (state.said?.turn ?? 0) + 1 } })
}

/** The next person sees nothing of this one's counter. */
export function clearLane(): void {
  forgetKeptLane()
  become(empty)
}

/** Shows lines of before a reload, unless something was done since. */
export function showKept(lines: readonly LaneLine[]): void {
  if (state.lines.length > 0 || lines.length === 0) return
  keys = Math.max(keys, ...lines.map(({ key }) => Number(key)))
  become({ lines })
}

/** The person and the site. */
export const laneOwner = (): string => {
  const session = currentSession()
  return `${session?.user?.username ?? ''} ${session?.site?.id ?? ''}`
}

// A page where the counter was never shown has no lines, and leaves what another one kept.
addEventListener('pagehide', () => {
  if (state.lines.length > 0) keepLane(laneOwner(), state.lines)
})

watchSession(() => {
  if (currentSession() === null) clearLane()
})
