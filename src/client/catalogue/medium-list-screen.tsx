import { Select, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'

import { media, type MediumSettings } from '../../contract/media.ts'
import { moveReferences } from '../../contract/medium-changes.ts'
import { defaultDuration, durationWords } from '../../domain/loan-rules.ts'
import { changesSaved } from '../../domain/sentences/lists.ts'
import { useChange } from '../api/queries.ts'
import { say } from '../page/messages.ts'
import { enabledSitesQuery } from '../settings/enabled-sites.ts'
import { asChoice } from '../ui/forms/as-choice.ts'
import { FormDialog } from '../ui/forms/form-dialog.tsx'
import { useLocalForm } from '../ui/forms/use-local-form.ts'
import { EditableList, type Editing } from '../ui/lists/editable-list.tsx'
import { activity, search } from '../ui/lists/filters.tsx'
import type { Column } from '../ui/lists/resource-table.tsx'
import { useRowChanges } from '../ui/lists/use-row-changes.tsx'
import { nounOf } from '../ui/nouns.ts'
import { mediaQuery } from './catalogue-data.ts'
import { type EditedMedium, MediumDialog } from './medium-dialog.tsx'

const noun = nounOf('support', 'm')
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

/** Paramètres, « Supports ». */
export default function MediumListScreen() {
  const [used, setUsed] = useState<{ medium: MediumSettings; message: string } | null>(null)
  const { askRemove, flip } = useRowChanges({
    resource: media,
    noun,
    nameOf,
    onUsed: (medium, message) => setUsed({ medium, message }),
  })
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
      {used ? (
        <MediumInUse
          {...used}
          onDone={() => {
            say(changesSaved, 'good', { about: used.medium.name })
            setUsed(null)
          }}
          onClose={() => setUsed(null)}
        />
      ) : null}
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

type MediumInUseProps = {
  medium: MediumSettings
  /** What the refusal said. */
  message: string
  onDone: () => void
  onClose: () => void
}

/** Offers what can be done with a medium that still serves. */
function MediumInUse({ medium, message, onDone, onClose }: MediumInUseProps) {
  const { data: all = [] } = useQuery(mediaQuery)
  const toggle = useChange(media.toggle)
  const move = useChange(moveReferences)
  const remove = useChange(media.remove)
  const others = all.filter(({ id }) => id !== medium.id)
  const ways = [
    ...(medium.enabled ? [{ value: 'disable', label: 'Le désactiver\u202f: il n’est plus proposé' }] : []),
    ...(others.length > 0
      ? [{ value: 'move', label: 'Donner un autre support à ses références, puis le supprimer' }]
      : []),
  ]
  const params = { id: medium.id }
  const form = useLocalForm<{ way: string; medium: string }>({
    about: `medium in use ${medium.id}`,
    initial: { way: ways[0]?.value ?? '', medium: '' },
    check: (values): Partial<Record<string, string>> =>
      values.way === 'move' && !values.medium ? { medium: 'Choisissez le support qu’elles auront.' } : {},
    act: async (values) => {
      if (values.way === 'disable') return toggle.mutateAsync({ params })
      await move.mutateAsync({ params, body: { medium: Number(values.medium) } })
      return remove.mutateAsync({ params })
    },
    onDone,
  })
  const way = form.choice('way', 'Que faire')
  return (
    <FormDialog title={`«\u00a0${medium.name}\u00a0» sert encore`} form={form} onClose={onClose}>
      <Text>{message}</Text>
      <Select allowDeselect={false} data={ways} {...way} />
      {way.value === 'move' ? (
        <Select required searchable data={others.map(asChoice)} {...form.choice('medium', 'Autre support')} />
      ) : null}
    </FormDialog>
  )
}
