import { sql } from 'kysely'

import type { Db, Trx } from '../handles.ts'

// On a distributed engine (Citus) a library's schema lies whole on one machine, which the machine that is asked passes its statements to.

/** The message is for the terminal. */
class UnsafeTriggersError extends Error {
  override readonly name = 'UnsafeTriggersError'
  constructor(machines: readonly string[]) {
    super(
      `Citus refuse les déclencheurs des tables sur ${machines.join(', ')}\u202f: mettez citus.enable_unsafe_triggers = on dans la configuration de chaque machine, puis rechargez-la.`,
    )
  }
}

/** Whether the database has several machines. */
export const isOfSeveralMachines = sql<boolean>`exists (select from pg_extension where extname = 'citus')`

/** Null where the database has one machine. */
async function isDistributed(db: Db | Trx, schema: string): Promise<boolean | null> {
  const { rows: places } = await sql<{ several: boolean }>`select ${isOfSeveralMachines} as several`.execute(
    db,
  )
  if (places[0]?.several !== true) return null
  const { rows } = await sql<{ is: boolean }>`
    select exists (select from pg_dist_schema s join pg_namespace n on n.oid = s.schemaid
      where n.nspname = ${schema}) as is`.execute(db)
  return rows[0]?.is === true
}

/** Brings a distributed schema back to the machine that is asked, where its tables may be changed; others stay as they are. */
export async function gather(db: Db, schema: string): Promise<void> {
  if ((await isDistributed(db, schema)) !== true) return
  await carry(db, schema, async (trx) => {
    if ((await isDistributed(trx, schema)) !== true) return
    await withoutTriggers(trx, schema, () =>
      sql`select citus_schema_undistribute(${sql.lit(schema)})`.execute(trx),
    )
  })
}

/** Gives a migrated schema to a machine, where there are several and it has none; throws UnsafeTriggersError. */
export async function distribute(db: Db, schema: string): Promise<void> {
  if ((await isDistributed(db, schema)) !== false) return
  await carry(db, schema, async (trx) => {
    if ((await isDistributed(trx, schema)) !== false) return
    await requireTriggers(trx)
    for (const statement of functionsOfRows) await sql.raw(statement).execute(trx)
    const stamped = await stampedColumns(trx, schema)
    for (const one of stamped) await stampNewRows(trx, one)
    await pinFunctions(trx, schema)
    await withoutTriggers(trx, schema, async () => {
      for (const { table, column } of stamped)
        await sql`update ${sql.id(table)} set ${sql.id(column)} = ${sql.lit(longAgo)}`.execute(trx)
      await sql`delete from row_changes`.execute(trx)
      await sql`insert into row_changes (changed_xid, row_id, subject) values (${longAgo}, 0, '')`.execute(
        trx,
      )
      await sql`select citus_schema_distribute(${sql.lit(schema)})`.execute(trx)
    })
  })
}

/** Two servers that open one library carry it once. */
const carry = (db: Db, schema: string, work: (trx: Trx) => Promise<void>): Promise<void> =>
  db.transaction().execute(async (trx) => {
    await sql`select pg_advisory_xact_lock(hashtextextended(${schema}, 7302129))`.execute(trx)
    await sql`set local citus.multi_shard_modify_mode to 'sequential'`.execute(trx)
    await work(trx)
  })

/** Rows that are carried from one machine to another are nobody's news, and are counted already. */
async function withoutTriggers(trx: Trx, schema: string, work: () => Promise<unknown>): Promise<void> {
  const { rows } = await sql<{ name: string; table: string; definition: string }>`
    select t.tgname as name, c.relname as table, pg_get_triggerdef(t.oid) as definition
    from pg_trigger t join pg_class c on c.oid = t.tgrelid
    where c.relnamespace = ${sql.lit(schema)}::regnamespace and not t.tgisinternal order by 1`.execute(trx)
  for (const { name, table } of rows)
    await sql`drop trigger ${sql.id(name)} on ${sql.table(`${schema}.${table}`)}`.execute(trx)
  await work()
  for (const { definition } of rows) await sql.raw(definition).execute(trx)
}

async function requireTriggers(trx: Trx): Promise<void> {
  const { rows } = await sql<{ machine: string }>`
    select n.nodename || ':' || n.nodeport as machine
    from run_command_on_all_nodes('select current_setting(''citus.enable_unsafe_triggers'')') told
    join pg_dist_node n on n.nodeid = told.nodeid where coalesce(told.result, 'off') <> 'on' order by 1`.execute(
    trx,
  )
  if (rows.length > 0) throw new UnsafeTriggersError(rows.map(({ machine }) => machine))
}

/** Before all transactions of any machine: the numbers of the one that was asked are no past of the one where the rows come to lie. */
const longAgo = 3

type Stamped = { table: string; column: string }

/** Columns whose default is the transaction. */
async function stampedColumns(trx: Trx, schema: string): Promise<Stamped[]> {
  const { rows } = await sql<Stamped>`
    select c.relname as table, a.attname as column
    from pg_attrdef d join pg_attribute a on a.attrelid = d.adrelid and a.attnum = d.adnum
      join pg_class c on c.oid = d.adrelid
    where c.relnamespace = ${sql.lit(schema)}::regnamespace and pg_get_expr(d.adbin, d.adrelid) ~ 'pg_current_xact_id'
    order by 1`.execute(trx)
  return rows
}

/** A default is evaluated by the machine that is asked, whose transactions have other numbers than those where the row lies. */
async function stampNewRows(trx: Trx, { table, column }: Stamped): Promise<void> {
  const stamp = sql.id(`stamp_${column}`)
  await sql`
    create or replace function ${stamp}() returns trigger language plpgsql as ${sql.lit(
      `begin new.${column} := pg_current_xact_id()::text::bigint; return new; end`,
    )}`.execute(trx)
  await sql`
    create or replace trigger ${sql.id(`${table}_stamped`)} before insert on ${sql.id(table)}
    for each row execute function ${stamp}()`.execute(trx)
}

/** On its machine a trigger runs on the path of whoever sent the row there. */
async function pinFunctions(trx: Trx, schema: string): Promise<void> {
  const { rows } = await sql<{ name: string }>`
    select p.oid::regprocedure::text as name from pg_proc p join pg_language l on l.oid = p.prolang
    where p.pronamespace = ${sql.lit(schema)}::regnamespace and l.lanname = 'plpgsql'`.execute(trx)
  for (const { name } of rows)
    await sql`alter function ${sql.raw(name)} set search_path = ${sql.id(schema)}, public`.execute(trx)
}

/** A statement of distributed tables cannot read a transition table, which is read alone and row by row. */
const functionsOfRows = [
  trigger('tally_loans_added', 'a record;', `for a in select * from added loop ${tally('a', '1')} end loop;`),
  trigger('tally_loans_gone', 'g record;', `for g in select * from gone loop ${tally('g', '-1')} end loop;`),
  trigger(
    'tally_loans_changed',
    'a record; g record;',
    `for a in select n.* from added n join gone o on o.id = n.id
       where (n.start_date, n.site, n.status, n.deleted_at is null) is distinct from (o.start_date, o.site, o.status, o.deleted_at is null) loop
       select * into g from gone o where o.id = a.id;
       ${tally('a', '1')} ${tally('g', '-1')}
     end loop;`,
  ),
  trigger(
    'tally_figures_added',
    'a record;',
    `for a in select * from added loop ${figuresOfLoan('a', 1)} end loop;`,
  ),
  trigger(
    'tally_figures_gone',
    'g record;',
    `for g in select * from gone loop ${figuresOfLoan('g', -1)} end loop;`,
  ),
  trigger(
    'tally_figures_changed',
    'a record; g record;',
    `for a in select n.* from added n join gone o on o.id = n.id
       where (n.copy, n.site, n.status, n.start_date, n.end_date, n.return_date, n.amount, n.audience, n.age_band, n.deleted_at)
         is distinct from (o.copy, o.site, o.status, o.start_date, o.end_date, o.return_date, o.amount, o.audience, o.age_band, o.deleted_at) loop
       select * into g from gone o where o.id = a.id;
       perform from copies where id = a.copy for key share;
       ${figuresOfLoan('a', 1)} ${figuresOfLoan('g', -1)}
     end loop;`,
  ),
  trigger(
    'tally_titles_moved',
    'a record; g record; l record;',
    `for a in select n.* from added n join gone o on o.id = n.id where (n.medium, n.category) is distinct from (o.medium, o.category) loop
       select * into g from gone o where o.id = a.id;
       perform from copies where reference = a.id order by id for update;
       for l in select o.* from loanings o join copies c on c.id = o.copy where c.reference = a.id and o.deleted_at is null loop
         ${figures('l', 'a', 1)} ${figures('l', 'g', -1)}
       end loop;
     end loop;`,
  ),
  trigger(
    'tally_copy_moved',
    'a record; g record; l record;',
    `perform from copies where id = new.id for update;
     perform from "references" where id in (old.reference, new.reference) order by id for share;
     select medium, category into a from "references" where id = new.reference;
     select medium, category into g from "references" where id = old.reference;
     for l in select o.* from loanings o where o.copy = new.id and o.deleted_at is null loop
       ${figures('l', 'a', 1)} ${figures('l', 'g', -1)}
     end loop;`,
  ),
]

function trigger(name: string, declared: string, body: string): string {
  return `
    create or replace function ${name}() returns trigger language plpgsql as $$
    declare late boolean; due date; title record; ${declared}
    begin
      ${body}
      return null;
    end $$`
}

function tally(loan: string, one: string): string {
  return `
    if ${loan}.deleted_at is null then
      insert into loan_tallies (start_date, site, status, loans) values (${loan}.start_date, ${loan}.site, ${loan}.status, ${one});
    end if;`
}

function figuresOfLoan(loan: string, one: 1 | -1): string {
  return `
    if ${loan}.deleted_at is null then
      select r.medium, r.category into title from copies c join "references" r on r.id = c.reference where c.id = ${loan}.copy;
      ${figures(loan, 'title', one)}
    end if;`
}

/** As `added` of migrations/baseline/tallies.ts counts them, one loan at a time. */
function figures(loan: string, title: string, one: 1 | -1): string {
  const values = `${loan}.site, ${title}.medium, ${title}.category, ${loan}.status, late, due, ${one}, ${one} * ${loan}.amount`
  const into = `insert into lending_tallies (span, starts_on, site, medium, category, status, late, due_on, loans, amount)`
  return `
    late := coalesce(${loan}.return_date > ${loan}.end_date and ${loan}.status <> 'cancelled', false);
    due := case when ${loan}.status = 'in_progress' then ${loan}.end_date end;
    ${into} values ('day', ${loan}.start_date, ${values});
    ${into} values ('month', date_trunc('month', ${loan}.start_date)::date, ${values});
    if ${loan}.status <> 'cancelled' then
      insert into public_tallies (month, site, medium, audience, age_band, loans)
        values (date_trunc('month', ${loan}.start_date)::date, ${loan}.site, ${title}.medium, ${loan}.audience, ${loan}.age_band, ${one});
    end if;
    if ${loan}.status = 'finished' then
      insert into return_tallies (day, site, returns) values (${loan}.return_date, ${loan}.site, ${one});
    end if;`
}
