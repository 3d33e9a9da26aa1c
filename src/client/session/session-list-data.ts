import { endSession, endSessions } from '../../contract/sessions.ts'
import { useChange } from '../api/queries.ts'
import { say, sayError } from '../page/messages.ts'
import { counted } from '../ui/words.ts'

export function useEndSession() {
  const { mutateAsync, isPending } = useChange(endSession)
  const end = (id: number) =>
    mutateAsync({ params: { id } }).then(() => void say('Session fermée.'), sayError)
  return { end, isPending }
}

/** All sessions of a person but this one; one's own without a person. */
export function useEndSessions() {
  const { mutateAsync, isPending } = useChange(endSessions)
  const end = (user?: number) =>
    mutateAsync({ body: user === undefined ? {} : { user } }).then(
      ({ ended }) =>
        void say(`${counted(ended, 'session fermée', 'sessions fermées', 'Aucune session fermée')}.`),
      sayError,
    )
  return { end, isPending }
}
