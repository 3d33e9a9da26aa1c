import { accountName } from '../../domain/person-names.ts'
import type { Trx } from '../db/handles.ts'
import type { PublicExchange } from '../http/exchange.ts'
import { queueMail } from './queue-mail.ts'

export const accountChanges = {
  address: 'L’adresse de courriel de votre compte a été changée.',
  password: 'Le mot de passe de votre compte a été changé.',
  factor_set: 'Un deuxième facteur a été ajouté à votre compte.',
  factor_removed: 'Le deuxième facteur de votre compte a été retiré.',
} as const

/** Tells whoever has the account what changed of it, whoever did; to the address of before where that changed. */
export async function notifyAccountChanged(
  trx: Trx,
  exchange: Pick<PublicExchange, 'now' | 'parameters'>,
  user_id: number,
  what: keyof typeof accountChanges,
  formerAddress?: string | null,
): Promise<void> {
  const user = await trx
    .selectFrom('users')
    .select(['username', 'firstname', 'lastname', 'email'])
    .where('id', '=', user_id)
    .executeTakeFirstOrThrow()
  const to_address = formerAddress === undefined ? user.email : formerAddress
  if (to_address === null) return
  await queueMail(trx, exchange, {
    template: 'account_changed',
    to_address,
    variables: { user: { username: user.username, name: accountName(user) }, change: accountChanges[what] },
  })
}
