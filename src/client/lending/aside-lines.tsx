import type { CounterCopy } from '../catalogue/counter-copy.ts'
import type { Awaited } from '../reservations/awaited.ts'
import AwaitedCopy from '../reservations/awaited-copy.tsx'
import { CounterLine, CounterLines } from './counter-lines.tsx'

export type AsideLine = { copy: CounterCopy; awaited: Awaited }

type AsideLinesProps = {
  lines: readonly AsideLine[]
  onDismiss: (copy: number) => void
  /** It is kept for nobody any more, and may be lent. */
  onPutBack: (copy: CounterCopy) => void
}

/** Copies that were set aside for whoever waits, instead of being lent. */
export default function AsideLines({ lines, onDismiss, onPutBack }: AsideLinesProps) {
  return (
    <CounterLines title="Réservés">
      {lines.map(({ copy, awaited }) => (
        <CounterLine
          key={copy.id}
          title={copy.name}
          code={copy.bar_code}
          onDismiss={() => onDismiss(copy.id)}
        >
          <AwaitedCopy
            of={`aside ${copy.id}`}
            copy={copy.id}
            bar_code={copy.bar_code}
            title={copy.name}
            awaited={{ ...awaited, is_set_aside: true }}
            isRecorded
            onPutBack={() => onPutBack(copy)}
          />
        </CounterLine>
      ))}
    </CounterLines>
  )
}
