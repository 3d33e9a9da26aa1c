import { type MailTemplate, mailTemplates } from '../../contract/mail-templates.ts'
import {
  type MailCode,
  mailCodes,
  type MailPart,
  type MailPeriod,
  mailPeriods,
  occasionOf,
} from '../../domain/mail-occasions.ts'
import { listQuery } from '../api/queries.ts'

/** Every piece of every mail: some sixty. */
export const templatesQuery = listQuery(mailTemplates.list, { limit: 500 })

/** A mail as a whole. */
export type Mail = { code: MailCode; enabled: boolean; days: number | null; parts: Record<MailPart, string> }

export function mailsOf(pieces: readonly MailTemplate[]): Mail[] {
  return mailCodes.flatMap((code) => {
    const own = pieces.filter((piece) => piece.code === code)
    const [first] = own
    if (!first) return []
    const parts = { object: '', body: '', details: '', signing: '' }
    for (const { type, content } of own) parts[type] = content
    return [{ code, enabled: first.enabled, days: first.days, parts }]
  })
}

export const byPeriod = (mails: readonly Mail[]): { period: MailPeriod; mails: Mail[] }[] =>
  mailPeriods.map((period) => ({
    period,
    mails: mails.filter(({ code }) => occasionOf(code).period === period),
  }))

export const addressOfTemplate = (code: MailCode): string => `/settings/mail/${code}`
