import { Select, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'

import type { moveCategory, moveLocation } from '../../contract/moves.ts'
import type { Resource } from '../../contract/resource.ts'
import { listQuery, useChange } from '../api/queries.ts'
import { FormDialog } from './form-dialog.tsx'
import { useLocalForm } from './use-local-form.ts'

/** Where what is of one may go before that one is deleted. */
export type Moves = {
  by: typeof moveCategory | typeof moveLocation
  /** Of the field, such as « Autre catégorie ». */
  label: string
  missing: string
}

/** What is still used, and what the refusal said of it. */
export type InUse<Item> = { item: Item; message: string }

type MoveUsesProps<Item> = InUse<Item> & {
  resource: Pick<Resource, 'name' | 'list' | 'remove'>
  nameOf: (item: Item) => string
  moves: Moves
  onDone: () => void
  onClose: () => void
}

/** Gives what is of one item another, then deletes it (decision 35). */
export function MoveUses<Item extends { id: number }>(props: MoveUsesProps<Item>) {
  const { resource, item, nameOf, message, moves, onDone, onClose } = props
  const { data } = useQuery(listQuery(resource.list, { limit: 500 }))
  const move = useChange(moves.by as typeof moveCategory)
  const remove = useChange(resource.remove)
  const others = (data?.['hydra:member'] as readonly Item[] | undefined)?.filter(({ id }) => id !== item.id)
  const params = { id: item.id }
  const form = useLocalForm<{ into: string }>({
    about: `${resource.name} in use ${item.id}`,
    initial: { into: '' },
    check: ({ into }): Partial<Record<string, string>> => (into ? {} : { into: moves.missing }),
    act: async ({ into }) => {
      await move.mutateAsync({ params, body: { into: Number(into) } })
      return remove.mutateAsync({ params })
    },
    onDone,
  })
  return (
    <FormDialog
      title={`«\u00a0${nameOf(item)}\u00a0» sert encore`}
      form={form}
      submitLabel="Déplacer, puis supprimer"
      onClose={onClose}
    >
      <Text>{message}</Text>
      <Select
        required
        searchable
        nothingFoundMessage="Aucun autre"
        data={others?.map((one) => ({ value: String(one.id), label: nameOf(one) })) ?? []}
        {...form.choice('into', moves.label)}
      />
    </FormDialog>
  )
}
