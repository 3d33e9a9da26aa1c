import { mailSent } from '../../domain/sentences/mail.ts'
import { queryClient } from '../api/query-client.ts'
import { say } from '../page/messages.ts'
import { counted } from '../ui/words.ts'
import { mailTransportQuery } from './mail-transport.ts'

/** What became of a mail, by where mails go: on their way, or into a file of the server, which nobody gets. */
type Fate = { sent: string; written: string }

const notConnected = 'le courrier n’est pas branché'

export const oneMail: Fate = {
  sent: mailSent,
  written: `Le courriel est écrit dans un fichier du serveur\u202f: ${notConnected}.`,
}

export const reminders = (count: number): Fate => ({
  sent: `${counted(count, 'relance envoyée', 'relances envoyées')}.`,
  written: `${counted(count, 'relance écrite dans un fichier', 'relances écrites dans des fichiers')} du serveur\u202f: ${notConnected}.`,
})

export const massMails = (count: number): Fate => {
  const none = 'Aucun courriel n’est prêt à partir.'
  return {
    sent: counted(count, 'courriel est prêt à partir.', 'courriels sont prêts à partir.', none),
    written:
      count === 0
        ? none
        : `${counted(count, 'courriel est écrit dans un fichier', 'courriels sont écrits dans des fichiers')} du serveur\u202f: ${notConnected}.`,
  }
}

export const invitation: Fate = {
  sent: 'Invitation envoyée.',
  written: 'Invitation écrite dans un fichier du serveur.',
}

export const trialTo = (address: string): Fate => ({
  sent: `Essai envoyé à ${address}.`,
  written: `Essai écrit dans un fichier du serveur\u202f: ${notConnected}.`,
})

/** Says what became of a mail that the server has taken. */
export async function sayMailed(fate: Fate, options?: { about?: string | undefined }): Promise<void> {
  // Asked of who has just answered; should it fail all the same, most libraries have their mail connected.
  const isConnected = await queryClient.fetchQuery(mailTransportQuery).then(
    ({ connected }) => connected,
    () => true,
  )
  if (isConnected) say(fate.sent, 'good', options)
  else say(fate.written, 'warn', options)
}
