import '@mantine/core/styles/Progress.css'

import { Button, Group, Progress, Stack, Text } from '@mantine/core'
import { IconRefresh } from '@tabler/icons-react'
import { useEffect, useState } from 'react'

import { byteSize } from '../../domain/byte-size.ts'
import { type SnapshotState, snapshotState } from '../../offline/snapshot-state.ts'
import { useConnection } from '../api/connection.ts'
import { LoadingBlock } from '../ui/loading-text.tsx'
import { StatusTag } from '../ui/status-tag.tsx'
import { ago, counted } from '../ui/words.ts'
import { refreshNow, useSnapshotState } from '../outbox/counter-work.ts'
import styles from './account-screen.module.css'
import { askToKeepStorage, readStorage, type StorageFacts } from '../session/device-storage.ts'
import { inWords } from '../page/house-words.ts'

export function StorageState() {
  const [first, setFirst] = useState<{ snapshot: SnapshotState | null; storage: StorageFacts } | null>(null)
  const snapshot = useSnapshotState() ?? first?.snapshot ?? null
  const connection = useConnection()
  const [isRefreshing, setRefreshing] = useState(false)
  // Both before anything is shown: each would push the rest down.
  useEffect(() => {
    void Promise.all([snapshotState().catch(() => null), readStorage()]).then(([known, storage]) =>
      setFirst({ snapshot: known, storage }),
    )
  }, [])
  if (!first) return <LoadingBlock h="18rem" />
  const refresh = async () => {
    setRefreshing(true)
    await refreshNow()
    setRefreshing(false)
  }
  return (
    <Stack gap="md">
      <Knowledge snapshot={snapshot} />
      <Button
        variant="default"
        leftSection={<IconRefresh size="1.2em" aria-hidden />}
        disabled={connection === 'offline'}
        loading={isRefreshing}
        onClick={() => void refresh()}
      >
        Actualiser les données
      </Button>
      <Keeping first={first.storage} />
    </Stack>
  )
}

function Knowledge({ snapshot }: { snapshot: SnapshotState | null }) {
  const loading = snapshot?.loading
  return (
    <>
      {snapshot?.complete && snapshot.refreshed_at ? (
        <dl className={styles['facts']}>
          <dt>Données</dt>
          <dd>actualisées {ago(snapshot.refreshed_at)}</dd>
          <dt>Contenu</dt>
          <dd>
            {counted(snapshot.counts.copies, 'exemplaire', 'exemplaires', 'aucun exemplaire')},{' '}
            {counted(snapshot.counts.beneficiaries, 'lecteur', 'lecteurs', 'aucun lecteur')},{' '}
            {counted(snapshot.counts.loanings, 'prêt en cours', 'prêts en cours', 'aucun prêt en cours')},{' '}
            {counted(snapshot.counts.reservations, 'réservation', 'réservations', 'aucune réservation')}
          </dd>
        </dl>
      ) : (
        <Text>
          {inWords(
            'Les données de prêt ne sont pas encore sur cet appareil\u202f: sans réseau, il ne connaîtrait ni lecteurs ni exemplaires.',
          )}
        </Text>
      )}
      {loading ? (
        <div>
          <Text size="sm" mb={4}>
            Chargement : {counted(loading.rows, 'ligne', 'lignes')} sur{' '}
            {loading.total.toLocaleString('fr-FR')}
          </Text>
          <Progress
            aria-label="Chargement des données"
            value={loading.total > 0 ? Math.min(100, (100 * loading.rows) / loading.total) : 0}
          />
        </div>
      ) : null}
    </>
  )
}

function Keeping({ first }: { first: StorageFacts }) {
  const [facts, setFacts] = useState(first)
  const [isRefused, setRefused] = useState(false)
  const ask = async () => {
    setRefused(!(await askToKeepStorage()))
    setFacts(await readStorage())
  }
  return (
    <Stack gap="sm">
      <Group gap="sm">
        {facts.isKept ? (
          <StatusTag tone="good">Stockage protégé</StatusTag>
        ) : (
          <StatusTag tone="warn">Stockage non protégé</StatusTag>
        )}
        {facts.usage === null ? null : (
          <Text size="sm" c="dimmed">
            {byteSize(facts.usage)} utilisés{facts.quota === null ? '' : ` sur ${byteSize(facts.quota)}`}
          </Text>
        )}
      </Group>
      <Text size="sm">
        {facts.isKept
          ? 'Le navigateur ne videra pas ces données de lui-même.'
          : 'Si la place manque, le navigateur pourrait vider ces données, actions en attente comprises.'}
      </Text>
      {isRefused ? (
        <Text size="sm" role="status">
          Le navigateur ne l’accorde pas encore. Installez Comptoir sur cet appareil, ou utilisez-le quelques
          jours, puis redemandez.
        </Text>
      ) : null}
      {facts.isKept || !facts.canAsk ? null : (
        <Button variant="default" onClick={() => void ask()}>
          Demander la protection
        </Button>
      )}
    </Stack>
  )
}
