import { Button, Stack, Text } from '@mantine/core'
import { IconCloudOff, IconRefresh } from '@tabler/icons-react'
import type { ReactNode } from 'react'

import { CallError } from '../api/call-error.ts'

export function EmptyState({ message, action }: { message: string; action?: ReactNode }) {
  return (
    <Stack align="center" gap="sm" py="xl" px="md">
      <Text c="dimmed" ta="center" maw="32rem">
        {message}
      </Text>
      {action}
    </Stack>
  )
}

export function ErrorState({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  const message = error instanceof CallError ? error.message : 'Une erreur inattendue s’est produite.'
  return (
    <Stack align="center" gap="sm" py="xl" px="md" role="alert">
      <IconCloudOff size="2rem" aria-hidden />
      <Text ta="center">{message}</Text>
      <Button variant="default" leftSection={<IconRefresh size="1.2em" aria-hidden />} onClick={onRetry}>
        Réessayer
      </Button>
    </Stack>
  )
}
