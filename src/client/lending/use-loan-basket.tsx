import { useCallbackRef } from '@mantine/hooks'
import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useRef, useState } from 'react'

import { frenchDay } from '../../domain/calendar-day.ts'
import type { Symbology } from '../../domain/bar-code.ts'
import { frenchMoney } from '../../domain/money.ts'
import { fullName } from '../../domain/person-names.ts'
import { reservationsBefore } from '../../domain/reservation-rules.ts'
import { copyReserved, readerNotEligible } from '../../domain/sentences/counter.ts'
import { findCopy, type KnownCopy } from '../../offline/counter.ts'
import { verdictOf } from '../../offline/verdict.ts'
import type { ChosenReader } from '../beneficiaries/reader-picker.tsx'
import type { Proposal } from '../beneficiaries/use-proposed-reader.ts'
import { currentConnection } from '../api/connection.ts'
import { copyOfKnown, type CounterCopy, findCounterCopyById } from '../catalogue/copy-data.ts'
import { useRight } from '../api/session.ts'
import { useFindScan } from '../find/find-scan.ts'
import { isNobodysForSure, nobodysWords } from '../find/found.ts'
import type { ScanSignal } from '../scanner/scan-feedback.ts'
import { useConfirm } from '../ui/confirm.tsx'
import {
  amountOf,
  areConditionsGiven,
  type BasketLine,
  dueOf,
  isSale,
  type LendingDay,
  type LoanTerms,
  newLine,
  quotaReasons,
  whyNotAddable,
} from './basket.ts'
import { useChangeReaderDialog } from './change-reader-dialog.tsx'
import { useHeldLoans } from '../loans/held-loan.ts'
import { useOpenAt } from '../loans/open-days.ts'
import { useLibraryClock } from '../loans/use-today.ts'
import { useIneligibleDialog } from './ineligible-dialog.tsx'
import { checkLend, checkOnDevice, type LendCheck } from './lend-check.ts'
import { sentenceOf } from '../loans/loan-errors.ts'
import type { RefusedLine } from './refused-lines.tsx'
import { ReservationQuestion } from '../loans/reservation-question.tsx'

type Tell = (signal: ScanSignal, text: string) => void
type Contents = {
  chosen: ChosenReader | null
  lines: readonly BasketLine[]
  /** Copies scanned before the reader. */
  early: readonly CounterCopy[]
  /** What was scanned or chosen and did not join the loan, the last first. */
  refused: readonly RefusedLine[]
}

const nothing: Contents = { chosen: null, lines: [], early: [], refused: [] }

/** Copies join a basket in the order of their scans; `save` answers whether all was recorded. */
export function useLoanBasket(tell: Tell, terms: LoanTerms, save: () => Promise<boolean>) {
  const client = useQueryClient()
  const find = useFindScan()
  const confirm = useConfirm()
  const { ask, dialog } = useIneligibleDialog()
  const { ask: askChange, dialog: changeDialog } = useChangeReaderDialog()
  const [contents, setContents] = useState(nothing)
  // Jobs see the contents, terms and loans of the moment, whatever was rendered since they were asked for.
  const [proposal, propose] = useState<Proposal | null>(null)
  const maySell = useRight('LOANING_SELL')
  const held = useHeldLoans((contents.chosen ?? proposal?.chosen)?.reader.id ?? null)
  const openLoans = held.data
  const openAt = useOpenAt()
  const { today } = useLibraryClock()
  const now = useRef({ contents, terms, openLoans, openAt, may: { sell: maySell } })
  useEffect(() => {
    now.current = { ...now.current, terms, openLoans, openAt, may: { sell: maySell } }
  }, [terms, openLoans, openAt, maySell])
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

  // The server's answers about lines that the device let in, each told in the order of its line.
  const answers = useRef(Promise.resolve())

  /** Nothing that was refused leaves without a line: the next scan takes the place of what was said. */
  const refuse = (line: RefusedLine, said = line.message, signal: ScanSignal = 'refusal') => {
    change({ refused: [line, ...now.current.contents.refused.filter(({ code }) => code !== line.code)] })
    tell(signal, said)
  }
  const forget = (code: string) =>
    change({ refused: now.current.contents.refused.filter((line) => line.code !== code) })
  /** What fails, the network above all, is a line as well. */
  const attempt = ({ code, title }: Pick<RefusedLine, 'code' | 'title'>, job: () => Promise<void>) =>
    void inTurn(() => job().catch((error: unknown) => refuse({ code, title, message: sentenceOf(error) })))

  /** `seen`: the provisional reader in whose sight the copy came, which says yes to them. */
  const add = async (
    offered: CounterCopy,
    seen: ChosenReader | null = null,
    found: KnownCopy | null = null,
  ): Promise<void> => {
    if (seen && !now.current.contents.chosen) {
      tell('success', `Lecteur\u202f: ${fullName(seen.reader)}.`)
      await choose(seen)
    }
    const { chosen, lines, early } = now.current.contents
    const turnedAway = { code: offered.bar_code, title: offered.name }
    // What the device knows may be behind: the server has the last word before a copy is turned away.
    const copy =
      whyNotAddable(offered, lines, now.current.may) === null
        ? offered
        : ((await findCounterCopyById(client, offered.id).catch(() => null)) ?? offered)
    const obstacle = whyNotAddable(copy, lines, now.current.may)
    if (obstacle !== null) {
      // What is in the loan has its line.
      if (lines.some((line) => line.copy.id === copy.id)) return tell('refusal', obstacle)
      return refuse({ ...turnedAway, message: obstacle })
    }
    if (!chosen) {
      if (!early.some(({ id }) => id === copy.id)) change({ early: [...early, copy] })
      return tell('warning', `${copy.name}\u202f: choisissez le lecteur, l’exemplaire rejoindra le prêt.`)
    }
    if (isSale({ copy })) return addSale(copy)
    const { id } = chosen.reader
    const { start_date } = now.current.terms
    const ofMedium = (now.current.openLoans ?? []).filter(
      ({ medium }) => medium !== null && medium === copy.medium?.id,
    )
    const quota = quotaReasons(copy, lines, ofMedium.length)
    const { terms: asked } = now.current
    const on = { today: today(), openAt: now.current.openAt }
    const waiting = reservationsBefore(copy.reservations, {
      reader: id,
      copy: copy.id,
      start_date: asked.start_date ?? on.today,
      end_date: dueOf({ copy }, asked, on),
    })
    const isPlain = currentConnection() !== 'offline' && quota.length + waiting.length === 0
    const known = isPlain ? (found ?? (await findCopy(copy.bar_code, on.today))) : null
    const here = known && (await checkOnDevice(known, id, start_date, on.today))
    if (here?.reasons.length === 0) {
      // The device's doubts are only told where the server does not answer.
      join({ ...newLine(copy), verdict: here.doubts.length === 0 ? verdictOf([], []) : null }, on)
      return hear(copy, checkLend(copy, id, start_date))
    }
    await answers.current
    const { reasons, doubts } = await checkLend(copy, id, start_date)
    const refusals = [...new Set([...reasons, ...quota])]
    const override_reason = await askDespite(copy, refusals)
    if (refusals.length > 0 && override_reason === null) return
    if (waiting.length > 0 && !(await confirm(reservedWords(copy.name, waiting)))) {
      return refuse(
        { ...turnedAway, message: copyReserved },
        `${copy.name} n’est pas dans le prêt.`,
        'warning',
      )
    }
    const verdict = verdictOf(refusals, doubts)
    join({ ...newLine(copy), verdict, override_reason, despite_reservations: waiting.length > 0 }, on, doubts)
  }

  const join = (line: BasketLine, on: LendingDay, doubts: readonly string[] = []): void => {
    const { copy } = line
    const { lines } = now.current.contents
    change({ lines: [{ ...line, conditions_given: areConditionsGiven(lines, copy.medium?.id) }, ...lines] })
    forget(copy.bar_code)
    const due = frenchDay(dueOf(line, now.current.terms, on))
    tell('success', [`Ajouté au prêt\u202f: ${copy.name}, retour le ${due}.`, ...doubts].join(' '))
  }

  /** The motive for lending to who may not; null without one, and then the copy is refused. */
  const askDespite = async (copy: CounterCopy, reasons: readonly string[]): Promise<string | null> => {
    const motive = reasons.length === 0 ? null : await ask({ title: copy.name, reasons })
    if (reasons.length > 0 && motive === null) {
      const message = `${readerNotEligible} ${reasons.join(' ')}`
      refuse({ code: copy.bar_code, title: copy.name, message }, `${copy.name}\u202f: ${message}`)
    }
    return motive
  }

  /** The server has the last word on a line that the device let in. */
  const hear = (copy: CounterCopy, asked: Promise<LendCheck>): void => {
    const takeOut = () =>
      change({ lines: now.current.contents.lines.filter((line) => line.copy.id !== copy.id) })
    const settle = async ({ reasons, doubts }: LendCheck) => {
      const line = now.current.contents.lines.find((one) => one.copy.id === copy.id)
      // It was removed meanwhile.
      if (!line) return
      const override_reason = await askDespite(copy, reasons)
      if (reasons.length > 0 && override_reason === null) return takeOut()
      const verdict = verdictOf(reasons, doubts)
      if (line.verdict?.colour !== 'green' || verdict.colour !== 'green')
        changeLine(copy.id, { verdict, override_reason })
      if (doubts.length > 0) tell('success', doubts.join(' '))
    }
    // All are asked at once, and told one after the other.
    asked.catch(() => undefined)
    answers.current = answers.current.then(async () => {
      try {
        await settle(await asked)
      } catch (error) {
        takeOut()
        refuse({ code: copy.bar_code, title: copy.name, message: sentenceOf(error) })
      }
    })
  }

  /** Of who buys, only being active is asked, which the server does. */
  const addSale = (copy: CounterCopy): void => {
    change({ lines: [newLine(copy), ...now.current.contents.lines] })
    forget(copy.bar_code)
    tell(
      'success',
      `Ajouté\u202f: ${copy.name}, vente à ${frenchMoney(amountOf(newLine(copy), now.current.terms))}.`,
    )
  }

  /** `onChosen` is for who is chosen indeed: leaving a half-made loan is asked about. */
  const choose = async (chosen: ChosenReader | null, onChosen?: () => void): Promise<void> => {
    // They are about this reader.
    await answers.current
    const { chosen: before, lines, early } = now.current.contents
    if (before && chosen?.reader.id !== before.reader.id && lines.length > 0) {
      const answer = await askChange({ name: fullName(before.reader), count: lines.length })
      if (answer === 'stay') return
      if (answer === 'save' && !(await save())) {
        return tell(
          'refusal',
          `Le prêt n’est pas enregistré\u202f: le lecteur reste ${fullName(before.reader)}.`,
        )
      }
      change({ chosen, lines: [] })
    } else change({ chosen })
    onChosen?.()
    // They were refused to somebody else.
    if (before && chosen?.reader.id !== before.reader.id) change({ refused: [] })
    if (!chosen || early.length === 0) return
    change({ early: [] })
    for (const copy of early) await add(copy)
  }

  const follow = async (
    code: string,
    symbology: Symbology | undefined,
    seen: ChosenReader | null,
  ): Promise<void> => {
    const found = await find(code, symbology)
    if (found.kind === 'copy') {
      const { known, title } = found.copy
      return known
        ? add(copyOfKnown(known), seen, known)
        : refuse({ code, title, message: `«\u00a0${title}\u00a0» est déjà en prêt.` })
    }
    if (found.kind !== 'reader') {
      const isUnknown = isNobodysForSure(found)
      return refuse({ code, title: code, message: nobodysWords(found), isUnknown })
    }
    forget(code)
    const { chosen } = found
    return choose(chosen, () => tell('success', `Lecteur\u202f: ${fullName(chosen.reader)}.`))
  }

  const scanned = (code: string, symbology?: Symbology) => {
    const seen = inSight()
    attempt({ code, title: code }, () => follow(code, symbology, seen))
  }
  const inSight = () => (proposal?.isInSight() ? proposal.chosen : null)
  // The same functions at each drawing: a scan does not draw the fields again.
  const takeScan = useCallbackRef(scanned)
  const addCopy = useCallbackRef((copy: CounterCopy) => {
    const seen = inSight()
    attempt({ code: copy.bar_code, title: copy.name }, () => add(copy, seen))
  })
  const chooseReader = useCallbackRef((chosen: ChosenReader | null) => void inTurn(() => choose(chosen)))

  return {
    ...contents,
    proposed: proposal?.chosen ?? null,
    propose,
    /** What the reader has already. */
    held,
    /** The contents as they are, for a job. */
    read: () => now.current.contents,
    change,
    changeLine,
    /** For what closes the loan: every answer about its lines has come. */
    inTurn: (job: () => Promise<void>) => inTurn(() => answers.current.then(job)),
    addCopy,
    chooseReader,
    takeScan,
    /** A code that was unknown has its copy now. */
    takeAdded: (code: string, given: string) => {
      forget(code)
      scanned(given)
    },
    /** A refusal that was read. */
    dismiss: forget,
    askMotive: ask,
    dialog: (
      <>
        {dialog}
        {changeDialog}
      </>
    ),
  }
}

const reservedWords = (name: string, waiting: CounterCopy['reservations']) => ({
  title: copyReserved,
  message: <ReservationQuestion copies={[{ name, waiting }]} />,
  acts: 'passes-over' as const,
})
