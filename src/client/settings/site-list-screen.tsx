import { Button, Text } from '@mantine/core'
import { useCallbackRef } from '@mantine/hooks'
import { IconPencil, IconPlus } from '@tabler/icons-react'
import { useMemo, useState } from 'react'

import { changeSite } from '../../contract/site-changes.ts'
import { type Site, sites } from '../../contract/sites.ts'
import { changesSaved } from '../../domain/sentences/lists.ts'
import { useChange } from '../api/queries.ts'
import { say, sayError } from '../page/messages.ts'
import { useConfirm } from '../ui/confirm.tsx'
import { activity, search } from '../ui/filters.tsx'
import { ListScreen } from '../ui/list-screen.tsx'
import { nounOf } from '../ui/nouns.ts'
import type { Column } from '../ui/resource-table.tsx'
import type { RowAction } from '../ui/row-actions.ts'
import { useJournal } from '../ui/use-journal.tsx'
import { switchColumn } from '../ui/switch-column.tsx'
import { SiteDialog } from './site-dialog.tsx'
import { useMayHaveAnotherSite } from './use-may-have-another-site.ts'
import { inWords } from '../page/house-words.ts'

const saved = (name: string) => void say(changesSaved, 'good', { about: name })

/** Paramètres, « Sites »: added, renamed, put out of service, but never deleted. */
export default function SiteListScreen() {
  const [edited, setEdited] = useState<Site | 'new' | null>(null)
  const [added, setAdded] = useState(0)
  const confirm = useConfirm()
  const change = useChange(changeSite)
  const flip = useCallbackRef(async ({ id, name, enabled }: Site) => {
    const isSure =
      !enabled ||
      (await confirm({
        title: `Mettre «\u00a0${name}\u00a0» hors service\u202f?`,
        message:
          'Il ne sera plus proposé, et qui y travaille choisira un autre site. Ses exemplaires, ses prêts et ses lecteurs restent.',
      }))
    if (!isSure) return
    await change
      .mutateAsync({ params: { id }, body: { enabled: !enabled } })
      .then(() => saved(name), sayError)
  })
  const shown = useMemo(
    () => [...columns, switchColumn<Site>({ nameOf: ({ name }) => name, flip, isLocked: false })],
    [flip],
  )
  const { journalAction, journal } = useJournal<Site>('sites', ({ name }) => name)
  const actions = useMemo(
    (): readonly RowAction<Site>[] => [
      { key: 'edit', label: 'Modifier', Icon: IconPencil, run: setEdited, isMain: true },
      ...journalAction,
    ],
    [journalAction],
  )
  const mayHaveAnother = useMayHaveAnotherSite()
  const begin = async () => {
    if (await mayHaveAnother()) setEdited('new')
  }
  const addButton = (
    <Button leftSection={<IconPlus size="1.2em" aria-hidden />} onClick={() => void begin()}>
      {inWords('Ajouter un site')}
    </Button>
  )
  return (
    <ListScreen
      endpoint={sites.list}
      title="Sites"
      about={
        <Text c="dimmed" maw="46rem">
          {inWords(
            'Les lieux de la bibliothèque et la numérotation de leurs exemplaires. Hors service, un site n’est plus proposé et garde ce qui est à lui.',
          )}
        </Text>
      }
      noun={nounOf('site', 'm')}
      example="Médiathèque du centre"
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
      {edited === null ? null : (
        <SiteDialog
          site={edited === 'new' ? null : edited}
          onSaved={({ name }) => {
            saved(name)
            if (edited === 'new') setAdded(added + 1)
            setEdited(null)
          }}
          onClose={() => setEdited(null)}
        />
      )}
    </ListScreen>
  )
}

const columns: readonly Column<Site>[] = [
  { key: 'name', title: 'Nom', order: 'name', role: 'main', cell: ({ name }) => name },
  {
    key: 'site_code',
    title: 'Code du site',
    cell: ({ bar_codes_configuration: { siteCode } }) => siteCode,
  },
  {
    key: 'last_reference',
    title: 'Dernier code donné',
    cell: ({ last_reference }) => last_reference ?? 'Aucun',
  },
  {
    key: 'gestit_id',
    title: 'Synchronisation',
    order: 'gestit_id',
    role: 'extra',
    cell: ({ gestit_id }) => gestit_id ?? '',
  },
]
