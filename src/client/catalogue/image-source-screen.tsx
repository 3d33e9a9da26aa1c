import { Select, Text } from '@mantine/core'
import { IconPencil, IconPhotoOff } from '@tabler/icons-react'
import { useMemo, useState } from 'react'

import { lookUpSources } from '../../contract/external-codes.ts'
import { removeImageSources, setImageSources } from '../../contract/image-sources.ts'
import { media, type MediumSettings } from '../../contract/media.ts'
import { type ImageSource, outsideOf, type OutsideSource } from '../../domain/image-sources.ts'
import { changesSaved } from '../../domain/sentences/lists.ts'
import { useChange } from '../api/queries.ts'
import { inWords } from '../page/house-words.ts'
import { say, sayError } from '../page/messages.ts'
import { activity, search } from '../ui/lists/filters.tsx'
import { FormDialog } from '../ui/forms/form-dialog.tsx'
import { ListScreen } from '../ui/lists/list-screen.tsx'
import { nounOf } from '../ui/nouns.ts'
import type { Column } from '../ui/lists/resource-table.tsx'
import type { RowAction } from '../ui/lists/row-actions.ts'
import { useLocalForm } from '../ui/forms/use-local-form.ts'

/** « BnF, puis Open Library ». */
const ruleInWords = (rule: readonly ImageSource[] | null): string =>
  outsideOf(rule)
    .map((source) => lookUpSources[source])
    .join(', puis ') || 'Nulle part'

const orders: readonly OutsideSource[][] = [
  [],
  ['bnf'],
  ['openlibrary'],
  ['bnf', 'openlibrary'],
  ['openlibrary', 'bnf'],
]

/** A choice that is empty would show as none. */
const codeOf = (order: readonly OutsideSource[]): string => order.join() || 'none'

type ImageSourceDialogProps = { medium: MediumSettings; onSaved: () => void; onClose: () => void }

/** The rule of one medium: where an image is sought for those of its references that have none. */
function ImageSourceDialog({ medium, onSaved, onClose }: ImageSourceDialogProps) {
  const set = useChange(setImageSources)
  const remove = useChange(removeImageSources)
  const params = { id: medium.id }
  const form = useLocalForm({
    about: `image sources of ${medium.id}`,
    initial: { sources: codeOf(outsideOf(medium.images_sources)) },
    act: async ({ sources }) => {
      const order = orders.find((one) => codeOf(one) === sources) ?? []
      if (order.length === 0) return void (await remove.mutateAsync({ params }))
      await set.mutateAsync({ params, body: { images_sources: ['own', ...order, 'none'] } })
    },
    onDone: onSaved,
  })
  return (
    <FormDialog title={`Sources d’images\u202f: ${medium.name}`} isNamed form={form} onClose={onClose}>
      <Select
        {...form.choice('sources', 'Sans image, chercher à')}
        description={inWords(
          'Le premier catalogue qui en a une la donne. Les références qui ont leur propre image la gardent.',
        )}
        allowDeselect={false}
        data={orders.map((order) => ({ value: codeOf(order), label: ruleInWords(order) }))}
      />
    </FormDialog>
  )
}

/** Paramètres, « Sources d’images »: a rule per medium. */
export default function ImageSourceScreen() {
  const [edited, setEdited] = useState<MediumSettings | null>(null)
  const { mutateAsync: remove } = useChange(removeImageSources)
  const actions = useMemo(
    (): readonly RowAction<MediumSettings>[] => [
      { key: 'edit', label: 'Modifier', Icon: IconPencil, run: setEdited, isMain: true },
      {
        key: 'remove',
        label: 'Ne plus chercher d’images',
        Icon: IconPhotoOff,
        // A rule is chosen again in two presses.
        run: ({ id, name }) =>
          remove({ params: { id } }).then(() => void say(changesSaved, 'good', { about: name }), sayError),
        may: ({ images_sources }) => outsideOf(images_sources).length > 0,
      },
    ],
    [remove],
  )
  return (
    <ListScreen
      endpoint={media.list}
      title="Sources d’images"
      about={
        <Text c="dimmed" maw="46rem">
          {inWords(
            'Une référence montre d’abord l’image qu’on lui a donnée. Si elle n’en a pas, son support dit à quels catalogues en demander une, d’après son code ISBN ou EAN. Les images arrivent peu à peu.',
          )}
        </Text>
      }
      noun={nounOf('support', 'm')}
      filters={[search('name|like', 'Nom'), activity('Tous', 'Activés', 'Désactivés')]}
      columns={columns}
      rowKey={({ id }) => id}
      rowName={({ name }) => name}
      rowActions={actions}
    >
      {edited ? (
        <ImageSourceDialog
          key={edited.id}
          medium={edited}
          onSaved={() => {
            say(changesSaved, 'good', { about: edited.name })
            setEdited(null)
          }}
          onClose={() => setEdited(null)}
        />
      ) : null}
    </ListScreen>
  )
}

const columns: readonly Column<MediumSettings>[] = [
  { key: 'name', title: 'Support', order: 'name', role: 'main', cell: ({ name }) => name },
  {
    key: 'images_sources',
    title: 'Sans image, chercher à',
    width: 14,
    role: 'lasting',
    cell: ({ images_sources }) => ruleInWords(images_sources),
  },
  {
    key: 'ref_count',
    title: 'Références',
    order: 'ref_count',
    align: 'end',
    cell: ({ ref_count }) => ref_count,
  },
]
