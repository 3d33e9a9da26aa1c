import { Button, Text } from '@mantine/core'
import { IconPencil, IconPlus, IconTrash } from '@tabler/icons-react'
import { useMemo, useState } from 'react'

import type { Described } from '../../contract/described.ts'
import type { ItemOf } from '../../contract/resource.ts'
import type { SettingsListName } from '../../contract/settings-lists.ts'
import { changesSaved } from '../../domain/sentences/lists.ts'
import type { Right } from '../../domain/rights.ts'
import { useRight } from '../api/session.ts'
import { useInWords } from '../page/house-words.ts'
import { say } from '../page/messages.ts'
import { columnsOf, FieldsOf, filtersOf } from './field-kinds.tsx'
import { FormDialog } from './form-dialog.tsx'
import { ListScreen } from './list-screen.tsx'
import { inSentences, type Noun } from './nouns.ts'
import type { Column } from './resource-table.tsx'
import type { RowAction } from './row-actions.ts'
import { switchColumn } from './switch-column.tsx'
import { useForm } from './use-form.ts'
import { useJournal } from './use-journal.tsx'
import { useRowChanges } from './use-row-changes.tsx'

/** One of any list, by the names of its description. */
type Item = { id: number } & Record<string, unknown>

type ResourceScreenProps<R extends Described> = {
  of: R
  /** Instead of the derived ones. */
  columns?: readonly Column<ItemOf<R>>[]
  /** How long its search waits, in milliseconds. */
  searchMs?: number
  /** A part of the list with a screen of its own: what all there have, and how it is spoken of. */
  part?: { fixed: Readonly<Record<string, string>>; noun: Noun; changedBy: Right } & Pick<
    Described['description'],
    'title' | 'purpose' | 'example'
  >
}

/** A list of the settings: read by everyone, added to and changed in a dialog, switched if possible, removed after a question. */
export function ResourceScreen<R extends Described>({ of, columns, searchMs, part }: ResourceScreenProps<R>) {
  const { fields, changedBy, ...description } = of.description
  const { title, purpose, example } = part ?? description
  const [noun] = useState(() => part?.noun ?? inSentences(description.noun))
  const fixed = part?.fixed ?? none
  const inWords = useInWords()
  const mayChange = useRight(...[part?.changedBy ?? changedBy].flat())
  const [edited, setEdited] = useState<Item | 'new' | null>(null)
  const [added, setAdded] = useState(0)
  const nameOf = (item: object) => String((item as Item)[Object.keys(fields)[0]!])
  const { askRemove, flip, moving } = useRowChanges({
    resource: of as Described,
    noun,
    nameOf,
    moves:
      of.move && of.moves
        ? { by: of.move, label: `Autre ${description.noun.one}`, missing: of.moves.missing }
        : undefined,
  })
  const { journalAction, journal } = useJournal<Item>(of.name as SettingsListName, nameOf)
  const addButton = mayChange ? (
    <Button leftSection={<IconPlus size="1.2em" aria-hidden />} onClick={() => setEdited('new')}>
      Ajouter {noun.a}
    </Button>
  ) : null
  const shownColumns = useMemo(
    () => [
      ...((columns as unknown as readonly Column<Item>[] | undefined) ?? columnsOf(fields, fixed)),
      ...(of.toggle ? [switchColumn<Item>({ nameOf, flip, isLocked: !mayChange })] : []),
    ],
    // oxlint-disable-next-line react/exhaustive-deps -- the rest of a screen's description never changes
    [columns, mayChange],
  )
  const actions = useMemo(
    (): readonly RowAction<Item>[] => [
      { key: 'edit', label: 'Modifier', Icon: IconPencil, run: setEdited, isMain: true },
      { key: 'remove', label: 'Supprimer', Icon: IconTrash, run: askRemove, tone: 'bad' },
      ...journalAction,
    ],
    // oxlint-disable-next-line react/exhaustive-deps -- as above
    [journalAction],
  )
  return (
    <ListScreen<R['list'], Item>
      endpoint={of.list}
      title={title}
      about={
        <Text c="dimmed" maw="46rem">
          {inWords(purpose)}
        </Text>
      }
      noun={noun}
      example={example}
      filters={filtersOf(of.description, searchMs)}
      columns={shownColumns}
      only={Object.fromEntries(Object.entries(fixed).map(([name, value]) => [`${name}|eq`, value]))}
      rowKey={({ id }) => id}
      pageActions={addButton}
      whenEmpty={addButton}
      rowName={nameOf}
      rowActions={mayChange ? actions : undefined}
      orderedFor={added}
    >
      {journal}
      {moving}
      {edited === null ? null : (
        <ItemDialog
          of={of}
          noun={noun}
          nameOf={nameOf}
          fixed={fixed}
          edited={edited}
          onAdded={() => setAdded(added + 1)}
          onClose={() => setEdited(null)}
        />
      )}
    </ListScreen>
  )
}

const none: Readonly<Record<string, string>> = {}

type ItemDialogProps = {
  of: Described
  noun: Noun
  nameOf: (item: object) => string
  fixed: Readonly<Record<string, string>>
  edited: Item | 'new'
  onAdded: () => void
  onClose: () => void
}

function ItemDialog({ of, noun, nameOf, fixed, edited, onAdded, onClose }: ItemDialogProps) {
  const isNew = edited === 'new'
  const names = Object.keys(of.written)
  const form = useForm<Described['add' | 'change']>(isNew ? of.add : of.change, {
    initial: isNew ? {} : Object.fromEntries(names.map((name) => [name, edited[name]])),
    ...(isNew ? { fixed } : { params: { id: edited.id } }),
    onSaved: (saved) => {
      say(changesSaved, 'good', { about: nameOf(saved) })
      if (isNew) onAdded()
      onClose()
    },
  })
  return (
    <FormDialog title={isNew ? `Ajouter ${noun.a}` : `Modifier ${noun.the}`} form={form} onClose={onClose}>
      <FieldsOf fields={of.description.fields} fixed={fixed} form={form} />
    </FormDialog>
  )
}
