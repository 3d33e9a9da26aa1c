import { Alert, Button, Group, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router-dom'

import { type Reference, getReference } from '../../contract/catalogue.ts'
import { CallError } from '../api/call-error.ts'
import { call } from '../api/call.ts'
import { LoadingText } from '../ui/loading-text.tsx'
import { ErrorState } from '../ui/states.tsx'
import { toReferences } from './reference-data.ts'
import { useFieldWords } from './reference-field-data.ts'
import { differencesOf } from './reference-fields.ts'

type ChangedSinceProps = {
  opened: Reference
  version: string
  /** From now on the form is about this version. */
  onTakeOver: (version: string) => void
  onGiveUp: () => void
}

/** What somebody else changed since the form was opened, and whose changes are to stand. */
export function ChangedSince({ opened, version, onTakeOver, onGiveUp }: ChangedSinceProps) {
  const {
    data: now,
    error,
    refetch,
  } = useQuery({
    queryKey: ['references', 'changed since', opened.id, version],
    queryFn: ({ signal }) => call(getReference, { params: { id: opened.id }, signal }),
    staleTime: 0,
  })
  const { labelOf } = useFieldWords()
  if (error instanceof CallError && error.status === 404) return <Gone />
  if (!now) return error ? <ErrorState error={error} onRetry={() => void refetch()} /> : <LoadingText />
  const differences = differencesOf(opened, now)
  const isTaken = now.version === version
  return (
    <Alert color="yellow" role="alert" title="Modifiée par quelqu’un d’autre">
      {differences.length === 0 ? (
        <Text>
          Entre-temps, cette référence a été enregistrée, mais rien de ce que montre ce formulaire n’a changé.
        </Text>
      ) : (
        <>
          <Text>Entre-temps, cette référence a changé&#8239;:</Text>
          <ul>
            {differences.map(({ field, words }) => (
              <li key={field}>
                {labelOf(field)}&#8239;: {words}
              </li>
            ))}
          </ul>
        </>
      )}
      <Text>
        {isTaken
          ? 'Enregistrez\u202f: vos modifications s’ajoutent aux siennes et l’emportent là où elles se touchent.'
          : 'Vos modifications ne sont pas perdues. Gardez-les par-dessus les siennes, ou reprenez la référence comme elle est maintenant.'}
      </Text>
      {isTaken ? null : (
        <Group mt="sm">
          <Button onClick={() => onTakeOver(now.version)}>Garder mes modifications</Button>
          <Button variant="default" onClick={onGiveUp}>
            Reprendre la sienne
          </Button>
        </Group>
      )}
    </Alert>
  )
}

function Gone() {
  return (
    <Alert color="yellow" role="alert" title="Supprimée par quelqu’un d’autre">
      <Text>Cette référence a été supprimée entre-temps.</Text>
      <Button component={Link} to={toReferences.to} variant="default" mt="sm">
        {toReferences.label}
      </Button>
    </Alert>
  )
}
