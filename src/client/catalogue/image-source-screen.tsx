import { Text } from '@mantine/core'
import { IconPencil, IconPhotoOff } from '@tabler/icons-react'
import { useMemo, useState } from 'react'

import { media, type MediumSettings } from '../../contract/media.ts'
import { removeImageSources } from '../../contract/image-sources.ts'
import { outsideOf } from '../../domain/image-sources.ts'
import { changesSaved } from '../../domain/sentences/lists.ts'
import { useChange } from '../api/queries.ts'
import { say, sayError } from '../page/messages.ts'
import { activity, search } from '../ui/filters.tsx'
import { ListScreen } from '../ui/list-screen.tsx'
import { nounOf } from '../ui/nouns.ts'
import type { Column } from '../ui/resource-table.tsx'
import type { RowAction } from '../ui/row-actions.ts'
import { ImageSourceDialog } from './image-source-dialog.tsx'
import { ruleInWords } from './image-source-words.ts'
import { inWords } from '../page/house-words.ts'

/** Paramètres, « Sources d’images » (file 2, « Image sources »: a rule per medium). */
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
