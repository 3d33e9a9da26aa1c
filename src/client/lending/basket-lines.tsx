import { ActionIcon, Alert, Button, Group, Stack, Text } from '@mantine/core'
import { IconTrash } from '@tabler/icons-react'

import { type CalendarDay, frenchDay } from '../../domain/calendar-day.ts'
import { durationWords } from '../../domain/loan-rules.ts'
import { Cover } from '../ui/cover.tsx'
import { MoneyField } from '../ui/money-field.tsx'
import { StatusTag } from '../ui/status-tag.tsx'
import { amountOf, type BasketLine, dueOf, durationOf, type LoanTerms } from './basket.ts'
import styles from './counter.module.css'
import { VerdictReasons, VerdictTag } from './verdict-tag.tsx'

type BasketLinesProps = {
  lines: readonly BasketLine[]
  terms: LoanTerms
  today: CalendarDay
  onAmount: (line: BasketLine, amount: string) => void
  onRemove: (line: BasketLine) => void
  onDismiss: (line: BasketLine) => void
  /** Tries a refused line again, with what the refusal asks for; absent where the person may not. */
  onInsist: (line: BasketLine) => void
  mayInsist: (line: BasketLine) => boolean
}

/** A new loan's copies with due date, amount and, if refused, the reason. */
export function BasketLines({ lines, ...rest }: BasketLinesProps) {
  return (
    <ul className={styles['rows']} aria-label="Exemplaires du prêt">
      {lines.map((line) => (
        <li key={line.copy.id} className={styles['row']} data-tone={line.failure ? 'bad' : undefined}>
          <Line line={line} {...rest} />
        </li>
      ))}
    </ul>
  )
}

function Line({
  line,
  terms,
  today,
  onAmount,
  onRemove,
  onDismiss,
  onInsist,
  mayInsist,
}: Omit<BasketLinesProps, 'lines'> & { line: BasketLine }) {
  const { copy, failure } = line
  return (
    <Stack gap="xs">
      <Group justify="space-between" align="flex-start" wrap="nowrap">
        <Group gap="sm" wrap="nowrap" align="flex-start">
          <Cover medium={copy.medium?.name ?? null} />
          <div>
            <Text fw={600}>{copy.name}</Text>
            <Text size="sm" c="dimmed">
              {[copy.bar_code, copy.medium?.name].filter(Boolean).join(' · ')}
            </Text>
          </div>
        </Group>
        <ActionIcon aria-label={`Retirer\u202f: ${copy.name}`} onClick={() => onRemove(line)} c="dimmed">
          <IconTrash size="1.2rem" aria-hidden />
        </ActionIcon>
      </Group>
      <Group justify="space-between" align="flex-end" wrap="nowrap">
        <div>
          <Text>
            Retour le <strong>{frenchDay(dueOf(line, terms, today))}</strong>
          </Text>
          <Text size="sm" c="dimmed">
            {durationWords(durationOf(line, terms))}
          </Text>
        </div>
        <div className={styles['amount']}>
          <MoneyField
            label="Montant"
            value={amountOf(line, terms)}
            disabled={terms.free}
            onChange={(amount) => onAmount(line, amount)}
          />
        </div>
      </Group>
      <Group gap="xs">
        {line.verdict ? <VerdictTag verdict={line.verdict} /> : null}
        {line.override_reason === null ? null : <StatusTag tone="warn">Malgré un refus</StatusTag>}
        {line.bounds_motive === null ? null : <StatusTag tone="warn">Au-delà des limites</StatusTag>}
        {line.despite_reservations ? <StatusTag tone="warn">Malgré une réservation</StatusTag> : null}
      </Group>
      {line.verdict && line.verdict.reasons.length > 0 ? (
        <div>
          <VerdictReasons reasons={line.verdict.reasons} />
        </div>
      ) : null}
      {failure ? (
        <Alert
          color="red"
          role="alert"
          withCloseButton
          closeButtonLabel={`Masquer le refus\u202f: ${copy.name}`}
          onClose={() => onDismiss(line)}
        >
          {copy.name}
          {'\u202f'}: {failure.message}
          {mayInsist(line) ? (
            <div>
              <Button mt="xs" variant="default" onClick={() => onInsist(line)}>
                Prêter quand même
              </Button>
            </div>
          ) : null}
        </Alert>
      ) : null}
    </Stack>
  )
}
