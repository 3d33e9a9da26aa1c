import AwaitedCopy from '../reservations/awaited-copy.tsx'
import { StatusTag } from '../ui/status-tag.tsx'
import { inWords } from '../page/house-words.ts'
import { CounterLine, CounterLines } from './counter-lines.tsx'
import type { ReceivedLine } from './return-engine.ts'

type ReceivedLinesProps = { lines: readonly ReceivedLine[]; onDismiss: (copy: number) => void }

/** Copies scanned among the returns that another site had sent here. */
export default function ReceivedLines({ lines, onDismiss }: ReceivedLinesProps) {
  return (
    <CounterLines title={inWords('Exemplaires reçus')}>
      {lines.map(({ copy, title, bar_code, from, awaited }) => (
        <CounterLine key={copy} title={title} onDismiss={() => onDismiss(copy)}>
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
        </CounterLine>
      ))}
    </CounterLines>
  )
}
