import { useCallbackRef } from '@mantine/hooks'
import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'

import { membersOf } from '../../contract/list.ts'
import { changeReservation, type Picked } from '../../contract/reservations.ts'
import { type Symbology, writtenForms } from '../../domain/bar-code.ts'
import { newKey } from '../../offline/new-key.ts'
import { CallError } from '../api/call-error.ts'
import { useChange } from '../api/queries.ts'
import { findByCode } from '../catalogue/find-by-code.ts'
import { whyNotACopy } from '../find/not-a-copy.ts'
import { sentenceOf } from '../loans/loan-errors.ts'
import { currentPreferences } from '../page/preferences.ts'
import { type ScanSignal, signalScan } from '../scanner/scan-feedback.ts'
import { pickingQuery } from './shelf-data.ts'

/** The last thing that was scanned or ticked, in words. */
type PickingNotice = { signal: ScanSignal; text: string }

/** What got no answer: asked again it is the same gesture. */
type Unanswered = { key: string; row: Picked; text: string }

/** Sets aside what is scanned or ticked, one after the other: no scan is lost while another is asked about. */
export function usePicking() {
  const client = useQueryClient()
  const { mutateAsync } = useChange(changeReservation)
  const [done, setDone] = useState<ReadonlyMap<number, Picked>>(new Map())
  const [busy, setBusy] = useState<ReadonlySet<number>>(new Set())
  const [unanswered, setUnanswered] = useState<readonly Unanswered[]>([])
  const [notice, setNotice] = useState<PickingNotice | null>(null)
  const waiting = useRef(0)
  const [isUnfinished, setUnfinished] = useState(false)
  const doneNow = useRef(done)
  const unansweredNow = useRef(unanswered)

  const tell = (signal: ScanSignal, text: string) => {
    setNotice({ signal, text })
    signalScan(signal, { sound: currentPreferences().sound })
  }
  const note = (change: (before: Map<number, Picked>) => void) => {
    const next = new Map(doneNow.current)
    change(next)
    doneNow.current = next
    setDone(next)
  }
  const rowsNow = (): readonly Picked[] => membersOf(client.getQueryData(pickingQuery.queryKey)) ?? []

  const last = useRef(Promise.resolve())
  const inTurn = (job: () => Promise<void>) => {
    waiting.current += 1
    setUnfinished(true)
    last.current = last.current
      .then(job)
      .catch((error: unknown) => tell('refusal', sentenceOf(error)))
      .finally(() => {
        waiting.current -= 1
        setUnfinished(waiting.current > 0)
      })
  }

  const decide = async (row: Picked, key: string, body: Parameters<typeof mutateAsync>[0]['body']) => {
    setBusy((before) => new Set([...before, row.reservation]))
    try {
      await mutateAsync({ params: { id: row.reservation }, body, gesture: key })
      return 'done'
    } catch (error) {
      const isUnanswered = error instanceof CallError && error.isUnanswered
      const text = `${row.reference_name}\u202f: ${sentenceOf(error)}`
      tell(isUnanswered ? 'warning' : 'refusal', text)
      return isUnanswered ? text : 'refused'
    } finally {
      setBusy((before) => new Set([...before].filter((id) => id !== row.reservation)))
    }
  }
  const setAside = async (row: Picked, key: string) => {
    const end = await decide(row, key, { status: 'confirmed', set_aside_copy: row.copy })
    unansweredNow.current = [
      ...(end === 'done' || end === 'refused' ? [] : [{ key, row, text: end }]),
      ...unansweredNow.current.filter((one) => one.key !== key),
    ]
    setUnanswered(unansweredNow.current)
    if (end !== 'done') return
    note((rows) => rows.set(row.reservation, row))
    const where = row.pickup_site && row.pickup_site.id !== row.site.id ? `, à ${row.pickup_site.name}` : ''
    tell('success', `${row.reference_name}\u202f: mis de côté pour ${row.beneficiary_name}${where}.`)
  }

  /** Scanned again after it got no answer, it is the same gesture. */
  const keyOf = ({ reservation, copy }: Picked): string =>
    unansweredNow.current.find(({ row }) => row.reservation === reservation && row.copy === copy)?.key ??
    newKey()

  const settle = async (code: string, symbology: Symbology | undefined) => {
    const forms = writtenForms(code, symbology)
    const carries = ({ bar_code }: Picked) => forms.includes(bar_code)
    const rows = rowsNow()
    const listed = rows.find(carries)
    if (listed) return setAside(listed, keyOf(listed))
    const before = [...doneNow.current.values()].find(carries)
    if (before) return tell('warning', `${before.reference_name}\u202f: déjà mis de côté.`)
    // Another copy of the title serves as well, unless one copy was wished for.
    const copy = await findByCode(code, symbology)
    if (!copy) return tell('refusal', (await whyNotACopy(code, symbology)).sentence)
    const same = rows.find((row) => row.reference_id === copy.reference && row.is_any_copy)
    if (!same) return tell('refusal', `${copy.name}\u202f: personne n’attend cet exemplaire.`)
    const site = { id: copy.site, name: copy.site_name }
    const taken = { ...same, copy: copy.id, bar_code: copy.bar_code, site }
    return setAside(taken, keyOf(taken))
  }

  const take = useCallbackRef((code: string, symbology?: Symbology) =>
    inTurn(() => settle(code.trim(), symbology)),
  )
  const tick = useCallbackRef((row: Picked) => inTurn(() => setAside(row, keyOf(row))))
  const untick = useCallbackRef((row: Picked) =>
    inTurn(async () => {
      if ((await decide(row, newKey(), { status: 'waiting' })) !== 'done') return
      note((rows) => rows.delete(row.reservation))
      tell('success', `${row.reference_name}\u202f: remis en attente.`)
    }),
  )
  const again = useCallbackRef(({ row, key }: Unanswered) => inTurn(() => setAside(row, key)))
  return {
    done,
    busy,
    notice,
    unanswered,
    take,
    tick,
    untick,
    again,
    isUnfinished: isUnfinished || unanswered.length > 0,
  }
}
