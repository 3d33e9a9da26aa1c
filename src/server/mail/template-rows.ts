import { type RawBuilder, sql } from 'kysely'

import { type MailTemplate, mailTemplates } from '../../contract/mail-templates.ts'
import { type MailCode, mailCodes, mailParts, occasionOf } from '../../domain/mail-occasions.ts'
import type { Db, Trx } from '../db/handles.ts'
import { source } from '../db/lists/source.ts'
import { violation } from '../http/outcome.ts'
import { seenByAll } from '../visibility/visibility.ts'
import type { MailParts } from '../writing/render-template.ts'

export const disabledTemplate = (code: string) => `Le modèle de courriel «\u00a0${code}\u00a0» est désactivé.`

export const brokenTemplate = (code: string, problem: string) =>
  `Le modèle de courriel «\u00a0${code}\u00a0» ne peut pas être lu (${problem}).`

export const templateOff = (code: string) => violation('template', disabledTemplate(code))

export const templateBroken = (code: string, problem: string) =>
  violation('template', brokenTemplate(code, problem))

const occasions = sql.join(
  mailCodes.map(
    (code, place) =>
      sql`(${sql.lit(code)}::text, ${sql.lit(occasionOf(code).period)}::text, ${sql.lit(place)}::integer)`,
  ),
)
const places = sql.lit(mailParts.join(','))

export const templateRows = source(mailTemplates, {
  from: sql`mail_templates t join (values ${occasions}) as o (code, period, place) on o.code = t.code
    join mail_templates whole on whole.code = t.code and whole.type = 'object'`,
  where: sql`true`,
  seen: seenByAll,
  id: sql`t.id`,
  columns: {
    code: sql`t.code`,
    period: sql`o.period`,
    type: sql`t.type`,
    content: sql`t.content`,
    enabled: sql`t.enabled`,
    days: sql`whole.days`,
    date_update: sql`t.date_update`,
  },
  sorts: { period: sql`o.place`, type: sql`array_position(string_to_array(${places}, ','), t.type)` },
})

/** The pieces of the mail that one of them is of, locked in one order; none where it is not known. */
export const lockTemplate = (trx: Trx, id: number): Promise<MailTemplate[]> =>
  lockPieces(trx, sql`t.code = (select code from mail_templates where id = ${id})`)

export const lockTemplateOf = (trx: Trx, code: MailCode): Promise<MailTemplate[]> =>
  lockPieces(trx, sql`t.code = ${code}`)

async function lockPieces(trx: Trx, ofOne: RawBuilder<unknown>): Promise<MailTemplate[]> {
  await sql`select from mail_templates t where ${ofOne} order by t.id for update`.execute(trx)
  return templateRows.every(trx, ofOne)
}

export async function readParts(db: Db | Trx, code: MailCode): Promise<MailParts> {
  const rows = await db
    .selectFrom('mail_templates')
    .select(['type', 'content'])
    .where('code', '=', code)
    .execute()
  const parts: MailParts = { object: '', body: '', details: '', signing: '' }
  for (const { type, content } of rows) parts[type] = content
  return parts
}
