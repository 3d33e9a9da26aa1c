import { ActionIcon, Group, Menu } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { IconDotsVertical } from '@tabler/icons-react'

import type { Loan } from '../../contract/loans.ts'
import type { LoanAction, LoanActionKey } from './loan-action-list.ts'
import { useLoanActions } from './use-loan-actions.tsx'

/** What can be done with one loan of a list: icons on a desktop, one menu on a phone or a tablet. */
export function LoanRowActions({ loan }: { loan: Loan }) {
  const { actions, run, isPending, dialog } = useLoanActions(loan)
  const isDesktop = useMediaQuery('(min-width: 1200px)', window.innerWidth >= 1200)
  const firsts = isDesktop ? actions.slice(0, 4) : []
  const rest = isDesktop ? actions.slice(4) : actions
  return (
    <>
      <Group gap={0} wrap="nowrap" justify="flex-end">
        {firsts.map(({ key, label, Icon }) => (
          <ActionIcon
            key={key}
            aria-label={`${label}\u202f: ${loan.reference_name}`}
            title={label}
            disabled={isPending}
            onClick={() => run(key)}
          >
            <Icon size="1.3rem" stroke={1.75} aria-hidden />
          </ActionIcon>
        ))}
        {rest.length > 0 ? (
          <ActionMenu title={loan.reference_name} actions={rest} run={run} isPending={isPending} />
        ) : null}
      </Group>
      {dialog}
    </>
  )
}

type ActionMenuProps = {
  title: string
  actions: readonly LoanAction[]
  run: (key: LoanActionKey) => void
  isPending: boolean
}

function ActionMenu({ title, actions, run, isPending }: ActionMenuProps) {
  return (
    <Menu position="bottom-end" width="15rem">
      <Menu.Target>
        <ActionIcon aria-label={`Actions\u202f: ${title}`} loading={isPending}>
          <IconDotsVertical size="1.3rem" aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {actions.map(({ key, label, Icon, isDangerous }) => (
          <Menu.Item
            key={key}
            mih="2.75rem"
            leftSection={<Icon size="1.2em" aria-hidden />}
            onClick={() => run(key)}
            {...(isDangerous ? { c: 'var(--bad-ink)' } : {})}
          >
            {label}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}
