import type { AnswerOf } from '../../contract/endpoint.ts'
import type {
  inviteUser as inviteUserCall,
  linkToInvite as linkToInviteCall,
  User,
} from '../../contract/users.ts'
import { accountName } from '../../domain/person-names.ts'
import type { Db, Trx } from '../db/handles.ts'
import type { VerbInput } from '../http/binding.ts'
import type { Exchange } from '../http/exchange.ts'
import { journal } from '../http/journal.ts'
import { conflict, done, notFound, type Outcome, type Refused, violation } from '../http/outcome.ts'
import { templateBroken, templateOff } from '../mail/template-rows.ts'
import { issueInvitation } from '../session/password-links.ts'
import { queueMail } from '../writing/queue-mail.ts'
import { findVisibleUser, serializeUser, type UserRow } from './user-queries.ts'
import { touchRefusal } from './user-refusal.ts'

const template = 'account_invitation'

type Invited = Pick<UserRow, 'id' | 'username' | 'firstname' | 'lastname'> & { email: string }

const invitationLink = (publicUrl: string, token: string): string => `${publicUrl}/login?token=${token}`

/** Mails a login link, the only one from then on; answers why it cannot leave, or null. */
export async function sendInvitation(trx: Trx, user: Invited, exchange: Exchange): Promise<Refused | null> {
  const { now, publicUrl } = exchange
  const token = await issueInvitation(trx, user.id, now)
  const queued = await queueMail(trx, exchange, {
    template,
    to_address: user.email,
    variables: {
      user: { username: user.username, name: accountName(user) },
      link: invitationLink(publicUrl, token),
      reset: `${publicUrl}/reset/password`,
    },
  })
  if (queued.state === 'off') return templateOff(template)
  if (queued.state === 'broken') return templateBroken(template, queued.problem)
  return null
}

/** Mails a new login link to somebody whose first one ended before they chose a password. */
export async function inviteUser(
  trx: Trx,
  { params: { id } }: VerbInput<typeof inviteUserCall>,
  exchange: Exchange,
): Promise<Outcome<User>> {
  const found = await invitedUser(trx, id, exchange)
  if (!found.ok) return found
  const row = found.answer
  const { email } = row
  if (email === null)
    return violation(
      'email',
      'Cette personne n’a pas d’adresse électronique\u202f: copiez son lien d’invitation, et remettez-le-lui.',
    )
  const unsent = await sendInvitation(trx, { ...row, email }, exchange)
  if (unsent) return unsent
  await journal(trx, exchange, { action: 'users.invite', entity: 'users', entity_id: id })
  return done(serializeUser(row, exchange))
}

/** For whom no mail reaches; its answer is a key, and is kept nowhere. */
export function linkToInvite(
  db: Db,
  { params: { id } }: VerbInput<typeof linkToInviteCall>,
  exchange: Exchange,
): Promise<Outcome<AnswerOf<typeof linkToInviteCall>>> {
  return db.transaction().execute(async (trx) => {
    const found = await invitedUser(trx, id, exchange)
    if (!found.ok) return found
    const token = await issueInvitation(trx, id, exchange.now)
    await journal(trx, exchange, { action: 'users.invitation_link', entity: 'users', entity_id: id })
    return done({ link: invitationLink(exchange.publicUrl, token) })
  })
}

async function invitedUser(trx: Trx, id: number, exchange: Exchange): Promise<Outcome<UserRow>> {
  const locked = await trx
    .selectFrom('users')
    .select('password_chosen')
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
  const row = await findVisibleUser(trx, id, exchange)
  if (!row) return notFound('Cet utilisateur n’existe pas.')
  const refused = touchRefusal(row, exchange)
  if (refused) return refused
  if (!row.enabled) return violation('enabled', 'Cette personne est désactivée\u202f: réactivez-la d’abord.')
  // The link would sign its holder in with this person's rights, for a week.
  if (locked?.password_chosen)
    return conflict(
      'PASSWORD_CHOSEN',
      'Cette personne a déjà choisi son mot de passe\u202f: «\u00a0Mot de passe oublié\u00a0» lui en donne un autre.',
    )
  return { ok: true, answer: row }
}
