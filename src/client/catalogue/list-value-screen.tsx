import { Button, Select, Text, TextInput } from '@mantine/core'
import { useCallbackRef } from '@mantine/hooks'
import { IconArrowMerge, IconPencil, IconPlus, IconTrash } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { Link } from 'react-router-dom'

import { type ListValue, listValues } from '../../contract/list-values.ts'
import { changesSaved } from '../../domain/sentences/lists.ts'
import { useRight } from '../api/session.ts'
import { inWords } from '../page/house-words.ts'
import { say } from '../page/messages.ts'
import { activity, among, search } from '../ui/filters.tsx'
import { FormDialog } from '../ui/form-dialog.tsx'
import { ListScreen } from '../ui/list-screen.tsx'
import { nounOf } from '../ui/nouns.ts'
import { useRowChanges } from '../ui/use-row-changes.tsx'
import type { Column } from '../ui/resource-table.tsx'
import type { RowAction } from '../ui/row-actions.ts'
import { switchColumn } from '../ui/switch-column.tsx'
import { useForm } from '../ui/use-form.ts'
import { useJournal } from '../ui/use-journal.tsx'
import { frenchInstant } from '../ui/words.ts'
import { groupChoices, groupWord, listTypesQuery, typeChoice } from './list-data.ts'
import { MergeDialog } from './merge-dialog.tsx'

type ListValueDialogProps = { value: ListValue | null; onSaved: () => void; onClose: () => void }

function ListValueDialog({ value, onSaved, onClose }: ListValueDialogProps) {
  const { data: types = [] } = useQuery(listTypesQuery)
  const form = useForm<typeof listValues.add | typeof listValues.change>(
    value ? listValues.change : listValues.add,
    {
      initial: value ? { name: value.name, type: value.type.id } : {},
      ...(value ? { params: { id: value.id } } : {}),
      onSaved: ({ name }) => {
        say(changesSaved, 'good', { about: name })
        onSaved()
      },
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

const noun = nounOf('valeur', 'f')
const nameOf = ({ name }: ListValue) => name

/** Paramètres, « Listes »: the values, which anybody may read and a right changes. */
export default function ListValueScreen() {
  const mayChange = useRight('PARAMETER_REFERENCE')
  const [edited, setEdited] = useState<ListValue | 'new' | null>(null)
  const [merged, setMerged] = useState<ListValue | null>(null)
  const [added, setAdded] = useState(0)
  const { askRemove, flip } = useRowChanges({ resource: listValues, noun, nameOf })
  const flipOne = useCallbackRef(flip)
  const { journalAction, journal } = useJournal<ListValue>('list_values', nameOf)
  const removeOne = useCallbackRef(askRemove)
  const columns = useMemo(
    () => [...ownColumns, switchColumn<ListValue>({ nameOf, flip: flipOne, isLocked: !mayChange })],
    [flipOne, mayChange],
  )
  const actions = useMemo(
    (): readonly RowAction<ListValue>[] => [
      { key: 'edit', label: 'Modifier', Icon: IconPencil, run: setEdited, isMain: true },
      { key: 'merge', label: 'Fusionner', Icon: IconArrowMerge, run: setMerged },
      { key: 'remove', label: 'Supprimer', Icon: IconTrash, run: removeOne, tone: 'bad' },
      ...journalAction,
    ],
    [removeOne, journalAction],
  )
  const addButton = mayChange ? (
    <Button leftSection={<IconPlus size="1.2em" aria-hidden />} onClick={() => setEdited('new')}>
      Ajouter {noun.a}
    </Button>
  ) : null
  return (
    <ListScreen
      endpoint={listValues.list}
      title="Listes"
      about={
        <Text c="dimmed" maw="46rem">
          {inWords(
            'Les auteurs, les éditeurs et les mots que des références partagent, chacun d’une fonction. Renommée, une valeur l’est sur toutes\u202f; désactivée, elle n’est plus proposée.',
          )}
        </Text>
      }
      noun={noun}
      example="Zola, Émile"
      filters={filters}
      columns={columns}
      rowKey={({ id }) => id}
      rowName={nameOf}
      rowActions={mayChange ? actions : undefined}
      pageActions={
        <>
          <Button component={Link} to="/settings/lists/types" variant="default">
            Fonctions
          </Button>
          {addButton}
        </>
      }
      whenEmpty={addButton}
      orderedFor={added}
    >
      {journal}
      {edited === null ? null : (
        <ListValueDialog
          key={edited === 'new' ? 'new' : edited.id}
          value={edited === 'new' ? null : edited}
          onSaved={() => {
            if (edited === 'new') setAdded(added + 1)
            setEdited(null)
          }}
          onClose={() => setEdited(null)}
        />
      )}
      {merged ? <MergeDialog key={merged.id} source={merged} onClose={() => setMerged(null)} /> : null}
    </ListScreen>
  )
}

const filters = [
  search('name|like', 'Nom'),
  among('group|in', 'Groupes', groupChoices),
  among('type|in', 'Fonctions', listTypesQuery),
  activity('Toutes', 'Activées', 'Désactivées'),
]

const ownColumns: readonly Column<ListValue>[] = [
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
