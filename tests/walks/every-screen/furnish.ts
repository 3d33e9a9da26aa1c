import { sql } from 'kysely'

import type { Db } from '../../../src/server/db/handles.ts'
import { type Api } from '../../support/api-of.ts'
import { addManyRows } from '../../support/many-rows.ts'

/** More than are drawn at once, so that lists grow while they are looked at. */
const lateLoans = 12

/** A library of which no list is empty, and a person who has no right. */
export async function furnishForWalk(db: Db): Promise<void> {
  await addManyRows(db, 40)
  await sql`insert into profiles (name) values ('Sans droit')`.execute(db)
  await sql`
    insert into users (username, password_hash, profile, firstname, lastname)
    select 'personne', u.password_hash, p.id, 'Une', 'Personne' from users u, profiles p
    where u.username = 'lecture' and p.name = 'Sans droit'`.execute(db)
  await sql`
    insert into user_sites (user_id, site) select id, 1 from users where username = 'personne'`.execute(db)
}

/** Something of each kind, so that no screen is empty. */
export async function useForWalk(api: Api): Promise<void> {
  const late = { start_date: '2026-01-05', override_reason: 'Reprise du cahier' }
  const lent = Array.from({ length: lateLoans }, (_, at) => at + 1).filter((copy) => copy !== forSale)
  for (const [path, body] of [
    ...lent.map((copy) => ['/api/loanings', { beneficiary: 2, copy, ...late }] as const),
    ['/api/loanings', { beneficiary: 1, copy: lateLoans + 1 }],
    ['/api/reservations', { beneficiary_id: 2, reference_id: 3 }],
    ['/api/inventories', { name: 'Récolement', site: 1 }],
    ['/api/keywords', { name: 'Mer' }],
  ] as const) {
    const { status, body: answer } = await api.post(path, body)
    if (status !== 201) throw new Error(`${path} answered ${status}: ${JSON.stringify(answer)}`)
  }
  await api.put(`/api/copies/${forSale}`, { type: 'Vente', price: '2.00' })
  const { status } = await api.post('/api/sales', { beneficiary: 1, copy: forSale })
  if (status !== 201) throw new Error(`/api/sales answered ${status}`)
}

const forSale = 4
