import { Button, Group, Text } from '@mantine/core'
import { IconMail, IconPrinter, IconRotate2 } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'

import { changeReservation, getReservation, type Reservation } from '../../contract/reservations.ts'
import { frenchDay } from '../../domain/calendar-day.ts'
import { calendarOf } from '../../domain/open-days.ts'
import { nameAndNumber } from '../../domain/person-names.ts'
import { pickupDeadline } from '../../domain/reservation-rules.ts'
import { useConnection } from '../api/connection.ts'
import { oneQuery, useChange } from '../api/queries.ts'
import { useRight, useSession } from '../api/session.ts'
import SendHome, { wasSent } from '../catalogue/send-home.tsx'
import { useOpenings } from '../loans/open-days.ts'
import { useToday } from '../loans/use-today.ts'
import { sayError } from '../page/messages.ts'
import { useNumberParameter } from '../settings/parameter-data.ts'
import { ReaderName } from '../ui/reader-name.tsx'
import { useIsPhone } from '../ui/screen-width.ts'
import { StatusTag } from '../ui/status-tag.tsx'
import type { Awaited } from './awaited.ts'
import styles from './awaited-copy.module.css'
import { printSlips } from './print-slip.tsx'
import { useReservationMail } from './use-reservation-mail.tsx'
import { inWords } from '../page/house-words.ts'

type AwaitedCopyProps = {
  /** The act by which it came, one for each line. */
  of: string
  /** Null until the server told it. */
  copy: number | null
  bar_code: string
  title: string
  awaited: Awaited
  /** Whether the server knows that it is here: nothing is set aside before. */
  isRecorded: boolean
  /** Whether it is put back here; yes unless something beside it does. */
  hasUndo?: boolean
  /** One button, among those of a line: the copy was meant for somebody else and has not come back. */
  isOffer?: boolean
  /** It is being lent meanwhile. */
  isHeld?: boolean
  /** As long as it is being set aside, nothing else is done with it. */
  onPending?: (isPending: boolean) => void
  onSetAside?: () => void
  /** It is set aside for nobody any more. */
  onPutBack?: () => void
}

/** A copy that somebody waits for: for whom it is set aside, and the taps that this takes. */
export default function AwaitedCopy(props: AwaitedCopyProps) {
  const {
    of,
    copy,
    bar_code,
    title,
    awaited,
    isRecorded,
    hasUndo = true,
    isOffer = false,
    isHeld = false,
    onPending,
    onSetAside,
    onPutBack,
  } = props
  const isOnline = useConnection() === 'online'
  const isPhone = useIsPhone()
  const mayRead = useRight('LIST_RESERVATIONS')
  const maySetAside = useRight('RESERVATION_EDIT') && mayRead
  const here = useSession()?.site?.id ?? 0
  const today = useToday()
  const days = useNumberParameter('reservation_pickup_days') ?? 0
  const openings = useOpenings()
  const [isSent, setSent] = useState(wasSent(of))
  const [wasRecorded] = useState(isRecorded)
  const { data: known, isLoading } = useQuery({
    ...oneQuery(getReservation, awaited.id),
    enabled: isOnline && mayRead && isRecorded,
  })
  const { mutateAsync, isPending } = useChange(changeReservation)
  const maySend = useRight('SEND_MAIL')
  const { offer, dialog } = useReservationMail()
  // What a page shows again may be over by now; of what comes back just now the device's word is said until the server's.
  if (wasRecorded && isLoading) return null
  const site = siteOf(known) ?? awaited.site
  const name = known?.beneficiary_name ?? awaited.name
  const standing = standingOf(known, copy, awaited)
  if (standing === 'over') {
    return <Text c="dimmed">{inWords('Cette réservation n’attend plus cet exemplaire.')}</Text>
  }
  const elsewhere = site !== null && here !== 0 && site.id !== here ? site : null
  const until =
    standing === 'kept' && known
      ? known.pickup_until
      : openings &&
        pickupDeadline(
          today,
          days,
          { end_date: known?.end_date ?? null },
          calendarOf(openings, site?.id ?? null),
        )
  const decide = async (body: Parameters<typeof mutateAsync>[0]['body']): Promise<boolean> => {
    try {
      await mutateAsync({ params: { id: awaited.id }, body })
      return true
    } catch (error) {
      sayError(error)
      return false
    }
  }
  const canDecide = maySetAside && isOnline && isRecorded && known !== undefined && copy !== null
  const whose = name ?? 'la personne qui l’attend'
  const putBack = async () => {
    if (await decide({ status: 'waiting' })) onPutBack?.()
  }
  const setAside = async () => {
    onPending?.(true)
    if (await decide({ status: 'confirmed', set_aside_copy: copy })) onSetAside?.()
    onPending?.(false)
  }
  const act = `Mettre de côté pour ${nameAndNumber(whose)[0]}`
  if (isOffer && standing === 'waits') {
    if (maySetAside && !isOnline)
      return (
        <Text size="sm" c="dimmed">
          {`${act}\u202f: proposé au retour du réseau.`}
        </Text>
      )
    return canDecide ? (
      <Button
        variant="light"
        px="sm"
        maw="100%"
        disabled={isHeld}
        loading={isPending}
        onClick={() => void setAside()}
      >
        {act}
      </Button>
    ) : null
  }
  const mayKeep = standing === 'waits' && canDecide && !isSent
  // On a phone the button says for whom: a row of words above it would say the same.
  const isInOne = isPhone && mayKeep && !elsewhere
  const where = elsewhere ? `, à retirer à ${elsewhere.name}` : ''
  return (
    <Group gap="0.25rem 0.625rem" role="note" my={2}>
      {standing === 'kept' ? (
        <>
          <StatusTag tone="good">Mis de côté</StatusTag>
          <Text>
            pour <ReaderName name={whose} />
            {where}
            {known?.pickup_until ? `, jusqu’au ${frenchDay(known.pickup_until)}` : ''}
          </Text>
        </>
      ) : isInOne ? null : (
        <Text fw={600} c="var(--warn-ink)">
          {isSent ? 'Pour' : 'Mettre de côté pour'} <ReaderName name={whose} />
          {where}
        </Text>
      )}
      {mayKeep ? (
        <Button
          {...(isInOne ? { px: 'sm', className: styles['inOne'] ?? '' } : {})}
          loading={isPending}
          aria-label={`${isInOne ? act : 'Mettre de côté'}\u202f: ${title}`}
          onClick={() => void setAside()}
        >
          {isInOne ? act : 'Mettre de côté'}
        </Button>
      ) : null}
      {name === null ? null : (
        <Button
          variant="default"
          px="sm"
          title="Imprimer le bulletin"
          aria-label={`Imprimer le bulletin\u202f: ${title}`}
          onClick={() => printSlips([{ name, title, bar_code, site: site?.name ?? null, until }])}
        >
          <IconPrinter size="1.2em" aria-hidden />
          <span className={styles['word']}>Imprimer le bulletin</span>
        </Button>
      )}
      {standing === 'kept' && known && isOnline && maySend ? (
        <Button
          variant="default"
          px="sm"
          title={inWords('Écrire au lecteur')}
          aria-label={`Écrire au lecteur\u202f: ${title}`}
          onClick={() => void offer(known, { isAsked: true })}
        >
          <IconMail size="1.2em" aria-hidden />
          <span className={styles['word']}>{inWords('Écrire au lecteur')}</span>
        </Button>
      ) : null}
      {elsewhere && isRecorded && copy !== null ? (
        <SendHome
          of={of}
          copy={copy}
          site={elsewhere}
          label={`Transférer à ${elsewhere.name}`}
          isBrief
          onSent={() => setSent(true)}
        />
      ) : null}
      {standing === 'kept' && hasUndo && canDecide && !isSent ? (
        <Button
          variant="subtle"
          px="sm"
          loading={isPending}
          title="Annuler la mise de côté"
          aria-label={`Annuler la mise de côté\u202f: ${title}`}
          onClick={() => void putBack()}
        >
          <IconRotate2 size="1.2em" aria-hidden />
          <span className={styles['word']}>Annuler la mise de côté</span>
        </Button>
      ) : null}
      {standing === 'waits' && maySetAside && !(isOnline && isRecorded) ? (
        <Text size="sm" c="dimmed">
          {inWords('La mise de côté s’enregistre une fois le retour arrivé au serveur.')}
        </Text>
      ) : null}
      {dialog}
    </Group>
  )
}

const siteOf = (known: Reservation | undefined): Awaited['site'] =>
  known && known.site !== null ? { id: known.site, name: known.site_name ?? '' } : null

/** Somebody may have decided otherwise since, on another counter. */
function standingOf(
  known: Reservation | undefined,
  copy: number | null,
  { is_set_aside }: Awaited,
): 'kept' | 'waits' | 'over' {
  if (!known) return is_set_aside ? 'kept' : 'waits'
  const { status, fulfilled_by, set_aside_copy } = known
  if (fulfilled_by !== null || (status !== 'waiting' && status !== 'confirmed')) return 'over'
  if (set_aside_copy === null) return 'waits'
  return set_aside_copy === copy ? 'kept' : 'over'
}
