import { FindDialog } from '../find/find-dialog.tsx'
import type { Hit } from '../find/hit.ts'
import { useRights } from '../api/session.ts'
import { inWords } from '../page/house-words.ts'
import { useIsMultisite } from '../settings/multisite.ts'
import { findScreens, type Named, wherein } from './screens.tsx'

/** The search of anything, with the screens that this person may open. */
export default function SearchAnything({ onClose }: { onClose: () => void }) {
  const rights = useRights()
  const isMultisite = useIsMultisite()
  return (
    <FindDialog
      findScreens={(typed) => findScreens(rights, isMultisite, typed).map(hitOfScreen)}
      onClose={onClose}
    />
  )
}

const hitOfScreen = (screen: Named): Hit => ({
  key: `screen ${screen.path}`,
  kind: 'section' in screen ? 'setting' : 'screen',
  title: inWords(screen.label),
  detail: wherein(screen),
  to: screen.path,
  actions: [],
})
