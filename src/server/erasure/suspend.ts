import type { PersonalData } from '../../contract/personal-data.ts'
import type { Trx } from '../db/handles.ts'
import type { Exchange } from '../http/exchange.ts'
import { journal } from '../http/journal.ts'
import { done, forbidden, type Outcome } from '../http/outcome.ts'
import { readPersonalData } from './read-personal-data.ts'

/** Takes back the yes for what is still to come; what was forgotten is gone, and the yes may be given again. */
export async function suspend(trx: Trx, _: unknown, exchange: Exchange): Promise<Outcome<PersonalData>> {
  const { caller, now, visibility } = exchange
  if (visibility.open !== null) {
    return forbidden('L’oubli touche les prêts de tous les sites\u202f: il se suspend avec tous les sites.')
  }
  const { numUpdatedRows } = await trx
    .updateTable('forgetting_agreements')
    .set({ suspended_at: now.toISOString(), suspended_by: caller.user_id })
    .where('suspended_at', 'is', null)
    .executeTakeFirst()
  if (numUpdatedRows > 0n) {
    await journal(trx, exchange, {
      action: 'personal_data.suspend',
      entity: 'personal_data',
      entity_id: null,
    })
  }
  return done(await readPersonalData(trx, exchange))
}
