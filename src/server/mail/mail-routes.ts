import { remindBeneficiary as remindBeneficiaryCall } from '../../contract/beneficiaries.ts'
import * as letters from '../../contract/letters.ts'
import * as templates from '../../contract/mail-templates.ts'
import * as call from '../../contract/mail.ts'
import * as transport from '../../contract/mail-transport.ts'
import { type Binding, change, file, longRead, read } from '../http/binding.ts'
import { done } from '../http/outcome.ts'
import { changeTemplate, saveTemplate } from './change-template.ts'
import { listLetters } from './letter-queries.ts'
import { listMails } from './mail-queries.ts'
import { markLettersPrinted } from './mark-letters.ts'
import { previewTemplate, testTemplate } from './preview-template.ts'
import { printLetters } from './print-letters.ts'
import { remindBeneficiary } from './remind-beneficiary.ts'
import { retryMail } from './retry-mail.ts'
import { sendMail } from './send-mail.ts'
import { draftReservationMail } from './send-reservation-mail.ts'
import { sendRecap, sendReminders } from './send-mass-mail.ts'
import { templateRows } from './template-rows.ts'
import { tryMail } from './try-mail.ts'

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
  read(transport.tryMail, tryMail),
  change(call.retryMail, retryMail),
  longRead(letters.listLetters, async (db, { list }, exchange) =>
    done(await listLetters(db, list, exchange)),
  ),
  file(letters.printLetters, printLetters),
  change(letters.markLettersPrinted, markLettersPrinted),
]
