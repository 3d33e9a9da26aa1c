import { Menu } from '@mantine/core'
import { IconLogout, IconUserCircle } from '@tabler/icons-react'
import { useNavigate } from 'react-router-dom'

import { useSignOut } from '../session/use-sign-out.ts'
import type { ButtonOfMenu } from '../ui/menu-button.ts'
import { MenuOfButton } from '../ui/menu-of-button.tsx'

type AccountMenuProps = { of: ButtonOfMenu; name: string; about: string }

export default function AccountMenu({ of, name, about }: AccountMenuProps) {
  const navigate = useNavigate()
  const signOut = useSignOut()
  return (
    <MenuOfButton of={of} position="bottom-end" width="16rem">
      <Menu.Dropdown>
        {/* On a phone the bar has no room for them. */}
        <Menu.Label>
          {name}
          <br />
          {about}
        </Menu.Label>
        <Menu.Item
          leftSection={<IconUserCircle size="1.2em" aria-hidden />}
          onClick={() => void navigate('/account')}
        >
          Mon compte
        </Menu.Item>
        <Menu.Item leftSection={<IconLogout size="1.2em" aria-hidden />} onClick={() => void signOut()}>
          Se déconnecter
        </Menu.Item>
      </Menu.Dropdown>
    </MenuOfButton>
  )
}
