import { sql } from 'kysely'

import type { PersonalData } from '../../contract/personal-data.ts'
import type { Db, Trx } from '../db/handles.ts'
import { rightsOfUser } from '../library-facts/held-rights.ts'
import { accountName } from '../library-facts/person-names.ts'
import type { Exchange } from '../http/exchange.ts'
import { hasEnded } from './cut-loans.ts'
import { forgottenBefore, readAgreement } from './forget-of-today.ts'

const daysTold = 14

export async function readPersonalData(
  db: Db | Trx,
  { parameters, today }: Pick<Exchange, 'parameters' | 'today'>,
): Promise<PersonalData> {
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
  const { rows: seen_by } = await sql<PersonalData['seen_by'][number]>`
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
