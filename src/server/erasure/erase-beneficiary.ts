import type { eraseBeneficiary as eraseCall } from '../../contract/beneficiary-changes.ts'
import { heldByLoans, mayErase } from '../../domain/erasing.ts'
import { fullName } from '../../domain/person-names.ts'
import { findVisibleBeneficiary } from '../beneficiaries/beneficiary-queries.ts'
import type { Trx } from '../db/handles.ts'
import type { VerbInput } from '../http/binding.ts'
import type { Exchange } from '../http/exchange.ts'
import { conflict, done, forbidden, notFound, type Outcome } from '../http/outcome.ts'
import { eraseReaders } from './erase-readers.ts'
import { lockToErase, whatHolds } from './inactive-readers.ts'

/** Erases a reader who asked for it, whatever they borrowed: what the law lets keep names them no more. */
export async function eraseBeneficiary(
  trx: Trx,
  { params: { id } }: VerbInput<typeof eraseCall>,
  exchange: Exchange,
): Promise<Outcome<null>> {
  if (!mayErase(exchange.caller.rights)) return forbidden()
  await lockToErase(trx, [id])
  const reader = await findVisibleBeneficiary(trx, id, exchange)
  if (!reader) return notFound('Ce lecteur n’existe pas.')
  const { loans, reservations } = await whatHolds(trx, id)
  if (loans > 0) return conflict('IN_USE', heldByLoans(fullName(reader), loans))
  if (reservations > 0) {
    const [what, so] =
      reservations === 1
        ? ['une réservation en attente', 'annulez-la d’abord']
        : [`${reservations} réservations en attente`, 'annulez-les d’abord']
    return conflict('IN_USE', `${fullName(reader)} a ${what}\u202f: ${so}.`)
  }
  await eraseReaders(trx, [id], { ...exchange, timezone: exchange.parameters.get('timezone') })
  return done(null)
}
