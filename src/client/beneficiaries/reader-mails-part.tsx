import { useQuery } from '@tanstack/react-query'
import { useContext, useMemo } from 'react'

import type { Beneficiary } from '../../contract/beneficiaries.ts'
import type { AnswerOf } from '../../contract/endpoint.ts'
import { type Letter, listLetters } from '../../contract/letters.ts'
import { type MemberOf, membersOf, totalOf } from '../../contract/list.ts'
import { listMails } from '../../contract/mail.ts'
import { frenchDay } from '../../domain/calendar-day.ts'
import { listQuery } from '../api/queries.ts'
import { useRight } from '../api/session.ts'
import { letterStates, mailStates, templateName, whatToDo } from '../mail/mail-words.ts'
import { inWords } from '../page/house-words.ts'
import { Beside } from '../ui/lists/beside.ts'
import { fittingColumns } from '../ui/lists/fitting-columns.ts'
import { partOfDetail } from '../ui/lists/open-detail.ts'
import { Pager } from '../ui/lists/pager.tsx'
import { type Column, ResourceTable } from '../ui/lists/resource-table.tsx'
import { useListAddress } from '../ui/lists/use-list-address.ts'
import { StatusTag } from '../ui/status-tag.tsx'
import { frenchInstant } from '../ui/words.ts'
import styles from './reader-view.module.css'

type Mail = MemberOf<AnswerOf<typeof listMails>>

/** The mails written to a reader, the latest first. */
export default function ReaderMailsPart({ reader }: { reader: Beneficiary }) {
  const isBeside = useContext(Beside) !== null
  const seesLetters = useRight('BENEFICIARY_ADDRESS')
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
  const total = totalOf(data)
  return (
    <div className={styles['bare']}>
      <ResourceTable
        label={inWords('Courriels au lecteur')}
        columns={shown}
        rows={membersOf(data)}
        rowKey={({ id }) => id}
        address={address}
        error={error}
        onRetry={refetch}
        isStale={isPlaceholderData}
        total={total}
        empty="Aucun courriel ne lui a été écrit."
        skeletonRows={3}
      />
      {total ? (
        <Pager
          of={inWords('Courriels au lecteur')}
          address={address}
          total={total}
          one="courriel"
          many="courriels"
        />
      ) : null}
      {seesLetters ? <LettersTo reader={reader} /> : null}
    </div>
  )
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
  {
    key: 'status',
    title: 'État',
    role: 'lasting',
    width: 7,
    cell: (mail) => (
      <span title={whatToDo(mail) || undefined}>
        <StatusTag tone={mailStates[mail.status].tone}>{mailStates[mail.status].words}</StatusTag>
      </span>
    ),
  },
]

/** Who gets no mail gets a letter, here as well. */
function LettersTo({ reader }: { reader: Beneficiary }) {
  const address = useListAddress(listLetters.list, {
    cycle: 'desc-first',
    prefix: `${partOfDetail}.letters.`,
  })
  const { data, error, refetch } = useQuery(
    listQuery(listLetters, {
      order: [{ field: 'made_on', direction: 'desc' }],
      filters: [{ field: 'beneficiary', operator: 'eq', value: reader.id }],
    }),
  )
  if (totalOf(data) === 0) return null
  return (
    <ResourceTable
      label={inWords('Lettres au lecteur')}
      columns={letterColumns}
      rows={membersOf(data)}
      rowKey={({ id }) => id}
      address={address}
      error={error}
      onRetry={refetch}
      total={totalOf(data)}
      empty=""
      skeletonRows={1}
    />
  )
}

const letterColumns: readonly Column<Letter>[] = [
  { key: 'template', title: 'Lettre', role: 'main', cell: ({ template }) => templateName(template) },
  {
    key: 'made_on',
    title: 'Depuis le',
    role: 'lasting',
    width: 7,
    cell: ({ made_on }) => frenchDay(made_on),
  },
  {
    key: 'printed_at',
    title: 'Imprimée le',
    width: 9,
    cell: ({ printed_at }) => (printed_at === null ? '' : frenchInstant(printed_at)),
  },
  {
    key: 'status',
    title: 'État',
    role: 'lasting',
    width: 8,
    cell: ({ status }) => (
      <StatusTag tone={letterStates[status].tone}>{letterStates[status].words}</StatusTag>
    ),
  },
]
