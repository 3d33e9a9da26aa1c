import { Button, type SkeletonProps, Stack, Text } from '@mantine/core'
import { IconAlertTriangle, IconCloudOff, IconRefresh } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { Link } from 'react-router-dom'

import { CallError } from '../api/call-error.ts'
import { inWords } from '../page/house-words.ts'
import { LoadingBlock } from './loading-text.tsx'

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

export type UnreadProps = {
  error: unknown
  onRetry: () => unknown
  /** Where to go when nothing is to be had here; home unless said. */
  lead?: { to: string; label: string } | undefined
}

/** In the place of what is not read yet: its outline, or why it could not be read. */
export const UnreadState = ({ error, onRetry, lead, ...outline }: UnreadProps & SkeletonProps) =>
  error ? <ErrorState error={error} onRetry={onRetry} lead={lead} /> : <LoadingBlock {...outline} />

/** What happened, and Réessayer; or where to go, when trying again would change nothing. */
export function ErrorState({ error, onRetry, lead = home }: UnreadProps) {
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
      <Button
        variant="default"
        leftSection={<IconRefresh size="1.2em" aria-hidden />}
        onClick={() => void onRetry()}
      >
        Réessayer
      </Button>
    </Stack>
  )
}

const home = { to: '/home', label: 'Revenir à l’accueil' }
