import { Button, Text } from '@mantine/core'

import type { SettleChoice } from '../../domain/settle-choices.ts'
import type { Entry } from '../../offline/entry.ts'
import { StatusTag } from '../ui/status-tag.tsx'
import { frenchInstant } from '../ui/words.ts'
import { otherSide, stateWords, whatOf } from './entry-words.ts'
import { choicesOf, SettleChoices } from './settle-choices.tsx'
import { useSiteNames } from './site-names.ts'
import styles from './waiting.module.css'

type WaitingRowProps = {
  entry: Entry
  onRetry: () => void
  onSetAside: () => void
  onChoose: (choice: SettleChoice) => void
}

const timeFormat = new Intl.DateTimeFormat('fr-FR', { timeStyle: 'medium' })

/** One action: what, who, when, where; where it stands; and of a refused one, both sides' facts and what may settle it. */
export function WaitingRow({ entry, onRetry, onSetAside, onChoose }: WaitingRowProps) {
  const siteOf = useSiteNames()
  const { word, tone } = stateWords[entry.state]
  const isRefused = entry.state === 'conflict' || entry.state === 'quarantined'
  const facts = entry.problem ? otherSide(entry.problem, entry.device_id) : []
  const hasChoices = choicesOf(entry).length > 0
  const mayBeDropped = !hasChoices && (isRefused || (entry.state !== 'sending' && entry.attempts === 0))
  return (
    <li className={styles['row']} data-tone={tone}>
      <div>
        <div className={styles['title']}>{entry.label.title}</div>
        <div>{whatOf(entry)}</div>
        <Text size="sm" c="dimmed">
          {[whoOf(entry), frenchInstant(entry.occurred_at), siteOf(entry.site)].join(' · ')}
        </Text>
        {entry.state === 'queued' && entry.attempts > 0 ? (
          <Text size="sm" c="dimmed">
            {entry.next_try > Date.now()
              ? `Sans réponse, nouvel essai à ${timeFormat.format(entry.next_try)}`
              : 'Sans réponse, nouvel essai dès que possible'}
          </Text>
        ) : null}
      </div>
      <StatusTag tone={tone}>{word}</StatusTag>
      {entry.problem ? <p className={styles['reason']}>{entry.problem.message}</p> : null}
      {isRefused && facts.length > 0 ? (
        <div className={styles['sides']}>
          <Side title="Ici">
            {[whatOf(entry), `Enregistré le ${frenchInstant(entry.occurred_at)} par ${entry.username}`]}
          </Side>
          <Side title="Sur le serveur">{facts}</Side>
        </div>
      ) : null}
      {hasChoices ? <SettleChoices entry={entry} onChoose={onChoose} /> : null}
      <div className={styles['buttons']}>
        {entry.state === 'sending' ? null : (
          <Button variant={hasChoices ? 'subtle' : 'light'} onClick={onRetry}>
            Réessayer
          </Button>
        )}
        {mayBeDropped ? (
          <Button variant="default" onClick={onSetAside}>
            Mettre de côté
          </Button>
        ) : null}
      </div>
    </li>
  )
}

const whoOf = ({ username, adopted_by }: Entry): string =>
  adopted_by ? `${username}, repris par ${adopted_by.username}` : username

function Side({ title, children }: { title: string; children: string[] }) {
  return (
    <div className={styles['side']}>
      <h4>{title}</h4>
      {children.map((fact) => (
        <p key={fact}>{fact}</p>
      ))}
    </div>
  )
}
