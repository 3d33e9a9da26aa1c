import { Text } from '@mantine/core'

import { likelyCode } from '../../domain/bar-code.ts'
import OfferCopy from '../catalogue/offer-copy.tsx'
import { CounterLine, CounterLines } from './counter-lines.tsx'

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
    <CounterLines title="Non prêtés">
      {lines.map(({ code, title, message, isUnknown }) => (
        <CounterLine key={code} title={title} isBad onDismiss={() => onDismiss(code)}>
          {title === code ? null : (
            <Text size="sm" c="dimmed">
              {code}
            </Text>
          )}
          <Text size="sm" c="var(--bad-ink)">
            {message}
          </Text>
          {isUnknown ? (
            <OfferCopy mt="xs" code={likelyCode(code)} onAdded={(given) => onAdded(code, given)} />
          ) : null}
        </CounterLine>
      ))}
    </CounterLines>
  )
}
