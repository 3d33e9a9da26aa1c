import '@mantine/core/styles/Tabs.css'

import { Button, Stack, Tabs } from '@mantine/core'
import { IconMail } from '@tabler/icons-react'
import { lazy } from 'react'

import { frenchNumber } from '../../domain/french-number.ts'
import { yearOfHolidays } from '../../domain/year-of-holidays.ts'
import { useConnection } from '../api/connection.ts'
import { MassMailProgress, useReminders } from '../loans/use-mass-mail.tsx'
import { useToday } from '../loans/use-today.ts'
import { useRight } from '../api/session.ts'
import { startKnown } from '../start/start-data.ts'
import { useIsPhone } from '../ui/screen-width.ts'
import { useDueList } from './due-data.ts'
import { type DueKind, useDueAddress } from './due-lists.ts'
import { DueTable } from './due-table.tsx'
import styles from './home.module.css'
import Morning, { morningKnown } from './morning.tsx'

const today = {
  kind: 'today',
  title: 'À rendre aujourd’hui',
  empty: 'Aucun prêt n’est à rendre aujourd’hui.',
} as const
const late = { kind: 'late', title: 'En retard', empty: 'Aucun prêt n’est en retard.' } as const

/** Fetched with what it knows, so that it comes along with the lists and moves none. */
const LeftToDo = lazy(async () => {
  const [card] = await Promise.all([import('../start/left-to-do.tsx'), startKnown()])
  return card
})

const HolidaysToCome = lazy(async () => {
  const card = await import('../closures/holidays-to-come.tsx')
  await card.siteOpeningsKnown()
  return card
})

/** Over the lists, with what it knows as well: they come under it once. */
const MorningFirst = lazy(async () => {
  await morningKnown()
  return { default: Morning }
})

type Beside = { isBeside?: boolean }

/**
 * Under what an administrator has left to do, and in winter the holidays of a year, as long as there is something; where they do
 * not stand beside the lane, under the work that waits too.
 */
export default function DueTables({ isBeside = false }: Beside) {
  const maySee = useRight('LIST_LOANINGS')
  const mayStart = useRight('PARAMETER_GENERAL')
  const mayClose = useRight('PARAMETER_SITE')
  const day = useToday()
  const year = mayClose ? yearOfHolidays(day) : null
  const tables = maySee ? <Tables isBeside={isBeside} /> : null
  if (isBeside && !mayStart && year === null) return tables
  return (
    <Stack gap="var(--page-gap)" className="in-turn">
      {isBeside ? null : <MorningFirst />}
      {mayStart ? <LeftToDo /> : null}
      {year === null ? null : <HolidaysToCome year={year} today={day} />}
      {tables}
    </Stack>
  )
}

/** Both lists one under the other, or in tabs on a phone and beside a desktop's lane. */
function Tables({ isBeside }: Required<Beside>) {
  const isPhone = useIsPhone()
  const layout = isBeside ? 'narrow' : 'wide'
  if (isPhone || isBeside) {
    return (
      <Tabs defaultValue="today" keepMounted={false} className={isBeside ? 'panel' : ''}>
        <Tabs.List grow mb="sm">
          <Tabs.Tab value="today" mih="2.75rem">
            {isBeside ? 'À rendre' : 'Aujourd’hui'}
            <DueCount kind="today" />
          </Tabs.Tab>
          <Tabs.Tab value="late" mih="2.75rem">
            {isBeside ? 'Retard' : 'En retard'}
            <DueCount kind="late" />
          </Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="today">
          <Stack gap="sm" className="in-turn">
            <DueTable {...today} layout={layout} isTitled={false} />
          </Stack>
        </Tabs.Panel>
        <Tabs.Panel value="late">
          <Stack gap="sm" className="in-turn">
            <DueTable {...late} layout={layout} isTitled={false} actions={<Reminders />} />
            <RemindersProgress />
          </Stack>
        </Tabs.Panel>
      </Tabs>
    )
  }
  return (
    <Stack gap="var(--page-gap)" className="in-turn">
      <Section {...today} />
      <Section {...late} actions={<Reminders />} />
      <RemindersProgress />
    </Stack>
  )
}

function DueCount({ kind }: { kind: DueKind }) {
  const { data } = useDueList(kind, useDueAddress(kind).list, useToday())
  return data?.total ? <span className={styles['dueCount']}>{frenchNumber(data.total)}</span> : null
}

function Section(props: Omit<Parameters<typeof DueTable>[0], 'isTitled' | 'layout'>) {
  return (
    <Stack component="section" gap="sm" className="in-turn" aria-label={props.title}>
      <DueTable {...props} layout="wide" isTitled />
    </Stack>
  )
}

function RemindersProgress() {
  const maySend = useMaySend()
  return maySend ? <MassMailProgress kind="mail.reminders" title="Relances" /> : null
}

const useMaySend = (): boolean => {
  const isOnline = useConnection() === 'online'
  return useRight('SEND_MAIL') && isOnline
}

/** Reminds everyone with late loans, after saying how many mails leave. */
function Reminders() {
  const maySend = useMaySend()
  const { ask, isPending } = useReminders()
  if (!maySend) return null
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

/** Beside them before the first scan: fetched together, because each file costs a journey. */
export { Morning }
