import { Text } from '@mantine/core'
import { memo, useState } from 'react'

import type { Settlement } from '../../contract/conflicts.ts'
import { choiceOf } from '../../domain/settle-choices.ts'
import type { Entry } from '../../offline/entry.ts'
import { usePersonName } from '../session/person-name.ts'
import { StatusTag } from '../ui/status-tag.tsx'
import { useGradually } from '../ui/use-gradually.ts'
import { counted, frenchInstant } from '../ui/words.ts'
import { stateWords, whatOf } from '../outbox/entry-words.ts'
import styles from './waiting.module.css'

export function DoneToday({ entries }: { entries: readonly Entry[] }) {
  const [isOpen, setOpen] = useState(false)
  const shown = useGradually(isOpen ? entries.length : 0)
  return (
    <details onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary className={styles['summary']}>
        {counted(entries.length, 'action terminée', 'actions terminées')} aujourd’hui
      </summary>
      <ol className={styles['list']}>
        {isOpen ? entries.slice(0, shown).map((entry) => <DoneRow key={entry.id} entry={entry} />) : null}
      </ol>
    </details>
  )
}

const DoneRow = memo(function DoneRow({ entry }: { entry: Entry }) {
  const nameOf = usePersonName()
  return (
    <li className={styles['row']}>
      <div>
        <h2 className={styles['title']}>{entry.label.title}</h2>
        <div>{whatOf(entry)}</div>
        <Text size="sm" c="dimmed">
          {frenchInstant(entry.occurred_at)} · {nameOf(entry.username)}
        </Text>
        {settledBefore(entry) ? <Text size="sm">{settledBefore(entry)}</Text> : null}
        {entry.decision ? (
          <Text size="sm">
            {nameOf(entry.decision.username)}&#8239;: {entry.decision.reason}
          </Text>
        ) : null}
      </div>
      <StatusTag tone={stateWords[entry.state].tone}>{stateWords[entry.state].word}</StatusTag>
    </li>
  )
})

/** Who had settled the conflict before, and how. */
function settledBefore({ receipt }: Entry): string | null {
  const told = receipt as Partial<Settlement> | null
  if (told?.['@type'] !== 'Settlement' || told.is_first !== false || !told.choice || !told.settled_at)
    return null
  return `Déjà réglé par ${told.settled_by} le ${frenchInstant(told.settled_at)}\u202f: ${choiceOf(told.choice).label}`
}
