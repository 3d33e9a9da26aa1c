import { Select, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'

import { media, type MediumSettings } from '../../contract/media.ts'
import { moveReferences } from '../../contract/medium-changes.ts'
import { useChange } from '../api/queries.ts'
import { FormDialog } from '../ui/forms/form-dialog.tsx'
import { useLocalForm } from '../ui/forms/use-local-form.ts'
import { mediaQuery } from './catalogue-data.ts'

type MediumInUseProps = {
  medium: MediumSettings
  /** What the refusal said. */
  message: string
  onDone: () => void
  onClose: () => void
}

/** Offers what can be done with a medium that still serves. */
export function MediumInUse({ medium, message, onDone, onClose }: MediumInUseProps) {
  const { data: all = [] } = useQuery(mediaQuery)
  const toggle = useChange(media.toggle)
  const move = useChange(moveReferences)
  const remove = useChange(media.remove)
  const others = all.filter(({ id }) => id !== medium.id)
  const ways = [
    ...(medium.enabled ? [{ value: 'disable', label: 'Le désactiver\u202f: il n’est plus proposé' }] : []),
    ...(others.length > 0
      ? [{ value: 'move', label: 'Donner un autre support à ses références, puis le supprimer' }]
      : []),
  ]
  const params = { id: medium.id }
  const form = useLocalForm<{ way: string; medium: string }>({
    about: `medium in use ${medium.id}`,
    initial: { way: ways[0]?.value ?? '', medium: '' },
    check: (values): Partial<Record<string, string>> =>
      values.way === 'move' && !values.medium ? { medium: 'Choisissez le support qu’elles auront.' } : {},
    act: async (values) => {
      if (values.way === 'disable') return toggle.mutateAsync({ params })
      await move.mutateAsync({ params, body: { medium: Number(values.medium) } })
      return remove.mutateAsync({ params })
    },
    onDone,
  })
  const way = form.choice('way', 'Que faire')
  return (
    <FormDialog title={`«\u00a0${medium.name}\u00a0» sert encore`} form={form} onClose={onClose}>
      <Text>{message}</Text>
      <Select allowDeselect={false} data={ways} {...way} />
      {way.value === 'move' ? (
        <Select
          required
          searchable
          data={others.map(({ id, name }) => ({ value: String(id), label: name }))}
          {...form.choice('medium', 'Autre support')}
        />
      ) : null}
    </FormDialog>
  )
}
