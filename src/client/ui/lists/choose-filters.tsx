import { Checkbox, Stack } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'

import { type FilteredList, saveOwnFilters } from '../../../contract/filters.ts'
import { filtersNotSaved, filtersSaved } from '../../../domain/sentences/lists.ts'
import type { ListFilter } from './filters.tsx'
import { FormDialog } from '../forms/form-dialog.tsx'
import { say } from '../../page/messages.ts'
import { ownFiltersKey } from './own-filters.ts'
import { useForm } from '../forms/use-form.ts'
import { inWords } from '../../page/house-words.ts'

type ChooseFiltersProps = {
  list: FilteredList
  filters: readonly ListFilter[]
  shown: readonly ListFilter[]
  onClose: () => void
}

/** A person's filters above a list, on every device. Rendered while open. */
export default function ChooseFilters({ list, filters, shown, onClose }: ChooseFiltersProps) {
  const client = useQueryClient()
  const form = useForm(saveOwnFilters, {
    initial: { filters: shown.map(({ code }) => code) },
    fixed: { list },
    wording: () => filtersNotSaved,
    onSaved: (saved) => {
      client.setQueryData([...ownFiltersKey, list], saved)
      say(filtersSaved)
      onClose()
    },
  })
  const { label: name, onChange, ...chosen } = form.several('filters', 'Filtres affichés')
  const choose = (codes: readonly string[]) =>
    onChange(filters.map(({ code }) => code).filter((code) => codes.includes(code)))
  return (
    <FormDialog title="Filtres affichés" form={form} onClose={onClose}>
      <Checkbox.Group {...chosen} onChange={choose} aria-label={name}>
        <Stack gap="xs">
          {filters.map(({ code, label }) => (
            <Checkbox key={code} value={code} label={inWords(label)} />
          ))}
        </Stack>
      </Checkbox.Group>
    </FormDialog>
  )
}
