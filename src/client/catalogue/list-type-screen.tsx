import { Button, MultiSelect, Select, Switch, Text, TextInput } from '@mantine/core'
import { useCallbackRef } from '@mantine/hooks'
import { IconPencil, IconPlus, IconTrash } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'

import { countListTypeLinks, type ListType, listTypes } from '../../contract/list-types.ts'
import { linksWithoutWarning } from '../../domain/list-groups.ts'
import { changesSaved } from '../../domain/sentences/lists.ts'
import { call } from '../api/call.ts'
import { useRight } from '../api/session.ts'
import { inWords } from '../page/house-words.ts'
import { say, sayError } from '../page/messages.ts'
import { useConfirm } from '../ui/confirm.tsx'
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
import { mediaQuery } from './catalogue-data.ts'
import { groupChoices, groupWord } from './list-data.ts'

type ListTypeDialogProps = { type: ListType | null; onSaved: () => void; onClose: () => void }

function ListTypeDialog({ type, onSaved, onClose }: ListTypeDialogProps) {
  const { data: media = [] } = useQuery(mediaQuery)
  const form = useForm<typeof listTypes.add | typeof listTypes.change>(
    type ? listTypes.change : listTypes.add,
    {
      initial: type
        ? {
            name: type.name,
            group: type.group,
            isMainAuthor: type.isMainAuthor,
            medium: type.medium.map(({ id }) => String(id)),
          }
        : { isMainAuthor: false, medium: [] },
      ...(type ? { params: { id: type.id } } : {}),
      onSaved: ({ name }) => {
        say(changesSaved, 'good', { about: name })
        onSaved()
      },
    },
  )
  const group = form.choice('group', 'Groupe')
  const medium = form.several('medium', 'Supports')
  return (
    <FormDialog title={type ? 'Modifier la fonction' : 'Ajouter une fonction'} form={form} onClose={onClose}>
      <TextInput required maxLength={100} {...form.text('name', 'Nom')} />
      <Select required allowDeselect={false} data={groupChoices} {...group} />
      {group.value === 'author' ? (
        <Switch
          description="Ses valeurs sont l’auteur que montrent les listes et que trouve la recherche."
          {...form.flag('isMainAuthor', 'Auteur principal')}
        />
      ) : null}
      <MultiSelect
        searchable
        clearable
        description="Aucun choisi&#8239;: elle est pour tous."
        data={media.map(({ id, name }) => ({ value: String(id), label: name }))}
        {...medium}
      />
    </FormDialog>
  )
}

const noun = nounOf('fonction', 'f')
const nameOf = ({ name }: ListType) => name

/** Paramètres, « Listes », « Fonctions »: what an author, an editor or a list is to a reference. */
export default function ListTypeScreen() {
  const mayChange = useRight('PARAMETER_REFERENCE')
  const [edited, setEdited] = useState<ListType | 'new' | null>(null)
  const [added, setAdded] = useState(0)
  const { askRemove, flip } = useRowChanges({ resource: listTypes, noun, nameOf })
  const isMeant = useWarning()
  const edit = useCallbackRef(async (type: ListType) => {
    if (await isMeant(type)) setEdited(type)
  })
  const flipOne = useCallbackRef(flip)
  const { journalAction, journal } = useJournal<ListType>('list_types', nameOf)
  const removeOne = useCallbackRef(askRemove)
  const columns = useMemo(
    () => [...ownColumns, switchColumn<ListType>({ nameOf, flip: flipOne, isLocked: !mayChange })],
    [flipOne, mayChange],
  )
  const actions = useMemo(
    (): readonly RowAction<ListType>[] => [
      { key: 'edit', label: 'Modifier', Icon: IconPencil, run: edit, isMain: true },
      { key: 'remove', label: 'Supprimer', Icon: IconTrash, run: removeOne, tone: 'bad' },
      ...journalAction,
    ],
    [edit, removeOne, journalAction],
  )
  const addButton = mayChange ? (
    <Button leftSection={<IconPlus size="1.2em" aria-hidden />} onClick={() => setEdited('new')}>
      Ajouter {noun.a}
    </Button>
  ) : null
  return (
    <ListScreen
      endpoint={listTypes.list}
      title="Fonctions"
      about={
        <Text c="dimmed" maw="46rem">
          {inWords(
            'Ce qu’un auteur, un éditeur ou une liste est pour une référence\u202f: «\u00a0Illustrateur\u00a0», «\u00a0Public visé\u00a0». La fonction dit les supports pour lesquels ses valeurs sont proposées.',
          )}
        </Text>
      }
      noun={noun}
      example="Illustrateur"
      filters={filters}
      columns={columns}
      rowKey={({ id }) => id}
      rowName={nameOf}
      rowActions={mayChange ? actions : undefined}
      pageActions={addButton}
      whenEmpty={addButton}
      orderedFor={added}
    >
      {journal}
      {edited === null ? null : (
        <ListTypeDialog
          key={edited === 'new' ? 'new' : edited.id}
          type={edited === 'new' ? null : edited}
          onSaved={() => {
            if (edited === 'new') setAdded(added + 1)
            setEdited(null)
          }}
          onClose={() => setEdited(null)}
        />
      )}
    </ListScreen>
  )
}

/** Asks before a function is changed that more than 50 links hang on. */
function useWarning() {
  const confirm = useConfirm()
  return async ({ id, name }: ListType): Promise<boolean> => {
    try {
      const { nb_links } = await call(countListTypeLinks, { params: { id: String(id) } })
      if (nb_links <= linksWithoutWarning) return true
      return await confirm({
        title: `Modifier «\u00a0${name}\u00a0»\u202f?`,
        message: `Les références portent ${nb_links} fois une valeur de cette fonction\u202f: un autre nom ou un autre groupe se voit sur toutes.`,
      })
    } catch (error) {
      sayError(error)
      return false
    }
  }
}

const filters = [
  search('name|like', 'Nom'),
  among('group|in', 'Groupes', groupChoices),
  activity('Toutes', 'Activées', 'Désactivées'),
]

const ownColumns: readonly Column<ListType>[] = [
  { key: 'name', title: 'Nom', order: 'name', role: 'main', cell: nameOf },
  { key: 'group', title: 'Groupe', order: 'group', width: 6, cell: groupWord },
  {
    key: 'medium',
    title: 'Supports',
    role: 'extra',
    cell: ({ medium }) => (medium.length === 0 ? 'Tous' : medium.map(({ name }) => name).join(', ')),
  },
  {
    key: 'isMainAuthor',
    title: 'Auteur principal',
    width: 9,
    cell: ({ isMainAuthor }) => (isMainAuthor ? 'Oui' : ''),
  },
  { key: 'nb_links', title: 'Liens', order: 'nb_links', align: 'end', cell: ({ nb_links }) => nb_links },
]
