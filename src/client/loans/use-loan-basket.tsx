import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useRef, useState } from 'react'

import { frenchDay } from '../../domain/calendar-day.ts'
import { libraryToday } from '../../offline/counter.ts'
import { verdictOf } from '../../offline/verdict.ts'
import { findScannedReader } from '../beneficiaries/beneficiary-data.ts'
import type { ChosenReader } from '../beneficiaries/reader-picker.tsx'
import { type CounterCopy, findCounterCopy } from '../catalogue/copy-data.ts'
import type { ScanSignal } from '../scanner/scan-feedback.ts'
import { useConfirm } from '../ui/confirm.tsx'
import { counted } from '../ui/words.ts'
import {
  type BasketLine,
  dueOf,
  type LoanTerms,
  newLine,
  othersWaiting,
  quotaReasons,
  whyNotAddable,
} from './basket.ts'
import { useHeldLoans } from './held-loan.ts'
import { useIneligibleDialog } from './ineligible-dialog.tsx'
import { checkLend } from './lend-check.ts'
import { sentenceOf } from './loan-errors.ts'
import { ReservationQuestion } from './reservation-question.tsx'

type Tell = (signal: ScanSignal, text: string) => void
type Contents = {
  chosen: ChosenReader | null
  lines: readonly BasketLine[]
  /** Copies scanned before the reader. */
  early: readonly CounterCopy[]
}

const nothing: Contents = { chosen: null, lines: [], early: [] }

/**
 * Who borrows, and what: copies join the basket one after the other, in the order they were scanned, each once the rules and the
 * person agreed. A copy scanned before the reader waits for one. Render `dialog` once.
 */
export function useLoanBasket(tell: Tell, terms: LoanTerms) {
  const client = useQueryClient()
  const confirm = useConfirm()
  const { ask, dialog } = useIneligibleDialog()
  const [contents, setContents] = useState(nothing)
  // Jobs see the contents, terms and loans of the moment, whatever was rendered since they were asked for.
  const held = useHeldLoans(contents.chosen?.reader.id ?? null)
  const openLoans = held.data
  const now = useRef({ contents, terms, openLoans })
  useEffect(() => {
    now.current = { ...now.current, terms, openLoans }
  }, [terms, openLoans])
  const change = useCallback((changes: Partial<Contents>) => {
    now.current.contents = { ...now.current.contents, ...changes }
    setContents(now.current.contents)
  }, [])
  const changeLine = useCallback(
    (copy: number, changes: Partial<BasketLine>) =>
      change({
        lines: now.current.contents.lines.map((line) =>
          line.copy.id === copy ? { ...line, ...changes } : line,
        ),
      }),
    [change],
  )

  const last = useRef(Promise.resolve())
  /** One job at a time, saving included: nothing joins a basket that is being saved. */
  const inTurn = useCallback(
    (job: () => Promise<void>): Promise<void> => {
      last.current = last.current.then(job).catch((error: unknown) => tell('refusal', sentenceOf(error)))
      return last.current
    },
    [tell],
  )

  const add = async (copy: CounterCopy): Promise<void> => {
    const { chosen, lines, early } = now.current.contents
    const obstacle = whyNotAddable(copy, lines)
    if (obstacle !== null) return tell('refusal', obstacle)
    if (!chosen) {
      if (!early.some(({ id }) => id === copy.id)) change({ early: [...early, copy] })
      return tell(
        'warning',
        `${copy.name}\u202f: choisissez le bénéficiaire, l’exemplaire rejoindra le prêt.`,
      )
    }
    const { id } = chosen.reader
    const { reasons, doubts } = await checkLend(copy, id, now.current.terms.start_date)
    const ofMedium = (now.current.openLoans ?? []).filter(
      ({ medium }) => medium !== null && medium === copy.medium?.id,
    )
    const refusals = [...new Set([...reasons, ...quotaReasons(copy, lines, ofMedium.length)])]
    const override_reason = refusals.length === 0 ? null : await ask({ title: copy.name, reasons: refusals })
    if (refusals.length > 0 && override_reason === null) {
      return tell('refusal', `${copy.name}\u202f: Le bénéficiaire n'est pas éligible. ${refusals.join(' ')}`)
    }
    const waiting = othersWaiting(copy, id)
    if (waiting.length > 0 && !(await confirm(reservedWords(copy.name, waiting)))) {
      return tell('warning', `${copy.name} n’est pas dans le prêt.`)
    }
    const line = {
      ...newLine(copy),
      verdict: verdictOf(refusals, doubts),
      override_reason,
      despite_reservations: waiting.length > 0,
    }
    change({ lines: [line, ...now.current.contents.lines] })
    tell(
      'success',
      [
        `${copy.name}\u202f: retour le ${frenchDay(dueOf(line, now.current.terms, await libraryToday()))}.`,
        ...doubts,
      ].join(' '),
    )
  }

  const choose = async (chosen: ChosenReader | null): Promise<void> => {
    const { chosen: before, lines, early } = now.current.contents
    if (chosen?.reader.id !== before?.reader.id && lines.length > 0) {
      const message = `${counted(lines.length, 'exemplaire sort', 'exemplaires sortent')} du prêt, qui n’est pas enregistré.`
      if (!(await confirm({ title: 'Changer de bénéficiaire', message, danger: true }))) return
      change({ chosen, lines: [] })
    } else change({ chosen })
    if (!chosen || early.length === 0) return
    change({ early: [] })
    for (const copy of early) await add(copy)
  }

  const takeScan = async (code: string): Promise<void> => {
    const copy = await findCounterCopy(client, code)
    if (copy) return add(copy)
    const found = await findScannedReader(code)
    if (!found) return tell('refusal', `Ni exemplaire ni lecteur ne porte le code «\u00a0${code}\u00a0».`)
    tell('success', `Lecteur\u202f: ${found.reader.lastname} ${found.reader.firstname}.`)
    return choose(found)
  }

  return {
    ...contents,
    /** What the reader has already. */
    held,
    /** The contents as they are, for a job. */
    read: () => now.current.contents,
    change,
    changeLine,
    inTurn,
    addCopy: (copy: CounterCopy) => void inTurn(() => add(copy)),
    chooseReader: (chosen: ChosenReader | null) => void inTurn(() => choose(chosen)),
    takeScan: (code: string) => void inTurn(() => takeScan(code)),
    askMotive: ask,
    dialog,
  }
}

const reservedWords = (name: string, waiting: ReturnType<typeof othersWaiting>) => ({
  title: 'Cet exemplaire est sujet à réservations',
  message: <ReservationQuestion name={name} waiting={waiting} />,
})
