import { useEffect, useRef } from 'react'

import { getEligibility } from '../../contract/loans.ts'
import type { Entry } from '../../offline/entry.ts'
import { call } from '../api/call.ts'
import { currentConnection } from '../api/connection.ts'
import { counterActions } from '../outbox/counter-actions.ts'
import { useEntries } from '../outbox/outbox-entries.ts'
import { undoLoan } from '../loans/undo-loan.ts'
import { signalScan } from '../scanner/scan-feedback.ts'
import { useRight, useSession } from '../api/session.ts'
import { useFlagParameter, useNumberParameter } from '../settings/parameter-data.ts'
import { currentPreferences } from '../page/preferences.ts'
import { refreshAnew } from '../outbox/counter-work.ts'
import { useFindScan } from '../find/find-scan.ts'
import { laneState, sayInLane, setTimes, useLaneState } from './lane-store.ts'
import { equipLane } from './lane-turn.ts'
import { takeKeptText } from './lane-memory.ts'
import { timesOf } from './lane-waiting.ts'
import type { WayTools } from './lane-ways.ts'
import { useLaneTime } from './use-lane-time.ts'

/** A later answer comes too late. */
const longestAskMs = 4_000

/** The lane and its gestures, with tools of today's rights, parameters and server. */
export function useLane() {
  const username = useSession()?.user?.username ?? ''
  const may = {
    lend: useRight('LOANING_ADD'),
    return: useRight('LOANING_RETURN'),
    override: useRight('LOANING_OVERRIDE'),
    sell: useRight('LOANING_SELL'),
    receive: useRight('COPY_TRANSFER', 'LIST_TRANSFERS'),
  }
  const fast_input = useFlagParameter('fast_input') ?? true
  const grace = useNumberParameter('delay_days_number_before_penalize') ?? 0
  const times = timesOf({
    wait: useNumberParameter('counter_copy_wait_seconds'),
    idle: useNumberParameter('counter_reader_idle_seconds'),
    forget: useNumberParameter('counter_reader_forget_seconds'),
  })

  const find = useFindScan()

  useEffect(() => {
    setTimes(times)
    equipLane({
      find,
      actions: counterActions,
      askEligibility,
      signal: sound,
      fast_input,
      may,
      grace,
    })
  })
  useEffect(resume, [])
  useAnswers()
  useLaneTime()

  const state = useLaneState()
  const ways: WayTools = {
    username,
    undo: async (undone) => {
      await undoLoan(undone)
      // The next scan must find the copy as it is again.
      await refreshAnew()
    },
  }
  return { ...state, ways, may, find }
}

/** The code that reads an interrupted lane is fetched only where there is one. */
function resume(): void {
  const text = takeKeptText()
  if (text !== null)
    void import('./resume-lane.ts').then(
      ({ resumeLane }) => resumeLane(text),
      () => undefined,
    )
}

const sound = (signal: Parameters<typeof signalScan>[0]) =>
  signalScan(signal, { sound: currentPreferences().sound })

async function askEligibility(
  beneficiary: number,
  copy: number,
): Promise<{ eligible: boolean; messages: string[] } | null> {
  if (currentConnection() === 'offline') return null
  try {
    const answer = await call(getEligibility, {
      query: { beneficiary, copy, explain: '1' },
      signal: AbortSignal.timeout(longestAskMs),
    })
    if (typeof answer === 'boolean') return { eligible: answer, messages: [] }
    return { eligible: answer.eligible, messages: answer.reasons.map(({ message }) => message) }
  } catch {
    return null
  }
}

/** Announces the server's refusals and reservations of what the lane kept. */
function useAnswers(): void {
  const entries = useEntries()
  const heard = useRef(new Map<string, Entry['state']>())
  useEffect(() => {
    for (const line of laneState().lines) {
      if (line.step.name !== 'kept') continue
      const { entry_id, reserved } = line.step
      const entry = entries.find(({ id }) => id === entry_id)
      if (!entry || heard.current.get(entry_id) === entry.state) continue
      const isFirst = !heard.current.has(entry_id)
      heard.current.set(entry_id, entry.state)
      const title = entry.label.title
      if (entry.state === 'conflict' || entry.state === 'quarantined') {
        // An older refusal was announced before this screen opened.
        if (!isFirst) announce('refusal', `Refusé\u202f: ${title}. ${entry.problem?.message ?? ''}`)
      } else if (!isFirst && entry.state === 'done' && reserved === null && isReserved(entry.receipt)) {
        announce('warning', 'Réservé, à mettre de côté', title)
      }
    }
  }, [entries])
}

const isReserved = (receipt: unknown): boolean =>
  typeof receipt === 'object' && receipt !== null && 'reservation_reference' in receipt

function announce(signal: Parameters<typeof signalScan>[0], text: string, title?: string): void {
  sayInLane(signal, text, title)
  sound(signal)
}
