import { Alert, Anchor, Group, Stack, Text, Title } from '@mantine/core'
import { Link } from 'react-router-dom'

import type { LastSync } from '../../contract/sync.ts'
import { importFieldsOf } from '../../domain/import-fields.ts'
import { CountsOf } from '../imports/counts-of.tsx'
import { type Column, ResourceTable } from '../ui/lists/resource-table.tsx'
import { counted, frenchInstant } from '../ui/words.ts'

type SyncError = LastSync['errors'][number]

/** Who asked for the last one and when, what it did, and the lines that it could not bring in. */
export function LastSyncPart({ last }: { last: LastSync }) {
  const { who, asked_at, ended_at, file, status, problem, counts, errors, act } = last
  const report = last.import
  return (
    <section className="panel" aria-label="Dernière synchronisation">
      <Stack>
        <Title order={2} size="h4">
          Dernière synchronisation
        </Title>
        <Text>
          {`Demandée par ${who}, le ${frenchInstant(asked_at)}${file === null ? '' : `, du fichier ${file}`}.`}{' '}
          {ended_at === null ? stateWords[status] : `${stateWords[status]} le ${frenchInstant(ended_at)}.`}
        </Text>
        {problem === null ? null : (
          <Alert color="red" variant="light" role="alert" title="La synchronisation s’est arrêtée">
            {problem}
          </Alert>
        )}
        {counts === null ? (
          <Text c="dimmed">Son compte rendu a été oublié.</Text>
        ) : (
          <CountsOf counts={counts} isDone />
        )}
        {counts !== null && counts.refused > 0 ? (
          <>
            <Title order={3} size="h5">
              {counted(counts.refused, 'ligne en erreur', 'lignes en erreur')}
            </Title>
            {counts.refused > errors.length ? (
              <Text c="dimmed">Voici les {errors.length} premières.</Text>
            ) : null}
            <ResourceTable
              label="Lignes en erreur"
              columns={columns}
              rows={errors}
              rowKey={({ line }) => line}
              empty="Aucune erreur."
            />
          </>
        ) : null}
        {report === null ? null : (
          <Group>
            <Anchor component={Link} to={`/imports/view/${report}`}>
              Voir le compte rendu
            </Anchor>
            {act === null ? null : (
              <Anchor component={Link} to={`/settings/acts/view/${act}`}>
                Voir ou annuler l’acte
              </Anchor>
            )}
          </Group>
        )}
      </Stack>
    </section>
  )
}

const stateWords: Readonly<Record<LastSync['status'], string>> = {
  queued: 'Elle va commencer.',
  running: 'Elle est en cours.',
  done: 'Terminée',
  failed: 'Arrêtée',
}

const labels = new Map(importFieldsOf.readers.map(({ name, label }) => [name, label]))

const columns: readonly Column<SyncError>[] = [
  { key: 'line', title: 'Ligne', align: 'end', role: 'main', width: 5, cell: ({ line }) => line },
  { key: 'field', title: 'Champ', cell: ({ field }) => (field === null ? '' : (labels.get(field) ?? field)) },
  { key: 'reason', title: 'Raison', cell: ({ reason }) => reason },
]
