import { Text, Switch } from '@mantine/core'
import { useCallbackRef } from '@mantine/hooks'
import { IconPencil, IconPlus, IconTrash } from '@tabler/icons-react'
import { type ReactNode, useMemo, useState } from 'react'

import type { JournalledEntity } from '../../../contract/journal-words.ts'
import { changesSaved } from '../../../domain/sentences/lists.ts'
import { useInWords } from '../../page/house-words.ts'
import { say } from '../../page/messages.ts'
import type { ListFilter } from './filters.tsx'
import { ListScreen } from './list-screen.tsx'
import type { Noun } from '../nouns.ts'
import type { PageAction } from '../page-actions.tsx'
import type { Column } from './resource-table.tsx'
import type { RowAction } from './row-actions.ts'
import { useJournal } from './use-journal.tsx'
import type { Listing } from './use-ticked-rows.ts'
import '@mantine/core/styles/Switch.css'

/** What the dialog of one item is given; `item` is null for a new one. */
export type Editing<Item> = {
  item: Item | null
  onSaved: (saved: Item) => void
  /** A new one stands in the list though its dialog stays open. */
  onAdded: () => void
  onClose: () => void
}

type EditableListProps<E extends Listing, Item> = {
  endpoint: E
  /** Whose journal is read. */
  entity: JournalledEntity
  title: string
  /** What these are for, under the title. */
  purpose: string
  noun: Noun
  example: string
  filters: readonly ListFilter[]
  /** Keep the array from one render to the next. */
  columns: readonly Column<Item>[]
  only?: Record<string, string>
  nameOf: (item: Item) => string
  /** Everybody may read it. */
  mayChange?: boolean
  dialog: (editing: Editing<Item>) => ReactNode
  /** Asked before the dialog opens; null is a new one. */
  mayOpen?: (item: Item | null) => Promise<boolean>
  flip?: (item: Item) => Promise<unknown>
  askRemove?: (item: Item) => unknown
  /** Those between change and removal; keep the array as well. */
  actions?: readonly RowAction<Item>[]
  /** Before the one that adds. */
  pageActions?: readonly PageAction[]
  children?: ReactNode
}

const always = () => Promise.resolve(true)
const noActions: readonly never[] = []

/** A list whose items are added and changed in a dialog, switched, removed, and have a journal. */
export function EditableList<E extends Listing, Item extends { id: number }>(
  props: EditableListProps<E, Item>,
) {
  const { endpoint, entity, title, purpose, noun, example, filters, columns, only, nameOf, dialog } = props
  const { mayChange = true, mayOpen = always, actions = noActions, pageActions = noActions, children } = props
  const inWords = useInWords()
  const [edited, setEdited] = useState<Item | 'new' | null>(null)
  const [added, setAdded] = useState(0)
  const open = useCallbackRef(async (item: Item | null) => {
    if (await mayOpen(item)) setEdited(item ?? 'new')
  })
  const flip = useCallbackRef((item: Item) => props.flip?.(item) ?? Promise.resolve())
  const askRemove = useCallbackRef((item: Item) => props.askRemove?.(item))
  const name = useCallbackRef(nameOf)
  const hasSwitch = props.flip !== undefined
  const hasRemoval = props.askRemove !== undefined
  const { journalAction, journal } = useJournal<Item>(entity, nameOf)
  const shown = useMemo(
    () => [
      ...columns,
      ...(hasSwitch ? [switchColumn<Item>({ nameOf: name, flip, isLocked: !mayChange })] : []),
    ],
    [columns, hasSwitch, name, flip, mayChange],
  )
  const all = useMemo(
    (): readonly RowAction<Item>[] => [
      { key: 'edit', label: 'Modifier', Icon: IconPencil, run: open, isMain: true },
      ...actions,
      ...(hasRemoval
        ? [{ key: 'remove', label: 'Supprimer', Icon: IconTrash, run: askRemove, tone: 'bad' } as const]
        : []),
      ...journalAction,
    ],
    [open, actions, hasRemoval, askRemove, journalAction],
  )
  const add: readonly PageAction[] = mayChange
    ? [
        {
          label: `Ajouter ${noun.a}`,
          short: 'Ajouter',
          Icon: IconPlus,
          onRun: () => void open(null),
          isMain: true,
        },
      ]
    : []
  const onAdded = () => setAdded(added + 1)
  return (
    <ListScreen<E, Item>
      endpoint={endpoint}
      title={title}
      about={
        <Text c="dimmed" maw="46rem">
          {inWords(purpose)}
        </Text>
      }
      noun={noun}
      example={example}
      filters={filters}
      columns={shown}
      {...(only ? { only } : {})}
      rowKey={({ id }) => id}
      rowName={nameOf}
      rowActions={mayChange ? all : undefined}
      pageActions={[...pageActions, ...add]}
      whenEmpty={add}
      orderedFor={added}
    >
      {journal}
      {edited === null
        ? null
        : dialog({
            item: edited === 'new' ? null : edited,
            onSaved: (saved) => {
              say(changesSaved, 'good', { about: nameOf(saved) })
              if (edited === 'new') onAdded()
              setEdited(null)
            },
            onAdded,
            onClose: () => setEdited(null),
          })}
      {children}
    </ListScreen>
  )
}

type SwitchColumn<Item> = {
  nameOf: (item: Item) => string
  flip: (item: Item) => Promise<unknown>
  isLocked: boolean
}

/** What is switched off is no longer offered, and stays where it is used. */
const switchColumn = <Item,>({ nameOf, flip, isLocked }: SwitchColumn<Item>): Column<Item> => ({
  key: 'enabled',
  title: 'Activé',
  order: 'enabled',
  cell: (item) => (
    <Switch
      size="lg"
      checked={(item as { enabled: boolean }).enabled}
      disabled={isLocked}
      onChange={() => void flip(item)}
      aria-label={`Activé\u202f: ${nameOf(item)}`}
    />
  ),
})
