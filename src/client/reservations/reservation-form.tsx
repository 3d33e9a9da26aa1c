import { Select, SimpleGrid, Text, Textarea } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useMemo } from 'react'

import type { Copy, Reference } from '../../contract/catalogue.ts'
import { membersOf } from '../../contract/list.ts'
import type { Reservation } from '../../contract/reservations.ts'
import { frenchDay } from '../../domain/calendar-day.ts'
import { frenchMoney } from '../../domain/money.ts'
import { calendarOf, isOpen } from '../../domain/open-days.ts'
import { estimatedAmount } from '../../domain/reservation-amount.ts'
import { useRight, useSession } from '../api/session.ts'
import { mediaQuery } from '../catalogue/catalogue-data.ts'
import { copiesOfReferenceQuery, referenceQuery } from '../catalogue/reference-data.ts'
import { useOpenings } from '../loans/open-days.ts'
import { useToday } from '../loans/use-today.ts'
import { inWords } from '../page/house-words.ts'
import { queueQuery } from '../queue/open-reservations.ts'
import { WhoWaits } from '../queue/who-waits.tsx'
import { useIsMultisite } from '../settings/multisite.ts'
import { useFlagParameter } from '../settings/parameter-data.ts'
import { asChoice } from '../ui/forms/as-choice.ts'
import { CountField } from '../ui/forms/count-field.tsx'
import { DateField } from '../ui/forms/date-field.tsx'
import { FormSection } from '../ui/forms/form-page.tsx'
import { counted } from '../ui/words.ts'
import { labels, type ReservationFormFields, together, writtenIn } from './reservation-fields.ts'
import { type FieldProps, ReaderField, ReferenceField } from './reservation-parties.tsx'

type ReservationFormProps = {
  form: ReservationFormFields
  /** By days, or by a place in the queue. */
  isDated: boolean
  /** The reservation as it was opened; null for a new one. */
  opened: Reservation | null
  /** Nothing but the comment is changed of one that was decided, and nobody and no title of one that is kept. */
  isClosed?: boolean
  isKept?: boolean
  /** How it is changed from one mode to the other. */
  otherMode?: ReactNode
}

/** The fields of a reservation in both modes. */
export function ReservationForm(props: ReservationFormProps) {
  const { form, isDated, opened, isClosed = false, isKept = false, otherMode } = props
  const isFixed = isClosed || isKept
  const { reference } = writtenIn(form)
  return (
    <>
      <FormSection title="Demande">
        <ReaderField form={form} opened={opened} isFixed={isFixed} />
        <ReferenceField form={form} isDated={isDated} opened={opened} isFixed={isFixed} />
        {isKept && !isClosed ? (
          <Text c="dimmed">
            {inWords(
              'Un exemplaire est mis de côté\u202f: remettez la réservation en attente pour changer de lecteur, de référence ou d’exemplaire.',
            )}
          </Text>
        ) : null}
      </FormSection>
      <FormSection title={isDated ? 'Dates' : 'File d’attente'}>
        {otherMode}
        {isDated ? <Days form={form} isClosed={isClosed} /> : null}
        {reference === null ? (
          isDated ? null : (
            <Text c="dimmed">
              {inWords(
                'Choisissez d’abord la référence\u202f: le rang et l’exemplaire viennent ensuite ici.',
              )}
            </Text>
          )
        ) : (
          <OfReference
            key={reference}
            form={form}
            reference={reference}
            isDated={isDated}
            opened={opened}
            isFixed={isFixed}
          />
        )}
      </FormSection>
      <FormSection title="Précisions">
        <PickupSite form={form} isClosed={isClosed} />
        <Textarea autosize minRows={2} maxLength={2000} {...form.text('comment', labels.comment)} />
      </FormSection>
    </>
  )
}

function Days({ form, isClosed }: { form: ReservationFormFields; isClosed: boolean }) {
  const today = useToday()
  const { start_date, end_date, site } = writtenIn(form)
  if (isClosed) return <Text>{`Du ${day(start_date)} au ${day(end_date)}`}</Text>
  return (
    <>
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <DateField required minDate={today} {...form.day('start_date', labels.start_date)} />
        <DateField required minDate={start_date ?? today} {...form.day('end_date', labels.end_date)} />
      </SimpleGrid>
      <ClosedThen days={[start_date, end_date]} site={site} />
    </>
  )
}

/** Nothing is fetched nor brought back on a closed day; it may be reserved all the same. */
function ClosedThen({ days, site }: { days: readonly (string | null)[]; site: number | null }) {
  const openings = useOpenings()
  if (openings === null) return null
  const calendar = calendarOf(openings, site)
  const closed = [...new Set(days)].filter((one) => one !== null).filter((one) => !isOpen(one, calendar))
  if (closed.length === 0) return null
  return (
    <Text c="var(--warn-ink)" role="status">
      {`Fermé le ${together.format(closed.map((one) => frenchDay(one)))}\u202f: rien ne se retire ni ne se rend ce jour-là.`}
    </Text>
  )
}

const day = (of: string | null) => (of === null ? '…' : frenchDay(of))

type OfReferenceProps = FieldProps & { reference: number; isDated: boolean }

/** What depends on the title: its copies, the place in its queue, its cycles and price, and who waits already. */
function OfReference({ form, reference, isDated, opened, isFixed }: OfReferenceProps) {
  const { data: copies } = useQuery(copiesOfReferenceQuery(reference))
  const { data: told } = useQuery(referenceQuery(reference))
  const { data: media } = useQuery(mediaQuery)
  const maySeeQueue = useRight('LIST_RESERVATIONS')
  const title = told?.id === reference ? told : undefined
  const medium = media?.find(({ id }) => id === title?.medium?.id)
  const lendable = useMemo(
    () => membersOf(copies)?.filter(({ type, reference: of }) => type === 'Location' && of === reference),
    [copies, reference],
  )
  return (
    <>
      <CopyField form={form} copies={lendable} isDated={isDated} opened={opened} isFixed={isFixed} />
      {isDated ? null : <QueuePlace reference={reference} copies={lendable} opened={opened} />}
      {medium?.duration_type === 'CYCLE' ? (
        <CountField from={1} to={1000} {...form.number('cycle_value', labels.cycle_value)} />
      ) : null}
      <Amount form={form} title={title} copies={lendable} medium={medium ?? null} />
      {maySeeQueue ? (
        <div>
          <Text fw={600}>Déjà demandée</Text>
          <WhoWaits reference={reference} isInForm />
        </div>
      ) : null}
    </>
  )
}

/** A Select has no value that is null. */
const whichever = 'any'

type CopyFieldProps = FieldProps & { copies: readonly Copy[] | undefined; isDated: boolean }

function CopyField({ form, copies, isDated, opened, isFixed }: CopyFieldProps) {
  const isMultisite = useIsMultisite()
  const { copy } = writtenIn(form)
  const { error } = form.whole('copy_id', labels.copy_id)
  const wished = opened?.copy_id ?? null
  if (isFixed)
    return opened?.copy_barcode ? <Text>{`Exemplaire souhaité\u202f: ${opened.copy_barcode}`}</Text> : null
  const isListed = copies?.some(({ id }) => id === wished) ?? false
  return (
    <Select
      label={inWords(labels.copy_id)}
      required={!isDated}
      description={
        isDated
          ? undefined
          : inWords('Qui choisit un exemplaire attend celui-là seul, à la même place dans la file.')
      }
      placeholder={copies ? inWords('Choisissez un exemplaire') : 'Chargement…'}
      disabled={!copies}
      searchable={(copies?.length ?? 0) > 8}
      nothingFoundMessage={inWords('Aucun exemplaire')}
      allowDeselect={false}
      error={error}
      data={[
        { value: whichever, label: isDated ? 'N’importe lequel' : 'Le premier disponible' },
        ...(copies ?? []).map((one) => ({ value: String(one.id), label: copyWords(one, isMultisite) })),
        // It is elsewhere or withdrawn, and stays what was wished for until another is chosen.
        ...(wished === null || isListed || !copies
          ? []
          : [{ value: String(wished), label: opened?.copy_barcode ?? `Exemplaire ${wished}` }]),
      ]}
      value={copy === undefined ? null : copy === null ? whichever : String(copy)}
      onChange={(value) => {
        if (value !== null) form.write('copy_id', value === whichever ? null : Number(value))
      }}
    />
  )
}

const copyWords = (
  { bar_code, status_name, location_label, site_name }: Copy,
  isMultisite: boolean,
): string =>
  [bar_code, status_name, isMultisite ? site_name : null, location_label].filter(Boolean).join(' · ')

type QueuePlaceProps = { reference: number; copies: readonly Copy[] | undefined; opened: Reservation | null }

/** The place it has, or would get now: the server says which one it became. */
function QueuePlace({ reference, copies, opened }: QueuePlaceProps) {
  const maySee = useRight('LIST_RESERVATIONS')
  const { data: queue } = useQuery({ ...queueQuery(reference), enabled: maySee })
  if (opened?.reference_id === reference && opened.start_date === null) {
    return opened.queuePosition === null ? null : <Text>{`Rang ${opened.queuePosition} dans la file`}</Text>
  }
  if (!copies || (maySee && !queue)) return null
  // A copy also tells of those who wait at other sites.
  const places = [
    ...(membersOf(queue) ?? []).map(({ queuePosition }) => queuePosition ?? 0),
    ...copies.flatMap((one) => one.reservations.map(({ queue_position }) => queue_position ?? 0)),
  ]
  const before = Math.max(0, ...places)
  const promised = membersOf(queue)?.filter(({ status }) => status === 'confirmed').length ?? 0
  return (
    <Text>
      {before === 0
        ? promised === 0
          ? 'Rang 1\u202f: personne n’attend encore.'
          : `Rang 1, après ${counted(promised, 'demande confirmée', 'demandes confirmées')}.`
        : `Rang ${before + 1}, après ${counted(before, 'autre demande', 'autres demandes')}.`}
    </Text>
  )
}

type AmountProps = {
  form: ReservationFormFields
  title: Pick<Reference, 'price'> | undefined
  copies: readonly Copy[] | undefined
  medium: Parameters<typeof estimatedAmount>[2] | null
}

function Amount({ form, title, copies, medium }: AmountProps) {
  const isShown = useFlagParameter('enable_reservations_amount') ?? false
  const { copy, start_date, end_date, cycle_value } = writtenIn(form)
  if (!isShown || !title) return null
  const price = copies?.find(({ id }) => id === copy)?.price ?? title.price
  const days =
    end_date !== null && start_date !== null && end_date >= start_date ? { start_date, end_date } : noDays
  const amount = estimatedAmount(price, { ...days, cycle_value }, medium ?? noDuration)
  return <Text>{`Montant estimé\u202f: ${frenchMoney(amount)}`}</Text>
}

const noDays = { start_date: null, end_date: null }
const noDuration = { duration: null, duration_type: null }

function PickupSite({ form, isClosed }: { form: ReservationFormFields; isClosed: boolean }) {
  const isMultisite = useIsMultisite()
  const sites = useSession()?.user?.sites ?? []
  if (!isMultisite) return null
  return (
    <Select
      {...form.choice('site', labels.site)}
      description={inWords('Où le lecteur vient le chercher.')}
      placeholder={inWords('Celui de l’exemplaire ou du lecteur')}
      allowDeselect={false}
      disabled={isClosed}
      data={sites.map(asChoice)}
      onChange={(value) => form.write('site', value === null ? null : Number(value))}
    />
  )
}
