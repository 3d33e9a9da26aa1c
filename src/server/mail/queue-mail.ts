import type { Db, Trx } from '../db/handles.ts'
import type { PublicExchange } from '../http/exchange.ts'
import { mailRenderer, type Rendering } from './render-template.ts'

export type MailToQueue = {
  template: string
  to_address: string
  variables: Record<string, unknown>
  beneficiary?: number | null
  loaning?: number | null
  sites?: readonly number[] | null
}

/** `off` was switched off by the library, `broken` cannot be rendered, and `problem` says why. */
export type Queued = { state: 'queued' } | { state: 'off' } | { state: 'broken'; problem: string }

type MailContext = Pick<PublicExchange, 'now' | 'parameters'>
type Renderer = (variables: Record<string, unknown>) => Rendering

const rowsAtOnce = 100

/** Queues a mail in the caller's transaction; a broken one is recorded as failed for the list of mails. */
export async function queueMail(trx: Trx, exchange: MailContext, mail: MailToQueue): Promise<Queued> {
  const render = await findMailRenderer(trx, mail.template)
  if (!render) return { state: 'off' }
  const queued = await queueMails(trx, exchange, render, [mail])
  if (queued.state === 'broken') {
    await insertMails(trx, exchange, [{ mail, subject: mail.template, html: '', problem: queued.problem }])
  }
  return queued
}

/** Queues mails of one template by batches; on `broken` the caller must roll earlier ones back. */
export async function queueMails(
  trx: Trx,
  exchange: MailContext,
  render: Renderer,
  mails: readonly MailToQueue[],
): Promise<Exclude<Queued, { state: 'off' }>> {
  const work_council = exchange.parameters.get('work_council')
  for (let from = 0; from < mails.length; from += rowsAtOnce) {
    const rows: RenderedRow[] = []
    for (const mail of mails.slice(from, from + rowsAtOnce)) {
      const rendering = render({ work_council, ...mail.variables })
      if (!rendering.ok) return { state: 'broken', problem: rendering.problem }
      rows.push({ mail, ...rendering.mail, problem: null })
    }
    await insertMails(trx, exchange, rows)
  }
  return { state: 'queued' }
}

/** Renders a template's mails without their disabled parts; null when object or body is disabled. */
export async function findMailRenderer(db: Db | Trx, code: string): Promise<Renderer | null> {
  const rows = await db
    .selectFrom('mail_templates')
    .select(['type', 'content'])
    .where('code', '=', code)
    .where('enabled', '=', true)
    .execute()
  const parts = { object: '', body: '', details: '', signing: '' }
  for (const { type, content } of rows) parts[type] = content
  const isOn = rows.some(({ type }) => type === 'object') && rows.some(({ type }) => type === 'body')
  return isOn ? mailRenderer(parts) : null
}

type RenderedRow = { mail: MailToQueue; subject: string; html: string; problem: string | null }

async function insertMails(trx: Trx, { now }: MailContext, rows: readonly RenderedRow[]): Promise<void> {
  const at = now.toISOString()
  await trx
    .insertInto('mail_outbox')
    .values(
      rows.map(({ mail, subject, html, problem }) => ({
        to_address: mail.to_address,
        subject,
        html,
        template: mail.template,
        beneficiary: mail.beneficiary ?? null,
        loaning: mail.loaning ?? null,
        sites: mail.sites ? [...mail.sites] : null,
        status: problem === null ? ('queued' as const) : ('failed' as const),
        next_attempt_at: at,
        last_error: problem === null ? null : `Le modèle ne peut pas être lu (${problem}).`,
        created_at: at,
        sent_at: null,
      })),
    )
    .execute()
}
