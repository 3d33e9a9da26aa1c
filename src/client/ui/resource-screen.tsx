import { Button, Select, Text } from '@mantine/core'
import { IconPencil, IconPlus, IconTrash } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useMemo, useState } from 'react'

import type { BodyOf } from '../../contract/endpoint.ts'
import type { moveCategory, moveLocation } from '../../contract/moves.ts'
import type { ItemOf, Resource, switchable } from '../../contract/resource.ts'
import type { JournalledEntity } from '../../domain/journal-words.ts'
import { changesSaved } from '../../domain/sentences/lists.ts'
import { CallError } from '../api/call-error.ts'
import { listQuery, useChange } from '../api/queries.ts'
import { useInWords } from '../page/house-words.ts'
import { say, sayError } from '../page/messages.ts'
import { useConfirm } from './confirm.tsx'
import type { ListFilter } from './filters.tsx'
import { FormDialog } from './form-dialog.tsx'
import { ListScreen } from './list-screen.tsx'
import type { Noun } from './nouns.ts'
import type { Column } from './resource-table.tsx'
import type { RowAction } from './row-actions.ts'
import { switchColumn } from './switch-column.tsx'
import type { Form } from './use-fields.ts'
import { useForm } from './use-form.ts'
import { useJournal } from './use-journal.tsx'
import { useLocalForm } from './use-local-form.ts'

/** Where what is of one may go before that one is deleted. */
type Moves = {
  by: typeof moveCategory | typeof moveLocation
  /** Of the field, such as « Autre catégorie ». */
  label: string
  missing: string
}

/** What is still used, and what the refusal said of it. */
type InUse<Item> = { item: Item; message: string }

type MoveUsesProps<Item> = InUse<Item> & {
  resource: Pick<Resource, 'name' | 'list' | 'remove'>
  nameOf: (item: Item) => string
  moves: Moves
  onDone: () => void
  onClose: () => void
}

/** Gives what is of one item another, then deletes it. */
function MoveUses<Item extends { id: number }>(props: MoveUsesProps<Item>) {
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

type Served = Resource | ReturnType<typeof switchable<Resource>>
type FieldOf<R extends Served> = keyof BodyOf<R['add']> & string

type ResourceScreenProps<R extends Served> = {
  /** Its journal can be read: what it is called in its calls has words in domain/journal-words.ts. */
  resource: R & { name: JournalledEntity }
  title: string
  /** What these are for: one sentence, under the title. */
  about: string
  noun: Noun
  /** One such, for whoever has none yet. */
  example: string
  nameOf: (item: ItemOf<R>) => string
  filters: readonly ListFilter[]
  columns: readonly Column<ItemOf<R>>[]
  fields: (form: Form<FieldOf<R>>) => ReactNode
  /** Everybody may read it. */
  mayChange: boolean
  /** Filters the list and is written into new items. */
  fixed?: Partial<BodyOf<R['add']>>
  /** What still serves and cannot be switched off gives what is of it to another before it is deleted. */
  moves?: Moves
}

/** A list whose items are added and changed in a dialog, switched if possible, removed after a question. */
export function ResourceScreen<R extends Served>(props: ResourceScreenProps<R>) {
  const { resource, title, about, noun, example, nameOf, filters, columns, mayChange, fixed = {} } = props
  const inWords = useInWords()
  const [edited, setEdited] = useState<Edited<R>>(null)
  const [added, setAdded] = useState(0)
  const { askRemove, flip, moving } = useRowChanges(props)
  const { journalAction, journal } = useJournal<{ id: number }>(resource.name, (row) => nameOf(row))
  const addButton = mayChange ? (
    <Button leftSection={<IconPlus size="1.2em" aria-hidden />} onClick={() => setEdited('new')}>
      Ajouter {noun.a}
    </Button>
  ) : null
  const shownColumns = useMemo(
    () => [
      ...columns,
      ...('toggle' in resource ? [switchColumn<ItemOf<R>>({ nameOf, flip, isLocked: !mayChange })] : []),
    ],
    // oxlint-disable-next-line react/exhaustive-deps -- the rest of a screen's description never changes
    [columns, mayChange],
  )
  const actions = useMemo(
    (): readonly RowAction<ItemOf<R>>[] => [
      { key: 'edit', label: 'Modifier', Icon: IconPencil, run: setEdited, isMain: true },
      { key: 'remove', label: 'Supprimer', Icon: IconTrash, run: askRemove, tone: 'bad' },
      ...(journalAction as readonly RowAction<ItemOf<R>>[]),
    ],
    // oxlint-disable-next-line react/exhaustive-deps -- as above
    [journalAction],
  )
  return (
    <ListScreen
      endpoint={resource.list}
      title={title}
      about={
        <Text c="dimmed" maw="46rem">
          {inWords(about)}
        </Text>
      }
      noun={noun}
      example={example}
      filters={filters}
      columns={shownColumns as never}
      only={Object.fromEntries(Object.entries(fixed).map(([name, value]) => [`${name}|eq`, String(value)]))}
      rowKey={(row) => row.id as number}
      pageActions={addButton}
      whenEmpty={addButton}
      rowName={(row) => nameOf(row as ItemOf<R>)}
      rowActions={mayChange ? (actions as never) : undefined}
      orderedFor={added}
    >
      {journal}
      {moving}
      {edited === null ? null : (
        <ItemDialog
          {...props}
          edited={edited}
          onAdded={() => setAdded(added + 1)}
          onClose={() => setEdited(null)}
        />
      )}
    </ListScreen>
  )
}

type Edited<R extends Served> = ItemOf<R> | 'new' | null

function ItemDialog<R extends Served>({
  resource,
  noun,
  nameOf,
  fields,
  fixed,
  edited,
  onAdded,
  onClose,
}: ResourceScreenProps<R> & { edited: ItemOf<R> | 'new'; onAdded: () => void; onClose: () => void }) {
  const isNew = edited === 'new'
  const names = Object.keys(resource.written)
  const initial = isNew ? {} : Object.fromEntries(names.map((name) => [name, (edited as never)[name]]))
  const form = useForm<Resource['add' | 'change']>(isNew ? resource.add : resource.change, {
    initial,
    ...(isNew ? { fixed: fixed ?? {} } : { params: { id: edited.id } }),
    onSaved: (saved) => {
      say(changesSaved, 'good', { about: nameOf(saved as ItemOf<R>) })
      if (isNew) onAdded()
      onClose()
    },
  })
  return (
    <FormDialog title={isNew ? `Ajouter ${noun.a}` : `Modifier ${noun.the}`} form={form} onClose={onClose}>
      {fields(form)}
    </FormDialog>
  )
}

/** What a screen of its own has in common with these: the switch, and the question before one is removed. */
export function useRowChanges<R extends Served>({
  resource,
  noun,
  nameOf,
  moves,
}: Pick<ResourceScreenProps<R>, 'noun' | 'nameOf' | 'moves'> & { resource: R }) {
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
        onDone={() => {
          say(changesSaved, 'good', { about: nameOf(used.item) })
          setUsed(null)
        }}
        onClose={() => setUsed(null)}
      />
    ) : null
  return { askRemove, flip, moving }
}
