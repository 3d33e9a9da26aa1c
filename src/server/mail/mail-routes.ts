import { randomUUID } from 'node:crypto'

import { remindBeneficiary as remindBeneficiaryCall } from '../../contract/beneficiaries.ts'
import type { AnswerOf } from '../../contract/endpoint.ts'
import * as letters from '../../contract/letters.ts'
import * as templates from '../../contract/mail-templates.ts'
import * as transport from '../../contract/mail-transport.ts'
import * as call from '../../contract/mail.ts'
import type { Db } from '../db/handles.ts'
import { type Binding, change, changeUnkept, file, longRead, read } from '../http/binding.ts'
import type { Exchange } from '../http/exchange.ts'
import { done, type Outcome, violation } from '../http/outcome.ts'
import { changeTemplate, saveTemplate } from './change-template.ts'
import { listLetters } from './letter-queries.ts'
import { listMails } from './mail-queries.ts'
import { markLettersPrinted } from './mark-letters.ts'
import { previewTemplate, testTemplate } from './preview-template.ts'
import { printLetters } from './print-letters.ts'
import { remindBeneficiary } from './remind-beneficiary.ts'
import { retryMail } from './retry-mail.ts'
import { sendMail } from './send-mail.ts'
import { sendRecap, sendReminders } from './send-mass-mail.ts'
import { draftReservationMail } from './send-reservation-mail.ts'
import { templateRows } from './template-rows.ts'

/** Outside the outbox, so that the answer of the mail server can be told at once. */
async function tryMail(
  db: Db,
  _input: unknown,
  { caller, now, parameters, mailTransport }: Exchange,
): Promise<Outcome<AnswerOf<typeof transport.tryMail>>> {
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

export const mailRoutes: Binding[] = [
  change(call.sendReminders, sendReminders),
  change(call.sendRecap, sendRecap),
  change(call.sendMail, sendMail),
  read(call.draftReservationMail, draftReservationMail),
  change(remindBeneficiaryCall, remindBeneficiary),
  read(templates.mailTemplates.list, async (db, { list }) => done(await templateRows.list(db, list))),
  change(templates.changeMailTemplate, changeTemplate),
  change(templates.saveMailTemplate, saveTemplate),
  read(templates.previewMailTemplate, previewTemplate),
  change(templates.testMailTemplate, testTemplate),
  read(call.listMails, async (db, { list }, { visibility }) => done(await listMails(db, list, visibility))),
  read(transport.getMailTransport, async (_db, _input, { mailTransport }) =>
    done({ connected: mailTransport?.isConnected ?? false }),
  ),
  changeUnkept(transport.tryMail, tryMail),
  change(call.retryMail, retryMail),
  longRead(letters.listLetters, async (db, { list }, exchange) =>
    done(await listLetters(db, list, exchange)),
  ),
  file(letters.printLetters, printLetters),
  change(letters.markLettersPrinted, markLettersPrinted),
]
