import { Button, Text } from '@mantine/core'
import { useCallbackRef } from '@mantine/hooks'
import { IconPencil, IconPlus, IconTrash } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'

import { media, type MediumSettings } from '../../contract/media.ts'
import { defaultDuration, durationWords } from '../../domain/loan-rules.ts'
import { changesSaved } from '../../domain/sentences/lists.ts'
import { CallError } from '../api/call-error.ts'
import { useChange } from '../api/queries.ts'
import { say, sayError } from '../page/messages.ts'
import { enabledSitesQuery } from '../settings/enabled-sites.ts'
import { useConfirm } from '../ui/confirm.tsx'
import { activity, search } from '../ui/filters.tsx'
import { ListScreen } from '../ui/list-screen.tsx'
import { nounOf } from '../ui/nouns.ts'
import type { Column } from '../ui/resource-table.tsx'
import type { RowAction } from '../ui/row-actions.ts'
import { useJournal } from '../ui/use-journal.tsx'
import { switchColumn } from '../ui/switch-column.tsx'
import { type EditedMedium, MediumDialog } from './medium-dialog.tsx'
import { MediumInUse } from './medium-in-use.tsx'
import { inWords } from '../page/house-words.ts'

const saved = (name: string) => void say(changesSaved, 'good', { about: name })

/** Paramètres, « Supports ». */
export default function MediumListScreen() {
  const [edited, setEdited] = useState<EditedMedium | null>(null)
  const [used, setUsed] = useState<{ medium: MediumSettings; message: string } | null>(null)
  const [added, setAdded] = useState(0)
  const { data: sites } = useQuery(enabledSitesQuery)
  const confirm = useConfirm()
  const remove = useChange(media.remove)
  const toggle = useChange(media.toggle)
  const flip = useCallbackRef((medium: MediumSettings) =>
    toggle.mutateAsync({ params: { id: medium.id } }).then(() => saved(medium.name), sayError),
  )
  const askRemove = useCallbackRef(async (medium: MediumSettings) => {
    const isSure = await confirm({
      title: `Supprimer le support «\u00a0${medium.name}\u00a0»\u202f?`,
      message: 'Ce qui sert encore ne peut pas être supprimé.',
      acts: 'destroys',
    })
    if (!isSure) return
    await remove.mutateAsync({ params: { id: medium.id } }).then(
      () => saved(medium.name),
      (error: unknown) => {
        const isUsed = error instanceof CallError && error.reason === 'IN_USE'
        if (isUsed) setUsed({ medium, message: error.message })
        else sayError(error)
      },
    )
  })
  const shown = useMemo(
    () => [...columns, switchColumn<MediumSettings>({ nameOf: ({ name }) => name, flip, isLocked: false })],
    [flip],
  )
  const { journalAction, journal } = useJournal<MediumSettings>('media', ({ name }) => name)
  const actions = useMemo(
    (): readonly RowAction<MediumSettings>[] => [
      {
        key: 'edit',
        label: 'Modifier',
        Icon: IconPencil,
        run: (medium) => setEdited({ medium }),
        isMain: true,
      },
      ...journalAction,
      { key: 'remove', label: 'Supprimer', Icon: IconTrash, run: askRemove, tone: 'bad' },
    ],
    [askRemove, journalAction],
  )
  const addButton = (
    <Button leftSection={<IconPlus size="1.2em" aria-hidden />} onClick={() => setEdited({ medium: null })}>
      {inWords('Ajouter un support')}
    </Button>
  )
  return (
    <ListScreen
      endpoint={media.list}
      title="Supports"
      about={
        <Text c="dimmed" maw="46rem">
          {inWords(
            'Chaque référence est d’un support, dont les règles décident du prêt\u202f: durée, limites, pénalités. Désactivé, un support n’est plus proposé\u202f; ses exemplaires se prêtent encore.',
          )}
        </Text>
      }
      noun={nounOf('support', 'm')}
      example="Bande dessinée"
      filters={[search('name|like', 'Nom'), activity('Tous', 'Activés', 'Désactivés')]}
      columns={shown}
      rowKey={({ id }) => id}
      rowName={({ name }) => name}
      rowActions={actions}
      pageActions={addButton}
      whenEmpty={addButton}
      orderedFor={added}
    >
      {journal}
      {edited && sites ? (
        <MediumDialog
          key={edited.medium?.id ?? 'new'}
          edited={edited}
          sites={sites}
          onSaved={({ name }) => {
            saved(name)
            if (edited.medium === null) setAdded(added + 1)
            setEdited(null)
          }}
          onFileRefused={(again) => {
            if (edited.medium === null) setAdded(added + 1)
            setEdited(again)
          }}
          onClose={() => setEdited(null)}
        />
      ) : null}
      {used ? (
        <MediumInUse
          {...used}
          onDone={() => {
            saved(used.medium.name)
            setUsed(null)
          }}
          onClose={() => setUsed(null)}
        />
      ) : null}
    </ListScreen>
  )
}

const columns: readonly Column<MediumSettings>[] = [
  { key: 'name', title: 'Nom', order: 'name', role: 'main', cell: ({ name }) => name },
  { key: 'code', title: 'Code', order: 'code', cell: ({ code }) => code ?? '' },
  {
    key: 'duration',
    title: 'Durée du prêt',
    width: 7.5,
    cell: (medium) => durationWords(defaultDuration(medium)),
  },
  {
    key: 'ref_count',
    title: 'Références',
    order: 'ref_count',
    align: 'end',
    cell: ({ ref_count }) => ref_count,
  },
]
