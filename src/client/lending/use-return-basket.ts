import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useMemo, useRef, useState } from 'react'

import type { Symbology } from '../../domain/bar-code.ts'
import { fullName } from '../../domain/person-names.ts'
import { libraryToday } from '../../offline/counter.ts'
import { currentConnection } from '../api/connection.ts'
import { useRight } from '../api/session.ts'
import type { ChosenReader } from '../beneficiaries/reader-picker.tsx'
import type { Proposal } from '../beneficiaries/use-proposed-reader.ts'
import { useFindScan } from '../find/find-scan.ts'
import { isNobodysForSure, nobodysWords } from '../find/found.ts'
import type { ScanSignal } from '../scanner/scan-feedback.ts'
import { findHeldLoan, notLent } from './find-held-loan.ts'
import { awaitedBy, awaitedWords } from '../reservations/awaited.ts'
import { heldKey, type HeldLoan, useHeldLoans } from '../loans/held-loan.ts'
import { nothingNoted, type ReturnNote } from './return-fields.tsx'
import { sentenceOf } from '../loans/loan-errors.ts'
import type { ReceivedLine } from './received-lines.tsx'
import type { GivenBack } from './use-give-back.ts'

type Tell = (signal: ScanSignal, text: string, unknown?: string) => void

/** A reader's loans and scanned copies of anybody; `ticked` are keys of loans (file 1, « Return »). */
export function useReturnBasket(tell: Tell, ticked: readonly string[]) {
  const client = useQueryClient()
  const find = useFindScan()
  const [chosen, setChosen] = useState<ChosenReader | null>(null)
  const [scanned, setScanned] = useState<readonly HeldLoan[]>([])
  const [ticks, setTicks] = useState<ReadonlySet<string>>(() => new Set(ticked))
  const [inHand, setInHand] = useState(ticked.length === 1 ? (ticked[0] ?? null) : null)
  const [notes, setNotes] = useState<ReadonlyMap<string, ReturnNote>>(new Map())
  const [proposal, propose] = useState<Proposal | null>(null)
  const mayReceive = useRight('COPY_TRANSFER', 'LIST_TRANSFERS')
  const [received, setReceived] = useState<readonly ReceivedLine[]>([])
  const shown = chosen ?? proposal?.chosen ?? null
  const held = useHeldLoans(shown?.reader.id ?? null)

  const loans = useMemo(() => {
    const own = held.data ?? []
    const keys = new Set(own.map(heldKey))
    return [...scanned.filter((loan) => !keys.has(heldKey(loan))), ...own]
  }, [held.data, scanned])
  const toReturn: GivenBack[] = loans
    .filter((loan) => ticks.has(heldKey(loan)))
    .map((loan) => ({ loan, note: notes.get(heldKey(loan)) ?? nothingNoted }))

  const tick = useCallback((keys: readonly string[], on: boolean) => {
    const [key, ...others] = keys
    if (on && key !== undefined && others.length === 0) setInHand(key)
    setTicks((before) => {
      const after = new Set(before)
      for (const key of keys) {
        if (on) after.add(key)
        else after.delete(key)
      }
      return after
    })
  }, [])
  const put = useCallback(
    (loan: HeldLoan) =>
      setScanned((before) =>
        before.some((one) => heldKey(one) === heldKey(loan)) ? before : [loan, ...before],
      ),
    [],
  )
  const add = useCallback(
    (loan: HeldLoan) => {
      put(loan)
      tick([heldKey(loan)], true)
      tell('success', `${loan.title}\u202f: à rendre.`)
    },
    [put, tell, tick],
  )

  // One scan after the other, in the order they came: none is lost while another is looked up.
  const last = useRef(Promise.resolve())
  const inTurn = useCallback(
    (job: () => Promise<void>) => {
      last.current = last.current.then(job).catch((error: unknown) => tell('refusal', sentenceOf(error)))
    },
    [tell],
  )
  const receive = useCallback(
    async ({ id, name }: { id: number; name: string }) => {
      if (currentConnection() === 'offline') {
        return tell('refusal', `${name} est en transfert vers ce site\u202f: le recevoir demande le réseau.`)
      }
      const { receiveCopy } = await import('../catalogue/receive-copy.ts')
      const received = await receiveCopy(id)
      if (!received) return tell('warning', `${name} n’est plus en transfert.`)
      const awaited = awaitedBy(received.copy.reservations, id, await libraryToday())
      setReceived((before) => [
        { copy: id, title: name, bar_code: received.copy.bar_code, from: received.from, awaited },
        ...before.filter(({ copy }) => copy !== id),
      ])
      const told = `${name}\u202f: reçu de ${received.from}`
      if (awaited) tell('warning', `${told}, ${awaitedWords(awaited)}.`)
      else tell('success', `${told}.`)
    },
    [tell],
  )
  const takeScan = useCallback(
    (code: string, symbology?: Symbology) =>
      inTurn(async () => {
        const found = await find(code, symbology)
        if (found.kind === 'copy') {
          const loan = await findHeldLoan(client, found.copy)
          if (loan) return add(loan)
          const { known } = found.copy
          if (known?.copy.status === 'En transfert' && mayReceive) return receive(known.copy)
          return tell('warning', notLent(found.copy))
        }
        if (found.kind !== 'reader') {
          return tell('refusal', nobodysWords(found), isNobodysForSure(found) ? found.code : undefined)
        }
        setChosen(found.chosen)
        tell('success', `Lecteur\u202f: ${fullName(found.chosen.reader)}.`)
      }),
    [inTurn, find, client, add, tell, mayReceive, receive],
  )
  /** A copy chosen by its title: its loan is a row to tick, and nothing more. */
  const lookUp = useCallback(
    (bar_code: string) =>
      inTurn(async () => {
        const found = await find(bar_code)
        if (found.kind !== 'copy') return tell('warning', `${bar_code} n’est pas en prêt.`)
        const loan = await findHeldLoan(client, found.copy)
        if (!loan) return tell('warning', notLent(found.copy))
        put(loan)
        tell('warning', `${loan.title}\u202f: cochez son prêt pour le rendre.`)
      }),
    [inTurn, find, client, put, tell],
  )
  /** A row ticked says whose loans these are, where that was provisional. */
  const tickInSight = (keys: readonly string[], on: boolean) => {
    if (proposal && (held.data ?? []).some((loan) => keys.includes(heldKey(loan)))) setChosen(proposal.chosen)
    tick(keys, on)
  }
  const empty = useCallback((keys: readonly string[]) => {
    const gone = new Set(keys)
    setScanned((before) => before.filter((loan) => !gone.has(heldKey(loan))))
    setTicks((before) => new Set([...before].filter((key) => !gone.has(key))))
    setNotes((before) => new Map([...before].filter(([key]) => !gone.has(key))))
  }, [])

  return {
    chosen,
    setChosen,
    loans,
    isLoading: held.isLoading,
    error: held.data ? null : held.error,
    retry: () => void held.refetch(),
    ticks,
    inHand,
    tickInSight,
    propose,
    isReaderShown: shown !== null,
    notes,
    setNote: (key: string, note: ReturnNote) => setNotes((before) => new Map(before).set(key, note)),
    toReturn,
    takeScan,
    lookUp,
    received,
    dismissReceived: (gone: number) => setReceived((before) => before.filter(({ copy }) => copy !== gone)),
    /** Loans taken back leave the counter. */
    empty,
    isHalfMade: scanned.length > 0 || notes.size > 0,
  }
}
