import { Menu, type MenuProps } from '@mantine/core'
import { useEffect, useState } from 'react'

import type { ButtonOfMenu } from './menu-button.ts'
import { StandsFor } from './stands-for.tsx'

type MenuOfButtonProps = Omit<MenuProps, 'id' | 'opened' | 'onChange'> & { of: ButtonOfMenu }

/** The menu of a button that was drawn before it, by `useMenuButton`. */
export function MenuOfButton({ of, children, ...menu }: MenuOfButtonProps) {
  const { id, button, isOpen, setOpen } = of
  // A menu that is open from its first drawing on would not give the focus back.
  const [isClosedFirst, setClosedFirst] = useState(true)
  useEffect(() => setClosedFirst(false), [])
  return (
    <Menu {...menu} id={id} opened={isOpen && !isClosedFirst} onChange={setOpen}>
      <Menu.Target>
        <StandsFor node={button} />
      </Menu.Target>
      {children}
    </Menu>
  )
}
