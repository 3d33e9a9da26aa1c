import * as v from 'valibot'

import { mailCodes, mailParts, mailPeriods } from '../domain/mail-occasions.ts'
import { endpoint } from './endpoint.ts'
import { collectionOf, filterBy } from './list.ts'
import { type ItemOf, listed } from './resource.ts'
import { byId, count, instant, text } from './wire.ts'

/** One of the four pieces of a mail; `enabled` and `days` are the whole mail's. */
export const mailTemplates = listed('mail_templates', 'MailTemplate', {
  words: ['un modèle de courriel', 'les modèles de courriel'],
  shown: {
    code: v.picklist(mailCodes),
    period: v.picklist(mailPeriods),
    type: v.picklist(mailParts),
    content: v.string(),
    enabled: v.boolean(),
    /** Days before the due day, or after it or the level before; null where the mail does not wait. */
    days: v.nullable(v.number()),
    date_update: instant,
  },
  filters: {
    id: filterBy.id,
    code: filterBy.choice(mailCodes),
    period: filterBy.choice(mailPeriods),
    type: filterBy.choice(mailParts),
    enabled: filterBy.flag,
  },
  orders: ['period', 'code', 'type', 'date_update', 'id'],
})
export type MailTemplate = ItemOf<typeof mailTemplates>

const content = text(20_000)

export const changeMailTemplate = endpoint({
  name: 'mail_templates.change',
  method: 'PUT',
  path: '/api/mail_templates/{id}',
  access: 'PARAMETER_MAIL',
  summary: 'Changer une partie d’un modèle de courriel, ou tout le modèle par `enabled` et `days`',
  params: byId,
  body: v.strictObject({
    content: v.optional(content),
    enabled: v.optional(v.boolean()),
    days: v.optional(count(1, 365)),
  }),
  answer: mailTemplates.member,
})

const pieces = {
  object: v.optional(content),
  body: v.optional(content),
  details: v.optional(content),
  signing: v.optional(content),
}

/** A whole mail, of which nothing is kept where one piece is refused. */
export const saveMailTemplate = endpoint({
  name: 'mail_templates.save',
  method: 'PUT',
  path: '/api/mail_templates/code/{code}',
  access: 'PARAMETER_MAIL',
  summary: 'Changer ensemble les parties d’un modèle de courriel',
  params: v.strictObject({ code: v.picklist(mailCodes) }),
  body: v.strictObject({ ...pieces, enabled: v.optional(v.boolean()), days: v.optional(count(1, 365)) }),
  answer: collectionOf(mailTemplates.member),
})

/** What is written and not saved yet stands in place of what is kept. */
const written = v.strictObject({
  code: v.picklist(mailCodes),
  ...pieces,
})

export const previewMailTemplate = endpoint({
  name: 'mail_templates.preview',
  method: 'POST',
  path: '/api/mail_templates/preview',
  access: 'signed-in',
  summary: 'Voir un courriel, écrit par le serveur pour un lecteur inventé',
  body: written,
  answer: v.object({ subject: v.string(), html: v.string() }),
})

export const testMailTemplate = endpoint({
  name: 'mail_templates.test',
  method: 'POST',
  path: '/api/mail_templates/test',
  access: 'PARAMETER_MAIL',
  summary: 'S’envoyer un courriel à soi-même, écrit pour un lecteur inventé',
  body: written,
  status: 202,
  answer: v.object({ to: v.string() }),
  addsUp: true,
})

export const mailTemplateEndpoints = [
  mailTemplates.list,
  changeMailTemplate,
  saveMailTemplate,
  previewMailTemplate,
  testMailTemplate,
]
