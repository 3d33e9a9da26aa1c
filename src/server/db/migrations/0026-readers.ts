import { type Kysely, sql } from 'kysely'

// A wallet may be below zero. What makes the next matricule, twins and lists of communes fast has an index.
export async function up(db: Kysely<unknown>): Promise<void> {
  const statements = [
    sql`alter table beneficiaries drop constraint if exists beneficiaries_wallet_amount_check`,
    sql`create index beneficiaries_whole_matricule on beneficiaries ((matricule::bigint))
      where matricule ~ '^[0-9]{1,15}$'`,
    sql`create index beneficiaries_email on beneficiaries (email) where email is not null`,
    sql`create index beneficiaries_commune on beneficiaries (commune) where commune is not null`,
  ]
  for (const statement of statements) await statement.execute(db)
}
