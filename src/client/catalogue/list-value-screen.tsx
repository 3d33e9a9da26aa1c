import { Select, Text, TextInput } from '@mantine/core'
import { IconArrowMerge, IconTags } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'

import { type ListValue, listValues, mergeListValues } from '../../contract/list-values.ts'
import { membersOf } from '../../contract/list.ts'
import { changesSaved } from '../../domain/sentences/lists.ts'
import { listQuery, useChange } from '../api/queries.ts'
import { useRight } from '../api/session.ts'
import { inWords } from '../page/house-words.ts'
import { say } from '../page/messages.ts'
import { useConfirm } from '../ui/dialogs/confirm.tsx'
import { asChoice } from '../ui/forms/as-choice.ts'
import { FormDialog } from '../ui/forms/form-dialog.tsx'
import { keptBeside } from '../ui/forms/kept-beside.ts'
import { SearchPicker } from '../ui/forms/search-picker.tsx'
import { useForm } from '../ui/forms/use-form.ts'
import { useLocalForm } from '../ui/forms/use-local-form.ts'
import { EditableList, type Editing } from '../ui/lists/editable-list.tsx'
import { activity, among, search } from '../ui/lists/filters.tsx'
import type { Column } from '../ui/lists/resource-table.tsx'
import type { RowAction } from '../ui/lists/row-actions.ts'
import { useRowChanges } from '../ui/lists/use-row-changes.tsx'
import { inSentences } from '../ui/nouns.ts'
import { useDebounced } from '../ui/use-debounced.ts'
import { frenchInstant } from '../ui/words.ts'
import { groupChoices, groupWord, listTypesQuery, typeChoice } from './list-data.ts'

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

type MergeDialogProps = { source: ListValue; onClose: () => void }

/** Picks the value that the references of another one will have, and asks before it does so. */
function MergeDialog({ source, onClose }: MergeDialogProps) {
  const confirm = useConfirm()
  const merge = useChange(mergeListValues)
  const [text, setText] = useState('')
  const typed = useDebounced(text.trim())
  const { data, isFetching } = useQuery({
    ...listQuery(listValues.list, {
      limit: 10,
      filters: [
        { field: 'type', operator: 'eq', value: source.type.id },
        { field: 'name', operator: 'like', value: typed },
      ],
    }),
    enabled: typed !== '',
  })
  const found = membersOf(data)?.filter(({ id }) => id !== source.id)
  const form = useLocalForm<{ target: string; name: string }, ListValue | null>({
    about: `merge of list value ${source.id}`,
    initial: { target: '', name: '' },
    check: ({ target }): Partial<Record<string, string>> =>
      target === '' ? { target: 'Choisissez la valeur qui reste.' } : {},
    act: async ({ target, name }) => {
      const isMeant = await confirm({
        title: `Fusionner «\u00a0${source.name}\u00a0» et «\u00a0${name}\u00a0»\u202f?`,
        message: `Toutes les références de «\u00a0${source.name}\u00a0» passeront à «\u00a0${name}\u00a0».`,
        acts: 'destroys',
      })
      if (!isMeant) return null
      return merge.mutateAsync({ params: { source: String(source.id), target } })
    },
    onDone: (kept) => {
      if (kept === null) return
      say(changesSaved, 'good', { about: kept.name })
      onClose()
    },
  })
  const { error } = form.text('target', 'Valeur qui reste')
  const choose = (target: string, name: string) => {
    form.write('target', target)
    form.write('name', name)
  }
  return (
    <FormDialog
      title={`Fusionner «\u00a0${source.name}\u00a0»`}
      form={keptBeside(form, { isDirty: text !== '', kept: text, restore: setText })}
      onClose={onClose}
    >
      <Text c="dimmed">
        {inWords('Elle disparaît, et ses références prennent une autre valeur de la fonction «\u00a0')}
        {source.type.name}
        &#160;».
      </Text>
      <SearchPicker
        label="Valeur qui reste"
        text={text}
        onText={(next) => {
          setText(next)
          choose('', '')
        }}
        choices={typed === '' ? undefined : found?.map(asChoice)}
        isSearching={isFetching}
        none="Aucune autre valeur de cette fonction."
        onPick={(id) => {
          const picked = found?.find((value) => String(value.id) === id)
          if (!picked) return
          setText(picked.name)
          choose(id, picked.name)
        }}
        onEnter={() => undefined}
        error={error}
      />
    </FormDialog>
  )
}
