import { Text } from '@mantine/core'
import type { ReactNode } from 'react'

import { likelyCode } from '../../domain/bar-code.ts'
import OfferCopy from '../catalogue/offer-copy.tsx'
import type { Refused } from '../counter/refused.ts'
import { CounterLine, CounterLines } from './counter-lines.tsx'

type RefusedLinesProps<Line extends Refused> = {
  title: string
  lines: readonly Line[]
  onDismiss: (code: string) => void
  /** An unknown code has its copy now, under the code that was given. */
  onAdded: (code: string, given: string) => void
  /** What may be done about one. */
  children?: (line: Line) => ReactNode
}

/** What was scanned and led to nothing stays on the counter, until its reason is read or it is taken after all. */
export function RefusedLines<Line extends Refused>({
  title: heading,
  lines,
  onDismiss,
  onAdded,
  children,
}: RefusedLinesProps<Line>) {
  if (lines.length === 0) return null
  return (
    <CounterLines title={heading}>
      {lines.map((line) => {
        const { code, title, message, isUnknown } = line
        return (
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
            {children?.(line)}
          </CounterLine>
        )
      })}
    </CounterLines>
  )
}
