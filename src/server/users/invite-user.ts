import type { inviteUser as inviteUserCall, User } from '../../contract/users.ts'
import type { Trx } from '../db/handles.ts'
import type { VerbInput } from '../http/binding.ts'
import type { Exchange } from '../http/exchange.ts'
import { done, notFound, type Outcome, violation } from '../http/outcome.ts'
import { journal } from '../http/journal.ts'
import { sendInvitation } from './send-invitation.ts'
import { findUserInSight, tellUser } from './user-queries.ts'
import { touchRefusal } from './user-refusal.ts'

/** Mails a new login link to somebody whose first one ended. */
export async function inviteUser(
  trx: Trx,
  { params: { id } }: VerbInput<typeof inviteUserCall>,
  exchange: Exchange,
): Promise<Outcome<User>> {
  await trx.selectFrom('users').select('id').where('id', '=', id).forUpdate().execute()
  const row = await findUserInSight(trx, id, exchange)
  if (!row) return notFound('Cet utilisateur n’existe pas.')
  const refused = touchRefusal(row, exchange)
  if (refused) return refused
  const { email } = row
  if (email === null) return violation('email', 'Cette personne n’a pas d’adresse électronique.')
  if (!row.enabled) return violation('enabled', 'Cette personne est désactivée\u202f: réactivez-la d’abord.')
  const unsent = await sendInvitation(trx, { ...row, email }, exchange)
  if (unsent) return unsent
  await journal(trx, exchange, { action: 'users.invite', entity: 'users', entity_id: id })
  return done(tellUser(row, exchange))
}
