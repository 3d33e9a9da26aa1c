import { useQuery } from '@tanstack/react-query'
import { useContext, useMemo } from 'react'

import type { AnswerOf } from '../../contract/endpoint.ts'
import type { Beneficiary } from '../../contract/beneficiaries.ts'
import { listMails } from '../../contract/mail.ts'
import { listQuery } from '../api/queries.ts'
import { Beside } from '../ui/beside.ts'
import { fittingColumns } from '../ui/fitting-columns.ts'
import { partOfDetail } from '../ui/open-detail.ts'
import { Pager } from '../ui/pager.tsx'
import { type Column, ResourceTable } from '../ui/resource-table.tsx'
import { StatusTag } from '../ui/status-tag.tsx'
import { useListAddress } from '../ui/use-list-address.ts'
import { frenchInstant } from '../ui/words.ts'
import styles from './reader-view.module.css'

type Mail = AnswerOf<typeof listMails>['hydra:member'][number]

/** The mails written to a reader, the latest first. */
export default function ReaderMailsPart({ reader }: { reader: Beneficiary }) {
  const isBeside = useContext(Beside) !== null
  const address = useListAddress(listMails.list, { cycle: 'desc-first', prefix: `${partOfDetail}.` })
  const { data, error, refetch, isPlaceholderData } = useQuery(
    listQuery(listMails, {
      ...address.list,
      filters: [{ field: 'beneficiary', operator: 'eq', value: reader.id }],
    }),
  )
  const shown = useMemo(
    () => (isBeside ? fittingColumns(columns, { room: 28, taken: 0 }) : columns),
    [isBeside],
  )
  const total = data?.['hydra:totalItems']
  return (
    <div className={styles['bare']}>
      <ResourceTable
        label="Courriels au lecteur"
        columns={shown}
        rows={data?.['hydra:member']}
        rowKey={({ id }) => id}
        address={address}
        error={error}
        onRetry={() => void refetch()}
        isStale={isPlaceholderData}
        total={total}
        empty="Aucun courriel ne lui a été écrit."
        skeletonRows={3}
      />
      {total ? (
        <Pager of="Courriels au lecteur" address={address} total={total} one="courriel" many="courriels" />
      ) : null}
    </div>
  )
}

const states = {
  queued: <StatusTag tone="wait">En attente</StatusTag>,
  sent: <StatusTag tone="good">Envoyé</StatusTag>,
  failed: <StatusTag tone="bad">En échec</StatusTag>,
}

const columns: readonly Column<Mail>[] = [
  { key: 'subject', title: 'Objet', role: 'main', cell: ({ subject }) => subject },
  {
    key: 'created',
    title: 'Écrit le',
    order: 'created_at',
    role: 'lasting',
    width: 9,
    cell: ({ created_at }) => frenchInstant(created_at),
  },
  {
    key: 'to',
    title: 'À',
    role: 'extra',
    width: 16,
    cell: ({ to_address }) => to_address ?? '',
  },
  { key: 'status', title: 'État', role: 'lasting', width: 7, cell: ({ status }) => states[status] },
]
