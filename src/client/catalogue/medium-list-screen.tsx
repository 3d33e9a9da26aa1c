import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'

import { media, type MediumSettings } from '../../contract/media.ts'
import { moveReferences } from '../../contract/medium-changes.ts'
import { defaultDuration, durationWords } from '../../domain/loan-rules.ts'
import { enabledSitesQuery } from '../settings/enabled-sites.ts'
import { EditableList, type Editing } from '../ui/lists/editable-list.tsx'
import { activity, search } from '../ui/lists/filters.tsx'
import type { Column } from '../ui/lists/resource-table.tsx'
import { useRowChanges } from '../ui/lists/use-row-changes.tsx'
import { inSentences } from '../ui/nouns.ts'
import { type EditedMedium, MediumDialog } from './medium-dialog.tsx'

const noun = inSentences(media.noun)
const nameOf = ({ name }: MediumSettings) => name

/** Opens again on what was saved where its file was refused. */
function EditedMediumDialog({ item, onSaved, onAdded, onClose }: Editing<MediumSettings>) {
  const [edited, setEdited] = useState<EditedMedium>({ medium: item })
  const { data: sites } = useQuery(enabledSitesQuery)
  return sites ? (
    <MediumDialog
      key={edited.medium?.id ?? 'new'}
      edited={edited}
      sites={sites}
      onSaved={onSaved}
      onFileRefused={(again) => {
        if (item === null) onAdded()
        setEdited(again)
      }}
      onClose={onClose}
    />
  ) : null
}

const moves = {
  by: moveReferences,
  bodyOf: (medium: number) => ({ medium }),
  label: 'Autre support',
  missing: 'Choisissez le support qu’elles auront.',
  ways: {
    disable: 'Le désactiver\u202f: il n’est plus proposé',
    move: 'Donner un autre support à ses références, puis le supprimer',
  },
}

/** Paramètres, « Supports ». */
export default function MediumListScreen() {
  const { askRemove, flip, moving } = useRowChanges({ resource: media, noun, nameOf, moves })
  return (
    <EditableList
      endpoint={media.list}
      entity="media"
      title="Supports"
      purpose={
        'Chaque référence est d’un support, dont les règles décident du prêt\u202f: durée, limites, pénalités. Désactivé, un support n’est plus proposé\u202f; ses exemplaires se prêtent encore.'
      }
      noun={noun}
      example="Bande dessinée"
      filters={filters}
      columns={columns}
      nameOf={nameOf}
      flip={flip}
      askRemove={askRemove}
      dialog={(editing) => <EditedMediumDialog key={editing.item?.id ?? 'new'} {...editing} />}
    >
      {moving}
    </EditableList>
  )
}

const filters = [search('name|like', 'Nom'), activity('Tous', 'Activés', 'Désactivés')]

const columns: readonly Column<MediumSettings>[] = [
  { key: 'name', title: 'Nom', order: 'name', role: 'main', cell: ({ name }) => name },
  { key: 'code', title: 'Code', order: 'code', cell: ({ code }) => code ?? '' },
  {
    key: 'duration',
    title: 'Durée du prêt',
    width: 7.5,
    cell: (medium) => durationWords(defaultDuration(medium)),
  },
  {
    key: 'ref_count',
    title: 'Références',
    order: 'ref_count',
    align: 'end',
    cell: ({ ref_count }) => ref_count,
  },
]
