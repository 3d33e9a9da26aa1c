import { Text } from '@mantine/core'
import { useCallbackRef } from '@mantine/hooks'
import { IconPencil, IconTrash } from '@tabler/icons-react'
import { useSuspenseQuery } from '@tanstack/react-query'
import { lazy, Suspense, useMemo, useState } from 'react'

import { type Device, forgetDevice, listDevices } from '../../contract/devices.ts'
import { byteSize } from '../../domain/byte-size.ts'
import { useChange } from '../api/queries.ts'
import { useConfirm } from '../ui/dialogs/confirm.tsx'
import { choice, search } from '../ui/lists/filters.tsx'
import { ListScreen } from '../ui/lists/list-screen.tsx'
import { nounOf } from '../ui/nouns.ts'
import { say } from '../page/messages.ts'
import type { Column } from '../ui/lists/resource-table.tsx'
import type { RowAction } from '../ui/lists/row-actions.ts'
import { StatusTag } from '../ui/status-tag.tsx'
import { ago, counted, frenchInstant } from '../ui/words.ts'
import { ownDeviceQuery } from './device-data.ts'
import { deviceName, deviceState, stateDetail } from './device-words.ts'
import styles from './devices.module.css'

const RenameDialog = lazy(() => import('./rename-dialog.tsx'))

export default function DevicesScreen() {
  // Known before the list, or « Cet appareil » would push a line down.
  const own = useSuspenseQuery(ownDeviceQuery).data
  const [renamed, setRenamed] = useState<Device | null>(null)
  const confirm = useConfirm()
  const forget = useChange(forgetDevice)
  const askForget = useCallbackRef(async (device: Device) => {
    const isSure = await confirm({
      title: `Déconnecter et oublier ${deviceName(device)}\u202f?`,
      isNamed: true,
      message: forgetMessage(device),
      acts: 'destroys',
    })
    if (!isSure) return
    await forget.mutateAsync({ params: { device_id: device.device_id } })
    say('Appareil oublié.')
  })
  const columns = useMemo(() => columnsFor(own), [own])
  const actions = useMemo(
    (): readonly RowAction<Device>[] => [
      { key: 'rename', label: 'Nommer', Icon: IconPencil, run: setRenamed, isMain: true },
      {
        key: 'forget',
        label: 'Déconnecter et oublier',
        Icon: IconTrash,
        may: ({ device_id }) => device_id !== own,
        run: askForget,
        tone: 'bad',
      },
    ],
    [own, askForget],
  )
  return (
    <ListScreen
      endpoint={listDevices}
      title="Appareils"
      noun={nounOf('appareil', 'm')}
      cycle="desc-first"
      refreshMs={refreshMs}
      about={
        <Text c="dimmed" maw="46rem">
          Ce que chaque appareil a dit à son dernier contact. Un appareil dont la mémoire a été vidée revient
          sous une autre identité&#8239;: l’ancienne reste ici, jamais revue.
        </Text>
      }
      filters={[
        search('searchname|like', 'Nom, personne ou site'),
        choice('attention|in', 'À surveiller', attentionChoices),
      ]}
      columns={columns}
      rowKey={({ device_id }) => device_id}
      rowName={deviceName}
      rowTone={({ attention }) => (attention === 'bad' ? 'bad' : undefined)}
      rowActions={actions}
    >
      {renamed ? (
        <Suspense fallback={null}>
          <RenameDialog device={renamed} onClose={() => setRenamed(null)} />
        </Suspense>
      ) : null}
    </ListScreen>
  )
}

/** Devices report at most once a minute. */
const refreshMs = 60_000

function forgetMessage({ waiting, conflicts, quarantined }: Device): string {
  const held = waiting + conflicts + quarantined
  const ended = 'Les sessions ouvertes sur cet appareil sont fermées, et il quitte cette liste.'
  return held === 0
    ? ended
    : `${ended} Il gardait ${counted(held, 'action', 'actions')} à son dernier contact\u202f: la personne devra les confirmer.`
}

const attentionChoices = [
  { value: '', label: 'Tous' },
  { value: 'bad,warn', label: 'À surveiller' },
  { value: 'bad', label: 'Urgents' },
]

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
        {device.device_id === own ? <StatusTag tone="quiet">Cet appareil</StatusTag> : null}{' '}
        <Lines
          first={deviceName(device)}
          second={joined(device.browser, device.app_version && `version ${device.app_version}`)}
        />
      </>
    ),
  },
  { key: 'state', title: 'État', order: 'attention', width: 11, cell: (device) => <State device={device} /> },
  {
    key: 'seen',
    title: 'Dernier contact',
    order: 'last_seen',
    cell: ({ last_seen, person, site_name }) => (
      <span title={frenchInstant(last_seen)}>
        <Lines first={ago(last_seen)} second={joined(person, site_name)} />
      </span>
    ),
  },
  {
    key: 'refusals',
    title: 'Refus',
    order: 'refusals',
    align: 'end',
    width: 5.5,
    cell: ({ refusals }) => refusals,
  },
  {
    key: 'replays',
    title: 'Renvois',
    order: 'replays',
    role: 'extra',
    align: 'end',
    width: 6,
    cell: ({ replays }) => replays,
  },
  {
    key: 'data',
    title: 'Données',
    role: 'extra',
    cell: ({ snapshot_at, storage_used }) => (
      <Lines
        first={snapshot_at === null ? 'Aucune' : ago(snapshot_at)}
        second={storage_used === null ? '' : byteSize(storage_used)}
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
