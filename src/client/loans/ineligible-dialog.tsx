import '@mantine/core/styles/List.css'

import { Button, Group, List, Modal, Stack, Text, Textarea } from '@mantine/core'
import { useCallback, useState } from 'react'

import { useRight } from '../session/session.ts'
import { useAnswer } from '../ui/use-answer.ts'

type Question = { title: string; reasons: readonly string[] }

/**
 * Says why a reader is not eligible; whoever may lend all the same gives a motive. Answers the motive, or null. Render `dialog` once.
 */
export function useIneligibleDialog() {
  const mayOverride = useRight('LOANING_OVERRIDE')
  const [question, setQuestion] = useState<Question | null>(null)
  const [isOpen, setOpen] = useState(false)
  const [motive, setMotive] = useState('')
  const answer = useAnswer<string | null>(null)
  const { wait } = answer
  const ask = useCallback(
    (asked: Question): Promise<string | null> => {
      setQuestion(asked)
      setMotive('')
      setOpen(true)
      return wait()
    },
    [wait],
  )
  const settle = (settled: string | null) => {
    setOpen(false)
    answer.settle(settled)
  }
  const dialog = (
    <Modal opened={isOpen} onClose={() => settle(null)} title="Le bénéficiaire n'est pas éligible.">
      <form
        onSubmit={(event) => {
          event.preventDefault()
          if (motive.trim() !== '') settle(motive.trim())
        }}
      >
        <Stack>
          <Text fw={600}>{question?.title}</Text>
          <List spacing="xs">
            {question?.reasons.map((reason) => (
              <List.Item key={reason}>{reason}</List.Item>
            ))}
          </List>
          {mayOverride ? (
            <Textarea
              label="Motif pour prêter quand même"
              value={motive}
              onChange={(event) => setMotive(event.currentTarget.value)}
              maxLength={500}
            />
          ) : null}
          <Group justify="flex-end">
            <Button variant={mayOverride ? 'default' : 'filled'} onClick={() => settle(null)} data-autofocus>
              {mayOverride ? 'Ne pas prêter' : 'Fermer'}
            </Button>
            {mayOverride ? (
              <Button type="submit" disabled={motive.trim() === ''}>
                Prêter quand même
              </Button>
            ) : null}
          </Group>
        </Stack>
      </form>
    </Modal>
  )
  return { ask, dialog }
}
