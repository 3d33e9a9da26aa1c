import { Text } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useContext } from 'react'
import { Link } from 'react-router-dom'

import type { Beneficiary } from '../../contract/beneficiaries.ts'
import { totalOf, membersOf } from '../../contract/list.ts'
import { listLoans, type Loan, loanList } from '../../contract/loans.ts'
import { frenchDay } from '../../domain/calendar-day.ts'
import { call } from '../api/call.ts'
import { useRight } from '../api/session.ts'
import { LoanTag } from '../loans/loan-tags.tsx'
import { inWords } from '../page/house-words.ts'
import { Cover } from '../ui/cover.tsx'
import { Beside } from '../ui/lists/beside.ts'
import { partOfDetail } from '../ui/lists/open-detail.ts'
import { Pager } from '../ui/lists/pager.tsx'
import { type Column, ResourceTable } from '../ui/lists/resource-table.tsx'
import { useListAddress } from '../ui/lists/use-list-address.ts'
import { StatusTag } from '../ui/status-tag.tsx'
import { useReaderLoanActions } from './reader-row-actions.ts'
import styles from './reader-view.module.css'

/** What a reader borrows and borrowed, at every site, the latest first. */
export default function ReaderLoansPart({ reader }: { reader: Beneficiary }) {
  const seesHistory = useRight('BENEFICIARY_HISTORY')
  const isBeside = useContext(Beside) !== null
  const address = useListAddress(loanList, { cycle: 'asc-first', prefix: `${partOfDetail}.` })
  const { page, limit, order } = address.list
  const { data, error, refetch, isPlaceholderData } = useQuery({
    queryKey: ['loanings', 'of-reader', reader.id, { page, limit, order }],
    queryFn: ({ signal }) =>
      call(listLoans, {
        list: { page, limit, order, filters: [{ field: 'beneficiary', operator: 'eq', value: reader.id }] },
        signal,
        site: 0,
      }),
    placeholderData: keepPreviousData,
  })
  const { actions, dialog } = useReaderLoanActions()
  const total = totalOf(data)
  return (
    <div className={styles['bare']}>
      {seesHistory ? null : (
        <Text c="dimmed">{inWords('Vous voyez les prêts en cours et ceux rendus aujourd’hui.')}</Text>
      )}
      <ResourceTable
        label={inWords('Prêts du lecteur')}
        columns={isBeside ? narrowColumns : columns}
        rows={membersOf(data)}
        rowKey={({ id }) => id}
        nameOf={({ reference_name }) => reference_name}
        actions={actions}
        rowTone={({ islate, status }) => (islate && status === 'in_progress' ? 'bad' : undefined)}
        address={address}
        error={error}
        onRetry={refetch}
        isStale={isPlaceholderData}
        total={total}
        empty={seesHistory ? 'Aucun prêt pour l’instant.' : 'Aucun prêt en cours.'}
        skeletonRows={4}
      />
      <Pager
        of={inWords('Prêts du lecteur')}
        address={address}
        total={total}
        one="prêt"
        many="prêts"
        none="Aucun prêt"
      />
      {dialog}
    </div>
  )
}

const day = (of: string | null) => (of ? frenchDay(of) : '')

const article: Column<Loan> = {
  key: 'reference',
  title: 'Article',
  order: 'reference_name',
  role: 'main',
  face: ({ reference_name, medium, image_path }) => (
    <Cover title={reference_name} medium={medium} image={image_path} />
  ),
  cell: ({ id, reference_name }) => <Link to={`/loanings/view/${id}`}>{reference_name}</Link>,
}

/** The day it came back, marked where that was late. */
function Returned({ loan: { return_date, islate } }: { loan: Loan }) {
  if (!islate) return day(return_date)
  return (
    <StatusTag tone="warn" of="Rendu en retard">
      {day(return_date)}
    </StatusTag>
  )
}

/** Beside the list there is room for the one day that matters. */
const narrowColumns: readonly Column<Loan>[] = [
  article,
  {
    key: 'due',
    title: 'Retour',
    order: 'end_date',
    width: 9.5,
    cell: ({ status, end_date, return_date }) =>
      status === 'in_progress'
        ? frenchDay(end_date)
        : status === 'cancelled'
          ? 'Annulé'
          : `Rendu ${day(return_date)}`,
  },
]

const columns: readonly Column<Loan>[] = [
  article,
  {
    key: 'category',
    title: 'Catégorie',
    order: 'category',
    role: 'extra',
    width: 9,
    cell: ({ category }) => category ?? '',
  },
  {
    key: 'start',
    title: 'Début',
    phone: 'who',
    order: 'start_date',
    width: 7,
    cell: ({ start_date }) => frenchDay(start_date),
    onPhone: ({ start_date }) => `depuis le ${frenchDay(start_date)}`,
  },
  {
    key: 'due',
    title: 'Retour prévu',
    phone: 'when',
    order: 'end_date',
    role: 'lasting',
    width: 7.5,
    cell: ({ end_date }) => frenchDay(end_date),
    onPhone: ({ end_date }) => `à rendre le ${frenchDay(end_date)}`,
  },
  {
    key: 'returned',
    title: 'Retour',
    phone: 'state',
    order: 'return_date',
    width: 8.5,
    cell: (loan) => (loan.status === 'finished' ? <Returned loan={loan} /> : <LoanTag loan={loan} />),
  },
]
