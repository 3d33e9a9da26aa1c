import type { previewMailTemplate, testMailTemplate } from '../../contract/mail-templates.ts'
import { type MailCode, mailParts } from '../../domain/mail-occasions.ts'
import type { Db, Trx } from '../db/handles.ts'
import type { VerbInput } from '../http/binding.ts'
import type { Exchange } from '../http/exchange.ts'
import { journal } from '../http/journal.ts'
import { done, forbidden, type Outcome, type Refused, violation, violations } from '../http/outcome.ts'
import { templateFault } from './change-template.ts'
import { inventedVariables } from './invented-variables.ts'
import { queueWritten } from '../writing/queue-mail.ts'
import { faultsOfParts, mailRenderer, type RenderedMail } from '../writing/render-template.ts'
import { readParts } from './template-rows.ts'

type Written = VerbInput<typeof previewMailTemplate>['body']

const isWritten = (body: Written) => mailParts.some((part) => body[part] !== undefined)

/** What is written now over what is kept, for an invented reader; refused at the piece that is wrong. */
async function renderInvented(
  db: Db | Trx,
  { code, ...pieces }: Written & { code: MailCode },
  { parameters, today, publicUrl }: Exchange,
): Promise<{ ok: true; mail: RenderedMail } | Refused> {
  const given = Object.fromEntries(Object.entries(pieces).filter(([, content]) => content !== undefined))
  const parts = { ...(await readParts(db, code)), ...given }
  const variables = {
    work_council: parameters.get('work_council'),
    ...inventedVariables(code, today, publicUrl),
  }
  const faults = faultsOfParts(given, variables)
  if (faults.length > 0) {
    return violations(
      faults.map(({ part, problem }) => ({ propertyPath: part, message: templateFault(problem) })),
    )
  }
  const rendering = mailRenderer(parts)(variables)
  return rendering.ok ? rendering : violation('code', templateFault(rendering.problem))
}

/** Everybody may see what is sent; texts of one's own are for who may change them. */
export async function previewTemplate(
  db: Db,
  { body }: VerbInput<typeof previewMailTemplate>,
  exchange: Exchange,
): Promise<Outcome<RenderedMail>> {
  if (isWritten(body) && !exchange.caller.rights.has('PARAMETER_MAIL')) return forbidden()
  const rendered = await renderInvented(db, body, exchange)
  return rendered.ok ? done(rendered.mail) : rendered
}

export async function testTemplate(
  trx: Trx,
  { body }: VerbInput<typeof testMailTemplate>,
  exchange: Exchange,
): Promise<Outcome<{ to: string }>> {
  const me = await trx
    .selectFrom('users')
    .select('email')
    .where('id', '=', exchange.caller.user_id)
    .executeTakeFirstOrThrow()
  const to = me.email
  if (!to) {
    return violation(
      'email',
      'Votre compte n’a pas d’adresse électronique\u202f: elle se donne dans «\u00a0Utilisateurs\u00a0».',
    )
  }
  const rendered = await renderInvented(trx, body, exchange)
  if (!rendered.ok) return rendered
  const { subject, html } = rendered.mail
  await queueWritten(trx, exchange, {
    template: body.code,
    to_address: to,
    subject: `[Essai] ${subject}`,
    html,
  })
  await journal(trx, exchange, {
    action: 'mail_templates.test',
    entity: 'mail',
    entity_id: null,
    after: { template: body.code },
  })
  return done({ to })
}
