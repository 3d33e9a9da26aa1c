import { Alert, Button, Group, Text } from '@mantine/core'
import { type QueryKey, useQuery } from '@tanstack/react-query'
import { Link } from 'react-router-dom'

import { CallError } from '../../api/call-error.ts'
import { LoadingText } from '../loading-text.tsx'
import { ErrorState } from '../states.tsx'
import { inWords } from '../../page/house-words.ts'

export type Difference = { label: string; words: string }

type ChangedSinceProps<T extends { version: string }> = {
  /** With its article, and feminine, as the sentences are: « cette référence ». */
  noun: string
  queryKey: QueryKey
  read: (signal: AbortSignal) => Promise<T>
  differencesOf: (now: T) => readonly Difference[]
  version: string
  /** From now on the form is about this version. */
  onTakeOver: (version: string) => void
  onGiveUp: () => void
  /** Where to go when it is gone. */
  lead: { to: string; label: string }
}

/** What somebody else changed since the form was opened, and whose changes are to stand (decision 0020). */
export function ChangedSince<T extends { version: string }>(props: ChangedSinceProps<T>) {
  const { noun, queryKey, read, differencesOf, version, onTakeOver, onGiveUp, lead } = props
  const {
    data: now,
    error,
    refetch,
  } = useQuery({
    queryKey: [...queryKey, 'changed since', version],
    queryFn: ({ signal }) => read(signal),
    staleTime: 0,
  })
  if (error instanceof CallError && error.status === 404) return <Gone noun={noun} lead={lead} />
  if (!now) return error ? <ErrorState error={error} onRetry={refetch} /> : <LoadingText />
  const differences = differencesOf(now)
  const isTaken = now.version === version
  return (
    <Alert color="yellow" role="alert" title="Modifiée par quelqu’un d’autre">
      {differences.length === 0 ? (
        <Text>
          Entre-temps, {noun} a été enregistrée, mais rien de ce que montre ce formulaire n’a changé.
        </Text>
      ) : (
        <>
          <Text>Entre-temps, {noun} a changé&#8239;:</Text>
          <ul className="marked">
            {differences.map(({ label, words }) => (
              <li key={label}>
                {label}&#8239;: {words}
              </li>
            ))}
          </ul>
        </>
      )}
      <Text>
        {isTaken
          ? 'Enregistrez\u202f: vos modifications s’ajoutent aux siennes et l’emportent là où elles se touchent.'
          : `Vos modifications ne sont pas perdues. Gardez-les par-dessus les siennes, ou reprenez ${noun} comme elle est maintenant.`}
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

function Gone({ noun, lead }: Pick<ChangedSinceProps<never>, 'noun' | 'lead'>) {
  return (
    <Alert color="yellow" role="alert" title="Supprimée par quelqu’un d’autre">
      <Text>{noun.replace(/^c/, 'C')} a été supprimée entre-temps.</Text>
      <Button component={Link} to={lead.to} variant="default" mt="sm">
        {inWords(lead.label)}
      </Button>
    </Alert>
  )
}

export const becameWords = (was: string, now: string): string =>
  `«\u00a0${was || 'vide'}\u00a0» est devenu «\u00a0${now || 'vide'}\u00a0»`
