import { Text } from '@mantine/core'
import { useCallbackRef } from '@mantine/hooks'
import { IconLogout, IconUserOff } from '@tabler/icons-react'
import { useMemo } from 'react'

import { listSessions, type OpenSession } from '../../contract/sessions.ts'
import { ofName } from '../../domain/person-names.ts'
import { useConfirm } from '../ui/dialogs/confirm.tsx'
import { search } from '../ui/lists/filters.tsx'
import { ListScreen } from '../ui/lists/list-screen.tsx'
import { nounOf } from '../ui/nouns.ts'
import type { Column } from '../ui/lists/resource-table.tsx'
import type { RowAction } from '../ui/lists/row-actions.ts'
import { StatusTag } from '../ui/status-tag.tsx'
import { ago, frenchInstant } from '../ui/words.ts'
import { useEndSession, useEndSessions } from './session-list-data.ts'
import { endQuestion, placeOf } from './session-words.ts'
import { inWords } from '../page/house-words.ts'

export default function SessionsScreen() {
  const confirm = useConfirm()
  const { end } = useEndSession()
  const { end: endAll } = useEndSessions()
  const askOne = useCallbackRef(async (session: OpenSession) => {
    const title = `Fermer la session ${ofName(session.user.name)} sur ${placeOf(session)}\u202f?`
    if (await confirm({ title, ...endQuestion })) await end(session.id)
  })
  const askAll = useCallbackRef(async ({ user }: OpenSession) => {
    const title = `Fermer toutes les sessions ${ofName(user.name)}\u202f?`
    if (await confirm({ title, ...endQuestion })) await endAll(user.id)
  })
  const actions = useMemo(
    (): readonly RowAction<OpenSession>[] => [
      { key: 'end', label: 'Fermer la session', Icon: IconLogout, may: isAnother, run: askOne, isMain: true },
      {
        key: 'end-all',
        label: 'Fermer toutes ses sessions',
        Icon: IconUserOff,
        may: isAnother,
        run: askAll,
        isMain: true,
      },
    ],
    [askOne, askAll],
  )
  return (
    <ListScreen
      endpoint={listSessions}
      title="Sessions ouvertes"
      noun={nounOf('session', 'f')}
      cycle="desc-first"
      about={
        <Text c="dimmed" maw="46rem">
          {inWords(
            'Une tablette perdue, une personne partie\u202f: fermez ici sa session. L’appareil oublie les lecteurs à son prochain contact avec le serveur.',
          )}
        </Text>
      }
      filters={[search('searchname|like', 'Personne ou appareil')]}
      columns={columns}
      rowKey={({ id }) => id}
      rowName={(session) => `${session.user.name}, ${placeOf(session)}`}
      rowActions={actions}
    />
  )
}

const isAnother = ({ current }: OpenSession) => !current

const columns: readonly Column<OpenSession>[] = [
  {
    key: 'user',
    title: 'Personne',
    order: 'username',
    role: 'main',
    cell: ({ user, current }) => (
      <>
        {user.name} {current ? <StatusTag tone="quiet">Cette session</StatusTag> : null}
      </>
    ),
  },
  { key: 'device', title: 'Appareil', cell: placeOf },
  { key: 'browser', title: 'Navigateur', role: 'extra', cell: ({ browser }) => browser },
  {
    key: 'last_used_at',
    title: 'Dernière activité',
    order: 'last_used_at',
    cell: ({ last_used_at }) => <span title={frenchInstant(last_used_at)}>{ago(last_used_at)}</span>,
  },
  {
    key: 'created_at',
    title: 'Ouverte le',
    order: 'created_at',
    role: 'day',
    cell: ({ created_at }) => frenchInstant(created_at),
  },
]
