import { shallowEqual } from '@mantine/hooks'
import { useSyncExternalStore } from 'react'

import { emitter } from '../../domain/emitter.ts'
import { currentConnection } from '../api/connection.ts'
import { currentSession, watchLeaving } from '../api/session.ts'
import { knownShapes } from '../scanner/known-shapes.ts'
import type { ScanSignal } from '../scanner/scan-feedback.ts'
import { watchKept } from '../scanner/scans-not-taken.ts'
import { type LaneLine, type LaneReader, type May, readerKey, undoMs } from './lane.ts'
import { advance } from './lane-engine.ts'
import { type Ask, type Effect, emptyLane, type Happening, type LaneState } from './lane-happenings.ts'
import { deliveredTimes, type LaneTimes } from './lane-rules.ts'
import { type LaneTools, troubleOf, work } from './lane-work.ts'

// The one lane of this page: it outlives its screen, so that somebody who looks at a loan finds it again.

/** What the screen that shows the lane gives it, anew at each render. */
type LaneEquipment = Omit<LaneTools, 'nameOf'> & {
  times: LaneTimes
  may: May
  fast_input: boolean
  signal: (signal: ScanSignal) => void
}

let state = emptyLane
let equipment: LaneEquipment | null = null
/** Until a screen shows the lane, nothing of it can be worked on. */
let unanswered: Ask[] = []
const { tell: tellViewers, watch } = emitter()

export const laneState = (): LaneState => state

export const findLine = (key: string): LaneLine | null => state.lines.find((line) => line.key === key) ?? null

/** What is drawn of it: a touch, which only its time remembers, draws nothing. */
const viewOf = ({ chosen, presence, proposed, lines, said }: LaneState) => ({
  chosen,
  presence,
  proposed,
  lines,
  said,
})
export type LaneView = ReturnType<typeof viewOf>
let view = viewOf(state)

export const watchLane = watch

export const useLaneView = (): LaneView => useSyncExternalStore(watchLane, () => view)

export function equipLane(next: LaneEquipment): void {
  equipment = next
  const asks = unanswered
  unanswered = []
  for (const ask of asks) answer(ask, next)
}

/** Tells the lane what happened at the counter. */
export function happen(happening: Happening): void {
  const { state: next, effects } = advance(state, happening, {
    now: Date.now(),
    times: equipment?.times ?? deliveredTimes,
    may: equipment?.may ?? { lend: false, return: false, override: false },
    fast_input: equipment?.fast_input ?? true,
    is_online: currentConnection() === 'online',
    kind_of: (code) => knownShapes().kindOf(code),
    resembles: (code) => knownShapes().resembles(code),
  })
  state = next
  const drawn = viewOf(state)
  if (!shallowEqual(view, drawn)) {
    view = drawn
    tellViewers()
  }
  for (const effect of effects) carryOut(effect)
}

function carryOut(effect: Effect): void {
  if (effect.do === 'signal') equipment?.signal(effect.signal)
  else if (equipment) answer(effect.ask, equipment)
  else unanswered.push(effect.ask)
}

function answer(ask: Ask, tools: LaneEquipment): void {
  work(ask, { ...tools, nameOf }).then(
    (found) => happen({ what: 'answer', ask, answer: found } as Happening),
    (error: unknown) => happen({ what: 'trouble', ask, trouble: troubleOf(error) }),
  )
}

// ── Names that are typed ──

type NameSearch = { find: () => Promise<LaneReader | null>; answer: (isChosen: boolean) => void }
const searches = new Map<number, NameSearch>()
let searchCount = 0

async function nameOf(search: number): Promise<LaneReader | null> {
  const { find, answer } = searches.get(search) ?? {
    find: () => Promise.resolve(null),
    answer: () => undefined,
  }
  searches.delete(search)
  try {
    const chosen = await find()
    answer(chosen !== null)
    return chosen
  } catch (error) {
    answer(false)
    throw error
  }
}

/** A typed name holds the scans until it chooses its only reader; answers whether it did. */
export function nameIntoLane(find: NameSearch['find']): Promise<boolean> {
  searchCount += 1
  const search = searchCount
  return new Promise((answer) => {
    searches.set(search, { find, answer })
    happen({ what: 'name', search })
  })
}

// ── The next person, and a reload ──

/** The next person sees nothing of this one's counter. */
export function clearLane(): void {
  sessionStorage.removeItem(place)
  unanswered = []
  for (const { answer } of searches.values()) answer(false)
  searches.clear()
  happen({ what: 'leave' })
  // Nothing is worked on by the rights of who has left.
  equipment = null
}

const place = 'comptoir.lane'

/** Raise it when older lines can no longer be shown. */
export const shape = 4

/** A reload keeps the last minutes' lines, while « Annuler » stands on them, for `owner`, a person and a site. */
export function keepLane(owner: string, lines: readonly LaneLine[], now = Date.now()): void {
  const recent = lines.filter(({ at }) => Math.abs(now - at) < undoMs)
  try {
    if (recent.length === 0) sessionStorage.removeItem(place)
    else sessionStorage.setItem(place, JSON.stringify({ shape, owner, lines: recent.map(asLeft) }))
  } catch {
    // Without this memory a reload empties the lane, but the outbox keeps the actions.
  }
}

export const hasKeptText = (): boolean => sessionStorage.getItem(place) !== null

/** The kept text, once: afterwards nobody else may show it. */
export function takeKeptText(): string | null {
  const text = sessionStorage.getItem(place)
  sessionStorage.removeItem(place)
  return text
}

/** Work under way is not done, and a copy that waited waits for nobody. */
function asLeft(line: LaneLine): LaneLine {
  const still = { ...line, under_way: null }
  if (line.step.name === 'looking')
    return { ...still, step: { name: 'said', signal: 'refusal', message: interrupted, options: ['again'] } }
  return line.step.name === 'asks-reader'
    ? { ...still, step: { name: 'asks-reader', to: null, is_over: true } }
    : still
}

const interrupted = 'La page a été rechargée avant la fin de cette lecture\u202f: rien n’est enregistré.'

/** The person and the site. */
export const laneOwner = (): string => {
  const session = currentSession()
  return `${session?.user?.username ?? ''} ${session?.site?.id ?? ''}`
}

// A page where the counter was never shown has no lines, and leaves what another one kept.
addEventListener('pagehide', () => {
  if (state.lines.length > 0) keepLane(laneOwner(), state.lines)
})

watchLeaving(clearLane)

// What nobody took may be the next person's card.
watchKept((code) => {
  happen({ what: 'missed', code })
  return state.chosen && readerKey(state.chosen)
})
