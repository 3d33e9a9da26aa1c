import { Anchor, Button, Stack, Text, Title } from '@mantine/core'
import { useRouteError } from 'react-router-dom'

import { CallError } from '../api/call-error.ts'
import { useStandingScreen } from '../scanner/scan-source.tsx'

/** Something broke that no screen foresaw; nothing in the outbox is touched by it. */
export function ErrorScreen() {
  useStandingScreen()
  const error = useRouteError()
  const isOldVersion =
    error instanceof TypeError && /dynamically imported module|module script/i.test(error.message)
  return (
    <Stack align="center" justify="center" mih="60dvh" p="xl" role="alert">
      <Title order={1} size="h2">
        {isOldVersion ? 'Cet écran n’est pas disponible hors ligne' : 'Une erreur inattendue s’est produite'}
      </Title>
      <Text ta="center" maw="34rem">
        Vos prêts et retours enregistrés ne sont pas touchés. Rechargez la page{'\u202f'}; si cela recommence,
        revenez à l’accueil.
      </Text>
      {error instanceof CallError && <Text ta="center">{error.message}</Text>}
      <Button onClick={() => location.reload()}>Recharger</Button>
      <Anchor href="/home">Revenir à l’accueil</Anchor>
    </Stack>
  )
}
