import { type Kysely, sql } from 'kysely'

// A secret without `confirmed_at` was shown and never proved; `last_step` is the last half minute whose code served.
export async function up(db: Kysely<unknown>): Promise<void> {
  const statements = [
    sql`create table user_factors (
      user_id integer primary key references users on delete cascade,
      secret bytea not null,
      created_at timestamptz not null,
      confirmed_at timestamptz,
      last_step integer not null default 0)`,
    sql`create table user_recovery_codes (
      user_id integer not null references users on delete cascade,
      code_hash bytea not null,
      used_at timestamptz,
      primary key (user_id, code_hash))`,
    sql`alter table profiles add column second_factor boolean not null default false`,
    sql`alter table sessions add column second_factor_due boolean not null default false`,
    // Whoever was invited before has one, or asks for one by « Mot de passe oublié ».
    sql`alter table users add column password_chosen boolean not null default true`,
  ]
  for (const statement of statements) await statement.execute(db)
}
