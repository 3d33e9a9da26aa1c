import { Button, Group, Stack, Text } from '@mantine/core'
import { useEffect, useRef } from 'react'

import { ofName } from '../../domain/person-names.ts'
import { useQuestions } from '../ui/use-questions.ts'
import { counted } from '../ui/words.ts'
import styles from './counter.module.css'

/** Whose loan it is, and how many copies it has; `isByHand` where the focus may come to the answers. */
type Question = { name: string; count: number; isByHand: boolean }
type Answer = 'save' | 'drop' | 'stay'

/** Asks what becomes of a loan that is not saved when somebody else is chosen. Render `question` once. */
export function useChangeReader() {
  const { asked, isOpen, ask, settle } = useQuestions<Question, Answer>()
  const question =
    asked && isOpen ? (
      <ChangeReader key={asked.turn} {...asked.question} onSettle={(answer) => settle(asked.turn, answer)} />
    ) : null
  return { ask, question }
}

/** Not a dialog: a card that is scanned opens nothing over the counter, and what comes after it waits in sight. */
function ChangeReader({
  name,
  count,
  isByHand,
  onSettle,
}: Question & { onSettle: (answer: Answer) => void }) {
  const place = useRef<HTMLElement>(null)
  const stay = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    place.current?.scrollIntoView({ block: 'nearest' })
    if (isByHand) stay.current?.focus()
  }, [isByHand])
  return (
    <section ref={place} className={`panel ${styles['asks']}`} aria-label="Changer de lecteur">
      <Stack gap="sm">
        <Text fw={600} role="alert">
          {`Le prêt ${ofName(name)} n’est pas enregistré\u202f: ${counted(count, 'exemplaire en sort', 'exemplaires en sortent')} si vous changez sans l’enregistrer.`}
        </Text>
        <Group gap="sm">
          <Button onClick={() => onSettle('save')}>Enregistrer puis changer</Button>
          <Button variant="default" c="var(--bad-ink)" onClick={() => onSettle('drop')}>
            Changer sans enregistrer
          </Button>
          <Button ref={stay} variant="default" onClick={() => onSettle('stay')}>
            Annuler
          </Button>
        </Group>
      </Stack>
    </section>
  )
}
