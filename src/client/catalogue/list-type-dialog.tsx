import { MultiSelect, Select, Switch, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'

import { type ListType, listTypes } from '../../contract/list-types.ts'
import { changesSaved } from '../../domain/sentences/lists.ts'
import { say } from '../page/messages.ts'
import { FormDialog } from '../ui/form-dialog.tsx'
import { useForm } from '../ui/use-form.ts'
import { mediaQuery } from './catalogue-data.ts'
import { groupChoices } from './list-data.ts'

type ListTypeDialogProps = { type: ListType | null; onSaved: () => void; onClose: () => void }

export function ListTypeDialog({ type, onSaved, onClose }: ListTypeDialogProps) {
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
