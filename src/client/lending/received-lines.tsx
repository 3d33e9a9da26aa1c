import { ActionIcon, Group, Stack, Text, Title } from '@mantine/core'
import { IconX } from '@tabler/icons-react'

import type { Awaited } from '../reservations/awaited.ts'
import AwaitedCopy from '../reservations/awaited-copy.tsx'
import { StatusTag } from '../ui/status-tag.tsx'
import styles from './counter.module.css'
import { inWords } from '../page/house-words.ts'

export type ReceivedLine = {
  copy: number
  title: string
  bar_code: string
  from: string
  awaited: Awaited | null
}
type ReceivedLinesProps = { lines: readonly ReceivedLine[]; onDismiss: (copy: number) => void }

/** Copies scanned among the returns that another site had sent here. */
export default function ReceivedLines({ lines, onDismiss }: ReceivedLinesProps) {
  return (
    <section className="panel" aria-label={inWords('Exemplaires reçus')}>
      <Title order={2} size="h4" mb="sm">
        {inWords('Exemplaires reçus')}
      </Title>
      <ul className={styles['rows']}>
        {lines.map(({ copy, title, bar_code, from, awaited }) => (
          <li key={copy} className={styles['row']}>
            <Group justify="space-between" wrap="nowrap" align="flex-start">
              <Stack gap={4}>
                <Text fw={600}>{title}</Text>
                <StatusTag tone="good">{`Reçu de ${from}`}</StatusTag>
                {awaited ? (
                  <AwaitedCopy
                    of={`received ${copy}`}
                    copy={copy}
                    bar_code={bar_code}
                    title={title}
                    awaited={awaited}
                    isRecorded
                  />
                ) : null}
              </Stack>
              <ActionIcon aria-label={`Masquer\u202f: ${title}`} onClick={() => onDismiss(copy)} c="dimmed">
                <IconX size="1.2rem" aria-hidden />
              </ActionIcon>
            </Group>
          </li>
        ))}
      </ul>
    </section>
  )
}
