import { useEffect, useRef } from 'react'

import type { Entry } from '../../offline/entry.ts'
import { useRight, useSession } from '../api/session.ts'
import { useFindScan } from '../find/find-scan.ts'
import { usePenaltyRule } from '../loans/use-penalty-rule.ts'
import { useEntries } from '../outbox/outbox-entries.ts'
import { currentPreferences } from '../page/preferences.ts'
import { signalScan } from '../scanner/scan-feedback.ts'
import { useNotTaken } from '../scanner/scans-not-taken.ts'
import { useFlagParameter, useNumberParameter } from '../settings/parameter-data.ts'
import { timesOf } from './lane-rules.ts'
import { equipLane, happen, laneState, takeKeptText, useLaneState } from './lane-store.ts'
import { useLaneTime } from './use-lane-time.ts'

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
  const fast_input = useFlagParameter('fast_input') ?? true
  const penalties = usePenaltyRule()
  const times = timesOf({
    wait: useNumberParameter('counter_copy_wait_seconds'),
    idle: useNumberParameter('counter_reader_idle_seconds'),
    forget: useNumberParameter('counter_reader_forget_seconds'),
  })
  const find = useFindScan()

  useEffect(() => {
    equipLane({
      find,
      username,
      penalties,
      times,
      may,
      fast_input,
      signal: sound,
    })
  })
  useEffect(resume, [])
  const missed = useNotTaken()
  useEffect(() => {
    for (const { code } of missed) happen({ what: 'missed', code })
  }, [missed])
  useAnswers()
  useLaneTime()

  return { ...useLaneState(), may, find }
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
      const { title } = entry.label
      if (entry.state === 'conflict' || entry.state === 'quarantined') {
        // An older refusal was announced before this screen opened.
        if (!isFirst)
          happen({
            what: 'say',
            signal: 'refusal',
            text: `Refusé\u202f: ${title}. ${entry.problem?.message ?? ''}`,
            title: null,
          })
      } else if (!isFirst && entry.state === 'done' && reserved === null && isReserved(entry.receipt)) {
        happen({ what: 'say', signal: 'warning', text: 'Réservé, à mettre de côté', title })
      }
    }
  }, [entries])
}

const isReserved = (receipt: unknown): boolean =>
  typeof receipt === 'object' && receipt !== null && 'reservation_reference' in receipt
