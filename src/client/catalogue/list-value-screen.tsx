import { Select, TextInput } from '@mantine/core'
import { IconArrowMerge, IconTags } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'

import { type ListValue, listValues } from '../../contract/list-values.ts'
import { useRight } from '../api/session.ts'
import { EditableList, type Editing } from '../ui/lists/editable-list.tsx'
import { activity, among, search } from '../ui/lists/filters.tsx'
import { FormDialog } from '../ui/forms/form-dialog.tsx'
import { inSentences } from '../ui/nouns.ts'
import { useRowChanges } from '../ui/lists/use-row-changes.tsx'
import type { Column } from '../ui/lists/resource-table.tsx'
import type { RowAction } from '../ui/lists/row-actions.ts'
import { useForm } from '../ui/forms/use-form.ts'
import { frenchInstant } from '../ui/words.ts'
import { groupChoices, groupWord, listTypesQuery, typeChoice } from './list-data.ts'
import { MergeDialog } from './merge-dialog.tsx'

function ListValueDialog({ item: value, onSaved, onClose }: Editing<ListValue>) {
  const { data: types = [] } = useQuery(listTypesQuery)
  const form = useForm<typeof listValues.add | typeof listValues.change>(
    value ? listValues.change : listValues.add,
    {
      initial: value ? { name: value.name, type: value.type.id } : {},
      ...(value ? { params: { id: value.id } } : {}),
      onSaved,
    },
  )
  const type = form.choice('type', 'Fonction')
  return (
    <FormDialog title={value ? 'Modifier la valeur' : 'Ajouter une valeur'} form={form} onClose={onClose}>
      <TextInput
        required
        maxLength={300}
        description="«&#160;Roman > Policier&#160;» se choisit niveau par niveau."
        {...form.text('name', 'Nom')}
      />
      <Select
        required
        searchable
        allowDeselect={false}
        nothingFoundMessage="Aucune fonction"
        data={types.map(typeChoice)}
        {...type}
        onChange={(chosen) => form.write('type', chosen === null ? null : Number(chosen))}
      />
    </FormDialog>
  )
}

const noun = inSentences(listValues.noun)
const nameOf = ({ name }: ListValue) => name

/** Paramètres, « Listes »: the values, which anybody may read and a right changes. */
export default function ListValueScreen() {
  const [merged, setMerged] = useState<ListValue | null>(null)
  const actions = useMemo(
    (): readonly RowAction<ListValue>[] => [
      { key: 'merge', label: 'Fusionner', Icon: IconArrowMerge, run: setMerged },
    ],
    [],
  )
  return (
    <EditableList
      endpoint={listValues.list}
      entity="list_values"
      title="Listes"
      purpose={
        'Les auteurs, les éditeurs et les mots que des références partagent, chacun d’une fonction. Renommée, une valeur l’est sur toutes\u202f; désactivée, elle n’est plus proposée.'
      }
      noun={noun}
      example="Zola, Émile"
      filters={filters}
      columns={columns}
      nameOf={nameOf}
      mayChange={useRight('PARAMETER_REFERENCE')}
      {...useRowChanges({ resource: listValues, noun, nameOf })}
      actions={actions}
      pageActions={toFunctions}
      dialog={(editing) => <ListValueDialog key={editing.item?.id ?? 'new'} {...editing} />}
    >
      {merged ? <MergeDialog key={merged.id} source={merged} onClose={() => setMerged(null)} /> : null}
    </EditableList>
  )
}

const toFunctions = [{ label: 'Fonctions', Icon: IconTags, to: '/settings/lists/types' }]

const filters = [
  search('name|like', 'Nom'),
  among('group|in', 'Groupes', groupChoices),
  among('type|in', 'Fonctions', listTypesQuery),
  activity('Toutes', 'Activées', 'Désactivées'),
]

const columns: readonly Column<ListValue>[] = [
  { key: 'name', title: 'Nom', order: 'name', role: 'main', cell: nameOf },
  { key: 'type', title: 'Fonction', order: 'type.name', cell: ({ type }) => type.name },
  { key: 'group', title: 'Groupe', width: 6, cell: groupWord },
  {
    key: 'ref_count',
    title: 'Références',
    order: 'ref_count',
    align: 'end',
    cell: ({ ref_count }) => ref_count,
  },
  {
    key: 'date_update',
    title: 'Modifiée le',
    order: 'date_update',
    role: 'day',
    cell: ({ date_update }) => frenchInstant(date_update),
  },
]
