import { sql } from 'kysely'

import { eraseBeneficiary, getReaderData } from '../../contract/beneficiary-changes.ts'
import * as call from '../../contract/personal-data.ts'
import { heldByLoans, mayErase } from '../../domain/erasing.ts'
import { fullName } from '../../domain/person-names.ts'
import { findVisibleBeneficiary } from '../beneficiaries/beneficiary-queries.ts'
import type { Db, Trx } from '../db/handles.ts'
import { change, keepingFile, longRead, type VerbInput } from '../http/binding.ts'
import type { Exchange } from '../http/exchange.ts'
import { journal } from '../http/journal.ts'
import { conflict, done, forbidden, notFound, type Outcome } from '../http/outcome.ts'
import { rightsOfUser } from '../library-facts/held-rights.ts'
import { accountName } from '../library-facts/person-names.ts'
import { hasEnded } from './cut-loans.ts'
import { eraseReaders } from './erase-readers.ts'
import { exportReaderData } from './export-reader-data.ts'
import { forgottenBefore, readAgreement } from './forget-of-today.ts'
import { eraseInactive } from './erase-inactive.ts'
import { inactiveRows, lockToErase, whatHolds } from './inactive-readers.ts'

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

const daysTold = 14

async function readPersonalData(
  db: Db | Trx,
  { parameters, today }: Pick<Exchange, 'parameters' | 'today'>,
): Promise<call.PersonalData> {
  const retention_months = parameters.number('retention_months')
  const forgotten_before = forgottenBefore(today, retention_months)
  const timezone = parameters.get('timezone')
  const { rows: linked } = await sql<{ count: number }>`
    select count(*)::int as count from loanings l
    where l.beneficiary is not null and ${hasEnded({ endedBefore: forgotten_before, today, timezone })}`.execute(
    db,
  )
  const { lapsedSince } = await readAgreement(db, { today, timezone })
  const { rows: said } = await sql<{ who: string; at: string; holds: boolean }>`
    select ${accountName('u')} as who, coalesce(a.suspended_at, a.agreed_at) as at, a.suspended_at is null as holds
    from forgetting_agreements a join users u on u.id = coalesce(a.suspended_by, a.user_id)
    order by a.id desc limit 1`.execute(db)
  const [last] = said
  const by = last ? { who: last.who, at: last.at } : null
  const days = await db
    .selectFrom('forgetting_days')
    .select(['day', 'readers', 'loans', 'reservations', 'mails', 'journal_lines', 'ended_at'])
    .orderBy('day', 'desc')
    .limit(daysTold)
    .execute()
  const { rows: seen_by } = await sql<call.PersonalData['seen_by'][number]>`
    select p.name as profile, count(*)::int as people,
      held.codes @> '{LIST_BENEFICIARIES}' as readers, held.codes @> '{BENEFICIARY_CONTACT}' as contact,
      held.codes @> '{BENEFICIARY_ADDRESS}' as address, held.codes @> '{BENEFICIARY_HISTORY}' as history
    from profiles p join users u on u.profile = p.id and u.enabled and u.deleted_at is null
      cross join lateral (select ${rightsOfUser} as codes) held
    group by p.id, readers, contact, address, history
    order by p.name, p.id, people desc`.execute(db)
  return {
    '@type': 'PersonalData',
    library: parameters.get('work_council'),
    agreed: last?.holds && lapsedSince === null ? by : null,
    suspended: last?.holds ? null : by,
    lapsed_since: last?.holds ? lapsedSince : null,
    retention_months,
    retention_inactive_months: parameters.number('retention_inactive_months'),
    journal_months: parameters.number('journal_months'),
    linked_loans: linked[0]?.count ?? 0,
    forgotten_before,
    days,
    seen_by,
  }
}

/** Erases a reader who asked for it, whatever they borrowed: what the law lets keep names them no more. */
async function eraseOne(
  trx: Trx,
  { params: { id } }: VerbInput<typeof eraseBeneficiary>,
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
