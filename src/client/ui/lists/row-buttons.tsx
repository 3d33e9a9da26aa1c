import { ActionIcon, Menu } from '@mantine/core'
import { IconDotsVertical } from '@tabler/icons-react'
import { useLayoutEffect, useRef, useState } from 'react'

import styles from './resource-table.module.css'
import { mayRun, type RowAction } from './row-actions.ts'
import { inWords } from '../../page/house-words.ts'

type RowButtonsProps<Row> = {
  row: Row
  name: string
  actions: readonly RowAction<Row>[]
  slots: readonly RowAction<Row>[]
  onRun: (action: RowAction<Row>, row: Row) => void
}

/** A row's actions; a missing one leaves its place empty, so that buttons align. */
export function RowButtons<Row>({ row, name, actions, slots, onRun }: RowButtonsProps<Row>) {
  const offered = actions.filter((action) => mayRun(action, row))
  if (offered.length === 0) return null
  const rest = offered.filter((action) => !slots.includes(action))
  return (
    <div className={styles['actions']}>
      {slots.map((action) => {
        if (!offered.includes(action)) return <span key={action.key} className={styles['noAction']} />
        const { key, Icon } = action
        const letter = action.letter?.toUpperCase()
        const label = inWords(action.label)
        return (
          <ActionIcon
            key={key}
            aria-label={`${label}\u202f: ${name}`}
            aria-keyshortcuts={letter}
            title={letter ? `${label} (${letter})` : label}
            onClick={() => onRun(action, row)}
          >
            <Icon size="1.3rem" stroke={1.75} aria-hidden />
          </ActionIcon>
        )
      })}
      {rest.length > 0 ? (
        <ActionMenu label={`Actions\u202f: ${name}`} actions={rest} onRun={(action) => onRun(action, row)} />
      ) : slots.length < actions.length ? (
        <span className={styles['noAction']} />
      ) : null}
    </div>
  )
}

type Offered = Pick<RowAction<never>, 'key' | 'label' | 'Icon' | 'tone' | 'letter'>
type ActionMenuProps<A> = { label: string; actions: readonly A[]; onRun: (action: A) => void }

/** Made when first asked for, because a menu costs as much as its whole row. */
export function ActionMenu<A extends Offered>({ label: name, actions, onRun }: ActionMenuProps<A>) {
  const [isMade, setMade] = useState(false)
  const [isOpen, setOpen] = useState(false)
  const target = useRef<HTMLButtonElement>(null)
  useLayoutEffect(() => {
    if (!isMade) return
    // The menu gives the focus back to its target, which is another element than the pressed one.
    target.current?.focus({ preventScroll: true })
    setOpen(true)
  }, [isMade])
  const button = (
    <ActionIcon
      ref={target}
      aria-label={name}
      aria-haspopup="menu"
      aria-expanded={false}
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
        {actions.map((action) => {
          const { key, label, Icon, tone } = action
          const letter = action.letter?.toUpperCase()
          return (
            <Menu.Item
              key={key}
              mih="2.75rem"
              leftSection={<Icon size="1.2em" aria-hidden />}
              rightSection={
                letter ? <kbd className={styles['letter']} data-letter={letter} aria-hidden /> : null
              }
              aria-keyshortcuts={letter}
              onClick={() => onRun(action)}
              {...(tone === 'bad' ? { c: 'var(--bad-ink)' } : {})}
            >
              {inWords(label)}
            </Menu.Item>
          )
        })}
      </Menu.Dropdown>
    </Menu>
  )
}
