import { changeSite } from '../../contract/site-changes.ts'
import { type Site, sites } from '../../contract/sites.ts'
import { changesSaved } from '../../domain/sentences/lists.ts'
import { useChange } from '../api/queries.ts'
import { say, sayError } from '../page/messages.ts'
import { useConfirm } from '../ui/dialogs/confirm.tsx'
import { EditableList } from '../ui/lists/editable-list.tsx'
import { activity, search } from '../ui/lists/filters.tsx'
import { nounOf } from '../ui/nouns.ts'
import type { Column } from '../ui/lists/resource-table.tsx'
import { SiteDialog } from './site-dialog.tsx'
import { useMayHaveAnotherSite } from './use-may-have-another-site.ts'

/** Paramètres, « Sites »: added, renamed, put out of service, but never deleted. */
export default function SiteListScreen() {
  const confirm = useConfirm()
  const change = useChange(changeSite)
  const flip = async ({ id, name, enabled }: Site) => {
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
      .then(() => void say(changesSaved, 'good', { about: name }), sayError)
  }
  const mayHaveAnother = useMayHaveAnotherSite()
  return (
    <EditableList
      endpoint={sites.list}
      entity="sites"
      title="Sites"
      purpose="Les lieux de la bibliothèque et la numérotation de leurs exemplaires. Hors service, un site n’est plus proposé et garde ce qui est à lui."
      noun={nounOf('site', 'm')}
      example="Médiathèque du centre"
      filters={filters}
      columns={columns}
      nameOf={({ name }) => name}
      flip={flip}
      mayOpen={(site) => (site ? Promise.resolve(true) : mayHaveAnother())}
      dialog={(editing) => <SiteDialog {...editing} />}
    />
  )
}

const filters = [search('name|like', 'Nom'), activity('Tous', 'Activés', 'Désactivés')]

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
    sparse: true,
    cell: ({ gestit_id }) => gestit_id ?? '',
  },
]
