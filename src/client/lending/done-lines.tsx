import { Anchor, Group, Text } from '@mantine/core'
import { useCallbackRef } from '@mantine/hooks'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { memo } from 'react'
import { Link } from 'react-router-dom'

import type { LentLoan, Loan } from '../../contract/loans.ts'
import type { ReturnedLoan } from '../../contract/returns.ts'
import { frenchDay } from '../../domain/calendar-day.ts'
import { findCopy, libraryToday } from '../../offline/counter.ts'
import type { Entry } from '../../offline/entry.ts'
import { awaitedBy, freedWords } from '../reservations/awaited.ts'
import { lazyPart } from '../ui/lazy-part.tsx'
import { StatusTag } from '../ui/status-tag.tsx'
import { EntryTag } from '../outbox/entry-tag.tsx'
import { firstRefusal, kindOf, useEntry } from '../outbox/outbox-entries.ts'
import { copyLeftUnusable } from '../outbox/unusable-return.ts'
import { inWords } from '../page/house-words.ts'
import { CounterLine, CounterLines } from './counter-lines.tsx'

const AwaitedCopy = lazyPart(() => import('../reservations/awaited-copy.tsx'))
const SendHome = lazyPart(() => import('../catalogue/send-home.tsx'))
const UnavailableCopy = lazyPart(() => import('../catalogue/unavailable-copy.tsx'))

type DoneLinesProps = {
  title: string
  ids: readonly string[]
  /** Warnings by id, such as who was passed over. */
  notes?: ReadonlyMap<string, string>
  onDismiss: (id: string) => void
}

/** What was just done at this counter, each line following its action to the server's answer. */
export function DoneLines({ title, ids, notes, onDismiss }: DoneLinesProps) {
  const dismiss = useCallbackRef(onDismiss)
  if (ids.length === 0) return null
  return (
    <CounterLines title={title}>
      {ids.map((id) => (
        <DoneLine key={id} id={id} note={notes?.get(id)} onDismiss={dismiss} />
      ))}
    </CounterLines>
  )
}

type DoneLineProps = { id: string; note: string | undefined; onDismiss: (id: string) => void }

/** Drawn again only when its own action changes. */
const DoneLine = memo(function DoneLine({ id, note, onDismiss }: DoneLineProps) {
  const entry = useEntry(id)
  if (!entry) return null
  const isRefused = kindOf(entry) === 'refused'
  return (
    <CounterLine title={titleOf(entry)} isBad={isRefused} onDismiss={() => onDismiss(id)}>
      <Group gap="xs">
        <EntryTag entry={entry} />
        <Text size="sm" c="dimmed">
          {detailOf(entry)}
        </Text>
      </Group>
      {isRefused ? (
        <Refusal entry={entry} />
      ) : note === undefined ? null : (
        <Text size="sm" role="note" c="var(--warn-ink)">
          {note}
        </Text>
      )}
      <ReservationNotice entry={entry} />
      {isRefused ? null : <AwaitedNotice entry={entry} />}
      <FreedNotice entry={entry} />
      <HomeNotice entry={entry} />
      <UnusableNotice entry={entry} isRefused={isRefused} />
    </CounterLine>
  )
})

/** Once it has answered, the server tells what was but a code. */
function titleOf({ label: { title }, bar_code, receipt }: Entry): string {
  const told = receipt as Partial<Loan> | null
  return (title === bar_code && told?.reference_name) || title
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
  // What was refused is not lent, and comes back on no day.
  const due = kindOf(entry) === 'refused' ? null : (loan?.end_date ?? entry.label.due)
  if (entry.label.kind === 'return') return entry.label.beneficiary ?? ''
  return [entry.label.beneficiary, due ? `retour prévu le ${frenchDay(due)}` : null]
    .filter(Boolean)
    .join(' · ')
}

/** For whom it is set aside: what the device knows, then what the server answers. */
function AwaitedNotice({ entry }: { entry: Entry }) {
  const { kind, title } = entry.label
  const receipt = entry.receipt as Partial<ReturnedLoan> | null
  const { data: known = null } = useQuery({
    ...awaitedOnDevice(entry.bar_code ?? '', entry.id),
    enabled: kind === 'return' && entry.bar_code !== null,
  })
  const told = receipt?.awaited_by
  const name = known?.id === told?.id ? (known?.name ?? null) : null
  const awaited = receipt?.copy === undefined ? known : told ? { ...told, name } : null
  if (!awaited) return null
  return (
    <AwaitedCopy
      of={entry.id}
      copy={receipt?.copy ?? entry.copy_id}
      bar_code={entry.bar_code ?? ''}
      title={title}
      awaited={awaited}
      isRecorded={receipt?.copy !== undefined}
    />
  )
}

/** As it was when the copy came back. */
const awaitedOnDevice = (bar_code: string, of: string) =>
  queryOptions({
    queryKey: ['device', 'awaited', of],
    queryFn: async () => {
      const today = await libraryToday()
      const found = await findCopy(bar_code, today)
      return found && awaitedBy(found.reservations, found.copy.id, today)
    },
    staleTime: Infinity,
  })

function FreedNotice({ entry }: { entry: Entry }) {
  const freed = (entry.receipt as Partial<LentLoan> | null)?.freed_copy
  if (!freed) return null
  return (
    <Text size="sm" role="note" c="var(--warn-ink)">
      {freedWords(freed.bar_code)}
    </Text>
  )
}

/** It is another site's: where it goes, and the way there. */
function HomeNotice({ entry }: { entry: Entry }) {
  const { copy, home_site, awaited_by } = (entry.receipt as Partial<ReturnedLoan> | null) ?? {}
  if (!home_site || copy === undefined || awaited_by) return null
  return (
    <Group gap="xs" role="note">
      <Text size="sm">À renvoyer à {home_site.name}.</Text>
      <SendHome of={entry.id} copy={copy} site={home_site} />
    </Group>
  )
}

function UnusableNotice({ entry, isRefused }: { entry: Entry; isRefused: boolean }) {
  const copy = isRefused ? undefined : copyLeftUnusable(entry)
  return copy === undefined ? null : <UnavailableCopy copy={copy} />
}

/** Someone waits for what was just returned: stays on the line. */
function ReservationNotice({ entry }: { entry: Entry }) {
  const reference = (entry.receipt as Partial<ReturnedLoan> | null)?.reservation_reference
  if (reference === undefined) return null
  return (
    <Group gap="xs" role="note">
      <StatusTag tone="warn">Réservé</StatusTag>
      <Text size="sm">
        {inWords('Une réservation existe pour cet exemplaire.')}{' '}
        <Anchor component={Link} underline="always" to={`/reservations?reference_id%7Ceq=${reference}`}>
          {inWords('Voir les réservations')}
        </Anchor>
      </Text>
    </Group>
  )
}
