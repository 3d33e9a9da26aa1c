import { Button, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { memo } from 'react'

import type { SettleChoice } from '../../domain/settle-choice-codes.ts'
import { choiceOf, choicesFor } from '../../domain/settle-choices.ts'
import { type Entry, isRefused } from '../../offline/entry.ts'
import { refusedKindOf } from '../../offline/refused-action.ts'
import { useRights, useSession } from '../api/session.ts'
import { ownDeviceQuery } from '../devices/device-data.ts'
import { otherSide, readWords, refusalWords, stateWords, whatOf } from '../outbox/entry-words.ts'
import { usePersonName } from '../session/person-name.ts'
import { useIsMultisite } from '../settings/multisite.ts'
import { StatusTag } from '../ui/status-tag.tsx'
import { frenchInstant } from '../ui/words.ts'
import { settleHints } from './settle-dialog.tsx'
import styles from './waiting.module.css'

type SettleChoicesProps = { entry: Entry; onChoose: (choice: SettleChoice) => void }

/** Usual choice first; choices that need a missing right say so. */
function SettleChoices({ entry, onChoose }: SettleChoicesProps) {
  const rights = useRights()
  return (
    <ul className={styles['choices']} aria-label="Comment régler">
      {choicesOf(entry).map((choice, at) => {
        const { label, right } = choiceOf(choice)
        const isAllowed = right === null || rights.includes(right)
        return (
          <li key={choice}>
            <Button
              variant={at === 0 ? 'filled' : 'light'}
              fullWidth
              className={styles['choice']}
              disabled={!isAllowed}
              onClick={() => onChoose(choice)}
            >
              {label}
            </Button>
            <Text size="sm" c="dimmed">
              {isAllowed
                ? settleHints[choice]
                : 'Vous n’en avez pas le droit\u202f: demandez à un responsable.'}
            </Text>
          </li>
        )
      })}
    </ul>
  )
}

function choicesOf(entry: Entry): readonly SettleChoice[] {
  const { state, problem } = entry
  if (state !== 'conflict' || problem === null) return []
  const fields = (problem.facts?.violations ?? []).map(({ propertyPath }) => propertyPath)
  return choicesFor(refusedKindOf(entry), { ...problem, fields })
}

type WaitingRowProps = {
  entry: Entry
  onRetry: (entry: Entry) => void
  onDrop: (entry: Entry) => void
  onChoose: (entry: Entry, choice: SettleChoice) => void
}

const timeFormat = new Intl.DateTimeFormat('fr-FR', { timeStyle: 'medium' })

/** Memoised: keep the handlers from one render to the next. */
export const WaitingRow = memo(function WaitingRow({ entry, onRetry, onDrop, onChoose }: WaitingRowProps) {
  const siteOf = useSiteNames()
  const nameOf = usePersonName()
  const { word, tone } = stateWords[entry.state]
  const wasRefused = isRefused(entry)
  const facts = wasRefused && entry.problem ? otherSide(entry.problem, entry.device_id) : []
  const refusal = refusalWords(entry)
  const own_device = useQuery(ownDeviceQuery).data
  const read = wasRefused ? readWords(entry, own_device) : []
  const hasChoices = choicesOf(entry).length > 0
  const mayBeDropped = !hasChoices && (wasRefused || (entry.state !== 'sending' && entry.attempts === 0))
  return (
    <li className={styles['row']} data-tone={tone} data-entry={entry.id}>
      <div>
        <h2 className={styles['title']} tabIndex={-1}>
          {entry.label.title}
        </h2>
        {facts.length > 0 ? null : (
          <>
            <div>{whatOf(entry)}</div>
            <Text size="sm" c="dimmed">
              {[whoOf(entry, nameOf), frenchInstant(entry.occurred_at), siteOf(entry.site)]
                .filter(Boolean)
                .join(' · ')}
            </Text>
            {read.length > 0 ? <Text size="sm">{read.join(' · ')}</Text> : null}
          </>
        )}
        {entry.state === 'queued' && entry.attempts > 0 ? (
          <Text size="sm" c="dimmed">
            {entry.next_try > Date.now()
              ? `Sans réponse, nouvel essai à ${timeFormat.format(entry.next_try)}`
              : 'Sans réponse, nouvel essai dès que possible'}
          </Text>
        ) : null}
      </div>
      <StatusTag tone={tone}>{word}</StatusTag>
      {refusal === null ? null : <p className={styles['reason']}>{refusal}</p>}
      {facts.length > 0 ? (
        <div className={styles['sides']}>
          <Side title="Ici">
            {[
              whatOf(entry),
              `Enregistré le ${frenchInstant(entry.occurred_at)} par ${whoOf(entry, nameOf)}`,
              siteOf(entry.site),
              ...read,
            ].filter(Boolean)}
          </Side>
          <Side title="Sur le serveur">{facts}</Side>
        </div>
      ) : null}
      {hasChoices ? <SettleChoices entry={entry} onChoose={(choice) => onChoose(entry, choice)} /> : null}
      <div className={styles['buttons']}>
        {entry.state === 'sending' ? null : (
          <Button variant={wasRefused && !hasChoices ? 'light' : 'subtle'} onClick={() => onRetry(entry)}>
            Réessayer
          </Button>
        )}
        {mayBeDropped ? (
          <Button variant={wasRefused ? 'default' : 'subtle'} onClick={() => onDrop(entry)}>
            Mettre de côté
          </Button>
        ) : null}
      </div>
    </li>
  )
})

const whoOf = ({ username, adopted_by }: Entry, nameOf: (username: string) => string): string =>
  adopted_by ? `${nameOf(username)}, repris par ${nameOf(adopted_by.username)}` : nameOf(username)

function Side({ title, children }: { title: string; children: string[] }) {
  return (
    <div className={styles['side']}>
      <h3>{title}</h3>
      {children.map((fact) => (
        <p key={fact}>{fact}</p>
      ))}
    </div>
  )
}

/** Empty in a library with a single site. */
export function useSiteNames(): (site: number) => string {
  const sites = useSession()?.user?.sites ?? []
  const isMultisite = useIsMultisite()
  return (site) =>
    !isMultisite
      ? ''
      : site === 0
        ? 'Tous les sites'
        : (sites.find(({ id }) => id === site)?.name ?? `Site ${site}`)
}
