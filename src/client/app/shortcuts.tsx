import { useHotkeys } from '@mantine/hooks'
import { lazy, Suspense, useState } from 'react'
import { useNavigate } from 'react-router-dom'

import { useRight } from '../api/session.ts'
import { unlessCovered, useLoneKeys } from '../ui/lone-keys.ts'

const ShortcutHelp = lazy(() => import('./shortcut-help.tsx'))

/** Keys that work on every screen: alone outside of fields, with Alt or Ctrl in them as well. */
export function Shortcuts({ onFind }: { onFind: () => void }) {
  const navigate = useNavigate()
  const [isHelpOpen, setHelpOpen] = useState(false)
  const mayLend = useRight('LOANING_ADD')
  const mayReturn = useRight('LOANING_RETURN')
  const search = () => focusSearch(onFind)
  const lend = () => void (mayLend && navigate('/loaning/add'))
  const giveBack = () => void (mayReturn && navigate('/loaning/return'))
  const help = () => setHelpOpen(true)
  useLoneKeys([
    // French keyboards write « / » and « ? » with Shift.
    ['/', search],
    ['shift+/', search],
    ['P', lend],
    ['R', giveBack],
    ['shift+?', help],
    ['?', help],
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

function focusSearch(otherwise: () => void) {
  const search = document.querySelector<HTMLInputElement>('main input[type="search"]')
  if (search) search.focus()
  else otherwise()
}
