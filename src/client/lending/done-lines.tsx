import { ActionIcon, Anchor, Group, Stack, Text, Title } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import { lazy, Suspense } from 'react'
import { Link } from 'react-router-dom'

import type { Loan } from '../../contract/loans.ts'
import type { ReturnedLoan } from '../../contract/returns.ts'
import { frenchDay } from '../../domain/calendar-day.ts'
import type { Entry } from '../../offline/entry.ts'
import { StatusTag } from '../ui/status-tag.tsx'
import styles from './counter.module.css'
import { EntryTag } from '../outbox/entry-tag.tsx'
import { firstRefusal, kindOf, useEntry } from '../outbox/outbox-entries.ts'
import { copyLeftUnusable } from '../outbox/unusable-return.ts'

const UnavailableCopy = lazy(() => import('../catalogue/unavailable-copy.tsx'))

type DoneLinesProps = { title: string; ids: readonly string[]; onDismiss: (id: string) => void }

/** What was just done at this counter, each line following its action to the server's answer. */
export function DoneLines({ title, ids, onDismiss }: DoneLinesProps) {
  if (ids.length === 0) return null
  return (
    <section className="panel" aria-label={title}>
      <Title order={2} size="h4" mb="sm">
        {title}
      </Title>
      <ul className={styles['rows']}>
        {ids.map((id) => (
          <DoneLine key={id} id={id} onDismiss={() => onDismiss(id)} />
        ))}
      </ul>
    </section>
  )
}

function DoneLine({ id, onDismiss }: { id: string; onDismiss: () => void }) {
  const entry = useEntry(id)
  if (!entry) return null
  const kind = kindOf(entry)
  return (
    <li className={styles['row']} data-tone={kind === 'refused' ? 'bad' : undefined}>
      <Group justify="space-between" wrap="nowrap" align="flex-start">
        <Stack gap={4}>
          <Text fw={600}>{entry.label.title}</Text>
          <Group gap="xs">
            <EntryTag entry={entry} />
            <Text size="sm" c="dimmed">
              {detailOf(entry)}
            </Text>
          </Group>
          {kind === 'refused' ? <Refusal entry={entry} /> : null}
          <ReservationNotice entry={entry} />
          <UnusableNotice entry={entry} isRefused={kind === 'refused'} />
        </Stack>
        <ActionIcon aria-label={`Masquer\u202f: ${entry.label.title}`} onClick={onDismiss} c="dimmed">
          <IconX size="1.2rem" aria-hidden />
        </ActionIcon>
      </Group>
    </li>
  )
}

function Refusal({ entry }: { entry: Entry }) {
  return (
    <Text size="sm" c="var(--bad-ink)">
      {firstRefusal(entry)}{' '}
      <Anchor component={Link} underline="always" to="/waiting">
        Régler parmi les actions en attente
      </Anchor>
    </Text>
  )
}

function detailOf(entry: Entry): string {
  const loan = entry.receipt as Partial<Loan> | null
  const due = loan?.end_date ?? entry.label.due
  if (entry.label.kind === 'return') return entry.label.beneficiary ?? ''
  return [entry.label.beneficiary, due ? `retour prévu le ${frenchDay(due)}` : null]
    .filter(Boolean)
    .join(' · ')
}

function UnusableNotice({ entry, isRefused }: { entry: Entry; isRefused: boolean }) {
  const copy = isRefused ? undefined : copyLeftUnusable(entry)
  return copy === undefined ? null : (
    <Suspense fallback={null}>
      <UnavailableCopy copy={copy} />
    </Suspense>
  )
}

/** Someone waits for what was just returned: stays on the line (file 1, section 4). */
export function ReservationNotice({ entry }: { entry: Entry }) {
  const reference = (entry.receipt as Partial<ReturnedLoan> | null)?.reservation_reference
  if (reference === undefined) return null
  return (
    <Group gap="xs" role="note">
      <StatusTag tone="warn">Réservé</StatusTag>
      <Text size="sm">
        Une réservation existe pour cet exemplaire.{' '}
        <Anchor component={Link} underline="always" to={`/reservations?reference_id%7Ceq=${reference}`}>
          Voir les réservations
        </Anchor>
      </Text>
    </Group>
  )
}
