import { Button, Group, Stack, Text } from '@mantine/core'
import { IconLogout, IconUsers } from '@tabler/icons-react'
import { useState } from 'react'

import type { SignOutQuestion } from '../session/sign-out-question.ts'
import { readSignOutQuestion, useSignOutAtOnce } from '../session/use-sign-out.ts'

/** The question replaced the pressed button: the focus starts on the way back. */
const focusAtOnce = (button: HTMLButtonElement | null) => button?.focus()

/** Leaves the lock without its code, by signing out. */
export function LeaveButtons({ forAnother = false }: { forAnother?: boolean }) {
  const signOut = useSignOutAtOnce()
  const [question, setQuestion] = useState<SignOutQuestion | null>(null)
  const [isBusy, setBusy] = useState(false)
  const leave = async () => {
    setBusy(true)
    await signOut()
  }
  const ask = async () => {
    const read = await readSignOutQuestion()
    if (read?.isNeeded) setQuestion(read)
    else await leave()
  }
  if (question) {
    const { title, message } = question
    return (
      <Stack gap="sm" role="group" aria-label={title}>
        <Text fw={600}>{title}</Text>
        <Text role="alert">{message}</Text>
        <Group justify="flex-end">
          <Button ref={focusAtOnce} variant="default" disabled={isBusy} onClick={() => setQuestion(null)}>
            Annuler
          </Button>
          <Button loading={isBusy} onClick={() => void leave()}>
            Valider
          </Button>
        </Group>
      </Stack>
    )
  }
  return (
    <Group justify="center" gap="xs">
      {forAnother ? (
        <Button
          variant="default"
          leftSection={<IconUsers size="1.2em" aria-hidden />}
          disabled={isBusy}
          onClick={() => void ask()}
        >
          Quelqu’un d’autre
        </Button>
      ) : null}
      <Button
        variant={forAnother ? 'subtle' : 'default'}
        color="gray"
        c="inherit"
        leftSection={<IconLogout size="1.2em" aria-hidden />}
        disabled={isBusy}
        onClick={() => void ask()}
      >
        Se déconnecter
      </Button>
    </Group>
  )
}
