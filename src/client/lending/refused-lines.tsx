import { ActionIcon, Group, Text, Title } from '@mantine/core'
import { IconX } from '@tabler/icons-react'

import { cleanScan } from '../../domain/bar-code.ts'
import OfferCopy from '../catalogue/offer-copy.tsx'
import styles from './counter.module.css'

/** A code that did not join the loan, and why. */
export type RefusedLine = { code: string; title: string; message: string; isUnknown?: boolean }

type RefusedLinesProps = {
  lines: readonly RefusedLine[]
  onDismiss: (code: string) => void
  /** An unknown code has its copy now, under the code that was given. */
  onAdded: (code: string, given: string) => void
}

/** Scanned copies that stay on the counter, until their reason is read or they join after all. */
export function RefusedLines({ lines, onDismiss, onAdded }: RefusedLinesProps) {
  if (lines.length === 0) return null
  return (
    <section className="panel" aria-label="Non prêtés">
      <Title order={2} size="h4" mb="sm">
        Non prêtés
      </Title>
      <ul className={styles['rows']}>
        {lines.map(({ code, title, message, isUnknown }) => (
          <li key={code} className={styles['row']} data-tone="bad">
            <Group justify="space-between" wrap="nowrap" align="flex-start">
              <div>
                <Text fw={600}>{title}</Text>
                {title === code ? null : (
                  <Text size="sm" c="dimmed">
                    {code}
                  </Text>
                )}
                <Text size="sm" c="var(--bad-ink)">
                  {message}
                </Text>
                {isUnknown ? (
                  <OfferCopy mt="xs" code={cleanScan(code)} onAdded={(given) => onAdded(code, given)} />
                ) : null}
              </div>
              <ActionIcon aria-label={`Masquer\u202f: ${title}`} onClick={() => onDismiss(code)} c="dimmed">
                <IconX size="1.2rem" aria-hidden />
              </ActionIcon>
            </Group>
          </li>
        ))}
      </ul>
    </section>
  )
}
