import { ActionIcon, Group, Stack, Text, Title } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import type { ReactNode } from 'react'

import { useIsPhone } from '../ui/screen-width.ts'
import styles from './counter.module.css'

type CounterLinesProps = {
  title: string
  /** Folded on a phone, where it would push the work out of sight: how many there are is said. */
  folds?: number | undefined
  children: ReactNode
}

/** What stays on the counter after a scan, under one heading. */
export function CounterLines({ title, folds, children }: CounterLinesProps) {
  const isPhone = useIsPhone()
  const lines = <ul>{children}</ul>
  return (
    <section className="panel" aria-label={title}>
      {isPhone && folds !== undefined ? (
        <details>
          <summary>
            <Title order={2} size="h4">
              {`${title} (${folds})`}
            </Title>
          </summary>
          {lines}
        </details>
      ) : (
        <>
          <Title order={2} size="h4" mb="sm">
            {title}
          </Title>
          {lines}
        </>
      )}
    </section>
  )
}

type CounterLineProps = {
  title: string
  /** Beside the title, where that is another. */
  code?: string
  isBad?: boolean
  /** Absent where it cannot be put away yet. */
  onDismiss?: () => void
  children?: ReactNode
}

/** What is told of one, until it was read. */
export const CounterLine = ({ title, code = title, isBad, onDismiss, children }: CounterLineProps) => (
  <li className={styles['row']} data-tone={isBad ? 'bad' : undefined}>
    <Group justify="space-between" wrap="nowrap" align="flex-start">
      <Stack gap={4}>
        <Text>
          <strong>{title}</strong>
          {code === title ? null : (
            <Text span size="sm" c="dimmed">
              {' '}
              {code}
            </Text>
          )}
        </Text>
        {children}
      </Stack>
      {onDismiss ? (
        <ActionIcon aria-label={`Masquer\u202f: ${title}`} onClick={onDismiss} c="dimmed">
          <IconX size="1.2rem" aria-hidden />
        </ActionIcon>
      ) : null}
    </Group>
  </li>
)

export const waitingForAnswer = 'En attente de réponse'

/** What was scanned and has not had its turn, in the order in which it was read. */
export const WaitingLines = ({ titles }: { titles: readonly string[] }) =>
  // What was read twice waits in one line.
  [...new Set(titles)].map((title) => <CounterLine key={title} title={title} />)
