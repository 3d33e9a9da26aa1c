import type { JobKind } from '../../contract/jobs.ts'
import { sendRecap as sendRecapCall, sendReminders as sendRemindersCall } from '../../contract/mail.ts'
import type { Trx } from '../db/handles.ts'
import { lockInLibrary } from '../db/library-lock.ts'
import type { VerbInput } from '../http/binding.ts'
import type { Exchange } from '../http/exchange.ts'
import { journal } from '../http/journal.ts'
import { conflict, done, type Outcome } from '../http/outcome.ts'
import { startJob } from '../jobs/job.ts'
import { findMailRenderer } from '../writing/queue-mail.ts'
import {
  countLoanMailRecipients,
  listLoanMailRecipients,
  loanMailVariables,
  type LoansToMail,
} from './loan-mail-queries.ts'
import { templateBroken, templateOff } from './template-rows.ts'

type Counted = Outcome<{ count: number; without_address?: number; had_one_today?: number; job?: number }>
type Asked = VerbInput<typeof sendRemindersCall>['query']

export const sendReminders = (trx: Trx, { query }: VerbInput<typeof sendRemindersCall>, exchange: Exchange) =>
  sendToAll(trx, exchange, {
    kind: sendRemindersCall.name,
    template: 'loaning_reminder',
    which: { sites: exchange.visibility.listed, lateOn: exchange.today },
    query,
  })

export const sendRecap = (trx: Trx, { query }: VerbInput<typeof sendRecapCall>, exchange: Exchange) =>
  sendToAll(trx, exchange, {
    kind: sendRecapCall.name,
    template: 'loaning_recap',
    which: { sites: exchange.visibility.listed },
    query,
  })

type MassMail = { kind: JobKind; template: string; which: LoansToMail; query: Asked }

/** Checks the template and counts the mails; a job writes them (mass-mail-step.ts), one at a time in a library. */
async function sendToAll(
  trx: Trx,
  exchange: Exchange,
  { kind, template, which: asked, query: { dry_run = false, again = false } }: MassMail,
): Promise<Counted> {
  const { today, parameters, publicUrl } = exchange
  const render = await findMailRenderer(trx, template)
  if (!render) return templateOff(template)
  if (!dry_run) {
    await lockInLibrary(trx, 'mass mail')
    if (await isUnderWay(trx, kind)) {
      return conflict(
        'WORK_UNDER_WAY',
        'Ces courriels sont déjà en train d’être écrits, ici ou à un autre poste\u202f: attendez qu’ils soient prêts à partir.',
      )
    }
  }
  const butOf = again ? undefined : { template, on: today, timezone: parameters.get('timezone') }
  const which = { ...asked, butOf }
  const { count, without_address, had_one_today } = await countLoanMailRecipients(trx, which)
  const counts = {
    count,
    ...(without_address > 0 ? { without_address } : {}),
    ...(had_one_today > 0 ? { had_one_today } : {}),
  }
  if (dry_run) return done(counts, 200)

  const [first] = await listLoanMailRecipients(trx, which, { only: 'everyone', most: 1 })
  // Only reminders become letters.
  if (!first || (count === 0 && which.lateOn === undefined)) return done(counts)
  const tried = render({
    work_council: parameters.get('work_council'),
    ...loanMailVariables(first, today, publicUrl),
  })
  if (!tried.ok) return templateBroken(template, tried.problem)
  const input = { template, ...asked, again, today, public_url: publicUrl }
  const job = await startJob(trx, exchange, { kind, input, total: count })
  await journal(trx, exchange, {
    action: kind,
    entity: 'jobs',
    entity_id: job,
    after: { count, sites: exchange.visibility.listed },
  })
  return done({ ...counts, job })
}

const isUnderWay = async (trx: Trx, kind: JobKind): Promise<boolean> =>
  (await trx
    .selectFrom('jobs')
    .select('id')
    .where('kind', '=', kind)
    .where('ended_at', 'is', null)
    .executeTakeFirst()) !== undefined
