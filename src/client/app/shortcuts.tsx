import { useHotkeys } from '@mantine/hooks'
import { lazy, Suspense, useState } from 'react'
import { useNavigate } from 'react-router-dom'

const ShortcutHelp = lazy(() => import('./shortcut-help.tsx'))

/** Keys that work on every screen, outside of fields. */
export function Shortcuts() {
  const navigate = useNavigate()
  const [isOpen, setOpen] = useState(false)
  useHotkeys([
    ['/', () => focusSearch(() => void navigate('/home'))],
    ['P', () => void navigate('/loaning/add')],
    ['R', () => void navigate('/loaning/return')],
    ['shift+?', () => setOpen(true)],
    ['?', () => setOpen(true)],
  ])
  return isOpen ? (
    <Suspense fallback={null}>
      <ShortcutHelp onClose={() => setOpen(false)} />
    </Suspense>
  ) : null
}

function focusSearch(otherwise: () => void) {
  const search = document.querySelector<HTMLInputElement>('main input[type="search"]')
  if (search) search.focus()
  else otherwise()
}
