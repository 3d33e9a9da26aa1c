import type { CounterCopy } from '../catalogue/counter-copy.ts'
import type { Awaited } from '../reservations/awaited.ts'
import AwaitedCopy from '../reservations/awaited-copy.tsx'
import { CounterLine, CounterLines } from './counter-lines.tsx'

export type AsideLine = { copy: Pick<CounterCopy, 'id' | 'bar_code' | 'name'>; awaited: Awaited }

type AsideLinesProps = { lines: readonly AsideLine[]; onDismiss: (copy: number) => void }

/** Copies that were set aside for whoever waits, instead of being lent. */
export default function AsideLines({ lines, onDismiss }: AsideLinesProps) {
  return (
    <CounterLines title="Réservés">
      {lines.map(({ copy: { id, bar_code, name }, awaited }) => (
        <CounterLine key={id} title={name} code={bar_code} onDismiss={() => onDismiss(id)}>
          <AwaitedCopy
            of={`aside ${id}`}
            copy={id}
            bar_code={bar_code}
            title={name}
            awaited={{ ...awaited, is_set_aside: true }}
            isRecorded
          />
        </CounterLine>
      ))}
    </CounterLines>
  )
}
