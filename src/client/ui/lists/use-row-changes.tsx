import { Select, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'

import type { Endpoint } from '../../../contract/endpoint.ts'
import { membersOf } from '../../../contract/list.ts'
import type { ItemOf, Resource, switchable } from '../../../contract/resource.ts'
import { changesSaved } from '../../../domain/sentences/lists.ts'
import { CallError } from '../../api/call-error.ts'
import { listQuery, useChange } from '../../api/queries.ts'
import { say, sayError } from '../../page/messages.ts'
import { useConfirm } from '../dialogs/confirm.tsx'
import { FormDialog } from '../forms/form-dialog.tsx'
import { useLocalForm } from '../forms/use-local-form.ts'
import type { Noun } from '../nouns.ts'

type Move = Pick<Endpoint, 'name' | 'method' | 'access' | 'summary' | 'answer'> & {
  path: `/api/${string}/{id}/move`
  body: NonNullable<Endpoint['body']>
}

/** Where what is of one may go before that one is deleted. */
type Moves = {
  by: Move
  bodyOf: (into: number) => object
  /** Of the field, such as « Autre catégorie ». */
  label: string
  missing: string
  /** Where one may also be switched off instead: both ways, in words. */
  ways?: { disable: string; move: string }
}

/** What is still used, and what the refusal said of it. */
type InUse<Item> = { item: Item; message: string }

type MoveUsesProps<Item> = InUse<Item> & {
  resource: Pick<Resource, 'name' | 'list' | 'remove'>
  nameOf: (item: Item) => string
  moves: Moves
  disable: () => Promise<unknown>
  onDone: () => void
  onClose: () => void
}

/** Gives what is of one item another, then deletes it, or switches it off. */
function MoveUses<Item extends { id: number }>(props: MoveUsesProps<Item>) {
  const { resource, item, nameOf, message, moves, disable, onDone, onClose } = props
  const { ways } = moves
  const { enabled } = item as { enabled?: boolean }
  const { data } = useQuery(listQuery(resource.list, { limit: 500 }))
  const move = useChange(moves.by)
  const remove = useChange(resource.remove)
  const others = (membersOf(data) as readonly Item[] | undefined)?.filter(({ id }) => id !== item.id) ?? []
  const params = { id: item.id }
  const form = useLocalForm<{ way: string; into: string }>({
    about: `${resource.name} in use ${item.id}`,
    initial: { way: ways && enabled ? 'disable' : 'move', into: '' },
    check: ({ way, into }): Partial<Record<string, string>> =>
      way === 'disable' || into ? {} : { into: moves.missing },
    act: async ({ way, into }) => {
      if (way === 'disable') return disable()
      await move.mutateAsync({ params, body: moves.bodyOf(Number(into)) })
      return remove.mutateAsync({ params })
    },
    onDone,
  })
  const way = form.choice('way', 'Que faire')
  return (
    <FormDialog
      title={`«\u00a0${nameOf(item)}\u00a0» sert encore`}
      form={form}
      {...(ways ? {} : { submitLabel: 'Déplacer, puis supprimer' })}
      onClose={onClose}
    >
      <Text>{message}</Text>
      {ways ? (
        <Select
          allowDeselect={false}
          data={[
            ...(enabled ? [{ value: 'disable', label: ways.disable }] : []),
            ...(others.length > 0 ? [{ value: 'move', label: ways.move }] : []),
          ]}
          {...way}
        />
      ) : null}
      {way.value === 'disable' ? null : (
        <Select
          required
          searchable
          nothingFoundMessage="Aucun autre"
          data={others.map((one) => ({ value: String(one.id), label: nameOf(one) }))}
          {...form.choice('into', moves.label)}
        />
      )}
    </FormDialog>
  )
}

type Served = Resource | ReturnType<typeof switchable<Resource>>

/** What a screen of its own has in common with these: the switch, and the question before one is removed. */
export function useRowChanges<R extends Served>({
  resource,
  noun,
  nameOf,
  moves,
}: {
  resource: R
  noun: Noun
  nameOf: (item: ItemOf<R>) => string
  moves?: Moves | undefined
}) {
  const confirm = useConfirm()
  const [used, setUsed] = useState<InUse<ItemOf<R>> | null>(null)
  const remove = useChange(resource.remove)
  const toggle = useChange(('toggle' in resource ? resource.toggle : resource.remove) as Resource['remove'])
  const flip = (item: ItemOf<R>) =>
    toggle
      .mutateAsync({ params: { id: item.id } })
      .then(() => void say(changesSaved, 'good', { about: nameOf(item) }), sayError)
  const askRemove = async (item: ItemOf<R>) => {
    const isSure = await confirm({
      title: `Supprimer ${noun.the} «\u00a0${nameOf(item)}\u00a0»\u202f?`,
      message: 'Ce qui sert encore ne peut pas être supprimé.',
      acts: 'destroys',
    })
    if (!isSure) return
    await remove.mutateAsync({ params: { id: item.id } }).then(
      () => void say(changesSaved, 'good', { about: nameOf(item) }),
      async (error: unknown) => {
        const { enabled } = item as { enabled?: boolean }
        const isUsed = error instanceof CallError && error.reason === 'IN_USE'
        if (isUsed && moves) return setUsed({ item, message: error.message })
        if (!isUsed || !enabled) return sayError(error)
        const isOff = await confirm({
          title: `Désactiver «\u00a0${nameOf(item)}\u00a0», qui sert encore\u202f?`,
          message: error.message,
        })
        if (isOff) await flip(item)
      },
    )
  }
  const moving =
    used && moves ? (
      <MoveUses
        {...used}
        resource={resource}
        nameOf={nameOf}
        moves={moves}
        disable={() => toggle.mutateAsync({ params: { id: used.item.id } })}
        onDone={() => {
          say(changesSaved, 'good', { about: nameOf(used.item) })
          setUsed(null)
        }}
        onClose={() => setUsed(null)}
      />
    ) : null
  return { askRemove, flip, moving }
}
