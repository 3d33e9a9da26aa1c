import { Select, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'

import { type ListValue, listValues } from '../../contract/list-values.ts'
import { changesSaved } from '../../domain/sentences/lists.ts'
import { say } from '../page/messages.ts'
import { FormDialog } from '../ui/form-dialog.tsx'
import { useForm } from '../ui/use-form.ts'
import { listTypesQuery, typeChoice } from './list-data.ts'

type ListValueDialogProps = { value: ListValue | null; onSaved: () => void; onClose: () => void }

export function ListValueDialog({ value, onSaved, onClose }: ListValueDialogProps) {
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
