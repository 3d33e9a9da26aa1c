import { Alert, Button, Group, Text } from '@mantine/core'
import { useCallbackRef } from '@mantine/hooks'
import { IconCheck, IconPrinter } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { Link } from 'react-router-dom'

import {
  type Letter,
  letterStatuses,
  listLetters,
  markLettersPrinted,
  mostLetters,
  printLetters,
} from '../../contract/letters.ts'
import { type ListQuery, membersOf } from '../../contract/list.ts'
import { frenchDay } from '../../domain/calendar-day.ts'
import { call } from '../api/call.ts'
import { listQuery, useChange } from '../api/queries.ts'
import { useRight } from '../api/session.ts'
import { say, sayError } from '../page/messages.ts'
import { addressOfReader } from '../ui/address-of.ts'
import { Initials } from '../ui/cover.tsx'
import { choice, search } from '../ui/lists/filters.tsx'
import { ListScreen } from '../ui/lists/list-screen.tsx'
import type { Column } from '../ui/lists/resource-table.tsx'
import type { RowAction } from '../ui/lists/row-actions.ts'
import { nounOf } from '../ui/nouns.ts'
import { saveFile } from '../ui/save-file.ts'
import { StatusTag } from '../ui/status-tag.tsx'
import { counted, frenchInstant } from '../ui/words.ts'
import { letterStates, templateName, whyWords } from './mail-words.ts'
import styles from './mail.module.css'

const toPrint: Partial<ListQuery> = {
  limit: mostLetters,
  filters: [{ field: 'status', operator: 'in', value: ['to_print'] }],
  order: [{ field: 'commune', direction: 'asc' }],
}

/** Reminders on paper, for whom no mail reaches: printed, folded, then said to be printed. */
export default function LetterListScreen() {
  const maySend = useRight('SEND_MAIL')
  const seesReaders = useRight('LIST_BENEFICIARIES')
  const { data: waiting } = useQuery(listQuery(listLetters, toPrint))
  const mark = useChange(markLettersPrinted)
  const [asked, setAsked] = useState<readonly number[]>([])
  const print = useCallbackRef((letters: readonly Letter[]) => {
    const ids = letters.map(({ id }) => id)
    return call(printLetters, {
      list: { filters: [{ field: 'id', operator: 'in', value: ids }], order: toPrint.order ?? [] },
      query: {},
    }).then(
      (file) => {
        saveFile(file)
        setAsked(letters.filter(({ status }) => status === 'to_print').map(({ id }) => id))
      },
      (error: unknown) => sayError(error, 'Les lettres n’ont pas pu être faites.'),
    )
  })
  const markAll = useCallbackRef((ids: readonly number[]) =>
    mark.mutateAsync({ body: { letters: [...ids] } }).then(({ letters }) => {
      setAsked([])
      say(counted(letters.length, 'lettre est imprimée.', 'lettres sont imprimées.'))
    }, sayError),
  )
  const columns = useMemo(() => columnsOf(seesReaders), [seesReaders])
  const actions = useMemo(
    (): readonly RowAction<Letter>[] =>
      maySend
        ? [
            {
              key: 'print',
              label: 'Imprimer',
              Icon: IconPrinter,
              isMain: true,
              may: ({ status }) => status !== 'stopped',
              run: (letter) => print([letter]),
              runAll: print,
            },
            {
              key: 'printed',
              label: 'Dire imprimée',
              labelOfAll: 'Dire imprimées',
              Icon: IconCheck,
              may: ({ status }) => status === 'to_print',
              run: ({ id }) => markAll([id]),
              runAll: (letters) => markAll(letters.map(({ id }) => id)),
            },
          ]
        : [],
    [maySend, print, markAll],
  )
  const letters = membersOf(waiting) ?? []
  return (
    <ListScreen
      endpoint={listLetters}
      title="Lettres"
      noun={nounOf('lettre', 'f')}
      example="un rappel à un lecteur en retard qui n’a pas d’adresse électronique"
      about={
        <>
          <Text c="dimmed" maw="46rem">
            Qui est en retard et n’a pas d’adresse électronique, ou dont elle est refusée, reçoit une lettre.
            Elles sont rangées par commune, à plier en trois pour une enveloppe longue à fenêtre à droite (110
            × 220 mm)&#8239;; la dernière feuille dit pour qui elles étaient.
          </Text>
          {asked.length === 0 ? null : (
            <Alert color="yellow" role="status" className={styles['paper'] ?? ''}>
              <Group justify="space-between">
                <Text>
                  {counted(
                    asked.length,
                    'lettre a été préparée. Est-elle bien imprimée\u202f?',
                    'lettres ont été préparées. Sont-elles bien imprimées\u202f?',
                  )}
                </Text>
                <Group>
                  <Button variant="default" onClick={() => setAsked([])}>
                    Pas encore
                  </Button>
                  <Button loading={mark.isPending} onClick={() => void markAll(asked)}>
                    Oui, imprimées
                  </Button>
                </Group>
              </Group>
            </Alert>
          )}
        </>
      }
      pageActions={
        maySend
          ? [
              {
                label:
                  letters.length === 0
                    ? 'Rien à imprimer'
                    : `Imprimer ${counted(letters.length, 'lettre', 'lettres')}`,
                Icon: IconPrinter,
                onRun: () => void print(letters),
                isDisabled: letters.length === 0,
                isMain: true,
              },
            ]
          : []
      }
      defaults={defaults}
      filters={filters}
      columns={columns}
      rowKey={({ id }) => id}
      rowName={({ name }) => name}
      rowActions={actions}
    />
  )
}

const defaults = { 'status|in': 'to_print' }

const filters = [
  choice('status|in', 'État', [
    { value: '', label: 'Toutes' },
    ...letterStatuses.map((status) => ({ value: status, label: letterStates[status].words })),
  ]),
  search('commune|like', 'Commune'),
]

const columnsOf = (seesReaders: boolean): readonly Column<Letter>[] => [
  {
    key: 'name',
    title: 'Lecteur',
    order: 'name',
    role: 'main',
    face: Initials,
    cell: ({ beneficiary, name }) =>
      seesReaders ? <Link to={addressOfReader(beneficiary, 'mails')}>{name}</Link> : name,
  },
  {
    key: 'commune',
    title: 'Commune',
    phone: 'who',
    order: 'commune',
    width: 11,
    cell: ({ commune }) => commune ?? '',
  },
  {
    key: 'address',
    title: 'Adresse',
    role: 'extra',
    width: 16,
    cell: ({ address, commune }) => address ?? (commune === null ? 'Sans adresse postale' : ''),
  },
  {
    key: 'template',
    title: 'Lettre',
    phone: 'who',
    width: 12,
    cell: ({ template }) => templateName(template),
  },
  { key: 'why', title: 'Pourquoi', phone: 'who', width: 13, cell: ({ why }) => whyWords[why] },
  { key: 'loans', title: 'Prêts', align: 'end', width: 5, cell: ({ loans }) => loans },
  {
    key: 'made_on',
    title: 'Depuis le',
    phone: 'when',
    order: 'made_on',
    width: 7,
    cell: ({ made_on }) => frenchDay(made_on),
  },
  {
    key: 'status',
    title: 'État',
    phone: 'state',
    role: 'lasting',
    width: 8,
    cell: ({ status }) => (
      <StatusTag tone={letterStates[status].tone}>{letterStates[status].words}</StatusTag>
    ),
  },
  {
    key: 'printed_at',
    title: 'Imprimée le',
    role: 'extra',
    width: 9,
    cell: ({ printed_at }) => (printed_at === null ? '' : frenchInstant(printed_at)),
  },
]
