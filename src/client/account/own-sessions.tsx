import { Button, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'

import { membersOf } from '../../contract/list.ts'
import { listSessions, type OpenSession } from '../../contract/sessions.ts'
import { listQuery } from '../api/queries.ts'
import { useEndSession, useEndSessions } from '../session/session-list-data.ts'
import { endQuestion, placeOf } from '../session/session-words.ts'
import { useConfirm } from '../ui/dialogs/confirm.tsx'
import { UnreadState } from '../ui/states.tsx'
import { StatusTag } from '../ui/status-tag.tsx'
import { ago, frenchInstant } from '../ui/words.ts'
import styles from './account-screen.module.css'

export function OwnSessions({ user_id }: { user_id: number }) {
  const { data, error, refetch } = useQuery(
    listQuery(listSessions, { limit: 100, filters: [{ field: 'user', operator: 'eq', value: user_id }] }),
  )
  const confirm = useConfirm()
  const end = useEndSession()
  const endOthers = useEndSessions()
  if (!data) return <UnreadState error={error} onRetry={refetch} h="3.5rem" />
  const sessions = membersOf(data)
  const others = sessions.filter(({ current }) => !current)
  const ask = async (session: OpenSession) => {
    const isSure = await confirm({
      title: `Déconnecter ${placeOf(session)}\u202f?`,
      isNamed: true,
      ...endQuestion,
    })
    if (isSure) await end.end(session.id)
  }
  const askAll = async () => {
    const isSure = await confirm({
      title: 'Déconnecter mes autres sessions\u202f?',
      ...endQuestion,
      message:
        'Les autres appareils seront déconnectés à leur prochain contact avec le serveur. Ce qui y attend devra être confirmé par vous.',
    })
    if (isSure) await endOthers.end()
  }
  return (
    <>
      <ul className={styles['sessions']} aria-label="Sessions ouvertes">
        {sessions.map((session) => (
          <li key={session.id}>
            <div>
              <div>{placeOf(session)}</div>
              <Text size="sm" c="dimmed">
                {session.browser && session.device_name ? `${session.browser} · ` : ''}
                {session.current ? 'en ce moment' : ago(session.last_used_at)}, ouverte le{' '}
                {frenchInstant(session.created_at)}
              </Text>
            </div>
            {session.current ? (
              <StatusTag tone="quiet">Cette session</StatusTag>
            ) : (
              <Button
                variant="default"
                disabled={end.isPending}
                aria-label={`Déconnecter\u202f: ${placeOf(session)}`}
                onClick={() => void ask(session)}
              >
                Déconnecter
              </Button>
            )}
          </li>
        ))}
      </ul>
      {others.length > 1 ? (
        <Button variant="default" mt="md" loading={endOthers.isPending} onClick={() => void askAll()}>
          Déconnecter mes autres sessions
        </Button>
      ) : null}
    </>
  )
}
