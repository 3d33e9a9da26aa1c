import { Alert, Button, Group, Text } from '@mantine/core'
import { IconWorldSearch } from '@tabler/icons-react'
import { useEffect, useEffectEvent, useState } from 'react'

import { type FoundReference, lookUpCode } from '../../contract/external-codes.ts'
import { CallError } from '../api/call-error.ts'
import { call } from '../api/call.ts'

type LookUpNoticeProps = {
  /** An ISBN-13 or an EAN. */
  code: string
  /** Asked at once, such as for a code that was scanned. */
  isAsked: boolean
  /** The notice that was found; null from when it is asked for. */
  onNotice: (notice: FoundReference | null) => void
}

const notFoundOut = 'La recherche n’a pas abouti\u202f: réessayez, ou remplissez la notice à la main.'

type Asking = { state: 'idle' | 'asking' | 'found' } | { state: 'failed'; message: string }

/** Asks the catalogues outside what a code is, and says what came of it. */
export function LookUpNotice({ code, isAsked, onNotice }: LookUpNoticeProps) {
  const [asking, setAsking] = useState<Asking>({ state: 'idle' })
  const ask = useEffectEvent((signal: AbortSignal) => {
    setAsking({ state: 'asking' })
    onNotice(null)
    call(lookUpCode, { params: { code }, signal }).then(
      (found) => {
        if (signal.aborted) return
        setAsking({ state: 'found' })
        onNotice(found)
      },
      (error: unknown) => {
        if (signal.aborted) return
        // The number of an incident helps nobody here: what to do instead does.
        const isTold = error instanceof CallError && error.status !== 500
        const message = isTold ? error.message : notFoundOut
        setAsking({ state: 'failed', message })
      },
    )
  })
  const [turn, setTurn] = useState(isAsked ? 1 : 0)
  useEffect(() => {
    if (turn === 0) return
    const ending = new AbortController()
    ask(ending.signal)
    return () => ending.abort()
  }, [turn])
  return (
    <Alert color={asking.state === 'failed' ? 'yellow' : 'lamp'} role="status">
      <Group justify="space-between">
        <Text>
          {asking.state === 'failed'
            ? asking.message
            : asking.state === 'found'
              ? 'Notice trouvée\u202f: relisez-la, puis enregistrez.'
              : asking.state === 'asking'
                ? 'Recherche de la notice…'
                : `La notice du code ${code} peut être cherchée à la BnF et à Open Library.`}
        </Text>
        {asking.state === 'found' ? null : (
          <Button
            variant="default"
            loading={asking.state === 'asking'}
            leftSection={<IconWorldSearch size="1.2em" aria-hidden />}
            onClick={() => setTurn(turn + 1)}
          >
            Chercher la notice
          </Button>
        )}
      </Group>
    </Alert>
  )
}
