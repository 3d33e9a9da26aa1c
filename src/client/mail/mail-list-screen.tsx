import { Text } from '@mantine/core'
import { useCallbackRef } from '@mantine/hooks'
import { IconReload } from '@tabler/icons-react'
import { useMemo } from 'react'
import { Link } from 'react-router-dom'

import { listMails, mailStatuses, type OutgoingMail, retryMail } from '../../contract/mail.ts'
import { mailCodes } from '../../domain/mail-occasions.ts'
import { useEachChange } from '../api/queries.ts'
import { useRight } from '../api/session.ts'
import { say, sayError } from '../page/messages.ts'
import { addressOfReader } from '../ui/address-of.ts'
import { choice } from '../ui/lists/filters.tsx'
import { ListScreen } from '../ui/lists/list-screen.tsx'
import { nounOf } from '../ui/nouns.ts'
import type { Column } from '../ui/lists/resource-table.tsx'
import type { RowAction } from '../ui/lists/row-actions.ts'
import { StatusTag } from '../ui/status-tag.tsx'
import { dayOfInstant } from '../ui/day-of-instant.ts'
import { counted, frenchInstant } from '../ui/words.ts'
import { MailNotice } from './mail-notice.tsx'
import { mailStates, templateName, whatToDo } from './mail-words.ts'

/** What was written to whom, what became of it, and what to do about what failed. */
export default function MailListScreen() {
  const seesReaders = useRight('LIST_BENEFICIARIES')
  const { changeEach } = useEachChange(retryMail)
  const retry = useCallbackRef(async (mails: readonly OutgoingMail[]) => {
    const results = await changeEach(mails.map(({ id }) => ({ params: { id } })))
    const sent = results.filter(({ status }) => status === 'fulfilled').length
    const refused = results.find(({ status }) => status === 'rejected')
    if (sent > 0) say(counted(sent, 'courriel repart.', 'courriels repartent.'))
    if (refused?.status === 'rejected') sayError(refused.reason)
  })
  const columns = useMemo(() => columnsOf(seesReaders), [seesReaders])
  const actions = useMemo(
    (): readonly RowAction<OutgoingMail>[] => [
      {
        key: 'retry',
        label: 'Réessayer',
        Icon: IconReload,
        isMain: true,
        may: ({ status, beneficiary }) => status === 'failed' && beneficiary !== null,
        run: (mail) => retry([mail]),
        runAll: retry,
      },
    ],
    [retry],
  )
  return (
    <ListScreen
      endpoint={listMails}
      title="Courriels"
      noun={nounOf('courriel', 'm')}
      example="le récapitulatif de ses prêts à un lecteur"
      cycle="desc-first"
      about={
        <>
          <Text c="dimmed" maw="46rem">
            Ce qui est parti, ce qui attend, et ce qui n’a pas pu partir. Un courriel qui échoue est réessayé
            de lui-même pendant une demi-journée.
          </Text>
          <MailNotice />
        </>
      }
      filters={filters}
      columns={columns}
      rowKey={({ id }) => id}
      rowName={({ subject, name }) => (name === null ? subject : `${subject}, ${name}`)}
      rowTone={({ status }) => (status === 'failed' ? 'bad' : undefined)}
      rowActions={actions}
    />
  )
}

const filters = [
  choice('status|in', 'État', [
    { value: '', label: 'Tous' },
    ...mailStatuses.map((status) => ({ value: status, label: mailStates[status].words })),
  ]),
  choice('template|in', 'Modèle', [
    { value: '', label: 'Tous' },
    ...[...mailCodes, 'custom'].map((code) => ({ value: code, label: templateName(code) })),
  ]),
]

const columnsOf = (seesReaders: boolean): readonly Column<OutgoingMail>[] => [
  { key: 'subject', title: 'Objet', role: 'main', cell: ({ subject }) => subject },
  {
    key: 'to',
    title: 'À',
    phone: 'who',
    width: 14,
    cell: ({ beneficiary, name, to_address }) =>
      beneficiary !== null && name !== null && seesReaders ? (
        <Link to={addressOfReader(beneficiary, 'mails')}>{name}</Link>
      ) : (
        (name ?? to_address ?? '')
      ),
  },
  {
    key: 'template',
    title: 'Modèle',
    role: 'extra',
    width: 13,
    cell: ({ template }) => templateName(template),
  },
  {
    key: 'created_at',
    title: 'Écrit le',
    phone: 'when',
    order: 'created_at',
    width: 9,
    cell: ({ created_at }) => frenchInstant(created_at),
    onPhone: ({ created_at }) => dayOfInstant(created_at),
  },
  {
    key: 'status',
    title: 'État',
    phone: 'state',
    role: 'lasting',
    width: 8,
    cell: ({ status }) => <StatusTag tone={mailStates[status].tone}>{mailStates[status].words}</StatusTag>,
  },
  {
    key: 'todo',
    title: 'À faire',
    phone: 'below',
    role: 'lasting',
    width: 18,
    cell: (mail) => {
      const words = whatToDo(mail)
      if (words === '') return ''
      const { beneficiary, fault, last_error } = mail
      return fault === 'address' && mail.status === 'failed' && beneficiary !== null && seesReaders ? (
        <Link to={`/beneficiaries/edit/${beneficiary}`} title={last_error ?? undefined}>
          {words}
        </Link>
      ) : (
        <span title={last_error ?? undefined}>{words}</span>
      )
    },
  },
]
