import { Button, Group, Text } from '@mantine/core'
import type { ReactNode } from 'react'

import { likelyCode, type Symbology } from '../../domain/bar-code.ts'
import type { CodeKind } from '../../domain/code-shapes.ts'
import OfferCopy from '../catalogue/offer-copy.tsx'
import { kindWords, type Refused } from '../counter/refused.ts'
import { CounterLine, CounterLines } from './counter-lines.tsx'

type RefusedLinesProps<Line extends Refused> = {
  title: string
  lines: readonly Line[]
  onDismiss: (code: string) => void
  /** An unknown code has its copy now, under the code that was given. */
  onAdded: (code: string, given: string) => void
  /** Nobody could tell what it is: it is asked for again, with the kind that a person says. */
  onRetry: (code: string, symbology?: Symbology, kind?: CodeKind) => void
  /** What may be done about one. */
  children?: (line: Line) => ReactNode
}

/** What was scanned and led to nothing stays on the counter, until its reason is read or it is taken after all. */
export function RefusedLines<Line extends Refused>({
  title: heading,
  lines,
  onDismiss,
  onAdded,
  onRetry,
  children,
}: RefusedLinesProps<Line>) {
  if (lines.length === 0) return null
  return (
    <CounterLines
      title={heading}
      folds={lines.some(({ asks = [] }) => asks.length > 0) ? undefined : lines.length}
    >
      {lines.map((line) => {
        const { code, symbology, title, message, isUnknown, isTrouble, asks = [] } = line
        return (
          <CounterLine key={code} title={title} code={code} isBad onDismiss={() => onDismiss(code)}>
            <Text size="sm" c="var(--bad-ink)">
              {message}
            </Text>
            {isUnknown ? (
              <OfferCopy mt="xs" px="sm" code={likelyCode(code)} onAdded={(given) => onAdded(code, given)} />
            ) : null}
            {isTrouble || asks.length > 0 ? (
              <Group gap="xs">
                {isTrouble ? (
                  <LineButton label="Réessayer" title={title} onPress={() => onRetry(code, symbology)} />
                ) : null}
                {asks.map((kind) => (
                  <LineButton
                    key={kind}
                    label={kindWords[kind]}
                    title={title}
                    onPress={() => onRetry(code, symbology, kind)}
                  />
                ))}
              </Group>
            ) : null}
            {children?.(line)}
          </CounterLine>
        )
      })}
    </CounterLines>
  )
}

/** A button that acts on one line; its name has the line's title, to tell equal buttons apart. */
export const LineButton = ({
  label,
  title,
  isHeld = false,
  onPress,
}: {
  label: string
  title: string
  isHeld?: boolean
  onPress: () => void
}) => (
  <Button
    variant="default"
    px="sm"
    w="fit-content"
    aria-label={`${label}\u202f: ${title}`}
    disabled={isHeld}
    onClick={onPress}
  >
    {label}
  </Button>
)
