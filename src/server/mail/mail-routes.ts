import { randomUUID } from 'node:crypto'

import { sql } from 'kysely'

import { remindBeneficiary as remindBeneficiaryCall } from '../../contract/beneficiaries.ts'
import type { AnswerOf } from '../../contract/endpoint.ts'
import * as letters from '../../contract/letters.ts'
import * as templates from '../../contract/mail-templates.ts'
import * as transport from '../../contract/mail-transport.ts'
import * as call from '../../contract/mail.ts'
import { frenchDay } from '../../domain/calendar-day.ts'
import { isMailCode } from '../../domain/mail-occasions.ts'
import { fullName } from '../../domain/person-names.ts'
import { findVisibleBeneficiary } from '../beneficiaries/beneficiary-queries.ts'
import type { Db, Trx } from '../db/handles.ts'
import { lockInLibrary } from '../db/library-lock.ts'
import type { ReadInTurn } from '../db/lists/read-list.ts'
import { type Binding, change, changeUnkept, file, longRead, read, type VerbInput } from '../http/binding.ts'
import type { Exchange } from '../http/exchange.ts'
import { journal, journalEach } from '../http/journal.ts'
import { done, forbidden, notFound, type Outcome, refuse, violation } from '../http/outcome.ts'
import { fileName, type ServedFile } from '../http/served-file.ts'
import { visibleLetters, visibleMails } from '../visibility/visibility.ts'
import { hasAddress } from '../writing/queue-mail.ts'
import { mailRenderer } from '../writing/render-template.ts'
import { changeTemplate, saveTemplate, templateFault } from './change-template.ts'
import { drawLetters, type WrittenLetter } from './draw-letters.ts'
import { listLoanMailRecipients, type LoanMailRecipient, loanMailVariables } from './loan-mail-queries.ts'
import { type LetterRow, listLetters, listMails, readLetters } from './mail-queries.ts'
import { markReminded } from './note-reminders.ts'
import { previewTemplate, testTemplate } from './preview-template.ts'
import { draftReservationMail, mailToOne, sendMail, withoutAddress } from './send-mail.ts'
import { sendRecap, sendReminders } from './send-mass-mail.ts'
import { readParts, templateRows } from './template-rows.ts'
import { textOfHtml } from './transport.ts'

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

/** Only a person knows that the paper came out: the day of the reminder is that of the letter. */
async function markLettersPrinted(
  trx: Trx,
  { body }: VerbInput<typeof letters.markLettersPrinted>,
  exchange: Exchange,
): Promise<Outcome<{ letters: number[] }>> {
  const { caller, now, today, visibility } = exchange
  if (!caller.rights.has('SEND_MAIL')) return forbidden()
  const { rows } = await sql<{ id: number; beneficiary: number; printed_at: string | null }>`
    select t.id, t.beneficiary, t.printed_at from letters t join beneficiaries b on b.id = t.beneficiary
    where t.id = any(${body.letters}::int[]) and ${visibleLetters(visibility)} order by t.id for update of t`.execute(
    trx,
  )
  if (rows.length < new Set(body.letters).size) return notFound('Une de ces lettres n’existe pas.')
  const fresh = rows.filter(({ printed_at }) => printed_at === null)
  const ids = fresh.map(({ id }) => id)
  if (ids.length === 0) return done({ letters: [] })
  await trx
    .updateTable('letters')
    .set({ printed_at: now.toISOString(), printed_by: caller.user_id })
    .where('id', 'in', ids)
    .execute()
  await sql`
    update loanings l set reminded_on = ${today}::date from loan_reminders r
    where r.letter = any(${ids}::int[]) and l.id = r.loaning and l.status = 'in_progress'`.execute(trx)
  await journalEach(
    trx,
    exchange,
    fresh.map(({ id, beneficiary }) => ({
      action: letters.markLettersPrinted.name,
      entity: 'letters',
      entity_id: id,
      after: { beneficiary },
    })),
  )
  return done({ letters: ids })
}

/** Reminds one person of late loans in sight, or else of those due today. */
async function remindBeneficiary(
  trx: Trx,
  { params }: VerbInput<typeof remindBeneficiaryCall>,
  exchange: Exchange,
): Promise<Outcome<{ count: number }>> {
  const person = await findVisibleBeneficiary(trx, params.id, exchange)
  if (!person) return notFound('Ce lecteur n’existe pas.')
  // The reminders of the day and a mass mail write of the same loans: they see what this press has written.
  await lockInLibrary(trx, 'mass mail')
  const remind = async (recipient: LoanMailRecipient, template: 'loaning_reminder' | 'loaning_recap') => {
    const sent = await mailToOne(trx, exchange, recipient, { action: remindBeneficiaryCall.name, template })
    if (sent.ok) await markReminded(trx, recipient.loans, exchange.today)
    return sent
  }
  const theirs = { sites: exchange.visibility.listed, beneficiary: params.id }
  const [late] = await listLoanMailRecipients(
    trx,
    { ...theirs, lateOn: exchange.today },
    { only: 'everyone' },
  )
  if (late) return remind(late, 'loaning_reminder')
  const [due] = await listLoanMailRecipients(trx, { ...theirs, dueOn: exchange.today }, { only: 'everyone' })
  // The template of late loans would call these late.
  if (due) return remind(due, 'loaning_recap')
  return violation('loanings', `${fullName(person)} n’a aucun prêt en retard ni à rendre aujourd’hui.`)
}

type Failed = {
  status: string
  html: string
  to_address: string
  beneficiary: number | null
  email: string | null
  firstname: string
  lastname: string
  agency_id: number | null
}

/** Whoever reads why a mail failed has mended it: it begins again, to the address that its reader has now. */
async function retryMail(
  trx: Trx,
  { params: { id } }: VerbInput<typeof call.retryMail>,
  exchange: Exchange,
): Promise<Outcome<{ count: number }>> {
  const { rows } = await sql<Failed>`
    select m.status, m.html, m.to_address, m.beneficiary, case when ${hasAddress} then b.email::text end as email,
      coalesce(b.firstname, '') as firstname, coalesce(b.lastname, '') as lastname, b.agency_id
    from mail_outbox m left join beneficiaries b on b.id = m.beneficiary and b.deleted_at is null
    where m.id = ${id} and ${visibleMails(exchange.visibility)} for update of m`.execute(trx)
  const [mail] = rows
  if (!mail) return notFound('Ce courriel n’existe pas.')
  if (mail.status !== 'failed') {
    return refuse({
      status: 409,
      message: 'Ce courriel n’est pas en échec\u202f: il n’y a rien à réessayer.',
    })
  }
  if (mail.html === '') {
    return refuse({
      status: 409,
      message: 'Ce courriel ne peut pas repartir\u202f: demandez-en un nouveau.',
    })
  }
  if (mail.email === null) return withoutAddress(exchange, mail)
  await trx
    .updateTable('mail_outbox')
    .set({
      status: 'queued',
      attempts: 0,
      to_address: mail.email,
      next_attempt_at: exchange.now.toISOString(),
      last_error: null,
      fault: null,
    })
    .where('id', '=', id)
    .execute()
  // Should it fail again, the letter is made again.
  await trx.deleteFrom('letters').where('mail', '=', id).where('printed_at', 'is', null).execute()
  await journal(trx, exchange, {
    action: call.retryMail.name,
    entity: 'mail',
    entity_id: id,
    after: { beneficiary: mail.beneficiary },
  })
  return done({ count: 1 })
}

/** What is late as they are printed: who has brought everything back gets none. */
async function printLetters(
  reads: ReadInTurn,
  { list }: VerbInput<typeof letters.printLetters>,
  exchange: Exchange,
): Promise<Outcome<ServedFile>> {
  const { caller, now, today, parameters } = exchange
  if (!caller.rights.has('SEND_MAIL')) return forbidden()
  const { rows, total } = await reads((db) =>
    readLetters(db, { ...list, page: 1, limit: letters.mostLetters }, exchange),
  )
  if (total > letters.mostLetters) {
    const message = `${letters.mostLetters} lettres au plus à la fois, et cette liste en a ${total}\u202f: filtrez-la, ou cochez des lettres.`
    return refuse({ status: 409, message })
  }
  const written: WrittenLetter[] = []
  for (const row of rows) {
    const letter = await reads((db) => write(db, row, exchange))
    if (letter === null) continue
    if ('problem' in letter) return refuse({ status: 409, message: templateFault(letter.problem) })
    written.push(letter)
  }
  const sender = parameters.get('work_council')
  return done({
    name: fileName('lettres', 'pdf', now, parameters.get('timezone')),
    type: 'pdf',
    bytes: drawLetters(written, { sender, day: frenchDay(today) }),
  })
}

async function write(
  db: Db,
  letter: LetterRow,
  { today, parameters, publicUrl }: Exchange,
): Promise<WrittenLetter | { problem: string } | null> {
  const { beneficiary, sites, template } = letter
  const which = { sites, beneficiary, lateOn: today }
  const [recipient] = await listLoanMailRecipients(db, which, { only: 'everyone' })
  if (!recipient || !isMailCode(template)) return null
  const rendering = mailRenderer(await readParts(db, template))({
    work_council: parameters.get('work_council'),
    ...loanMailVariables(recipient, today, publicUrl),
  })
  if (!rendering.ok) return rendering
  return {
    name: letter.name,
    address: (letter.address ?? '').split(/\r?\n/).filter((line) => line.trim() !== ''),
    commune: letter.commune ?? '',
    object: rendering.mail.subject,
    text: textOfHtml(rendering.mail.html),
    loans: recipient.loans.length,
  }
}

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
