import { sql } from 'kysely'

import type { changeMailTemplate, MailTemplate, saveMailTemplate } from '../../contract/mail-templates.ts'
import { collection, type Collection } from '../../contract/list.ts'
import { mailParts, occasionOf } from '../../domain/mail-occasions.ts'
import type { Trx } from '../db/handles.ts'
import type { VerbInput } from '../http/binding.ts'
import type { Exchange } from '../http/exchange.ts'
import { journalEach } from '../http/journal.ts'
import { done, notFound, type Outcome, type Refused, violation, violations } from '../http/outcome.ts'
import { inventedVariables } from './invented-variables.ts'
import { faultsOfParts, type MailParts } from '../writing/render-template.ts'
import { lockTemplate, lockTemplateOf, templateRows } from './template-rows.ts'

type Written = { contents: Partial<MailParts>; enabled?: boolean | undefined; days?: number | undefined }

/** A piece has its own content; whether the mail is sent, and when, is the same for all of its pieces. */
export async function changeTemplate(
  trx: Trx,
  { params: { id }, body: { content, enabled, days } }: VerbInput<typeof changeMailTemplate>,
  exchange: Exchange,
): Promise<Outcome<MailTemplate>> {
  const pieces = await lockTemplate(trx, id)
  const piece = pieces.find((one) => one.id === id)
  if (!piece) return notFound('Ce modèle de courriel n’existe pas.')
  const contents = content === undefined ? {} : { [piece.type]: content }
  const nameOf = (part: string) => (part === piece.type && content !== undefined ? 'content' : part)
  const written = await write(trx, exchange, { pieces, written: { contents, enabled, days }, nameOf })
  if (!written.ok) return written
  const after = written.pieces.find((one) => one.id === id)
  if (!after) throw new Error('a template under lock has gone')
  return done(after)
}

/** Several pieces at once, all or nothing. */
export async function saveTemplate(
  trx: Trx,
  { params: { code }, body: { enabled, days, ...body } }: VerbInput<typeof saveMailTemplate>,
  exchange: Exchange,
): Promise<Outcome<Collection<MailTemplate>>> {
  const pieces = await lockTemplateOf(trx, code)
  const contents = Object.fromEntries(
    mailParts.flatMap((part) => (body[part] === undefined ? [] : [[part, body[part]]])),
  ) as Partial<MailParts>
  const written = await write(trx, exchange, {
    pieces,
    written: { contents, enabled, days },
    nameOf: (part) => part,
  })
  if (!written.ok) return written
  return done(collection(written.pieces))
}

type Writing = { pieces: readonly MailTemplate[]; written: Written; nameOf: (part: string) => string }

async function write(
  trx: Trx,
  exchange: Exchange,
  { pieces, written: { contents, enabled, days }, nameOf }: Writing,
): Promise<{ ok: true; pieces: MailTemplate[] } | Refused> {
  const [first] = pieces
  if (!first) return notFound('Ce modèle de courriel n’existe pas.')
  const { code } = first
  if (days !== undefined && occasionOf(code).days === undefined) {
    return violation('days', 'Ce courriel n’attend pas\u202f: il n’a pas de nombre de jours.')
  }
  const kept = Object.fromEntries(pieces.map(({ type, content }) => [type, content])) as MailParts
  // A mail that is switched on must be right in all of its pieces, else only what is written now.
  const tried = enabled === true && !first.enabled ? { ...kept, ...contents } : contents
  const faults = faultsOfParts(tried, {
    work_council: exchange.parameters.get('work_council'),
    ...inventedVariables(code, exchange.today, exchange.publicUrl),
  })
  if (faults.length > 0) {
    return violations(
      faults.map(({ part, problem }) => ({ propertyPath: nameOf(part), message: templateFault(problem) })),
    )
  }
  for (const piece of pieces) {
    const content = contents[piece.type]
    const changes = {
      ...(enabled === undefined || enabled === piece.enabled ? {} : { enabled }),
      ...(content === undefined || content === piece.content ? {} : { content }),
      ...(piece.type === 'object' && days !== undefined && days !== piece.days ? { days } : {}),
    }
    if (Object.keys(changes).length === 0) continue
    await trx
      .updateTable('mail_templates')
      .set({ ...changes, date_update: exchange.now.toISOString() })
      .where('id', '=', piece.id)
      .execute()
  }
  const after = await templateRows.every(trx, sql`t.code = ${code}`)
  const entries = after.flatMap((piece) => {
    const before = pieces.find(({ id }) => id === piece.id)
    return before && isChanged(before, piece) ? [entryOf(before, piece)] : []
  })
  await journalEach(trx, exchange, entries)
  return { ok: true, pieces: after }
}

const isChanged = (before: MailTemplate, after: MailTemplate): boolean =>
  JSON.stringify({ ...before, date_update: '' }) !== JSON.stringify({ ...after, date_update: '' })

const entryOf = (before: MailTemplate, after: MailTemplate) => ({
  action: 'mail_templates.change',
  entity: 'mail_templates',
  entity_id: after.id,
  before,
  after,
})

export const templateFault = (problem: string) =>
  `Ce texte ne peut pas être envoyé\u202f: ${problem.slice(0, 300)}.`
