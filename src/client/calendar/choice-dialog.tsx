import { Button, Skeleton, Stack, Text } from '@mantine/core'
import { IconBookmark, IconClock, type IconDots, IconShoppingBag } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from 'react-router-dom'

import type { CalendarBar } from '../../contract/calendar.ts'
import type { Loan } from '../../contract/loans.ts'
import { type CalendarDay, frenchDay } from '../../domain/calendar-day.ts'
import { calendarStates } from '../../domain/calendar-weeks.ts'
import { onStartDay } from '../../domain/reservation-rules.ts'
import { useRight } from '../api/session.ts'
import { loanActions } from '../loans/loan-action-list.ts'
import { loanQuery } from '../loans/loan-data.ts'
import { addressOfQueue, type ReservedFor, useReservationForms } from '../queue/reservation-addresses.ts'
import { addressOf } from '../ui/address-of.ts'
import { Dialog, DialogButtons } from '../ui/dialogs/dialog.tsx'
import type { RowAction } from '../ui/lists/row-actions.ts'
import { ErrorState } from '../ui/states.tsx'
import { barInWords, daysInWords } from './calendar-words.ts'
import type { Pressed } from './grid-frame.tsx'
import { inWords } from '../page/house-words.ts'

type Choice = { key: string; label: string; Icon: typeof IconDots; run: () => unknown }

/** What a reservation of these days of a copy begins with; without days where none are left of them, or none are given. */
export function soughtOf(
  { block, copy, first_day, last_day }: Pressed,
  { today, isDated }: { today: CalendarDay; isDated: boolean },
): ReservedFor {
  const of = { reference: block.id, ...(copy === null ? {} : { copy: copy.id }) }
  if (!isDated || last_day < today) return of
  const start_date = onStartDay(first_day < today ? today : first_day, block.start_day)
  return { ...of, start_date, end_date: last_day < start_date ? start_date : last_day }
}

type ChoiceDialogProps = {
  pressed: Pressed
  today: CalendarDay
  isDated: boolean
  /** The person's actions on loans; their dialogs outlive this one. */
  loanActionsOf: readonly RowAction<Loan>[]
  onClose: () => void
}

/** What may be done with a bar, by its state. Rendered while open. */
export function ChoiceDialog(props: ChoiceDialogProps) {
  const { pressed, onClose } = props
  const { block, copy, bar, first_day, last_day } = pressed
  return (
    <Dialog title={block.name} onClose={onClose}>
      <Stack>
        <div>
          <Text fw={600}>
            {bar ? barInWords(bar) : `${calendarStates.free} ${daysInWords(first_day, last_day)}`}
          </Text>
          <Text c="dimmed" size="sm">
            {copy ? `Exemplaire ${copy.bar_code}` : inWords('N’importe quel exemplaire')}
          </Text>
        </div>
        {bar?.state === 'loan' || bar?.state === 'overdue' ? (
          <OfLoan {...props} bar={bar} />
        ) : (
          <OfCopy {...props} bar={bar} />
        )}
        <DialogButtons onCancel={onClose} cancelLabel="Fermer" />
      </Stack>
    </Dialog>
  )
}

/** Yellow allows a new loan; grey and white allow a new loan or a reservation. */
function OfCopy({ pressed, bar, today, isDated, onClose }: ChoiceDialogProps & { bar: CalendarBar | null }) {
  const navigate = useNavigate()
  const { reserve } = useReservationForms()
  const mayLend = useRight('LOANING_ADD')
  const mayReserve = useRight('RESERVATION_EDIT')
  const mayList = useRight('LIST_RESERVATIONS')
  const { block, copy } = pressed
  const isReserved = bar?.state === 'reservation'
  const isAvailable = copy === null || copy.status_name === 'Disponible'
  const lends: Choice = {
    key: 'lend',
    label: 'Nouveau prêt',
    Icon: IconShoppingBag,
    run: () =>
      navigate(
        addressOf('/loaning/add', {
          ...(isReserved && bar.beneficiary !== null ? { beneficiary: bar.beneficiary } : {}),
          ...(copy === null ? {} : { copy: copy.id }),
        }),
      ),
  }
  const starts = onStartDay(pressed.first_day < today ? today : pressed.first_day, block.start_day)
  const choices: (Choice | false)[] = [
    mayReserve &&
      !isReserved && {
        key: 'reserve',
        label: 'Réserver',
        Icon: IconBookmark,
        run: () => void reserve(soughtOf(pressed, { today, isDated })),
      },
    mayLend && isAvailable && lends,
    mayList &&
      isReserved && {
        key: 'list',
        label: 'Voir les réservations du titre',
        Icon: IconClock,
        run: () => navigate(addressOfQueue(block.id)),
      },
  ]
  return (
    <>
      {mayLend && !isAvailable ? (
        <Text size="sm">
          {copy.status_name === 'En Location'
            ? inWords('Cet exemplaire est prêté\u202f: il se prêtera de nouveau une fois rendu.')
            : `Cet exemplaire est «\u00a0${copy.status_name}\u00a0»\u202f: il ne se prête pas.`}
        </Text>
      ) : null}
      {mayReserve &&
      !isReserved &&
      isDated &&
      !bar &&
      block.start_day !== null &&
      pressed.last_day >= today ? (
        <Text size="sm">
          {inWords('Ce support se réserve à partir du ')}
          {frenchDay(starts)}.
        </Text>
      ) : null}
      {mayReserve && !isReserved && !isDated ? (
        <Text size="sm">
          {inWords(
            'Les réservations se font ici sans dates\u202f: qui réserve prend son rang dans la file, et ces jours ne sont pas retenus.',
          )}
        </Text>
      ) : null}
      <Choices of={choices.filter((one) => one !== false)} onClose={onClose} />
    </>
  )
}

/** Red and blue allow to return, to extend and to comment the delay. */
function OfLoan({ bar, loanActionsOf, onClose }: ChoiceDialogProps & { bar: CalendarBar }) {
  const navigate = useNavigate()
  const mayRead = useRight('LIST_LOANINGS')
  const mayReturn = useRight('LOANING_RETURN')
  const isKnown = bar.beneficiary !== null
  const { data: loan, error, refetch } = useQuery({ ...loanQuery(bar.id), enabled: mayRead && isKnown })
  if (!isKnown) return <Text size="sm">{inWords('Ce prêt est d’un autre site.')}</Text>
  if (!mayRead) {
    const back: Choice = {
      ...loanActions.return,
      key: 'return',
      run: () => navigate(addressOf('/loaning/return', { beneficiary: bar.beneficiary ?? 0, loan: bar.id })),
    }
    return <Choices of={mayReturn ? [back] : []} onClose={onClose} />
  }
  if (error) return <ErrorState error={error} onRetry={refetch} />
  if (!loan) return <Skeleton height="2.75rem" />
  const shown = ['return', 'extend', 'delay', 'view']
  return (
    <Choices
      of={loanActionsOf
        .filter(({ key }) => shown.includes(key))
        // A loan that is not late yet may be spoken of as well.
        .filter(({ key, may }) => key === 'delay' || (may?.(loan) ?? true))
        .map(({ key, label, Icon, run }) => ({ key, label, Icon, run: () => run(loan) }))}
      onClose={onClose}
    />
  )
}

function Choices({ of, onClose }: { of: readonly Choice[]; onClose: () => void }) {
  if (of.length === 0) return <Text size="sm">Rien d’autre n’est permis ici avec votre profil.</Text>
  return (
    <Stack gap="xs">
      {of.map(({ key, label, Icon, run }) => (
        <Button
          key={key}
          variant="default"
          justify="start"
          leftSection={<Icon size="1.2em" aria-hidden />}
          onClick={() => {
            onClose()
            void run()
          }}
        >
          {label}
        </Button>
      ))}
    </Stack>
  )
}
