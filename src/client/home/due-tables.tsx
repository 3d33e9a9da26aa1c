import '@mantine/core/styles/Drawer.css'
import '@mantine/core/styles/Pill.css'
import '@mantine/core/styles/PillsInput.css'
import '@mantine/core/styles/Tabs.css'

import { Button, Stack, Tabs } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { IconMail } from '@tabler/icons-react'

import { useConnection } from '../api/connection.ts'
import { useReminders } from '../loans/use-mass-mail.tsx'
import { useRight } from '../session/session.ts'
import { DueTable } from './due-table.tsx'

const today = {
  kind: 'today',
  title: 'À rendre aujourd’hui',
  empty: 'Aucun prêt n’est à rendre aujourd’hui.',
} as const
const late = { kind: 'late', title: 'En retard', empty: 'Aucun prêt n’est en retard.' } as const

/** Loans due today and late loans: one under the other, or in two tabs on a phone. */
export default function DueTables() {
  const isPhone = useMediaQuery('(max-width: 767px)', window.innerWidth < 768)
  if (isPhone) {
    return (
      <Tabs defaultValue="today" keepMounted={false}>
        <Tabs.List grow mb="sm">
          <Tabs.Tab value="today" mih="2.75rem">
            Aujourd’hui
          </Tabs.Tab>
          <Tabs.Tab value="late" mih="2.75rem">
            En retard
          </Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="today">
          <Stack gap="sm">
            <DueTable {...today} isTitled={false} />
          </Stack>
        </Tabs.Panel>
        <Tabs.Panel value="late">
          <Stack gap="sm">
            <DueTable {...late} isTitled={false} actions={<Reminders />} />
          </Stack>
        </Tabs.Panel>
      </Tabs>
    )
  }
  return (
    <Stack gap="var(--page-gap)">
      <Section {...today} />
      <Section {...late} actions={<Reminders />} />
    </Stack>
  )
}

function Section(props: Omit<Parameters<typeof DueTable>[0], 'isTitled'>) {
  return (
    <Stack component="section" gap="sm" aria-label={props.title}>
      <DueTable {...props} isTitled />
    </Stack>
  )
}

/** A reminder to everyone who has late loans, after saying how many mails leave (file 1, section 5). */
function Reminders() {
  const maySend = useRight('SEND_MAIL')
  const isOnline = useConnection() === 'online'
  const { ask, isPending } = useReminders()
  if (!maySend || !isOnline) return null
  return (
    <Button
      variant="default"
      leftSection={<IconMail size="1.2em" aria-hidden />}
      loading={isPending}
      onClick={ask}
    >
      Relancer tous les retards
    </Button>
  )
}
