import { Menu } from '@mantine/core'
import { Suspense } from 'react'
import { NavLink } from 'react-router-dom'

import { inWords } from '../page/house-words.ts'
import type { ButtonOfMenu } from '../ui/menu-button.ts'
import { MenuOfButton } from '../ui/menu-of-button.tsx'
import styles from './frame.module.css'
import type { Group, MenuPlace } from './screens.tsx'

type GroupMenuProps = { of: ButtonOfMenu; group: Group; places: readonly MenuPlace[] }

export default function GroupMenu({ of, group, places }: GroupMenuProps) {
  return (
    <MenuOfButton of={of} position="right-start" width="17.5rem" offset={4}>
      <Menu.Dropdown className={styles['flyout'] ?? ''}>
        <Menu.Label>{inWords(group)}</Menu.Label>
        {places.map(({ path, label, Icon, Count }) => (
          <Menu.Item
            key={path}
            component={NavLink}
            to={path}
            leftSection={<Icon size="1.5rem" stroke={1.75} aria-hidden />}
            rightSection={Count ? <Suspense fallback={null}>{<Count />}</Suspense> : null}
          >
            {inWords(label)}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </MenuOfButton>
  )
}
