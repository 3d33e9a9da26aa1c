import { type Kysely, sql } from 'kysely'

/** Cards that differ by case only are found from each other, as codes of copies are. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index beneficiaries_reader_id_alike on beneficiaries (lower(reader_id))`.execute(db)
  await sql`create index relatives_reader_id_alike on relatives (lower(reader_id))`.execute(db)
}
