import { Button, Group, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'

import { LoadingBlock } from '../ui/loading-text.tsx'
import { ErrorState } from '../ui/states.tsx'
import { counted, frenchInstant } from '../ui/words.ts'
import { useEnvironment } from '../session/environment-data.ts'
import { secondFactorQuery } from '../session/second-factor-data.ts'

const SecondFactorDialog = lazy(() => import('./second-factor-dialog.tsx'))

/** A code of the telephone beside the password, at will or because the profile asks for it. */
export function SecondFactorPanel({ username }: { username: string }) {
  const { data: environment } = useEnvironment()
  const { data, error, refetch } = useQuery(secondFactorQuery)
  const [asked, setAsked] = useState<'set' | 'renew' | 'remove' | null>(null)
  if (error && !data) return <ErrorState error={error} onRetry={() => void refetch()} />
  if (!data || !environment) return <LoadingBlock h="5rem" />
  if (environment.demonstration) {
    return <Text>Les comptes de la démonstration n’ont pas de deuxième facteur.</Text>
  }
  const { confirmed_at, recovery_codes_left, required } = data
  return (
    <>
      {confirmed_at === null ? (
        <Text>À la connexion, un code de votre téléphone peut s’ajouter à votre mot de passe.</Text>
      ) : (
        <Text>
          En service depuis le {frenchInstant(confirmed_at)}.{' '}
          {counted(
            recovery_codes_left,
            'code de secours reste',
            'codes de secours restent',
            'Aucun code de secours ne reste',
          )}
          .{required ? ' Votre profil le demande\u202f: retiré, il est aussitôt à choisir de nouveau.' : ''}
        </Text>
      )}
      <Group mt="md">
        {confirmed_at === null ? (
          <Button onClick={() => setAsked('set')}>Choisir un deuxième facteur</Button>
        ) : (
          <>
            <Button variant="default" onClick={() => setAsked('renew')}>
              Nouveaux codes de secours
            </Button>
            <Button variant="default" onClick={() => setAsked('remove')}>
              Retirer
            </Button>
          </>
        )}
      </Group>
      {asked === null ? null : (
        <Suspense fallback={null}>
          <SecondFactorDialog what={asked} username={username} onClose={() => setAsked(null)} />
        </Suspense>
      )}
    </>
  )
}
