import { useHotkeys } from '@mantine/hooks'
import { lazy, Suspense, useEffect, useRef, useState } from 'react'
import { useNavigate } from 'react-router-dom'

import { useRight } from '../session/session.ts'
import { isOverlayOpen } from '../ui/overlay-open.ts'

const ShortcutHelp = lazy(() => import('./shortcut-help.tsx'))

/** Keys that work on every screen, outside of fields. */
export function Shortcuts() {
  const navigate = useNavigate()
  const [isOpen, setOpen] = useState(false)
  const mayLend = useRight('LOANING_ADD')
  const mayReturn = useRight('LOANING_RETURN')
  const alone = useLoneKeys()
  const search = alone(() => focusSearch(() => void navigate('/home')))
  const help = alone(() => setOpen(true))
  useHotkeys([
    // French keyboards write « / » and « ? » with Shift.
    ['/', search],
    ['shift+/', search],
    ['P', alone(() => void (mayLend && navigate('/loaning/add')))],
    ['R', alone(() => void (mayReturn && navigate('/loaning/return')))],
    ['shift+?', help],
    ['?', help],
  ])
  return isOpen ? (
    <Suspense fallback={null}>
      <ShortcutHelp onClose={() => setOpen(false)} />
    </Suspense>
  ) : null
}

/** Longer than a scanner takes from one character to the next. */
const aloneMs = 120
const modifiers = ['Shift', 'Control', 'Alt', 'AltGraph', 'CapsLock']

/** Makes an action of a key wait until no other follows: a scanner types codes that hold the same letters. None acts under a dialog. */
function useLoneKeys(): (act: () => void) => () => void {
  const pending = useRef<ReturnType<typeof setTimeout>>(undefined)
  const isFirst = useRef(true)
  useEffect(() => {
    let lastAt = -Infinity
    const hear = ({ key, timeStamp }: KeyboardEvent) => {
      if (modifiers.includes(key)) return
      clearTimeout(pending.current)
      isFirst.current = timeStamp - lastAt > aloneMs
      lastAt = timeStamp
    }
    addEventListener('keydown', hear, { capture: true })
    return () => {
      removeEventListener('keydown', hear, { capture: true })
      clearTimeout(pending.current)
    }
  }, [])
  return (act) => () => {
    if (isFirst.current && !isOverlayOpen()) pending.current = setTimeout(act, aloneMs)
  }
}

function focusSearch(otherwise: () => void) {
  const search = document.querySelector<HTMLInputElement>('main input[type="search"]')
  if (search) search.focus()
  else otherwise()
}
