import { Button, Checkbox, Stack, Textarea, UnstyledButton } from '@mantine/core'
import { IconChevronDown } from '@tabler/icons-react'
import { useQueries } from '@tanstack/react-query'
import { useEffect, useId, useRef, useState } from 'react'

import { frenchDay } from '../../domain/calendar-day.ts'
import type { Money } from '../../domain/money.ts'
import { reservationsBefore } from '../../domain/reservation-rules.ts'
import { copyReserved, readerNotEligible } from '../../domain/sentences/counter.ts'
import { useRight } from '../api/session.ts'
import { type ChosenReader, ReaderPicker } from '../beneficiaries/reader-picker.tsx'
import { amountOf, type BasketLine, dueOf, isSale, noTerms } from '../lending/basket.ts'
import { checkLend } from '../lending/lend-check.ts'
import { LoanFields, LoanFoot } from '../lending/loan-form.tsx'
import type { SavedLoans } from '../lending/save-loans.ts'
import { useLoanForm } from '../lending/use-loan-form.ts'
import { ReservationQuestion } from '../loans/reservation-question.tsx'
import { type Awaited, awaitedAs, awaitedBy } from '../reservations/awaited.ts'
import { inWords } from '../page/house-words.ts'
import type { ScanSignal } from '../scanner/scan-feedback.ts'
import { useBasketGuard } from '../ui/forms/basket-guard.ts'
import { useConfirm } from '../ui/dialogs/confirm.tsx'
import { lazyPart } from '../ui/lazy-part.tsx'
import { wasEscapeForOverlay } from '../ui/overlay-open.ts'
import { useUnsavedGuard } from '../ui/forms/use-unsaved-guard.ts'
import { canBeSaved, useValidity } from '../ui/forms/validity.ts'
import { firstNames } from '../ui/words.ts'
import styles from './home.module.css'
import { findLine, happen } from './lane-store.ts'
import { type LaneLine, type LaneReader, nameOf, plainKept, type Step } from './lane.ts'
import type { SheetNews } from './use-loan-sheet.ts'
import { type SheetLine, useSheetBasket } from './use-sheet-basket.ts'

const AwaitedCopy = lazyPart(() => import('../reservations/awaited-copy.tsx'))

/** Each line has what became of its loan, refused ones too, so that nothing lends it a second time. */
function settleLines(
  sheetLines: readonly SheetLine[],
  { sent, left }: SavedLoans,
  { to, amountOf }: { to: ChosenReader; amountOf: (line: BasketLine) => Money },
): void {
  const name = nameOf(to)
  for (const { of, line } of sheetLines) {
    const loan = sent.find(({ copy }) => copy === line.copy.id)
    const refused = left.find(({ copy }) => copy.id === line.copy.id)
    if (isSale(line) && !refused) settle(of, { name: 'sold', to: name, price: priced(amountOf(line)) }, to)
    if (loan)
      settle(
        of,
        {
          ...plainKept,
          act: 'lend',
          entry_id: loan.id,
          reader: name,
          to,
          due: loan.due,
          choice: loan.passed ? { passed: loan.passed } : {},
        },
        to,
      )
    if (refused?.failure) tell('refusal', refused.failure.message, line.copy.name)
    else if (loan) tell('success', 'Prêté', line.copy.name, ` à ${name} jusqu’au ${frenchDay(loan.due)}`)
    else if (!refused) tell('success', 'Vendu', line.copy.name, ` à ${name}`)
  }
}

const priced = (amount: Money): Money | null => (Number(amount) > 0 ? amount : null)

const settle = ({ key }: LaneLine, step: Step, { reader }: ChosenReader): void =>
  happen({ what: 'form-settled', key, step, reader: reader.id })

const tell = (signal: ScanSignal, text: string, title: string, more = ''): void =>
  happen({ what: 'say', signal, text, more, title })

type LoanSheetProps = {
  lines: readonly LaneLine[]
  keys: readonly string[]
  here: LaneReader | null
  isUnfolded: boolean
  onNews: (news: SheetNews) => void
  onUnfold: (isUnfolded: boolean) => void
  onKeep: (keys: readonly string[]) => void
  /** May ask first. */
  onClose: () => void
  onSaved: () => void
}

const leavingSheet = {
  title: 'Quitter sans enregistrer le prêt\u202f?',
  message: 'Ce qui a été saisi dans le prêt complet sera perdu.',
}

/** The whole loan of refused lines beside the lane: the counter goes on, and no dialog opens by itself. */
export default function LoanSheet({ isUnfolded, onNews, onUnfold, onClose, onSaved, ...of }: LoanSheetProps) {
  const basket = useSheetBasket(of)
  const { chosen, sheetLines } = basket
  const [terms, setTerms] = useState(noTerms)
  const form = useLoanForm(basket, [terms, setTerms])
  const [motive, setMotive] = useState('')
  const [isDespite, setDespite] = useState(false)
  const refusals = useRefusals(sheetLines, chosen?.reader.id ?? null, terms.start_date)
  const waiting = waitingFor(form.lines, form, chosen?.reader.id ?? null)
  const mayOverride = useRight('LOANING_OVERRIDE')
  const isRefused = refusals.length > 0
  const isBeyond = form.lines.some(isBeyondBounds)
  const asksMotive = mayOverride && (isRefused || isBeyond)
  const isReserved = waiting.length > 0 || form.lines.some(({ failure }) => failure?.reason === 'RESERVED')
  const motiveField = useValidity<HTMLTextAreaElement>(
    asksMotive && motive.trim() === '' ? 'Écrivez pourquoi.' : '',
  )
  const despiteField = useValidity(
    isReserved && !isDespite ? 'Cochez pour prêter malgré la réservation.' : '',
  )

  const isTyped = basket.isChanged || terms !== noTerms || motive !== '' || isDespite
  const confirm = useConfirm()
  const place = useRef<HTMLElement>(null)
  const fields = useRef<HTMLDivElement>(null)
  useEffect(() => {
    onNews({
      reader: chosen,
      isInUse: () => isTyped || place.current?.contains(document.activeElement) === true,
      mayBeLeft: async () => !isTyped || confirm({ ...leavingSheet, acts: 'destroys' }),
    })
  })
  const release = useUnsavedGuard(isTyped, leavingSheet)
  useBasketGuard(isTyped)

  // What stands on top of the sheet is not said again under its copy.
  const isTold = (line: BasketLine) =>
    line.failure?.reason === 'RESERVED'
      ? waiting.some(({ copy }) => copy === line.copy.id)
      : line.failure?.reason === 'NOT_ELIGIBLE' && isRefusedLine(line, refusals)

  // A line that asks by itself offers to set its copy aside as well.
  const asked = sheetLines.flatMap((one) => {
    const { step } = one.of
    const { id } = one.line.copy
    const before = waiting.find(({ copy }) => copy === id)?.waiting ?? []
    const awaited = step.name === 'asks' && !step.awaited ? awaitedBy(before, id, form.on.today) : null
    return awaited ? [{ one, awaited }] : []
  })

  const passedOf = ({ copy: { id }, failure }: BasketLine) =>
    waiting.find(({ copy }) => copy === id)?.waiting.map((one) => awaitedAs(one, id)) ??
    (failure?.reason === 'RESERVED' ? (failure.awaited ?? []) : null)
  const grants = (line: BasketLine): BasketLine => ({
    ...line,
    override_reason: asksMotive && isRefusedLine(line, refusals) ? motive.trim() : null,
    bounds_motive: asksMotive && isBeyondBounds(line) ? motive.trim() : null,
    passed: isDespite ? passedOf(line) : null,
  })
  /** Its lane line says so, and leaves the sheet. */
  const setAside = ({ of: { key }, line: { failure } }: SheetLine, awaited: Awaited) =>
    happen({ what: 'set-aside', key, awaited, refused: failure?.entry_id ?? null })
  const setRowAside = ({ copy, failure }: BasketLine) => {
    const one = sheetLines.find(({ line }) => line.copy.id === copy.id)
    const awaited = failure?.awaited?.[0]
    if (one && awaited) setAside(one, awaited)
  }
  const save = async () => {
    const keys = sheetLines.map(({ of: { key } }) => key)
    // What was asked of the line itself is under way: it is lent once.
    if (
      form.isPending ||
      keys.some((key) => findLine(key)?.under_way !== null) ||
      !canBeSaved(fields.current)
    )
      return
    happen({ what: 'under-way', keys, by: 'open-form' })
    try {
      const saved = await form.save(grants)
      if (saved && chosen)
        settleLines(sheetLines, saved, { to: chosen, amountOf: (line) => amountOf(line, terms) })
      if (saved?.left.length === 0) {
        release()
        onSaved()
      }
    } finally {
      happen({ what: 'under-way', keys, by: null })
    }
  }

  const titles = firstNames(sheetLines.map(({ line }) => line.copy.name))
  const body = useId()
  return (
    // Not a dialog: the scans and the focus stay with the counter.
    <section
      ref={place}
      className={`panel ${styles['sheet']}`}
      aria-label={inWords('Prêt complet')}
      data-unfolded={isUnfolded || undefined}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || event.defaultPrevented || wasEscapeForOverlay()) return
        event.preventDefault()
        event.stopPropagation()
        onClose()
      }}
    >
      <div className={styles['sheetHead']}>
        <UnstyledButton
          className={styles['fold'] ?? ''}
          aria-expanded={isUnfolded}
          aria-controls={body}
          onClick={() => onUnfold(!isUnfolded)}
        >
          <span>{`${inWords('Prêt complet')}\u202f: ${titles}`}</span>
          <IconChevronDown size="1.2rem" aria-hidden />
        </UnstyledButton>
        <Button variant="subtle" px="xs" onClick={onClose}>
          Fermer
        </Button>
      </div>
      <div id={body} ref={fields} className={styles['sheetBody']} hidden={!isUnfolded}>
        <Stack gap="sm">
          {isRefused ? (
            <div className={styles['refusals']}>
              <strong>{readerNotEligible}</strong>
              {refusals.map(({ line, reasons }) => (
                <p key={line.copy.id}>{reasons.join(' ')}</p>
              ))}
              {mayOverride ? null : <p>Votre profil ne permet pas de prêter malgré un refus.</p>}
            </div>
          ) : null}
          {waiting.length > 0 ? (
            <div className={styles['refusals']}>
              <strong>{copyReserved}</strong>
              <ReservationQuestion copies={waiting} isAsked={asked.length > 0} />
              {asked.map(({ one, awaited }) => {
                const { of, line } = one
                const { id, bar_code, name } = line.copy
                return (
                  <AwaitedCopy
                    key={of.key}
                    of={`sheet ${of.key}`}
                    copy={id}
                    bar_code={bar_code}
                    title={name}
                    awaited={awaited}
                    isRecorded
                    isOffer
                    isHeld={of.under_way !== null && of.under_way !== 'set-aside'}
                    onPending={(isPending) =>
                      happen({ what: 'under-way', keys: [of.key], by: isPending ? 'set-aside' : null })
                    }
                    onSetAside={() => setAside(one, awaited)}
                  />
                )
              })}
            </div>
          ) : null}
          {asksMotive ? (
            <Textarea
              ref={motiveField}
              label="Motif pour prêter quand même"
              withAsterisk
              autosize
              minRows={1}
              maxLength={500}
              value={motive}
              onChange={(event) => setMotive(event.currentTarget.value)}
            />
          ) : null}
          {isReserved ? (
            <Checkbox
              ref={despiteField}
              label={inWords('Prêter malgré la réservation')}
              checked={isDespite}
              onChange={(event) => setDespite(event.currentTarget.checked)}
            />
          ) : null}
          <ReaderPicker chosen={chosen} onChoose={basket.choose} />
          <LoanFields
            form={{
              ...form,
              edits: { ...form.edits, onSetAside: setRowAside },
              lines: form.lines.map((line) => (isTold(line) ? withoutRefusal(line) : line)),
            }}
          />
        </Stack>
      </div>
      {isUnfolded ? (
        <div className={styles['sheetFoot']}>
          <LoanFoot form={form}>
            <Button
              px="md"
              mih="2.75rem"
              disabled={!chosen || (isRefused && !mayOverride)}
              loading={form.isPending}
              onClick={() => void save()}
            >
              Enregistrer
            </Button>
          </LoanFoot>
        </div>
      ) : null}
    </section>
  )
}

const isBeyondBounds = ({ failure }: BasketLine): boolean =>
  failure?.reason === 'BEYOND_BOUNDS' && failure.violations.length > 0

const withoutRefusal = (line: BasketLine): BasketLine => ({ ...line, failure: null })

type Refusal = { line: BasketLine; reasons: readonly string[] }

const isRefusedLine = (line: BasketLine, refusals: readonly Refusal[]): boolean =>
  refusals.some((one) => one.line.copy.id === line.copy.id)

/** Why each copy is refused to the reader, asked again for another reader or another day; the line's own words until then. */
function useRefusals(
  sheetLines: readonly SheetLine[],
  reader: number | null,
  start_date: string | null,
): Refusal[] {
  const answers = useQueries({
    queries: sheetLines.map(({ line: { copy } }) => ({
      queryKey: ['lend-check', copy.id, reader, start_date],
      queryFn: () => checkLend(copy, reader ?? 0, start_date),
      enabled: reader !== null && !isSale({ copy }),
      gcTime: 0,
    })),
  })
  return sheetLines.flatMap(({ of, line }, at) => {
    const told = answers[at]?.data?.reasons ?? (reader === null ? [] : reasonsSaid(of))
    const { failure } = line
    const reasons = told.length === 0 && failure?.reason === 'NOT_ELIGIBLE' ? [failure.message] : told
    return reasons.length > 0 ? [{ line, reasons }] : []
  })
}

const reasonsSaid = ({ step }: LaneLine): readonly string[] =>
  step.name === 'asks' && step.signal === 'refusal' ? step.details : []

/** Who waits for the copies during the loan. */
function waitingFor(
  lines: readonly BasketLine[],
  { terms, on }: Pick<ReturnType<typeof useLoanForm>, 'terms' | 'on'>,
  reader: number | null,
) {
  return lines.flatMap((line) => {
    if (reader === null || isSale(line)) return []
    const { id, name, reservations, capacity } = line.copy
    const start_date = terms.start_date ?? on.today
    const days = { start_date, end_date: dueOf(line, terms, on) }
    const waiting = reservationsBefore(reservations, { reader, copy: id, ...days }, capacity)
    return waiting.length > 0 ? [{ copy: id, name, waiting }] : []
  })
}
