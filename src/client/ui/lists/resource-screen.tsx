import { useMemo, useState } from 'react'

import type { Described } from '../../../contract/described.ts'
import type { ItemOf } from '../../../contract/resource.ts'
import type { SettingsListName } from '../../../contract/settings-lists.ts'
import type { Right } from '../../../domain/rights.ts'
import { useRight } from '../../api/session.ts'
import { EditableList, type Editing } from './editable-list.tsx'
import { columnsOf, FieldsOf, filtersOf } from './field-kinds.tsx'
import { FormDialog } from '../forms/form-dialog.tsx'
import { inSentences, type Noun } from '../nouns.ts'
import type { Column } from './resource-table.tsx'
import { useForm } from '../forms/use-form.ts'
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

const none: Readonly<Record<string, string>> = {}

/** A list of the settings, as it is described. */
export function ResourceScreen<R extends Described>({ of, columns, searchMs, part }: ResourceScreenProps<R>) {
  const { fields, changedBy, ...description } = of.description
  const { title, purpose, example } = part ?? description
  const fixed = part?.fixed ?? none
  const [noun] = useState(() => part?.noun ?? inSentences(description.noun))
  const mayChange = useRight(...[part?.changedBy ?? changedBy].flat())
  const nameOf = (item: object) => String((item as Item)[Object.keys(fields)[0]!])
  const { askRemove, flip, moving } = useRowChanges<Described>({
    resource: of,
    noun,
    nameOf,
    moves:
      of.move && of.moves
        ? {
            by: of.move,
            bodyOf: (into) => ({ into }),
            label: `Autre ${description.noun.one}`,
            missing: of.moves.missing,
          }
        : undefined,
  })
  const shown = useMemo(() => columns ?? columnsOf(fields, fixed), [columns, fields, fixed])
  return (
    <EditableList<R['list'], Item>
      endpoint={of.list}
      entity={of.name as SettingsListName}
      title={title}
      purpose={purpose}
      noun={noun}
      example={example}
      filters={filtersOf(of.description, searchMs)}
      columns={shown}
      only={Object.fromEntries(Object.entries(fixed).map(([name, value]) => [`${name}|eq`, value]))}
      nameOf={nameOf}
      mayChange={mayChange}
      {...(of.toggle ? { flip } : {})}
      askRemove={askRemove}
      dialog={(editing) => <ItemDialog of={of} noun={noun} fixed={fixed} {...editing} />}
    >
      {moving}
    </EditableList>
  )
}

type ItemDialogProps = Editing<Item> & { of: Described; noun: Noun; fixed: Readonly<Record<string, string>> }

function ItemDialog({ of, noun, fixed, item, onSaved, onClose }: ItemDialogProps) {
  const names = Object.keys(of.written)
  const form = useForm<Described['add' | 'change']>(item ? of.change : of.add, {
    initial: item ? Object.fromEntries(names.map((name) => [name, item[name]])) : {},
    ...(item ? { params: { id: item.id } } : { fixed }),
    onSaved: (saved) => onSaved(saved as Item),
  })
  return (
    <FormDialog title={item ? `Modifier ${noun.the}` : `Ajouter ${noun.a}`} form={form} onClose={onClose}>
      <FieldsOf fields={of.description.fields} fixed={fixed} form={form} />
    </FormDialog>
  )
}
