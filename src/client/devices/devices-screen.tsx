import { ActionIcon, Button, Select, Text } from '@mantine/core'
import { IconPencil } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'

import { type Device, deviceList } from '../../contract/devices.ts'
import { FilterBar } from '../ui/filter-bar.tsx'
import { Page } from '../ui/page.tsx'
import { Pager } from '../ui/pager.tsx'
import { type Column, ResourceTable } from '../ui/resource-table.tsx'
import { SearchFilter } from '../ui/search-filter.tsx'
import { StatusTag } from '../ui/status-tag.tsx'
import { useListAddress } from '../ui/use-list-address.ts'
import { ago, frenchInstant } from '../ui/words.ts'
import { deviceListQuery, ownDeviceQuery } from './device-data.ts'
import { deviceName, deviceState, megabytes, stateDetail } from './device-words.ts'
import styles from './devices.module.css'

const RenameDialog = lazy(() => import('./rename-dialog.tsx'))

/** Every device that has served at a counter: its last contact, what it holds, what became of its actions. */
export default function DevicesScreen() {
  const address = useListAddress(deviceList, { cycle: 'desc-first' })
  const { data, error, refetch, isPlaceholderData } = useQuery(deviceListQuery(address.list))
  const own = useQuery(ownDeviceQuery).data ?? null
  const [renamed, setRenamed] = useState<Device | null>(null)
  const isFiltered = Object.keys(address.values).length > 0
  return (
    <Page title="Appareils">
      <Text c="dimmed" maw="46rem">
        Ce que chaque appareil a dit à son dernier contact. Un appareil dont la mémoire a été vidée revient
        sous une autre identité&#8239;: l’ancienne reste ici, jamais revue.
      </Text>
      <FilterBar address={address}>
        <SearchFilter
          label="Nom, personne ou site"
          value={address.values['searchname|like'] ?? ''}
          onChange={(text) => address.setFilters({ 'searchname|like': text })}
        />
        <Select
          label="À surveiller"
          data={attentionChoices}
          value={address.values['attention|in'] ?? ''}
          onChange={(attention) => address.setFilters({ 'attention|in': attention ?? '' })}
          allowDeselect={false}
        />
      </FilterBar>
      <ResourceTable
        label="Appareils"
        columns={columnsFor(own)}
        rows={data?.['hydra:member']}
        rowKey={({ device_id }) => device_id}
        rowTone={({ attention }) => (attention === 'bad' ? 'bad' : undefined)}
        actions={(device) => (
          <ActionIcon
            aria-label={`Nommer\u202f: ${deviceName(device)}`}
            title="Nommer"
            onClick={() => setRenamed(device)}
          >
            <IconPencil size="1.3rem" aria-hidden />
          </ActionIcon>
        )}
        address={address}
        error={error}
        onRetry={() => void refetch()}
        isStale={isPlaceholderData}
        total={data?.['hydra:totalItems']}
        empty={
          isFiltered
            ? 'Aucun appareil ne correspond à ces filtres.'
            : 'Aucun appareil ne s’est encore annoncé. Il le fait dès qu’une personne s’y connecte.'
        }
        emptyAction={
          isFiltered ? (
            <Button variant="default" onClick={address.clearFilters}>
              Effacer les filtres
            </Button>
          ) : null
        }
      />
      <Pager address={address} total={data?.['hydra:totalItems']} one="appareil" many="appareils" />
      {renamed ? (
        <Suspense fallback={null}>
          <RenameDialog device={renamed} onClose={() => setRenamed(null)} />
        </Suspense>
      ) : null}
    </Page>
  )
}

const attentionChoices = [
  { value: '', label: 'Tous' },
  { value: 'bad,warn', label: 'À surveiller' },
  { value: 'bad', label: 'Urgents' },
]

/** Two lines of a cell: what matters, and what it is made of. */
function Lines({ first, second }: { first: string; second: string }) {
  return (
    <>
      <span className={styles['first']}>{first}</span>
      {second === '' ? null : <span className={styles['second']}>{second}</span>}
    </>
  )
}

const joined = (...parts: (string | null)[]): string => parts.filter(Boolean).join(' · ')

const columnsFor = (own: string | null): readonly Column<Device>[] => [
  {
    key: 'name',
    title: 'Appareil',
    order: 'name',
    role: 'main',
    cell: (device) => (
      <>
        <Lines
          first={deviceName(device)}
          second={joined(device.browser, device.app_version && `version ${device.app_version}`)}
        />
        {device.device_id === own ? <StatusTag tone="quiet">Cet appareil</StatusTag> : null}
      </>
    ),
  },
  { key: 'state', title: 'État', order: 'attention', cell: (device) => <State device={device} /> },
  {
    key: 'seen',
    title: 'Dernier contact',
    order: 'last_seen',
    cell: ({ last_seen, username, site_name }) => (
      <span title={frenchInstant(last_seen)}>
        <Lines first={ago(last_seen)} second={joined(username, site_name)} />
      </span>
    ),
  },
  { key: 'refusals', title: 'Refus', order: 'refusals', align: 'end', cell: ({ refusals }) => refusals },
  {
    key: 'replays',
    title: 'Renvois',
    order: 'replays',
    role: 'extra',
    align: 'end',
    cell: ({ replays }) => replays,
  },
  {
    key: 'data',
    title: 'Données',
    role: 'extra',
    cell: ({ snapshot_at, storage_used }) => (
      <Lines
        first={snapshot_at === null ? 'Aucune' : ago(snapshot_at)}
        second={storage_used === null ? '' : megabytes(storage_used)}
      />
    ),
  },
]

function State({ device }: { device: Device }) {
  const now = Date.now()
  const { tone, word } = deviceState(device, now)
  const detail = stateDetail(device, now)
  return (
    <>
      <StatusTag tone={tone}>{word}</StatusTag>
      {detail === null ? null : <span className={styles['second']}>{detail}</span>}
    </>
  )
}
