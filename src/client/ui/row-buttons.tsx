import { ActionIcon, Group, Menu } from '@mantine/core'
import { IconDotsVertical } from '@tabler/icons-react'
import { useLayoutEffect, useRef, useState } from 'react'

export type RowAction = {
  key: string
  label: string
  Icon: typeof IconDotsVertical
  run: () => void
  isDangerous?: boolean
}

type RowButtonsProps = {
  /** What the row is about: the name of each button ends with it. */
  title: string
  actions: readonly RowAction[]
  /** How many stand as icons; the others are in a menu. */
  icons: number
  isPending: boolean
}

/** What can be done with a row of a list. */
export function RowButtons({ title, actions, icons, isPending }: RowButtonsProps) {
  const rest = actions.slice(icons)
  return (
    <Group gap={0} wrap="nowrap" justify="flex-end">
      {actions.slice(0, icons).map(({ key, label, Icon, run }) => (
        <ActionIcon
          key={key}
          aria-label={`${label}\u202f: ${title}`}
          title={label}
          disabled={isPending}
          onClick={run}
        >
          <Icon size="1.3rem" stroke={1.75} aria-hidden />
        </ActionIcon>
      ))}
      {rest.length > 0 ? <RowMenu title={title} actions={rest} isPending={isPending} /> : null}
    </Group>
  )
}

/** A menu costs as much as its whole row, and there are hundreds: it is made when it is first asked for. */
function RowMenu({ title, actions, isPending }: Omit<RowButtonsProps, 'icons'>) {
  const [isMade, setMade] = useState(false)
  const [isOpen, setOpen] = useState(false)
  const target = useRef<HTMLButtonElement>(null)
  useLayoutEffect(() => {
    if (!isMade) return
    // The menu's target is another element than the one that was pressed; closed, the menu gives the focus back to it.
    target.current?.focus({ preventScroll: true })
    setOpen(true)
  }, [isMade])
  const button = (
    <ActionIcon
      ref={target}
      aria-label={`Actions\u202f: ${title}`}
      aria-haspopup="menu"
      aria-expanded={false}
      loading={isPending}
      {...(isMade ? {} : { onClick: () => setMade(true) })}
    >
      <IconDotsVertical size="1.3rem" aria-hidden />
    </ActionIcon>
  )
  if (!isMade) return button
  return (
    <Menu position="bottom-end" width="15rem" opened={isOpen} onChange={setOpen}>
      <Menu.Target>{button}</Menu.Target>
      <Menu.Dropdown>
        {actions.map(({ key, label, Icon, run, isDangerous }) => (
          <Menu.Item
            key={key}
            mih="2.75rem"
            leftSection={<Icon size="1.2em" aria-hidden />}
            onClick={run}
            {...(isDangerous ? { c: 'var(--bad-ink)' } : {})}
          >
            {label}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}
