import { type Kysely, sql } from 'kysely'

// What cannot be known afterwards is kept from now on. Forgetting a reader then changes no figure.
export async function up(db: Kysely<unknown>): Promise<void> {
  const statements = [
    sql`alter table beneficiaries
      add column kind text not null default 'person' check (kind in ('person', 'collectivity')),
      add column birth_year smallint check (birth_year between 1850 and 2200),
      add column commune text`,
    sql`alter table "references" add column audience text check (audience in ('adult', 'youth'))`,
    sql`alter table loanings
      alter column beneficiary drop not null,
      add column age_band text,
      add column audience text,
      add constraint loanings_open_has_reader check (beneficiary is not null or status <> 'in_progress')`,
    sql`alter table copies add column withdrawn_on date, add column withdrawal_reason text`,
    sql`create table loan_renewals (
      id integer generated always as identity primary key,
      loaning integer not null references loanings on delete cascade,
      renewed_on date not null,
      from_date date not null,
      to_date date not null,
      user_id integer references users,
      device_id text,
      received_at timestamptz not null
    )`,
    sql`create index loan_renewals_loaning on loan_renewals (loaning)`,
    sql`create index loan_renewals_day on loan_renewals (renewed_on)`,
  ]
  for (const statement of statements) await statement.execute(db)
}
