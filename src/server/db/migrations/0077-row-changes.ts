import { type Kysely, sql } from 'kysely'

const tables = ['references', 'copies', 'beneficiaries', 'loanings', 'reservations']
/** The others' stamp is their version, by which a form tells that somebody else has saved. */
const unversioned = ['copies', 'loanings', 'reservations']

/**
 * What tablets copy is told by lines beside it instead of by an index on its stamp: that one moved with every lend and
 * return, and all other indexes of the row with it.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  const statements = [
    // A server of the version before, which may still write, would change rows between their copy and the triggers.
    `lock table ${tables.map((table) => `"${table}"`).join(', ')}`,
    `create table row_changes (changed_xid bigint not null, row_id integer not null, subject text not null)`,
    // Devices go on from cursors of the last weeks in which anything was done; the first line, of no row, says from where on all is told.
    `with told as (
       select coalesce(min(written_xid), pg_snapshot_xmin(pg_current_snapshot())::text::bigint) as since
       from audit_journal where at >= (select max(at) from audit_journal) - interval '31 days'
     )
     insert into row_changes (changed_xid, row_id, subject)
     select since, 0, '' from told
     ${tables.map((table) => `union all select changed_xid, id, '${table}' from "${table}", told where changed_xid >= since`).join(' ')}`,
    `create index row_changes_xid on row_changes (changed_xid)`,
    `create function tell_row_change() returns trigger language plpgsql as $$
     begin
       insert into row_changes (changed_xid, row_id, subject)
       values (pg_current_xact_id()::text::bigint, new.id, tg_argv[0]);
       return null;
     end $$`,
    ...tables.flatMap((table) => [
      `create trigger ${table}_told after insert or update on "${table}"
       for each row execute function tell_row_change('${table}')`,
      `drop index ${table}_changed`,
    ]),
    ...unversioned.flatMap((table) => [
      `drop trigger ${table}_touched on ${table}`,
      `alter table ${table} drop column changed_xid`,
    ]),
    // A new version of a row touches no index where it finds room on its page.
    `alter table copies set (fillfactor = 90)`,
  ]
  for (const statement of statements) await sql.raw(statement).execute(db)
}
