import { IconPencil, IconTrash, IconUsers, IconUsersMinus } from '@tabler/icons-react'
import { lazy, Suspense, useState } from 'react'

import { changeView, removeView, type View, viewedLists } from '../../../contract/views.ts'
import { changesSaved } from '../../../domain/sentences/lists.ts'
import { useChange } from '../../api/queries.ts'
import { useRight } from '../../api/session.ts'
import { useConfirm } from '../dialogs/confirm.tsx'
import { say, sayError } from '../../page/messages.ts'
import { ActionMenu } from './row-buttons.tsx'
import { useSearchWhileHere } from './search-while-here.ts'

const RenameView = lazy(() =>
  import('./view-dialogs.tsx').then(({ RenameView: Component }) => ({ default: Component })),
)

type ViewMenuProps = { view: View; hide: (hidden: null) => void }

export function ViewMenu({ view, hide }: ViewMenuProps) {
  const { id, name, shared, mine, owner } = view
  const [isRenamed, setRenamed] = useState(false)
  const { location, go } = useSearchWhileHere()
  const confirm = useConfirm()
  const mayShare = useRight(viewedLists[view.list].sharedBy)
  const change = useChange(changeView)
  const remove = useChange(removeView)
  const share = () =>
    change
      .mutateAsync({ params: { id }, body: { shared: !shared } })
      .then(() => void say(changesSaved, 'good', { about: name }), sayError)
  const sharing = shared
    ? { key: 'unshare', label: 'Ne plus partager', Icon: IconUsersMinus, run: share }
    : { key: 'share', label: 'Partager', Icon: IconUsers, run: share }
  const askRemove = async () => {
    const team = mine ? 'L’équipe ne la verra plus non plus.' : `Ni ${owner} ni l’équipe ne la verront plus.`
    const isSure = await confirm({
      title: `Supprimer la vue «\u00a0${name}\u00a0»\u202f?`,
      message: `Ce qu’elle montre reste dans la liste.${shared ? ` ${team}` : ''}`,
      acts: 'destroys',
    })
    if (!isSure) return
    await remove.mutateAsync({ params: { id } }).then(() => {
      hide(null)
      const search = new URLSearchParams(location.search)
      search.delete('view')
      go(`?${search}`, location)
      say(changesSaved, 'good', { about: name })
    }, sayError)
  }
  return (
    <>
      <ActionMenu
        label={`Vue «\u00a0${name}\u00a0»`}
        actions={[
          { key: 'rename', label: 'Renommer', Icon: IconPencil, run: () => setRenamed(true) },
          ...(mine && (shared || mayShare) ? [sharing] : []),
          { key: 'remove', label: 'Supprimer', Icon: IconTrash, run: askRemove, tone: 'bad' as const },
        ]}
        onRun={({ run }) => void run()}
      />
      {isRenamed ? (
        <Suspense fallback={null}>
          <RenameView view={view} onClose={() => setRenamed(false)} />
        </Suspense>
      ) : null}
    </>
  )
}
