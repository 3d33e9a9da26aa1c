import { sql } from 'kysely'
import { expect } from 'vitest'

import { setParameter } from '../settings/set-parameter.ts'
import type { Answer, Client, TestServer } from '../support/test-server.ts'

/**
 * Annexe (2) has Jean (4) and the DVDs, Centre (1) Alice (1), Éric (2), Zoé and the books. Admin and the
 * volunteer work for Annexe, the librarian for Centre, `chef` for both.
 */
export type TwoSites = { annexe: Client; volunteer: Client; centre: Client; chef: Client }

export async function openTwoSites(server: TestServer): Promise<TwoSites> {
  await sql`insert into users (username, password_hash, profile)
    select 'chef', password_hash, profile from users where username = 'admin'`.execute(server.db)
  await sql`insert into user_sites (user_id, site)
    select id, case username when 'biblio' then 1 else 2 end from users where username in ('admin', 'benevole', 'biblio')`.execute(
    server.db,
  )
  await setParameter(server, 'multisite', '1')
  return {
    annexe: await server.as('admin'),
    volunteer: await server.as('benevole'),
    centre: await server.as('biblio'),
    chef: await server.as('chef'),
  }
}

/** Nothing lent, nobody waiting, no mail; readers belong to their sites or not. */
export async function clearCounter(server: TestServer, bySite: boolean): Promise<void> {
  await sql`truncate loanings, sales, reservations, settlements, mail_outbox, idempotency_keys restart identity cascade`.execute(
    server.db,
  )
  await sql`update copies set status = 'Disponible', deleted_at = null, withdrawn_on = null, withdrawal_reason = null, sent_from = null, sent_at = null`.execute(
    server.db,
  )
  await setParameter(server, 'by_site_beneficiaries', bySite ? '1' : '0')
}

/** What names the readers of Centre. */
export const namesOfCentre = [
  'Martin',
  'Alice',
  'Dupont',
  'Éric',
  'Zoé',
  'M1',
  'M2',
  'R1',
  'R2A',
  'alice@exemple.fr',
  'secret de Centre',
]
const named = new RegExp(`(?<![\\p{L}\\p{N}])(${namesOfCentre.join('|')})(?![\\p{L}\\p{N}])`, 'u')

/** Titles of the books, which only Centre has. */
const titled = /Livre numéro/

/** Looks through the whole answer, its headers included. */
export function expectNobodyNamed(answer: Answer, may: { title?: boolean } = {}): void {
  const whole = JSON.stringify([answer.body, ...answer.headers])
  const found = named.exec(whole) ?? (may.title === true ? null : titled.exec(whole))
  if (found) expect.fail(`« ${found[0]} » stands in ${answer.status} ${whole}`)
}
