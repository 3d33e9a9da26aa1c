import { Switch, Text, TextInput } from '@mantine/core'
import { useCallbackRef } from '@mantine/hooks'
import { IconPencil } from '@tabler/icons-react'
import { useMemo, useState } from 'react'

import {
  changeReferenceField,
  type ReferenceFieldItem,
  referenceFields,
} from '../../contract/reference-fields.ts'
import { changesSaved } from '../../domain/sentences/lists.ts'
import { useChange } from '../api/queries.ts'
import { useRight } from '../api/session.ts'
import { say, sayError } from '../page/messages.ts'
import { choice, search } from '../ui/lists/filters.tsx'
import { FormDialog } from '../ui/forms/form-dialog.tsx'
import { ListScreen } from '../ui/lists/list-screen.tsx'
import { nounOf } from '../ui/nouns.ts'
import type { Column } from '../ui/lists/resource-table.tsx'
import type { RowAction } from '../ui/lists/row-actions.ts'
import { useForm } from '../ui/forms/use-form.ts'
import { inWords } from '../page/house-words.ts'

type Field = ReferenceFieldItem
const saved = ({ name, traduction }: Field) => say(changesSaved, 'good', { about: traduction || name })

/** Paramètres, « Champs »: what the library calls the fields of a reference, and which it does without. */
export default function ReferenceFieldScreen() {
  const mayChange = useRight('PARAMETER_REFERENCE')
  const [renamed, setRenamed] = useState<Field | null>(null)
  const change = useChange(changeReferenceField)
  const flip = useCallbackRef(({ id, disabled }: Field) =>
    change.mutateAsync({ params: { id: String(id) }, body: { disabled: !disabled } }).then(saved, sayError),
  )
  const columns = useMemo(
    (): readonly Column<Field>[] => [
      ...ownColumns,
      {
        key: 'disabled',
        title: 'Affiché',
        order: 'disabled',
        cell: (field) => (
          <Switch
            size="lg"
            checked={!field.disabled}
            disabled={!mayChange}
            onChange={() => void flip(field)}
            aria-label={`Affiché\u202f: ${field.name}`}
          />
        ),
      },
    ],
    [flip, mayChange],
  )
  return (
    <ListScreen
      endpoint={referenceFields.list}
      title="Champs"
      about={
        <Text c="dimmed" maw="46rem">
          {inWords(
            'Les champs des références, sous le nom que la bibliothèque leur donne. Ce qui n’est plus affiché quitte le formulaire, la fiche et la liste, et ce qui y est écrit reste.',
          )}
        </Text>
      }
      noun={nounOf('champ', 'm')}
      filters={filters}
      columns={columns}
      rowKey={({ id }) => id}
      rowName={({ name }) => name}
      rowActions={mayChange ? actionsOf(setRenamed) : undefined}
    >
      {renamed ? <RenameDialog key={renamed.id} field={renamed} onClose={() => setRenamed(null)} /> : null}
    </ListScreen>
  )
}

function RenameDialog({ field, onClose }: { field: Field; onClose: () => void }) {
  const form = useForm(changeReferenceField, {
    initial: { traduction: field.traduction },
    params: { id: field.id },
    onSaved: (now) => {
      void saved(now)
      onClose()
    },
  })
  return (
    <FormDialog title={`Renommer «\u00a0${field.name}\u00a0»`} form={form} onClose={onClose}>
      <TextInput
        maxLength={100}
        autoComplete="off"
        description={`Vide, le champ s’appelle «\u00a0${field.name}\u00a0».`}
        {...form.text('traduction', 'Nom donné')}
      />
    </FormDialog>
  )
}

const actionsOf = (rename: (field: Field) => void): readonly RowAction<Field>[] => [
  { key: 'rename', label: 'Renommer', Icon: IconPencil, run: rename, isMain: true },
]

const filters = [
  search('name|like', 'Nom'),
  choice('disabled|eq', 'État', [
    { value: '', label: 'Tous' },
    { value: '0', label: 'Affichés' },
    { value: '1', label: 'Non affichés' },
  ]),
]

const ownColumns: readonly Column<Field>[] = [
  { key: 'name', title: 'Champ', order: 'name', role: 'main', cell: ({ name }) => name },
  { key: 'traduction', title: 'Nom donné', order: 'traduction', cell: ({ traduction }) => traduction },
]
