import { sql } from 'kysely'

import type { Db, Trx } from '../db/handles.ts'
import type { PublicExchange } from '../http/exchange.ts'
import { type MailParts, mailRenderer, type RenderedMail, type Rendering } from './render-template.ts'

/** Whether a reader b can be written to: imported files hold all sorts of texts as addresses. */
export const hasAddress = sql<boolean>`coalesce(b.email ~ '^[^@[:space:]]+@[^@[:space:]]+$', false)`

type Envelope = {
  template: string
  to_address: string
  beneficiary?: number | null
  loaning?: number | null
  sites?: readonly number[] | null
}
type MailToQueue = Envelope & { variables: Record<string, unknown> }

/** `off` was switched off by the library, `broken` cannot be rendered, and `problem` says why. */
type Queued = { state: 'queued'; ids: number[] } | { state: 'off' } | { state: 'broken'; problem: string }

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

/** Queues what is already written. */
export async function queueWritten(
  trx: Trx,
  context: Pick<MailContext, 'now'>,
  { subject, html, ...mail }: Envelope & RenderedMail,
): Promise<number | undefined> {
  const [id] = await insertMails(trx, context, [{ mail, subject, html, problem: null }])
  return id
}

/** Queues mails of one template by batches; on `broken` the caller must roll earlier ones back. `ids` are theirs, in order. */
export async function queueMails(
  trx: Trx,
  exchange: MailContext,
  render: Renderer,
  mails: readonly MailToQueue[],
): Promise<Exclude<Queued, { state: 'off' }>> {
  const work_council = exchange.parameters.get('work_council')
  const ids: number[] = []
  for (let from = 0; from < mails.length; from += rowsAtOnce) {
    const rows: RenderedRow[] = []
    for (const mail of mails.slice(from, from + rowsAtOnce)) {
      const rendering = render({ work_council, ...mail.variables })
      if (!rendering.ok) return { state: 'broken', problem: rendering.problem }
      rows.push({ mail, ...rendering.mail, problem: null })
    }
    ids.push(...(await insertMails(trx, exchange, rows)))
  }
  return { state: 'queued', ids }
}

/** Renders a template's mails without their disabled parts; null when object or body is disabled. */
export async function findMailRenderer(db: Db | Trx, code: string): Promise<Renderer | null> {
  const parts = await findEnabledParts(db, code)
  return parts && mailRenderer(parts)
}

export async function findEnabledParts(db: Db | Trx, code: string): Promise<MailParts | null> {
  const rows = await db
    .selectFrom('mail_templates')
    .select(['type', 'content'])
    .where('code', '=', code)
    .where('enabled', '=', true)
    .execute()
  const parts = { object: '', body: '', details: '', signing: '' }
  for (const { type, content } of rows) parts[type] = content
  const isOn = rows.some(({ type }) => type === 'object') && rows.some(({ type }) => type === 'body')
  return isOn ? parts : null
}

type RenderedRow = { mail: Envelope; subject: string; html: string; problem: string | null }

async function insertMails(
  trx: Trx,
  { now }: Pick<MailContext, 'now'>,
  rows: readonly RenderedRow[],
): Promise<number[]> {
  const at = now.toISOString()
  const inserted = await trx
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
        fault: problem === null ? null : ('template' as const),
        created_at: at,
        sent_at: null,
      })),
    )
    .returning('id')
    .execute()
  return inserted.map(({ id }) => id).sort((one, other) => one - other)
}
