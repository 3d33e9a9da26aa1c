import { Select, Stack, Textarea, TextInput } from '@mantine/core'
import { type ReactNode, useState } from 'react'

import type { Form } from '../ui/use-fields.ts'
import type { FieldWords } from './reference-field-data.ts'
import type { ReferenceField } from './reference-fields.ts'
import { referenceDataWords } from './reference-words.ts'

type ExtraFieldsProps = {
  text: (field: ReferenceField, label: string) => ReturnType<Form['text']> & { description?: ReactNode }
  words: FieldWords
}

/** The extra data that a reference has, a line each; an emptied line goes, where there is more than one. */
export function ExtraFields({ text, words: { labelOf, isShown } }: ExtraFieldsProps) {
  const [opened, setOpened] = useState<readonly string[]>([])
  const all = referenceDataWords.map(({ name, isLong }) => {
    const field = `reference_data.${name}` as const
    const props = text(field, labelOf(field))
    return { field, isLong, props, isOpen: props.value !== '' || opened.includes(field) }
  })
  const shown = all.filter(({ field }) => isShown(field))
  const rows = shown.filter(({ isOpen }) => isOpen)
  const others = shown.filter(({ isOpen }) => !isOpen)
  const open = (field: string) => setOpened((before) => [...before.filter((one) => one !== field), field])
  const leave = (field: string, value: string) => {
    if (value === '' && rows.length > 1) setOpened((before) => before.filter((one) => one !== field))
  }
  return (
    <Stack>
      {rows.map(({ field, isLong, props }) => {
        const row = {
          ...props,
          maxLength: 5000,
          autoFocus: props.value === '' && opened.at(-1) === field,
          // A line that is being written stays, also while it is empty.
          onFocus: () => open(field),
          onBlur: () => leave(field, props.value),
        }
        return isLong ? (
          <Textarea key={field} autosize minRows={2} {...row} />
        ) : (
          <TextInput key={field} {...row} />
        )
      })}
      {others.length === 0 ? null : (
        <Select
          label="Ajouter un champ"
          searchable
          nothingFoundMessage="Aucun champ de ce nom"
          data={others.map(({ field, props }) => ({ value: field, label: props.label }))}
          value={null}
          onChange={(field) => {
            if (field !== null) open(field)
          }}
        />
      )}
    </Stack>
  )
}
