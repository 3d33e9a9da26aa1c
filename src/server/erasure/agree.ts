import type { PersonalData } from '../../contract/personal-data.ts'
import type { Trx } from '../db/handles.ts'
import type { Exchange } from '../http/exchange.ts'
import { journal } from '../http/journal.ts'
import { done, forbidden, type Outcome } from '../http/outcome.ts'
import { readPersonalData } from './read-personal-data.ts'

/** Said once for all sites; saying it again changes nothing while it holds. */
export async function agree(trx: Trx, _: unknown, exchange: Exchange): Promise<Outcome<PersonalData>> {
  const { caller, now, visibility } = exchange
  if (visibility.open !== null) {
    return forbidden('L’oubli touche les prêts de tous les sites\u202f: il se donne avec tous les sites.')
  }
  const before = await readPersonalData(trx, exchange)
  if (before.agreed) return done(before)
  await trx
    .insertInto('forgetting_agreements')
    .values({ user_id: caller.user_id, agreed_at: now.toISOString() })
    .execute()
  await journal(trx, exchange, { action: 'personal_data.agree', entity: 'personal_data', entity_id: null })
  return done(await readPersonalData(trx, exchange))
}
