import { Button, Text } from '@mantine/core'
import { useCallbackRef } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { IconPencil, IconPlus } from '@tabler/icons-react'
import { useMemo, useState } from 'react'

import { changeSite } from '../../contract/site-changes.ts'
import { updateParameters } from '../../contract/settings.ts'
import { type Site, sites } from '../../contract/sites.ts'
import { changesSaved } from '../../domain/sentences/lists.ts'
import { useChange } from '../api/queries.ts'
import { useRight } from '../api/session.ts'
import { say, sayError } from '../page/messages.ts'
import { enabledSitesQuery } from './enabled-sites.ts'
import { useConfirm } from '../ui/confirm.tsx'
import { activity, search } from '../ui/filters.tsx'
import { ListScreen } from '../ui/list-screen.tsx'
import { nounOf } from '../ui/nouns.ts'
import type { Column } from '../ui/resource-table.tsx'
import type { RowAction } from '../ui/row-actions.ts'
import { useJournal } from '../ui/use-journal.tsx'
import { switchColumn } from '../ui/switch-column.tsx'
import { useFlagParameter } from './parameter-data.ts'
import { SiteDialog } from './site-dialog.tsx'
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
  const mayHaveAnother = useMayHaveAnother()
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

/** Offers to switch « Plusieurs sites » on where a second site would be refused once its form is filled in. */
function useMayHaveAnother(): () => Promise<boolean> {
  const isMultisite = useFlagParameter('multisite')
  const enabled = useQuery(enabledSitesQuery).data
  const maySwitch = useRight('PARAMETER_GENERAL')
  const confirm = useConfirm()
  const { mutateAsync } = useChange(updateParameters)
  return async () => {
    if (isMultisite !== false || enabled?.length === 0) return true
    if (!maySwitch) {
      say(
        'Un autre site est en service\u202f: qui change les paramètres généraux active d’abord «\u00a0Plusieurs sites\u00a0».',
        'warn',
      )
      return false
    }
    const isSure = await confirm({
      title: 'Activer «\u00a0Plusieurs sites\u00a0»\u202f?',
      message:
        'Un site est déjà en service. Avec un second, chacun choisit celui où il travaille, et voit les prêts et les listes de ce site.',
    })
    if (!isSure) return false
    return mutateAsync({ body: [{ code: 'multisite', value: '1' }] }).then(
      () => true,
      (error: unknown) => {
        sayError(error)
        return false
      },
    )
  }
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
