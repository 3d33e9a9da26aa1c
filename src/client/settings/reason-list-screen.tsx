import { TextInput } from '@mantine/core'

import { type Reason, reasons } from '../../contract/reasons.ts'
import { useRight } from '../api/session.ts'
import { activity, search } from '../ui/filters.tsx'
import { nounOf } from '../ui/nouns.ts'
import type { Column } from '../ui/resource-table.tsx'
import { ResourceScreen } from '../ui/resource-screen.tsx'
import { frenchInstant } from '../ui/words.ts'

/** One screen for each kind, each with its right. */
export function ReasonListScreen({ type }: { type: Reason['type'] }) {
  const isDelay = type === 'delay'
  return (
    <ResourceScreen
      resource={reasons}
      title={isDelay ? 'Motifs de retard' : 'Motifs de gratuité'}
      about={
        isDelay
          ? 'Proposés à qui commente un retard. Désactivé, un motif reste sur les prêts qui le portent.'
          : 'Dès que l’un d’eux est activé, un prêt gratuit demande le sien. Désactivé, un motif reste sur les prêts qui le portent.'
      }
      noun={
        isDelay
          ? nounOf('motif de retard', 'm', 'motifs de retard')
          : nounOf('motif de gratuité', 'm', 'motifs de gratuité')
      }
      example={isDelay ? 'Vacances' : 'Animation scolaire'}
      mayChange={useRight(isDelay ? 'PARAMETER_DELAY' : 'PARAMETER_FREE')}
      nameOf={({ name }) => name}
      fixed={{ type }}
      filters={[search('name|like', 'Nom'), activity('Tous', 'Activés', 'Désactivés')]}
      columns={columns}
      fields={({ text }) => (
        <>
          <TextInput required maxLength={100} {...text('name', 'Nom')} />
          <TextInput maxLength={20} {...text('code', 'Code')} />
        </>
      )}
    />
  )
}

const columns: readonly Column<Reason>[] = [
  { key: 'name', title: 'Nom', order: 'name', role: 'main', cell: ({ name }) => name },
  { key: 'code', title: 'Code', order: 'code', cell: ({ code }) => code ?? '' },
  {
    key: 'date_update',
    title: 'Modifié le',
    order: 'date_update',
    role: 'day',
    cell: ({ date_update }) => frenchInstant(date_update),
  },
]
