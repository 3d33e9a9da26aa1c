import { sql } from 'kysely'
import { defaultSymbology } from '../../domain/label-symbologies.ts'

import type { Trx } from '../db/handles.ts'
import { demonstrationAddress } from '../session/demonstration-accounts.ts'
import { demonstrationMedia, graceDays, locations } from './demonstration-media.ts'
import { contracts, statuses } from './invent-readers.ts'
import { siteCodes } from './library-numbers.ts'

export const demonstrationName = 'Médiathèque de démonstration'

export type Furniture = {
  sites: readonly [number, number]
  locations: ReadonlyMap<string, number>
  users: readonly number[]
  delayReasons: readonly number[]
  freeReasons: readonly number[]
}

const siteNames = ['Médiathèque Cabanis', 'Annexe Saint-Cyprien'] as const

const people = [
  ['admin', 'Admin', 'Louise', 'Marty'],
  ['biblio', 'Bibliothécaire', 'Hélène', 'Castaing'],
  ['benevole', 'Bénévole', 'Jean-Luc', 'Rivière'],
  ['lecture', 'Consultation', 'Noé', 'Sarda'],
] as const

const parameters = {
  work_council: demonstrationName,
  multisite: '1',
  delay_days_number_before_penalize: String(graceDays),
}

export async function seedDemonstration(trx: Trx, passwordHash: string): Promise<Furniture> {
  const sites = await nameSites(trx)
  for (const [username, profile, firstname, lastname] of people) {
    await sql`insert into users (username, password_hash, profile, email, firstname, lastname)
      select ${username}, ${passwordHash}, id, ${demonstrationAddress(username)}, ${firstname}, ${lastname} from profiles where name = ${profile}
      on conflict (username) do update set password_hash = excluded.password_hash, email = excluded.email,
        firstname = excluded.firstname, lastname = excluded.lastname, enabled = true`.execute(trx)
  }
  for (const [code, value] of Object.entries(parameters)) {
    await trx.updateTable('parameters').set({ value }).where('code', '=', code).execute()
  }
  await trx
    .insertInto('eligibility_values')
    .values([
      ...contracts.map((name) => ({ kind: 'CONTRACT' as const, name })),
      ...statuses.map((name) => ({ kind: 'BENEFICIAIRE_STATUS' as const, name })),
    ])
    .execute()
  await trx
    .insertInto('media')
    .values(
      demonstrationMedia.map((medium) => ({
        name: medium.name,
        code: medium.code,
        duration: medium.duration,
        max_loaning: medium.max_loaning,
        max_late: medium.max_late,
        penalty_enabled: medium.penalty_enabled,
        penalty_amount: medium.penalty_amount,
        deleted_at: null,
        accounting_code: null,
        duration_type: 'WEEK' as const,
        start_day: null,
        end_day: null,
        penalty_duration_type: medium.penalty_enabled ? ('WEEK' as const) : null,
        loaning_conditions_label: null,
        loaning_conditions_file: null,
      })),
    )
    .execute()
  const shelves = await trx
    .insertInto('locations')
    .values(locations.map((label) => ({ label, deleted_at: null })))
    .returning(['id', 'label'])
    .execute()
  const users = await trx
    .selectFrom('users')
    .select('id')
    .where('username', 'in', ['biblio', 'benevole'])
    .orderBy('id')
    .execute()
  const reasons = await trx
    .selectFrom('reasons')
    .select(['id', 'type'])
    .where('deleted_at', 'is', null)
    .orderBy('id')
    .execute()
  const reasonsFor = (type: 'delay' | 'free') =>
    reasons.filter((reason) => reason.type === type).map(({ id }) => id)
  return {
    sites,
    locations: new Map(shelves.map(({ id, label }) => [label, id])),
    users: users.map(({ id }) => id),
    delayReasons: reasonsFor('delay'),
    freeReasons: reasonsFor('free'),
  }
}

// New copies are numbered from here, beyond those of the demonstration and as long.
const numbers = (site: 0 | 1) => ({
  siteCode: siteCodes[site],
  firstValue: '1000000',
  symbology: defaultSymbology,
})

/** The site that every new environment has becomes the first; the annexe is made. */
async function nameSites(trx: Trx): Promise<readonly [number, number]> {
  const first = await trx
    .selectFrom('sites')
    .select('id')
    .where('deleted_at', 'is', null)
    .orderBy('id')
    .executeTakeFirstOrThrow()
  await trx
    .updateTable('sites')
    .set({ name: siteNames[0], bar_codes_configuration: numbers(0) })
    .where('id', '=', first.id)
    .execute()
  const second = await trx
    .insertInto('sites')
    .values({ name: siteNames[1], gestit_id: null, deleted_at: null, bar_codes_configuration: numbers(1) })
    .returning('id')
    .executeTakeFirstOrThrow()
  return [first.id, second.id]
}
