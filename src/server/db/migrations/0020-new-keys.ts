import { type Kysely, sql } from 'kysely'

/** Fails (`CK001`) where a key was used, so that what was sent behind it is not run. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function claim_new_key(claimed uuid) returns void language plpgsql as $$
    begin
      if not pg_try_advisory_xact_lock(hashtextextended(claimed::text, 7302115))
        or exists (select from idempotency_keys k where k.key = claimed) then
        raise exception using errcode = 'CK001', message = 'this key is not new';
      end if;
    end $$`.execute(db)
}
