import { Alert, Button, Group, Stack, Text } from '@mantine/core'
import { IconRefresh } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useEffect, useState } from 'react'

import { askSync, getSync, type Sync } from '../../contract/sync.ts'
import { call } from '../api/call.ts'
import { useChange } from '../api/queries.ts'
import { inWords } from '../page/house-words.ts'
import { say, sayError } from '../page/messages.ts'
import { useFlagParameter } from '../settings/parameter-data.ts'
import { Page } from '../ui/page.tsx'
import { EmptyState } from '../ui/states.tsx'
import { UnreadScreen } from '../ui/unread-screen.tsx'
import { LastSyncPart } from './last-sync.tsx'

/** Counts down from what the server said at an instant of this device, whose clock need not be right. */
function useSecondsLeft(seconds: number, saidAt: number): number {
  const [now, setNow] = useState(() => Date.now())
  const isOver = seconds === 0
  useEffect(() => {
    setNow(Date.now())
    if (isOver) return undefined
    const timer = setInterval(() => setNow(Date.now()), 1000)
    return () => clearInterval(timer)
  }, [isOver, saidAt])
  const passed = Math.max(0, Math.floor((now - saidAt) / 1000))
  return Math.max(0, seconds - passed)
}

/** `02:13` */
const clockOf = (seconds: number): string =>
  [Math.floor(seconds / 60), seconds % 60].map((part) => String(part).padStart(2, '0')).join(':')

const JobProgress = lazy(() => import('../ui/job-progress.tsx'))

const title = 'Synchronisation'
const followMs = 2000

/** Paramètres, « Synchronisation » : readers as the system that keeps them tells of them. */
export default function SyncScreen() {
  const { data, dataUpdatedAt, error, refetch } = useQuery({
    queryKey: ['sync', getSync.name],
    queryFn: ({ signal }) => call(getSync, { signal }),
    refetchInterval: ({ state }) => (state.data?.last?.ended_at === null ? followMs : false),
  })
  if (!data) return <UnreadScreen title={title} error={error} onRetry={refetch} />
  return (
    <Page title={title}>
      <Stack maw="46rem">
        <Launch sync={data} saidAt={dataUpdatedAt} />
        <Suspense fallback={null}>
          <JobProgress kind="sync.run" title={title} />
        </Suspense>
        {data.last ? (
          <LastSyncPart last={data.last} />
        ) : (
          <div className="panel">
            <EmptyState message="Aucune synchronisation n’a encore été lancée." />
          </div>
        )}
      </Stack>
    </Page>
  )
}

function Launch({ sync, saidAt }: { sync: Sync; saidAt: number }) {
  const ask = useChange(askSync)
  const locked = useSecondsLeft(sync.locked_for, saidAt)
  const within = useSecondsLeft(sync.results_within, saidAt)
  const writesRelatives = useFlagParameter('sync_relatives')
  const reason = !sync.is_configured
    ? 'La synchronisation n’est pas réglée\u202f: la personne qui s’occupe du serveur donne dans SYNC_SOURCE le fichier ou l’adresse des personnes.'
    : locked > 0
      ? `Une synchronisation vient d’être demandée. La suivante pourra l’être dans ${clockOf(locked)}.`
      : null
  const launch = () =>
    void ask.mutateAsync({}).then(
      () => say('Synchronisation demandée.'),
      (problem: unknown) => sayError(problem, 'La synchronisation n’a pas pu être demandée.'),
    )
  return (
    <section className="panel" aria-label="Lancer">
      <Stack>
        <Text>
          {inWords(
            'Les lecteurs sont lus dans le fichier des personnes de l’organisation. Chacun est reconnu à son matricule, son site au numéro qui lui est donné pour la synchronisation\u202f: qui manque est ajouté, ce que le fichier dit d’un lecteur remplace ce qui est ici, et une case vide n’efface rien. Personne n’est supprimé. Il faut le réseau.',
          )}
        </Text>
        {writesRelatives ? (
          <Alert color="yellow" variant="light">
            {inWords('Les proches ne sont pas encore synchronisés.')}
          </Alert>
        ) : null}
        <Group>
          <Button
            leftSection={<IconRefresh size="1.2em" aria-hidden />}
            disabled={reason !== null}
            loading={ask.isPending}
            aria-describedby={reason === null ? undefined : 'sync-reason'}
            onClick={launch}
          >
            Lancer la synchronisation
          </Button>
        </Group>
        {reason === null ? null : (
          <Text c="dimmed" id="sync-reason">
            {reason}
          </Text>
        )}
        {within > 0 ? <Text>Les résultats peuvent prendre jusqu’à {clockOf(within)}.</Text> : null}
      </Stack>
    </section>
  )
}
