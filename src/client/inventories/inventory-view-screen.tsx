import '@mantine/core/styles/Progress.css'

import { Alert, Button, Group, Progress, Stack, Text, Title } from '@mantine/core'
import { IconPlayerPause, IconPlayerPlay, IconScan, IconTrash } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import { Link, useParams } from 'react-router-dom'

import { getInventory, type Inventory } from '../../contract/inventories.ts'
import { oneQuery } from '../api/queries.ts'
import { deviceName } from '../devices/device-words.ts'
import { say } from '../page/messages.ts'
import { useConfirm } from '../ui/dialogs/confirm.tsx'
import { Page } from '../ui/page.tsx'
import { EmptyState, UnreadState } from '../ui/states.tsx'
import { StatusTag } from '../ui/status-tag.tsx'
import { ago, counted, frenchInstant } from '../ui/words.ts'
import { progressQuery, toInventories } from './inventory-data.ts'
import styles from './inventory.module.css'
import {
  addressOfCount,
  addressOfReview,
  isOver,
  noShelf,
  seenWords,
  shareOf,
  statusWords,
} from './inventory-words.ts'
import { ReportMenu } from './report-menu.tsx'
import { useSetStatus } from './use-set-status.ts'
import { inWords } from '../page/house-words.ts'

const JobProgress = lazy(() => import('../ui/job-progress.tsx'))

/** Where an inventory stands, live, and what leads on from there. */
export default function InventoryViewScreen() {
  const id = Number(useParams()['inventory_id'])
  const { data, error, refetch } = useQuery(oneQuery(getInventory, id))
  const rest = useRest(data)
  return (
    <Page
      title={data?.name ?? inWords('Inventaire')}
      isNamed
      actions={
        data && !isOver(data)
          ? [{ label: 'Compter', Icon: IconScan, to: addressOfCount(data), isMain: true }]
          : []
      }
      rest={rest}
    >
      {data ? (
        <Parts of={data} />
      ) : (
        <UnreadState error={error} onRetry={refetch} lead={toInventories} height="24rem" />
      )}
    </Page>
  )
}

function Parts({ of }: { of: Inventory }) {
  const { tone, words } = statusWords[of.status]
  return (
    <div className={styles['parts']}>
      <Group gap="sm">
        <StatusTag tone={tone}>{words}</StatusTag>
        <Text c="dimmed">
          {of.site_name}. Commencé le {frenchInstant(of.created_at)} par {of.who}.
        </Text>
      </Group>
      <Suspense fallback={null}>
        <JobProgress
          kind="inventories.apply"
          title={inWords('Application de l’inventaire')}
          doneWords={() => 'Inventaire appliqué.'}
        />
      </Suspense>
      <section className="panel">
        <Stack gap="sm">
          <div className={styles['whole']}>
            <span className={styles['figure']}>{seenWords(of)}</span>
            <Text c="dimmed">
              {of.expected === 1 ? inWords('exemplaire vu') : inWords('exemplaires vus')},{' '}
              {counted(of.scans, 'scan', 'scans', 'aucun scan')}
            </Text>
          </div>
          <Progress size="lg" value={shareOf(of)} aria-label={`${seenWords(of)} vus`} />
          <Group gap="sm" justify="flex-end">
            <ReportMenu id={of.id} />
            <Button component={Link} to={addressOfReview(of)} variant="default">
              {isOver(of) ? 'Revoir' : 'Examiner et appliquer'}
            </Button>
            {of.act === null ? null : (
              <Button component={Link} to={`/settings/acts/view/${of.act}`} variant="default">
                Voir l’acte, l’annuler
              </Button>
            )}
          </Group>
          {of.left_alone ? (
            <Alert color="yellow">
              {counted(
                of.left_alone,
                'élément avait changé entre-temps et reste comme il était.',
                'éléments avaient changé entre-temps et restent comme ils étaient.',
              )}
            </Alert>
          ) : null}
        </Stack>
      </section>
      <ProgressOf id={of.id} />
    </div>
  )
}

function ProgressOf({ id }: { id: number }) {
  const { data, error, refetch } = useQuery(progressQuery(id))
  if (!data) return <UnreadState error={error} onRetry={refetch} height="12rem" />
  return (
    <div className={styles['halves']}>
      <section className="panel" aria-labelledby="places">
        <Title order={2} size="h4" id="places" mb="md">
          {inWords('Par emplacement')}
        </Title>
        {data.locations.length === 0 ? <EmptyState message="Aucun exemplaire n’est attendu." /> : null}
        <ul className={styles['places']}>
          {data.locations.map((place) => (
            <li key={place.location} className={styles['place']}>
              <div>
                <span>{place.label ?? noShelf}</span>
                <span>{seenWords(place)}</span>
              </div>
              <Progress
                value={shareOf(place)}
                aria-label={`${place.label ?? noShelf}\u202f: ${seenWords(place)} vus`}
              />
            </li>
          ))}
        </ul>
      </section>
      <section className="panel" aria-labelledby="people">
        <Title order={2} size="h4" id="people" mb="xs">
          Qui compte
        </Title>
        {data.people.length === 0 ? <EmptyState message="Personne n’a encore scanné." /> : null}
        <ul className={styles['people']}>
          {data.people.map(({ who, device_id, device, scans, last_at }) => (
            <li key={`${who} ${device_id}`}>
              <span>
                <Text span fw={600}>
                  {who}
                </Text>
                <Text span c="dimmed">
                  {device_id === null ? '' : `, ${deviceName({ name: device, device_id })}`}, {ago(last_at)}
                </Text>
              </span>
              <span>{counted(scans, 'scan', 'scans')}</span>
            </li>
          ))}
        </ul>
      </section>
    </div>
  )
}

/** What is done seldom. */
function useRest(of: Inventory | undefined) {
  const confirm = useConfirm()
  const setStatus = useSetStatus(of?.id ?? 0)
  if (!of || isOver(of)) return []
  const giveUp = async () => {
    const isMeant = await confirm({
      title: `Abandonner «\u00a0${of.name}\u00a0»\u202f?`,
      message: 'Rien n’en sera appliqué. Ce qui a été scanné reste au rapport.',
      acts: 'destroys',
    })
    if (isMeant) setStatus('given_up', () => say('Inventaire abandonné.', 'good', { about: of.name }))
  }
  return [
    of.status === 'paused'
      ? { label: 'Reprendre', Icon: IconPlayerPlay, onRun: () => setStatus('open') }
      : { label: 'Suspendre', Icon: IconPlayerPause, onRun: () => setStatus('paused') },
    { label: 'Abandonner', Icon: IconTrash, onRun: () => void giveUp(), isDangerous: true },
  ]
}
