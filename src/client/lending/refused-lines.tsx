import { Text } from '@mantine/core'

import { likelyCode } from '../../domain/bar-code.ts'
import OfferCopy from '../catalogue/offer-copy.tsx'
import type { Refused } from '../counter/refused.ts'
import { CounterLine, CounterLines } from './counter-lines.tsx'

type RefusedLinesProps = {
  title: string
  lines: readonly Refused[]
  onDismiss: (code: string) => void
  /** An unknown code has its copy now, under the code that was given. */
  onAdded: (code: string, given: string) => void
}

/** What was scanned and led to nothing stays on the counter, until its reason is read or it is taken after all. */
export function RefusedLines({ title: heading, lines, onDismiss, onAdded }: RefusedLinesProps) {
  if (lines.length === 0) return null
  return (
    <CounterLines title={heading}>
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
