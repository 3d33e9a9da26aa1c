import { Alert, Anchor } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'

import { mailTransportQuery } from './mail-transport.ts'

/** Where no mail leaves, says so to whoever could have it mended. */
export function MailNotice() {
  const { data, isPending } = useQuery(mailTransportQuery)
  // What stands under it waits for its place.
  if (isPending) return <span data-coming hidden />
  if (data?.connected !== false) return null
  return (
    <Alert color="yellow" role="note" title="Le courrier n’est pas branché">
      Aucun courriel ne part d’ici{'\u202f'}: chacun est écrit dans un fichier du serveur, et n’arrive à
      personne.{' '}
      <Anchor inherit underline="always" href="/guide/mails.html" target="_blank">
        Comment brancher le courrier
      </Anchor>
    </Alert>
  )
}
