import { randomUUID } from 'node:crypto'

import type { AnswerOf } from '../../contract/endpoint.ts'
import type { tryMail as tryMailCall } from '../../contract/mail-transport.ts'
import type { Db } from '../db/handles.ts'
import type { Exchange } from '../http/exchange.ts'
import { done, type Outcome, violation } from '../http/outcome.ts'

/** Outside the outbox, so that the answer of the mail server can be told at once. */
export async function tryMail(
  db: Db,
  _input: unknown,
  { caller, now, parameters, mailTransport }: Exchange,
): Promise<Outcome<AnswerOf<typeof tryMailCall>>> {
  const { email } = await db
    .selectFrom('users')
    .select('email')
    .where('id', '=', caller.user_id)
    .executeTakeFirstOrThrow()
  if (email === null)
    return violation('email', 'Votre compte n’a pas d’adresse électronique\u202f: donnez-la d’abord.')
  const delivery = await mailTransport?.send({
    key: randomUUID(),
    to_address: email,
    subject: `Courriel d’essai de ${parameters.get('work_council')}`,
    html: 'Ce courriel d’essai est arrivé\u202f: le courrier est branché.',
    created_at: now.toISOString(),
    holds_link: false,
  })
  if (!delivery) return done({ outcome: 'failed', message: nothingWritten })
  if (!delivery.ok) return done({ outcome: 'failed', message: delivery.message })
  return done(
    delivery.as === 'written'
      ? { outcome: 'written', message: inFile }
      : {
          outcome: 'sent',
          message: `Le serveur de messagerie a pris le courriel pour ${email}. S’il n’arrive pas d’ici quelques minutes, cherchez-le parmi les indésirables.`,
        },
  )
}

const inFile =
  'L’essai est écrit dans un fichier du serveur, et n’arrive à personne\u202f: le courrier n’est pas branché.'

/** Of a process that neither sends mails nor makes files of them. */
const nothingWritten = 'L’essai n’est pas écrit\u202f: ce serveur n’a pas de courrier.'
