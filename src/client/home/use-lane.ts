import { useEffect, useState } from 'react'

import { type Entry, isRefused } from '../../offline/entry.ts'
import { useConnection } from '../api/connection.ts'
import { useRight, useSession, watchLeaving } from '../api/session.ts'
import { useFindScan } from '../find/find-scan.ts'
import { usePenaltyRule } from '../loans/use-penalty-rule.ts'
import { knownEntry, useEntries } from '../outbox/outbox-entries.ts'
import { currentPreferences } from '../page/preferences.ts'
import { signalScan } from '../scanner/scan-feedback.ts'
import { useAreParametersAsked, useFlagParameter, useNumberParameter } from '../settings/parameter-data.ts'
import { timesOf } from './lane-rules.ts'
import {
  equipLane,
  happen,
  hasKeptText,
  laneState,
  type LaneView,
  takeKeptText,
  useLaneView,
} from './lane-store.ts'

const touches = ['pointerdown', 'keydown', 'wheel'] as const
const pressable = 'a, button, input, select, textarea, label, summary, [role="option"], [role="menuitem"]'
/** Presses in here are part of scanning: a camera's button, a name in the list. */
const scanning = '[data-scanning]'

/** Lets time pass at the counter while it is shown, and notes touches. */
function useLaneTime(): void {
  const isWatched = isWatching(useLaneView())
  useEffect(() => {
    if (!isWatched) return undefined
    settleNow()
    const timer = setInterval(settleNow, 1_000)
    return () => clearInterval(timer)
  }, [isWatched])
  useEffect(() => {
    const options = { capture: true, passive: true }
    for (const touch of touches) addEventListener(touch, touchNow, options)
    addEventListener('click', onClick, options)
    return () => {
      for (const touch of touches) removeEventListener(touch, touchNow, options)
      removeEventListener('click', onClick, options)
      // Whoever leaves the counter does something else.
      happen({ what: 'gesture' })
    }
  }, [])
}

const settleNow = () => happen({ what: 'time' })
const touchNow = () => happen({ what: 'touch' })

function onClick({ target }: Event): void {
  if (target instanceof Element && target.closest(pressable) && !target.closest(scanning))
    happen({ what: 'gesture' })
}

const isWatching = ({ chosen, proposed, lines }: LaneView): boolean =>
  chosen !== null ||
  proposed !== null ||
  lines.some(({ step }) => step.name === 'asks-reader' && !step.is_over)

/** The lane, with today's rights and parameters. */
export function useLane() {
  const username = useSession()?.user?.username ?? ''
  const may = {
    lend: useRight('LOANING_ADD'),
    return: useRight('LOANING_RETURN'),
    override: useRight('LOANING_OVERRIDE'),
    sell: useRight('LOANING_SELL'),
    receive: useRight('COPY_TRANSFER', 'LIST_TRANSFERS'),
  }
  const fast_input = useFlagParameter('fast_input')
  const isAsked = useAreParametersAsked()
  const isOffline = useConnection() === 'offline'
  const penalties = usePenaltyRule()
  const times = timesOf({
    wait: useNumberParameter('counter_copy_wait_seconds'),
    idle: useNumberParameter('counter_reader_idle_seconds'),
    forget: useNumberParameter('counter_reader_forget_seconds'),
  })
  const find = useFindScan()

  useEffect(() => {
    // A library that lends by the whole form alone must not be lent for at once meanwhile.
    if (fast_input === undefined && !isAsked && !isOffline) return
    equipLane({
      find,
      username,
      penalties,
      times,
      may,
      fast_input: fast_input ?? true,
      signal: sound,
    })
  })
  const [isResuming, setResuming] = useState(hasKeptText)
  useEffect(() => void resume().finally(() => setResuming(false)), [])
  useAnswers()
  useLaneTime()

  return { ...useLaneView(), may, find, isResuming }
}

/** The code that reads an interrupted lane is fetched only where there is one. */
async function resume(): Promise<void> {
  const text = takeKeptText()
  if (text !== null)
    await import('./resume-lane.ts').then(
      ({ resumeLane }) => resumeLane(text),
      () => undefined,
    )
}

const sound = (signal: Parameters<typeof signalScan>[0]) =>
  signalScan(signal, { sound: currentPreferences().sound })

/** How far each action of the lane was when it was last looked at, so that an end is said once, on the next visit too. */
const heard = new Map<string, Entry['state']>()
watchLeaving(() => heard.clear())

/** Announces the server's refusals and reservations of what the lane kept. */
function useAnswers(): void {
  const entries = useEntries()
  useEffect(() => {
    for (const line of laneState().lines) {
      if (line.step.name !== 'kept') continue
      const { entry_id, reserved } = line.step
      const entry = knownEntry(entry_id)
      if (!entry || heard.get(entry_id) === entry.state) continue
      const isFirst = !heard.has(entry_id)
      heard.set(entry_id, entry.state)
      const { title } = entry.label
      if (isRefused(entry)) {
        // A page that was loaded again shows it on its line.
        if (!isFirst)
          happen({
            what: 'say',
            signal: 'refusal',
            text: entry.problem ? `Refusé\u202f: ${entry.problem.message}` : 'Refusé',
            title,
          })
      } else if (!isFirst && entry.state === 'done' && reserved === null && isReserved(entry.receipt)) {
        happen({ what: 'say', signal: 'warning', text: 'Réservé, à mettre de côté', title })
      }
    }
  }, [entries])
}

const isReserved = (receipt: unknown): boolean =>
  typeof receipt === 'object' && receipt !== null && 'reservation_reference' in receipt
