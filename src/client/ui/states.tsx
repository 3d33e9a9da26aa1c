import { Button, Stack, Text } from '@mantine/core'
import { IconAlertTriangle, IconCloudOff, IconRefresh } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { Link } from 'react-router-dom'

import { CallError } from '../api/call-error.ts'
import { inWords } from '../page/house-words.ts'

type StateProps = { message: string; action?: ReactNode }

export const EmptyState = ({ message, action }: StateProps) => (
  <State message={inWords(message)} action={action} />
)

function State({ message, action }: StateProps) {
  return (
    <Stack align="center" gap="sm" py="xl" px="md">
      <Text c="dimmed" ta="center" maw="32rem">
        {message}
      </Text>
      {action}
    </Stack>
  )
}

/** Whether the answer would be the same again: it is not there, not for this person, or refused as it was asked. */
const isFinal = (error: unknown): boolean =>
  error instanceof CallError && [400, 403, 404, 409, 422].includes(error.status)

type ErrorStateProps = {
  error: unknown
  onRetry: () => void
  /** Where to go when nothing is to be had here; home unless said. */
  lead?: { to: string; label: string }
}

/** What happened, and Réessayer; or where to go, when trying again would change nothing. */
export function ErrorState({ error, onRetry, lead = home }: ErrorStateProps) {
  const message =
    error instanceof CallError ? inWords(error.message) : 'Une erreur inattendue s’est produite.'
  if (isFinal(error)) {
    return (
      <div role="alert">
        <State
          message={message}
          action={
            <Button component={Link} to={lead.to} variant="default">
              {inWords(lead.label)}
            </Button>
          }
        />
      </div>
    )
  }
  const Icon = error instanceof CallError && error.isNoNetwork ? IconCloudOff : IconAlertTriangle
  return (
    <Stack align="center" gap="sm" py="xl" px="md" role="alert">
      <Icon size="2rem" aria-hidden />
      <Text ta="center">{message}</Text>
      <Button variant="default" leftSection={<IconRefresh size="1.2em" aria-hidden />} onClick={onRetry}>
        Réessayer
      </Button>
    </Stack>
  )
}

const home = { to: '/home', label: 'Revenir à l’accueil' }
