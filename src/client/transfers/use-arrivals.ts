import { useCallbackRef } from '@mantine/hooks'
import { useEffect, useRef, useState } from 'react'

import type { Copy } from '../../contract/catalogue.ts'
import { changeCopy } from '../../contract/copies.ts'
import type { Symbology } from '../../domain/bar-code.ts'
import { newKey } from '../../offline/new-key.ts'
import { CallError } from '../api/call-error.ts'
import { useConnection } from '../api/connection.ts'
import { useChange } from '../api/queries.ts'
import { useSession } from '../api/session.ts'
import { findByCode } from '../catalogue/find-by-code.ts'
import { whyNotACopy } from '../find/not-a-copy.ts'
import { sentenceOf } from '../loans/loan-errors.ts'
import { useToday } from '../loans/use-today.ts'
import { currentPreferences } from '../page/preferences.ts'
import { type Awaited, awaitedBy } from '../reservations/awaited.ts'
import { type ScanSignal, signalScan } from '../scanner/scan-feedback.ts'

/** A code that was scanned among what arrives, and what came of it. */
export type Arrival = {
  key: string
  code: string
  symbology: Symbology | undefined
  /** Known from its first look-up on, so that asking again receives the same copy under the same key. */
  copy: Copy | null
  /** For whom it is set aside, once received. */
  awaited: Awaited | null
  /** `unanswered`: nobody could tell; it is asked again when the server is back. */
  state: 'asked' | 'received' | 'refused' | 'unanswered'
  words: string
  /** How often it was asked again by itself. */
  retries: number
}

/** Then somebody presses « Réessayer »: a server that answers all but this is not asked for ever. */
const mostRetries = 3

/** As many as one lorry brings; older ones are in the list of copies. */
const mostShown = 100

/** Receives what is scanned, one after the other: no scan is lost while another is asked about, none counts twice. */
export function useArrivals() {
  const here = useSession()?.site?.id ?? 0
  const isOnline = useConnection() === 'online'
  const { mutateAsync } = useChange(changeCopy)
  const today = useToday()
  const [lines, setLines] = useState<readonly Arrival[]>([])
  const known = useRef(lines)
  const change = (next: readonly Arrival[]) => {
    known.current = next
    setLines(next)
  }
  const note = (key: string, changes: Partial<Arrival>) =>
    change(known.current.map((line) => (line.key === key ? { ...line, ...changes } : line)))
  const end = (key: string, state: 'received' | 'refused' | 'unanswered', words: string) => {
    note(key, { state, words })
    signalScan(signals[state], { sound: currentPreferences().sound })
  }

  const settle = async (key: string): Promise<void> => {
    const line = known.current.find((one) => one.key === key)
    if (!line) return
    try {
      const copy = line.copy ?? (await findByCode(line.code, line.symbology))
      if (!copy) return end(key, 'refused', (await whyNotACopy(line.code, line.symbology)).sentence)
      note(key, { copy })
      const why = whyNotReceived(copy, here)
      if (why !== null) return end(key, 'refused', why)
      await mutateAsync({ params: { id: copy.id }, body: { status: 'Disponible' }, gesture: key })
      note(key, { awaited: awaitedBy(copy.reservations, copy.id, today) })
      end(key, 'received', copy.sent_from ? `Reçu de ${copy.sent_from.name}` : 'Reçu')
    } catch (error) {
      const isUnanswered = error instanceof CallError && error.isUnanswered
      end(key, isUnanswered ? 'unanswered' : 'refused', sentenceOf(error))
    }
  }

  const last = useRef(Promise.resolve())
  const inTurn = (key: string) => {
    note(key, { state: 'asked', words: 'Recherche…' })
    last.current = last.current.then(() => settle(key))
  }
  const take = useCallbackRef((code: string, symbology?: Symbology) => {
    const before = known.current.find((line) => line.code === code && line.state !== 'refused')
    // Still asked about, or received: the same label read again is no other copy.
    if (before && before.state !== 'unanswered')
      return signalScan('warning', { sound: currentPreferences().sound })
    if (before) return inTurn(before.key)
    const line: Arrival = {
      key: newKey(),
      code,
      symbology,
      copy: null,
      awaited: null,
      state: 'asked',
      words: '',
      retries: 0,
    }
    const others = known.current.filter((one) => one.code !== code)
    change([line, ...others].filter((one, at) => at < mostShown || isOpen(one)))
    return inTurn(line.key)
  })
  const again = useCallbackRef((key: string) => inTurn(key))
  const dismiss = useCallbackRef((key: string) => change(known.current.filter((line) => line.key !== key)))
  const askAgain = useCallbackRef(() => {
    for (const { key, state, retries } of [...known.current].reverse()) {
      if (state !== 'unanswered' || retries >= mostRetries) continue
      note(key, { retries: retries + 1 })
      inTurn(key)
    }
  })
  useEffect(() => {
    if (isOnline) askAgain()
  }, [isOnline, askAgain])
  return { lines, take, again, dismiss, isUnfinished: lines.some(isOpen) }
}

const isOpen = ({ state }: Arrival): boolean => state === 'asked' || state === 'unanswered'

const signals: Record<'received' | 'refused' | 'unanswered', ScanSignal> = {
  received: 'success',
  refused: 'refusal',
  unanswered: 'warning',
}

function whyNotReceived({ status_name, site, site_name, sold_on }: Copy, here: number): string | null {
  const isHere = here === 0 || site === here
  if (status_name === 'En transfert') return isHere ? null : `En transfert vers ${site_name}, pas ici.`
  if (sold_on !== null) return 'Vendu\u202f: il n’est plus dans le fonds.'
  if (status_name === 'En Location') return 'En prêt\u202f: enregistrez plutôt son retour.'
  return isHere ? `Déjà ici (${status_name}).` : `Pas en transfert\u202f: il est de ${site_name}.`
}
