import { Button, Text } from '@mantine/core'

import type { SettleChoice } from '../../domain/settle-choice-codes.ts'
import { choiceOf, choicesFor } from '../../domain/settle-choices.ts'
import type { Entry } from '../../offline/entry.ts'
import { refusedKindOf } from '../../offline/refused-action.ts'
import { useRights } from '../api/session.ts'
import { settleHints } from './settle-words.ts'
import styles from './waiting.module.css'

type SettleChoicesProps = { entry: Entry; onChoose: (choice: SettleChoice) => void }

/** Usual choice first; choices that need a missing right say so. */
export function SettleChoices({ entry, onChoose }: SettleChoicesProps) {
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

export function choicesOf(entry: Entry): readonly SettleChoice[] {
  const { state, problem } = entry
  if (state !== 'conflict' || problem === null) return []
  const fields = (problem.facts?.violations ?? []).map(({ propertyPath }) => propertyPath)
  return choicesFor(refusedKindOf(entry), { ...problem, fields })
}
