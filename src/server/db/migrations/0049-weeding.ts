import { type Kysely, sql } from 'kysely'

/** What is chosen to leave the stock, and what left it at once. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const statements = [
    sql`create table weedings (
      id integer generated always as identity primary key,
      reason text not null check (reason in ('given', 'sold', 'destroyed', 'lost')),
      act integer not null references acts,
      user_id integer not null references users,
      withdrawn_on date not null,
      deleted_at timestamptz
    )`,
    sql`create table weeding_lines (
      id integer generated always as identity primary key,
      copy integer not null references copies,
      weeding integer references weedings,
      why text not null default '',
      reason text check (reason in ('given', 'sold', 'destroyed', 'lost')),
      added_by integer not null references users,
      added_at timestamptz not null
    )`,
    // The cart: two people who put one copy in have put it in once.
    sql`create unique index weeding_lines_cart on weeding_lines (copy) where weeding is null`,
    sql`create index weeding_lines_weeding on weeding_lines (weeding, id) where weeding is not null`,
    sql`create index weeding_lines_copy on weeding_lines (copy)`,
  ]
  for (const statement of statements) await statement.execute(db)
}
