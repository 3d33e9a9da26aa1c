import '@mantine/core/styles/List.css'

import { Button, Group, List, Modal, Stack, Text, Textarea } from '@mantine/core'
import { useCallback, useRef, useState } from 'react'

import { useRight } from '../session/session.ts'

type Question = { title: string; reasons: readonly string[] }

/**
 * Says why a reader is not eligible; whoever may lend all the same gives a motive. Answers the motive, or null. Render `dialog` once.
 */
export function useIneligibleDialog() {
  const mayOverride = useRight('LOANING_OVERRIDE')
  const [question, setQuestion] = useState<Question | null>(null)
  const [isOpen, setOpen] = useState(false)
  const [motive, setMotive] = useState('')
  const answer = useRef<(motive: string | null) => void>(() => undefined)
  const ask = useCallback((asked: Question): Promise<string | null> => {
    setQuestion(asked)
    setMotive('')
    setOpen(true)
    return new Promise((resolve) => {
      answer.current = resolve
    })
  }, [])
  const settle = (settled: string | null) => {
    setOpen(false)
    answer.current(settled)
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
