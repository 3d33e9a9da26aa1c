import {
  ActionIcon,
  Alert,
  Box,
  Button,
  Group,
  Stack,
  Text,
  UnstyledButton,
  VisuallyHidden,
} from '@mantine/core'
import { useCallbackRef } from '@mantine/hooks'
import { IconCheck, IconCircleX } from '@tabler/icons-react'
import { memo, useMemo, useRef, useState } from 'react'
import { flushSync } from 'react-dom'

import { frenchDay, weekdayOf } from '../../domain/calendar-day.ts'
import { explainDue, startDayNote } from '../../domain/due-words.ts'
import { durationWords } from '../../domain/loan-rules.ts'
import { frenchMoney, type Money } from '../../domain/money.ts'
import { Cover } from '../ui/cover.tsx'
import { lazyPart } from '../ui/lazy-part.tsx'
import { MoneyField } from '../ui/forms/money-field.tsx'
import { MotiveAct } from '../ui/forms/motive-act.tsx'
import { useShortList } from '../ui/lists/short-list.tsx'
import { StatusTag } from '../ui/status-tag.tsx'
import { useConnection } from '../api/connection.ts'
import {
  amountOf,
  type BasketLine,
  dueOf,
  durationOf,
  isSale,
  type LendingDay,
  type LoanTerms,
  noTerms,
  saleNeedsNetwork,
  stepsOf,
} from './basket.ts'
import styles from './counter.module.css'
import { mayBorrow, VerdictReasons, VerdictTag } from '../loans/verdict-tag.tsx'
import { passedWords } from '../reservations/reservation-words.ts'
import { inWords } from '../page/house-words.ts'

type BasketLinesProps = {
  lines: readonly BasketLine[]
  terms: LoanTerms
  /** Until the calendar is known, no day of return is said. */
  on: LendingDay & { isCalendarKnown: boolean }
  onAmount: (line: BasketLine, amount: string) => void
  onRemove: (line: BasketLine) => void
  onDismiss: (line: BasketLine) => void
  /** Its copy was kept for whoever waits. */
  onSetAside: (line: BasketLine) => void
  /** Tries a refused line again, with what the refusal asks for: a motive, unless somebody waits. */
  onInsist: (line: BasketLine, motive: string | null) => void
  mayInsist: (line: BasketLine) => boolean
}

/** A new loan's copies, a row each; what a person should know of one stands under its row. */
export function BasketLines({ lines, terms, on, mayInsist, ...gestures }: BasketLinesProps) {
  // The same objects at each drawing: a row is drawn again only for what concerns it.
  const { start_date, duration, free } = terms
  const ofRows = useMemo(() => ({ ...noTerms, start_date, duration, free }), [start_date, duration, free])
  const { today, openAt, isCalendarKnown } = on
  const day = useMemo(() => ({ today, openAt, isCalendarKnown }), [today, openAt, isCalendarKnown])
  const stable = {
    onAmount: useCallbackRef(gestures.onAmount),
    onRemove: useCallbackRef(gestures.onRemove),
    onDismiss: useCallbackRef(gestures.onDismiss),
    onSetAside: useCallbackRef(gestures.onSetAside),
    onInsist: useCallbackRef(gestures.onInsist),
  }
  // A refused line stays in sight wherever it stands, because somebody has to act on it.
  const { shown, more } = useShortList(lines, ({ failure }) => failure !== null)
  return (
    <>
      <ul className={styles['basket']} aria-label={inWords('Exemplaires du prêt')}>
        {shown.map((line) => (
          <Row
            key={line.copy.id}
            line={line}
            terms={ofRows}
            on={day}
            mayInsist={line.failure !== null && mayInsist(line)}
            {...stable}
          />
        ))}
      </ul>
      {more}
    </>
  )
}

type RowProps = Omit<BasketLinesProps, 'lines' | 'mayInsist'> & { line: BasketLine; mayInsist: boolean }

/** Drawn again only for what changes of it, because a scan must not draw all those before. */
const Row = memo(function Row(row: RowProps) {
  const { line } = row
  return (
    <li
      className={`${styles['row']} ${styles['short']} ${styles['far']}`}
      data-tone={line.failure ? 'bad' : undefined}
    >
      <Line {...row} />
      {isSale(line) || line.failure || !row.on.isCalendarKnown || line.copy.is_code_alone ? null : (
        <OfItsDays {...row} />
      )}
      <Concerns {...row} />
    </li>
  )
})

type LineProps = Pick<RowProps, 'line' | 'terms' | 'on' | 'onAmount' | 'onRemove'>

function Line({ line, terms, on, onAmount, onRemove }: LineProps) {
  const { copy, verdict } = line
  return (
    <div className={styles['copy']}>
      <span className={styles['sign']}>
        <Cover title={copy.name} medium={copy.medium?.name ?? null} />
        <VisuallyHidden component="span">{copy.medium?.name}</VisuallyHidden>
        {verdict?.colour === 'green' ? <MayBorrow /> : null}
      </span>
      <Text className={styles['title'] ?? ''} fw={600} lineClamp={2} lh={1.25} title={copy.name}>
        {copy.name}
      </Text>
      <div className={styles['facts']}>
        <Text span size="sm" c="dimmed" truncate className={styles['code'] ?? ''} title={copy.bar_code}>
          <bdi>{copy.bar_code}</bdi>
        </Text>
        {isSale(line) ? (
          <Text span size="sm" className={styles['due'] ?? ''}>
            <strong>{inWords('Vente')}</strong>
          </Text>
        ) : line.failure || !on.isCalendarKnown || copy.is_code_alone ? null : (
          <Text span size="sm" className={styles['due'] ?? ''} title={durationWords(durationOf(line, terms))}>
            <span>{inWords('Retour le ')}</span>
            <strong>{frenchDay(dueOf(line, terms, on))}</strong>
          </Text>
        )}
      </div>
      {/* Nobody knows its price, nor for how long it is lent. */}
      {copy.is_code_alone ? null : (
        <Amount
          name={copy.name}
          amount={amountOf(line, terms)}
          isFree={terms.free}
          onChange={(amount) => onAmount(line, amount)}
        />
      )}
      <ActionIcon
        className={styles['out'] ?? ''}
        aria-label={`Retirer\u202f: ${copy.name}`}
        onClick={() => onRemove(line)}
        c="dimmed"
      >
        <IconCircleX size="1.25rem" aria-hidden />
      </ActionIcon>
    </div>
  )
}

/** Why its return is on another day than counted, and that its medium is lent on another weekday. */
function OfItsDays({ line, terms, on }: Pick<LineProps, 'line' | 'terms' | 'on'>) {
  const { medium } = line.copy
  const words = [
    explainDue(stepsOf(line, terms, on), durationOf(line, terms), medium?.end_day ?? null),
    startDayNote(medium?.start_day ?? null, weekdayOf(terms.start_date ?? on.today)),
  ].filter((one) => one !== null)
  return words.map((one) => (
    <Text key={one} className={styles['days'] ?? ''} size="sm" c="dimmed">
      {one}
    </Text>
  ))
}

/** A tick is enough for what is expected; who does not see it hears the words. */
function MayBorrow() {
  return (
    <>
      <IconCheck className={styles['may'] ?? ''} size="1rem" stroke={3} aria-hidden />
      <VisuallyHidden component="span">{mayBorrow}</VisuallyHidden>
    </>
  )
}

type AmountProps = { name: string; amount: Money; isFree: boolean; onChange: (amount: Money) => void }

/** A button that becomes a field when it is pressed: hardly any amount is another than the rule's. */
function Amount({ name, amount, isFree, onChange }: AmountProps) {
  const [isTyped, setTyped] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  if (isFree) return <span className={`${styles['amount']} ${styles['gratis']}`}>{frenchMoney(amount)}</span>
  if (isTyped) {
    return (
      <MoneyField
        label={`Montant\u202f: ${name}`}
        value={amount}
        onChange={onChange}
        onClose={(isByKey) => {
          // The button has to be there before it takes the focus back.
          flushSync(() => setTyped(false))
          if (isByKey) button.current?.focus()
        }}
        classNames={amountPlaces}
      />
    )
  }
  return (
    <UnstyledButton
      ref={button}
      className={`${styles['amount']} ${styles['quiet']}`}
      aria-label={`Montant ${frenchMoney(amount)}\u202f: ${name}`}
      onClick={() => setTyped(true)}
    >
      {frenchMoney(amount)}
    </UnstyledButton>
  )
}

const amountPlaces = {
  root: styles['typed'] ?? '',
  wrapper: styles['amount'] ?? '',
  error: styles['fault'] ?? '',
}

const despite = 'Prêter quand même'
const AwaitedCopy = lazyPart(() => import('../reservations/awaited-copy.tsx'))

type ConcernsProps = Pick<RowProps, 'line' | 'onDismiss' | 'onSetAside' | 'onInsist' | 'mayInsist'>

/** Doubts, what was passed over and the last refusal; nothing where there is none. */
function Concerns({ line, onDismiss, onSetAside, onInsist, mayInsist }: ConcernsProps) {
  const { copy, failure } = line
  const [isSettingAside, setSettingAside] = useState(false)
  const needsNetwork = useConnection() === 'offline' && isSale(line)
  const verdict = line.verdict?.colour === 'green' ? null : line.verdict
  const isPassedOver = line.override_reason !== null || line.bounds_motive !== null || line.passed !== null
  if (!verdict && !isPassedOver && !failure && !needsNetwork) return null
  return (
    <Stack gap="xs" pb="xs">
      {verdict || isPassedOver ? (
        <Group gap="xs">
          {verdict ? <VerdictTag verdict={verdict} /> : null}
          {line.override_reason === null ? null : <StatusTag tone="warn">Malgré un refus</StatusTag>}
          {line.bounds_motive === null ? null : <StatusTag tone="warn">Au-delà des limites</StatusTag>}
          {line.passed === null ? null : (
            <>
              <StatusTag tone="warn">{inWords('Malgré une réservation')}</StatusTag>
              <Text size="sm">{passedWords(line.passed)}</Text>
            </>
          )}
          {verdict ? <VerdictReasons reasons={verdict.reasons} /> : null}
        </Group>
      ) : null}
      {needsNetwork && !failure ? (
        <Text size="sm" c="dimmed">
          {saleNeedsNetwork}
        </Text>
      ) : null}
      {failure ? (
        <>
          <Alert
            color="red"
            role="alert"
            withCloseButton
            closeButtonLabel={`Masquer le refus\u202f: ${copy.name}`}
            onClose={() => onDismiss(line)}
          >
            {copy.name}
            {'\u202f'}: {failure.message}
          </Alert>
          {!mayInsist ? null : failure.reason === 'RESERVED' ? (
            // Said once, it is lent by the next save, and kept for nobody.
            line.passed !== null ? null : (
              <Group gap="xs">
                <Button
                  variant="default"
                  px="sm"
                  disabled={isSettingAside}
                  onClick={() => onInsist(line, null)}
                >
                  {despite}
                </Button>
                {failure.awaited?.[0] ? (
                  <AwaitedCopy
                    of={failure.entry_id ?? copy.bar_code}
                    copy={copy.is_code_alone ? null : copy.id}
                    bar_code={copy.bar_code}
                    title={copy.name}
                    awaited={failure.awaited[0]}
                    isRecorded
                    isOffer
                    onPending={setSettingAside}
                    onSetAside={() => onSetAside(line)}
                  />
                ) : null}
              </Group>
            )
          ) : (
            <Box>
              <MotiveAct act={despite} of={copy.name} onConfirm={(motive) => onInsist(line, motive)} />
            </Box>
          )}
        </>
      ) : null}
    </Stack>
  )
}
