import { useHotkeys } from '@mantine/hooks'
import { lazy, Suspense } from 'react'
import { useNavigate } from 'react-router-dom'

import { useRight } from '../api/session.ts'
import { useHelpAddress } from '../help/help-address.ts'
import { unlessCovered, useLoneKeys } from '../ui/lone-keys.ts'

const HelpDialog = lazy(() => import('../help/help-dialog.tsx'))

/** The help, and keys that work on every screen: alone outside of fields, with Alt or Ctrl in them as well. */
export function Shortcuts({ onFind }: { onFind: () => void }) {
  const navigate = useNavigate()
  const help = useHelpAddress()
  const mayLend = useRight('LOANING_ADD')
  const mayReturn = useRight('LOANING_RETURN')
  const search = () => focusSearch(onFind)
  const lend = () => void (mayLend && navigate('/loaning/add'))
  const giveBack = () => void (mayReturn && navigate('/loaning/return'))
  useLoneKeys([
    // French keyboards write « / » and « ? » with Shift.
    ['/', search],
    ['shift+/', search],
    ['P', lend],
    ['R', giveBack],
    ['shift+?', help.open],
    ['?', help.open],
  ])
  useHotkeys(
    [
      ['mod+K', unlessCovered(onFind)],
      ['alt+P', unlessCovered(lend)],
      ['alt+R', unlessCovered(giveBack)],
      ['alt+A', unlessCovered(help.open)],
    ],
    [],
  )
  return help.isOpen ? (
    <Suspense fallback={null}>
      <HelpDialog onClose={help.close} />
    </Suspense>
  ) : null
}

function focusSearch(otherwise: () => void) {
  // That of an index beside the screen is not the screen's.
  const search = document.querySelector<HTMLInputElement>('main input[type="search"]:not(nav *)')
  if (search) search.focus()
  else otherwise()
}
