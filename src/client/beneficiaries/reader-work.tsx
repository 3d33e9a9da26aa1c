import { Alert } from '@mantine/core'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { Link } from 'react-router-dom'

import type { Beneficiary } from '../../contract/beneficiaries.ts'
import { membersOf } from '../../contract/list.ts'
import type { Loan } from '../../contract/loans.ts'
import type { Medium } from '../../contract/media.ts'
import type { Reservation } from '../../contract/reservations.ts'
import { atSite } from '../../domain/at-site.ts'
import { daysBetween, frenchDay } from '../../domain/calendar-day.ts'
import { centsOf, frenchMoney, sumOfMoney } from '../../domain/money.ts'
import { useRight } from '../api/session.ts'
import { knownMediaQuery } from '../catalogue/known-media.ts'
import { askOpenLoans, heldOfServer } from '../loans/held-loan.ts'
import { usePenalties } from '../loans/penalties.ts'
import { judgeReader } from '../loans/reader-verdict.ts'
import { useToday } from '../loans/use-today.ts'
import { VerdictReasons, VerdictTag } from '../loans/verdict-tag.tsx'
import { inWords } from '../page/house-words.ts'
import { isOnShelf, openReservationsQuery } from '../queue/open-reservations.ts'
import { useIsMultisite } from '../settings/multisite.ts'
import { Cover } from '../ui/cover.tsx'
import { ShortRows } from '../ui/lists/short-rows.tsx'
import { LoadingBlock } from '../ui/loading-text.tsx'
import { ErrorState } from '../ui/states.tsx'
import { StatusTag } from '../ui/status-tag.tsx'
import { counted } from '../ui/words.ts'
import { useReaderLoanActions, useReaderReservationActions } from './reader-row-actions.ts'
import styles from './reader-view.module.css'

const openLoansQuery = (id: number) =>
  queryOptions({
    queryKey: ['loanings', 'of-reader', id, 'open'],
    queryFn: ({ signal }) => askOpenLoans(id, signal),
  })

/** Shows whether a reader may borrow, their loans and penalties, and the copies kept for them. */
export function ReaderWork({ reader }: { reader: Beneficiary }) {
  const seesLoans = useRight('LIST_LOANINGS')
  const seesReservations = useRight('LIST_RESERVATIONS')
  const media = useQuery(knownMediaQuery)
  const loans = useQuery({ ...openLoansQuery(reader.id), enabled: seesLoans })
  const reserved = useQuery({
    ...openReservationsQuery('beneficiary_id', reader.id, { limit: 100 }),
    enabled: seesReservations,
  })
  const open = membersOf(loans.data)
  const ready = membersOf(reserved.data)?.filter(isOnShelf) ?? []
  // All at once, so that nothing moves what is read already.
  if ([media, loans, reserved].some(({ isLoading }) => isLoading)) {
    return (
      // A key of its own: reused for the rows, the element would move while they come.
      <div key="coming" className={styles['coming']}>
        <LoadingBlock height={`${8 + 3.5 * Math.min(reader.open_loans, 8)}rem`} />
      </div>
    )
  }
  return (
    <div className={styles['work']}>
      {reader.message ? (
        <Alert color="yellow" role="note">
          {reader.message}
        </Alert>
      ) : null}
      {open && media.data ? (
        <Standing reader={reader} loans={open} media={media.data} ready={ready.length} />
      ) : null}
      {open ? <OpenLoans loans={open} /> : null}
      {loans.error && !open ? <ErrorState error={loans.error} onRetry={loans.refetch} /> : null}
      {ready.length > 0 ? <ToFetch ready={ready} /> : null}
    </div>
  )
}

type StandingProps = {
  reader: Beneficiary
  loans: readonly Loan[]
  media: readonly Medium[]
  ready: number
}

const noDoubts: readonly string[] = []

function Standing({ reader, loans, media, ready }: StandingProps) {
  const today = useToday()
  const penaltyOf = usePenalties()
  const held = useMemo(() => loans.map((loan) => heldOfServer(loan, media)), [loans, media])
  const { verdict, limits } = judgeReader({ rules: reader, held, media, today, doubts: noDoubts })
  const owed = sumOfMoney(held.flatMap((loan) => penaltyOf(loan)?.amount ?? []))
  return (
    <div>
      <div className={styles['standing']}>
        <VerdictTag verdict={verdict} except={[...new Set(limits.flatMap((one) => one.media))]} />
        {centsOf(owed) > 0 ? (
          <StatusTag tone="warn">{`${inWords('Pénalités à ce jour')}\u202f: ${frenchMoney(owed)}`}</StatusTag>
        ) : null}
        {ready > 0 ? <StatusTag tone="good">{`${ready}\u00a0à retirer`}</StatusTag> : null}
      </div>
      <VerdictReasons
        reasons={[
          ...verdict.reasons,
          ...limits.map((one) => `${one.media.join(', ')}\u202f: ${one.message}`),
        ]}
      />
    </div>
  )
}

function OpenLoans({ loans }: { loans: readonly Loan[] }) {
  const { actions, dialog } = useReaderLoanActions()
  return (
    <>
      <ShortRows
        title="Prêts en cours"
        rows={loans}
        empty="Aucun prêt en cours."
        face={coverOf}
        what={({ id, reference_name }) => <Link to={`/loanings/view/${id}`}>{reference_name}</Link>}
        when={(loan) => <Due loan={loan} />}
        nameOf={titleOf}
        actions={actions}
      />
      {dialog}
    </>
  )
}

function Due({ loan: { end_date, islate } }: { loan: Loan }) {
  const today = useToday()
  if (islate) {
    return (
      <>
        <StatusTag tone="bad">{`En retard de ${counted(daysBetween(end_date, today), 'jour', 'jours')}`}</StatusTag>
        {`depuis le ${frenchDay(end_date)}`}
      </>
    )
  }
  if (end_date === today) return <StatusTag tone="warn">À rendre aujourd’hui</StatusTag>
  return `À rendre le ${frenchDay(end_date)}`
}

function ToFetch({ ready }: { ready: readonly Reservation[] }) {
  const actions = useReaderReservationActions()
  const mayOpenTitle = useRight('LIST_REFERENCES')
  const isMultisite = useIsMultisite()
  return (
    <ShortRows
      title="À retirer"
      rows={ready}
      empty=""
      face={coverOf}
      what={({ reference_id, reference_name }) =>
        mayOpenTitle ? <Link to={`/references/view/${reference_id}`}>{reference_name}</Link> : reference_name
      }
      when={({ pickup_until, site_name }) =>
        [
          pickup_until === null ? 'mis de côté' : `jusqu’au ${frenchDay(pickup_until)}`,
          isMultisite && site_name ? atSite(site_name) : '',
        ]
          .filter(Boolean)
          .join(', ')
      }
      nameOf={titleOf}
      actions={actions}
    />
  )
}

type Titled = Pick<Loan, 'reference_name' | 'medium' | 'image_path'>

const titleOf = ({ reference_name }: Titled): string => reference_name

const coverOf = ({ reference_name, medium, image_path }: Titled) => (
  <Cover title={reference_name} medium={medium} image={image_path} />
)
