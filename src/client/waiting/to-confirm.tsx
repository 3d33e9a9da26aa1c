import { Button, Text, Title } from '@mantine/core'
import { IconCheck } from '@tabler/icons-react'
import { useEffect, useState } from 'react'

import type { Entry } from '../../offline/entry.ts'
import { isLost } from '../../offline/unproven.ts'
import { useSnapshotState } from '../outbox/counter-work.ts'
import { useConfirm } from '../ui/dialogs/confirm.tsx'
import { frenchInstant } from '../ui/words.ts'
import { sealedFacts } from './sealed-facts.ts'
import { useSiteNames } from './waiting-row.tsx'
import styles from './waiting.module.css'

type ToConfirmProps = {
  entries: readonly Entry[]
  onConfirm: (ids: readonly string[]) => void
  onDrop: (entry: Entry) => void
}

/** Actions in the person's name without proof: they read each one, then confirm it or drop it. */
export function ToConfirm({ entries, onConfirm, onDrop }: ToConfirmProps) {
  const confirm = useConfirm()
  const read = useSealedFacts(entries)
  const factsOf = (entry: Entry) => read.get(`${entry.id} ${entry.frozen_body}`)
  // An unreadable action can only be dropped.
  const readable = entries.filter((entry) => Array.isArray(factsOf(entry)))
  const isAllRead = entries.every((entry) => factsOf(entry) !== undefined)
  const confirmAll = async () => {
    const isSure = await confirm({
      title: `Confirmer les ${readable.length} actions`,
      message: `Elles seront envoyées en votre nom. Confirmez-les seulement si vous les avez faites vous-même.`,
      acts: 'sends',
    })
    if (isSure) onConfirm(readable.map(({ id }) => id))
  }
  return (
    <section aria-labelledby="a-confirmer" className={styles['toConfirm']}>
      <div className={styles['toConfirmHead']}>
        <div>
          <Title order={2} size="h4" id="a-confirmer">
            À confirmer
          </Title>
          <Text size="sm" c="dimmed">
            {entries.every(isLost)
              ? 'Le serveur ne connaît plus ces actions, confirmées avant une panne ou une reprise de sa base.'
              : 'Ces actions sont à votre nom sans que rien le prouve.'}{' '}
            Lisez-les&#8239;: elles ne partiront que confirmées.
          </Text>
        </div>
        {entries.length > 1 && (readable.length > 1 || !isAllRead) ? (
          <Button variant="default" disabled={!isAllRead} onClick={() => void confirmAll()}>
            Confirmer les {isAllRead ? readable.length : entries.length} actions
          </Button>
        ) : null}
      </div>
      <ol className={styles['list']}>
        {entries.map((entry) => (
          <Row
            key={entry.id}
            entry={entry}
            facts={factsOf(entry)}
            onConfirm={() => onConfirm([entry.id])}
            onDrop={() => onDrop(entry)}
          />
        ))}
      </ol>
    </section>
  )
}

function Row({
  entry,
  facts,
  onConfirm,
  onDrop,
}: {
  entry: Entry
  facts: readonly string[] | 'unreadable' | undefined
  onConfirm: () => void
  onDrop: () => void
}) {
  const siteOf = useSiteNames()
  const isRead = Array.isArray(facts)
  const [what = entry.label.title, ...terms] = isRead ? facts : []
  return (
    <li className={styles['row']} data-tone="warn" data-entry={entry.id}>
      <div>
        <h3 className={styles['title']} tabIndex={-1}>
          {what}
        </h3>
        {terms.map((fact) => (
          <div key={fact}>{fact}</div>
        ))}
        <Text size="sm" c="dimmed">
          {[siteOf(entry.site), frenchInstant(entry.occurred_at)].join(' · ')}
        </Text>
      </div>
      {facts === 'unreadable' ? (
        <p className={styles['reason']}>
          Cette action ne peut pas être lue&#8239;: elle ne peut qu’être mise de côté.
        </p>
      ) : null}
      {entry.problem ? <p className={styles['reason']}>{entry.problem.message}</p> : null}
      <div className={styles['buttons']}>
        <Button variant="default" onClick={onDrop} aria-label={`Mettre de côté\u202f: ${what}`}>
          Mettre de côté
        </Button>
        <Button
          leftSection={<IconCheck size="1.2em" aria-hidden />}
          disabled={!isRead}
          onClick={onConfirm}
          aria-label={`Confirmer\u202f: ${what}`}
        >
          Confirmer
        </Button>
      </div>
    </li>
  )
}

/** Absent until read. */
type Read = ReadonlyMap<string, readonly string[] | 'unreadable'>

function useSealedFacts(entries: readonly Entry[]): Read {
  const [read, setRead] = useState<Read>(new Map())
  // Names are known once the device has a snapshot.
  const refreshed_at = useSnapshotState()?.refreshed_at
  // Each reading of the outbox makes new objects, so their bodies tell whether anything changed.
  const bodies = entries.map(({ id, frozen_body }) => `${id} ${frozen_body}`).join('\n')
  useEffect(() => {
    let isOver = false
    const reading = entries.map(async (entry) => {
      const facts = await sealedFacts(entry).catch(() => 'unreadable' as const)
      return [`${entry.id} ${entry.frozen_body}`, facts] as const
    })
    void Promise.all(reading).then((facts) => {
      if (!isOver) setRead(new Map(facts))
    })
    return () => {
      isOver = true
    }
    // oxlint-disable-next-line react/exhaustive-deps -- see bodies
  }, [bodies, refreshed_at])
  return read
}
