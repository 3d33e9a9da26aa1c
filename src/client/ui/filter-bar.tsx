import '@mantine/core/styles/Drawer.css'

import { Button, Drawer, Group, Stack } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { IconFilter } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'

import type { ListAddress } from './use-list-address.ts'
import styles from './filter-bar.module.css'

/** Filters of a list: in line where there is room, in a sheet on a phone. */
export function FilterBar({
  address,
  children,
}: {
  address: Pick<ListAddress, 'values' | 'clearFilters'>
  children: ReactNode
}) {
  const isPhone = useMediaQuery('(max-width: 767px)', window.innerWidth < 768)
  const [isOpen, setOpen] = useState(false)
  const count = Object.keys(address.values).length
  const clear = (
    <Button variant="subtle" disabled={count === 0} onClick={address.clearFilters}>
      Effacer les filtres
    </Button>
  )
  if (!isPhone) {
    return (
      <search className={`panel ${styles['bar']}`}>
        {children}
        {clear}
      </search>
    )
  }
  return (
    <>
      <Button
        variant="default"
        fullWidth
        leftSection={<IconFilter size="1.2em" aria-hidden />}
        onClick={() => setOpen(true)}
      >
        {count === 0 ? 'Filtrer' : `Filtrer (${count})`}
      </Button>
      <Drawer opened={isOpen} onClose={() => setOpen(false)} position="bottom" size="auto" title="Filtrer">
        <Stack component="search" pb="env(safe-area-inset-bottom)">
          {children}
          <Group grow>
            {clear}
            <Button onClick={() => setOpen(false)}>Voir les résultats</Button>
          </Group>
        </Stack>
      </Drawer>
    </>
  )
}
