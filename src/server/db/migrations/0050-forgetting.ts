import { type Kysely, sql } from 'kysely'

/** Loans are cut from their readers, and figures stay what they were (docs/decisions/0052-forgetting.md). */
export async function up(db: Kysely<unknown>): Promise<void> {
  const statements = [
    // Of a loan that is still linked, only the two days are known.
    sql`create table cut_loans (
      loaning integer primary key references loanings on delete cascade,
      previous_on date,
      previous_here_on date,
      cut_on date,
      contract_type text,
      agency_id integer references sites,
      registered_on date,
      commune text,
      kind text
    )`,
    sql`create table last_cut_loans (
      beneficiary integer not null references beneficiaries on delete cascade,
      site integer not null references sites,
      day date not null,
      primary key (beneficiary, site)
    )`,
    sql`create table forgetting_days (
      day date primary key,
      place integer not null default 0,
      readers integer not null default 0,
      loans integer not null default 0,
      reservations integer not null default 0,
      mails integer not null default 0,
      journal_lines integer not null default 0,
      started_at timestamptz not null,
      ended_at timestamptz
    )`,
    // Nothing is forgotten before somebody said yes, once for all.
    sql`create table forgetting_agreements (
      id integer generated always as identity primary key,
      user_id integer not null references users,
      agreed_at timestamptz not null
    )`,
    sql`alter table beneficiaries add column forgotten_at timestamptz
      check (forgotten_at is null or deleted_at is not null)`,
  ]
  for (const statement of statements) await statement.execute(db)
}
