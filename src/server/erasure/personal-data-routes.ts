import { eraseBeneficiary, getReaderData } from '../../contract/beneficiary-changes.ts'
import * as call from '../../contract/personal-data.ts'
import { mayErase } from '../../domain/erasing.ts'
import type { Trx } from '../db/handles.ts'
import { change, keepingFile, longRead } from '../http/binding.ts'
import type { Exchange } from '../http/exchange.ts'
import { journal } from '../http/journal.ts'
import { done, forbidden, type Outcome } from '../http/outcome.ts'
import { eraseBeneficiary as eraseOne } from './erase-beneficiary.ts'
import { eraseInactive } from './erase-inactive.ts'
import { exportReaderData } from './export-reader-data.ts'
import { inactiveRows } from './inactive-readers.ts'
import { readPersonalData } from './read-personal-data.ts'

/** Takes back the yes for what is still to come; what was forgotten is gone, and the yes may be given again. */
async function suspend(trx: Trx, _: unknown, exchange: Exchange): Promise<Outcome<call.PersonalData>> {
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

/** Said once for all sites; saying it again changes nothing while it holds. */
async function agree(trx: Trx, _: unknown, exchange: Exchange): Promise<Outcome<call.PersonalData>> {
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

export const personalDataRoutes = [
  longRead(call.getPersonalData, async (db, _, exchange) => done(await readPersonalData(db, exchange))),
  change(call.agreeToForgetting, agree),
  change(call.suspendForgetting, suspend),
  longRead(call.inactiveReaders.list, async (db, { list }, exchange) =>
    mayErase(exchange.caller.rights) ? done(await inactiveRows(exchange).list(db, list)) : forbidden(),
  ),
  change(call.eraseInactive, eraseInactive),
  keepingFile(getReaderData, exportReaderData),
  change(eraseBeneficiary, eraseOne),
]
