import '@mantine/core/styles/Switch.css'

import { Switch } from '@mantine/core'

import type { Column } from './resource-table.tsx'

type SwitchColumn<Item> = {
  nameOf: (item: Item) => string
  flip: (item: Item) => Promise<unknown>
  isLocked: boolean
}

/** What is switched off is no longer offered, and stays where it is used. */
export const switchColumn = <Item,>({ nameOf, flip, isLocked }: SwitchColumn<Item>): Column<Item> => ({
  key: 'enabled',
  title: 'Activé',
  order: 'enabled',
  cell: (item) => (
    <Switch
      size="lg"
      checked={(item as { enabled: boolean }).enabled}
      disabled={isLocked}
      onChange={() => void flip(item)}
      aria-label={`Activé\u202f: ${nameOf(item)}`}
    />
  ),
})
