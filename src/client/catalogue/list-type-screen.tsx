import { MultiSelect, Select, Switch, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'

import { countListTypeLinks, type ListType, listTypes } from '../../contract/list-types.ts'
import { linksWithoutWarning } from '../../domain/list-groups.ts'
import { call } from '../api/call.ts'
import { useRight } from '../api/session.ts'
import { sayError } from '../page/messages.ts'
import { useConfirm } from '../ui/dialogs/confirm.tsx'
import { asChoice } from '../ui/forms/as-choice.ts'
import { FormDialog } from '../ui/forms/form-dialog.tsx'
import { useForm } from '../ui/forms/use-form.ts'
import { EditableList, type Editing } from '../ui/lists/editable-list.tsx'
import { activity, among, search } from '../ui/lists/filters.tsx'
import type { Column } from '../ui/lists/resource-table.tsx'
import { useRowChanges } from '../ui/lists/use-row-changes.tsx'
import { inSentences } from '../ui/nouns.ts'
import { mediaQuery } from './catalogue-data.ts'
import { groupChoices, groupWord } from './list-data.ts'

function ListTypeDialog({ item: type, onSaved, onClose }: Editing<ListType>) {
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
      onSaved,
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
        data={media.map(asChoice)}
        {...medium}
      />
    </FormDialog>
  )
}

const noun = inSentences(listTypes.noun)
const nameOf = ({ name }: ListType) => name

/** Paramètres, « Listes », « Fonctions »: what an author, an editor or a list is to a reference. */
export default function ListTypeScreen() {
  return (
    <EditableList
      endpoint={listTypes.list}
      entity="list_types"
      title="Fonctions"
      purpose={
        'Ce qu’un auteur, un éditeur ou une liste est pour une référence\u202f: «\u00a0Illustrateur\u00a0», «\u00a0Public visé\u00a0». La fonction dit les supports pour lesquels ses valeurs sont proposées.'
      }
      noun={noun}
      example="Illustrateur"
      filters={filters}
      columns={columns}
      nameOf={nameOf}
      mayChange={useRight('PARAMETER_REFERENCE')}
      {...useRowChanges({ resource: listTypes, noun, nameOf })}
      mayOpen={useWarning()}
      dialog={(editing) => <ListTypeDialog key={editing.item?.id ?? 'new'} {...editing} />}
    />
  )
}

/** Asks before a function is changed that more than 50 links hang on. */
function useWarning() {
  const confirm = useConfirm()
  return async (type: ListType | null): Promise<boolean> => {
    if (!type) return true
    const { id, name } = type
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

const columns: readonly Column<ListType>[] = [
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
