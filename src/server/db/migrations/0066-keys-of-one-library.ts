import { type Kysely, sql } from 'kysely'

/** A key was claimed for every library of a database: who used another library's kept its device waiting. It is now its library's. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create or replace function claim_key(claimed uuid)
    returns table (locked boolean, user_id integer, site integer, request_hash bytea, status integer, answer text)
    language plpgsql as $$
    begin
      locked := pg_try_advisory_xact_lock(hashtextextended(concat_ws(' ', current_schema(), 'key', claimed), 0));
      if locked then
        select k.user_id, k.site, k.request_hash, k.status, k.answer
        into user_id, site, request_hash, status, answer
        from idempotency_keys k where k.key = claimed;
      end if;
      return next;
    end $$`.execute(db)
  await sql`
    create or replace function claim_new_key(claimed uuid) returns void language plpgsql as $$
    begin
      if not pg_try_advisory_xact_lock(hashtextextended(concat_ws(' ', current_schema(), 'key', claimed), 0))
        or exists (select from idempotency_keys k where k.key = claimed) then
        raise exception using errcode = 'CK001', message = 'this key is not new';
      end if;
    end $$`.execute(db)
}
