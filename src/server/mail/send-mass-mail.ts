import { sendRecap as sendRecapCall, sendReminders as sendRemindersCall } from '../../contract/mail.ts'
import type { JobKind } from '../../contract/jobs.ts'
import type { Trx } from '../db/handles.ts'
import type { VerbInput } from '../http/binding.ts'
import type { Exchange } from '../http/exchange.ts'
import { done, type Outcome } from '../http/outcome.ts'
import { startJob } from '../jobs/job.ts'
import { journal } from '../http/journal.ts'
import {
  countLoanMailRecipients,
  listLoanMailRecipients,
  loanMailVariables,
  type LoansToMail,
} from './loan-mail-queries.ts'
import { findMailRenderer } from '../writing/queue-mail.ts'
import { templateBroken, templateOff } from './template-refusals.ts'

type Counted = Outcome<{ count: number; without_address?: number; job?: number }>

export const sendReminders = (trx: Trx, { query }: VerbInput<typeof sendRemindersCall>, exchange: Exchange) =>
  sendToAll(trx, exchange, {
    kind: sendRemindersCall.name,
    template: 'loaning_reminder',
    which: { sites: exchange.sight.listed, lateOn: exchange.today },
    dryRun: query.dry_run ?? false,
  })

export const sendRecap = (trx: Trx, { query }: VerbInput<typeof sendRecapCall>, exchange: Exchange) =>
  sendToAll(trx, exchange, {
    kind: sendRecapCall.name,
    template: 'loaning_recap',
    which: { sites: exchange.sight.listed },
    dryRun: query.dry_run ?? false,
  })

type MassMail = { kind: JobKind; template: string; which: LoansToMail; dryRun: boolean }

/** Checks the template and counts the mails; a job writes them (mass-mail-step.ts). */
async function sendToAll(
  trx: Trx,
  exchange: Exchange,
  { kind, template, which, dryRun }: MassMail,
): Promise<Counted> {
  const { today, parameters, publicUrl } = exchange
  const render = await findMailRenderer(trx, template)
  if (!render) return templateOff(template)
  const { count, without_address } = await countLoanMailRecipients(trx, which)
  const counts = { count, ...(without_address > 0 ? { without_address } : {}) }
  if (dryRun) return done(counts, 200)

  const [first] = await listLoanMailRecipients(trx, which, { only: 'everyone', most: 1 })
  // Only reminders become letters.
  if (!first || (count === 0 && which.lateOn === undefined)) return done(counts)
  const tried = render({
    work_council: parameters.get('work_council'),
    ...loanMailVariables(first, today, publicUrl),
  })
  if (!tried.ok) return templateBroken(template, tried.problem)
  const input = { template, ...which, today, public_url: publicUrl }
  const job = await startJob(trx, exchange, { kind, input, total: count })
  await journal(trx, exchange, {
    action: kind,
    entity: 'jobs',
    entity_id: job,
    after: { count, sites: exchange.sight.listed },
  })
  return done({ ...counts, job })
}
