import { Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'

import { type ListValue, listValues, mergeListValues } from '../../contract/list-values.ts'
import { membersOf } from '../../contract/list.ts'
import { changesSaved } from '../../domain/sentences/lists.ts'
import { listQuery, useChange } from '../api/queries.ts'
import { inWords } from '../page/house-words.ts'
import { say } from '../page/messages.ts'
import { useConfirm } from '../ui/dialogs/confirm.tsx'
import { asChoice } from '../ui/forms/as-choice.ts'
import { FormDialog } from '../ui/forms/form-dialog.tsx'
import { keptBeside } from '../ui/forms/kept-beside.ts'
import { SearchPicker } from '../ui/forms/search-picker.tsx'
import { useLocalForm } from '../ui/forms/use-local-form.ts'
import { useDebounced } from '../ui/use-debounced.ts'

type MergeDialogProps = { source: ListValue; onClose: () => void }

/** Picks the value that the references of another one will have, and asks before it does so. */
export function MergeDialog({ source, onClose }: MergeDialogProps) {
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
