import { ActionIcon, Button, type ButtonProps, Group, Menu } from '@mantine/core'
import { IconDots } from '@tabler/icons-react'
import { type ComponentType, Fragment, type ReactNode } from 'react'
import { Link, type To } from 'react-router-dom'

import { useInWords } from '../page/house-words.ts'
import { useIsPhone } from './screen-width.ts'

type Choice = { label: string; onRun: () => void; isApart?: boolean }

/** An action on a whole page. It is drawn as a button, or behind ⋯ where a phone has no room. */
export type PageAction = {
  label: string
  /** The word of the main button on a phone, where the whole label is too long. */
  short?: string
  Icon: ComponentType<{ size: string; 'aria-hidden': true }>
  /** A page has one main action at most; a phone keeps it in sight. */
  isMain?: boolean
  isDangerous?: boolean
  isDisabled?: boolean
  isLoading?: boolean
} & ({ onRun: () => void } | { to: To; state?: unknown } | { choices: readonly Choice[] })

type PageActionsProps = {
  /** The page's title. */
  of: string
  actions: readonly PageAction[]
  /** Those that stand behind ⋯ wherever there is room. */
  rest: readonly PageAction[]
}

export function PageActions({ of, actions, rest }: PageActionsProps) {
  const isPhone = useIsPhone()
  // Alone behind ⋯ one would be sought for nothing.
  const isAlone = actions.length === 1 && rest.length === 0
  const inSight = isPhone && !isAlone ? actions.filter(({ isMain }) => isMain) : actions
  const others = [...actions.filter((action) => !inSight.includes(action)), ...rest]
  // One of several choices is the longest, and comes last.
  const behind = others.toSorted((one, other) => Number('choices' in one) - Number('choices' in other))
  return (
    <>
      {inSight.map((action) => (
        <ActionButton key={action.label} action={action} isShort={isPhone} />
      ))}
      {behind.length > 0 ? <Behind of={of} actions={behind} /> : null}
    </>
  )
}

/** An action alone, as where a list is empty. */
export function ActionButton({ action, isShort = false }: { action: PageAction; isShort?: boolean }) {
  const inWords = useInWords()
  const { Icon, isMain = false, isDangerous = false, isDisabled = false, isLoading = false } = action
  const label = inWords(action.label)
  const word = isShort && action.short !== undefined ? action.short : label
  const look: ButtonProps & { 'aria-label'?: string } = {
    variant: isMain || isDangerous ? 'filled' : 'default',
    leftSection: <Icon size="1.2em" aria-hidden />,
    loading: isLoading,
    disabled: isDisabled,
    ...(isDangerous ? { color: 'red' } : {}),
    ...(word === label ? {} : { 'aria-label': label }),
  }
  if ('to' in action) {
    return (
      <Button component={Link} to={action.to} state={action.state} {...look}>
        {word}
      </Button>
    )
  }
  if ('onRun' in action) {
    return (
      <Button onClick={action.onRun} {...look}>
        {word}
      </Button>
    )
  }
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button {...look}>{word}</Button>
      </Menu.Target>
      <Menu.Dropdown>{itemsOf(action.choices)}</Menu.Dropdown>
    </Menu>
  )
}

/** Buttons for what begins a list that has nothing yet. */
export const beginnings = (actions: readonly PageAction[]): ReactNode =>
  actions.length === 0 ? undefined : (
    <Group>
      {actions.map((action) => (
        <ActionButton key={action.label} action={action} />
      ))}
    </Group>
  )

const itemsOf = (choices: readonly Choice[], isDisabled = false): ReactNode =>
  choices.map(({ label, onRun, isApart }) => (
    <Fragment key={label}>
      {isApart ? <Menu.Divider /> : null}
      <Menu.Item onClick={onRun} disabled={isDisabled}>
        {label}
      </Menu.Item>
    </Fragment>
  ))

function Behind({ of, actions }: { of: string; actions: readonly PageAction[] }) {
  const inWords = useInWords()
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon variant="default" aria-label={`Actions\u202f: ${of}`}>
          <IconDots size="1.4rem" aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {actions.map((action) => {
          const { Icon, isDangerous = false } = action
          const isDisabled = action.isDisabled === true || action.isLoading === true
          const label = inWords(action.label)
          if ('choices' in action) {
            return (
              <div key={label} role="group" aria-label={label}>
                <Menu.Divider />
                <Menu.Label>{label}</Menu.Label>
                {itemsOf(action.choices, isDisabled)}
              </div>
            )
          }
          const look = {
            leftSection: <Icon size="1.2em" aria-hidden />,
            disabled: isDisabled,
            ...(isDangerous ? { c: 'var(--bad-ink)' } : {}),
          }
          return 'to' in action ? (
            <Menu.Item key={label} component={Link} to={action.to} state={action.state} {...look}>
              {label}
            </Menu.Item>
          ) : (
            <Menu.Item key={label} onClick={action.onRun} {...look}>
              {label}
            </Menu.Item>
          )
        })}
      </Menu.Dropdown>
    </Menu>
  )
}
