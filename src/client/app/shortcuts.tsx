import { useHotkeys } from '@mantine/hooks'
import { lazy, Suspense, useEffect, useRef, useState } from 'react'
import { useNavigate } from 'react-router-dom'

import { useRight } from '../session/session.ts'
import { isOverlayOpen } from '../ui/overlay-open.ts'

const ShortcutHelp = lazy(() => import('./shortcut-help.tsx'))

/** Keys that work on every screen: alone outside of fields, with Alt or Ctrl in them as well. */
export function Shortcuts({ onFind }: { onFind: () => void }) {
  const navigate = useNavigate()
  const [isHelpOpen, setHelpOpen] = useState(false)
  const mayLend = useRight('LOANING_ADD')
  const mayReturn = useRight('LOANING_RETURN')
  const alone = useLoneKeys()
  const search = alone(() => focusSearch(onFind))
  const lend = () => void (mayLend && navigate('/loaning/add'))
  const giveBack = () => void (mayReturn && navigate('/loaning/return'))
  const help = () => setHelpOpen(true)
  useHotkeys([
    // French keyboards write « / » and « ? » with Shift.
    ['/', search],
    ['shift+/', search],
    ['P', alone(lend)],
    ['R', alone(giveBack)],
    ['shift+?', alone(help)],
    ['?', alone(help)],
  ])
  useHotkeys(
    [
      ['mod+K', unlessCovered(onFind)],
      ['alt+P', unlessCovered(lend)],
      ['alt+R', unlessCovered(giveBack)],
      ['alt+A', unlessCovered(help)],
    ],
    [],
  )
  return isHelpOpen ? (
    <Suspense fallback={null}>
      <ShortcutHelp onClose={() => setHelpOpen(false)} />
    </Suspense>
  ) : null
}

/** Under a dialog keys are meant for it. */
const unlessCovered = (act: () => void) => () => {
  if (!isOverlayOpen()) act()
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
