import { type Kysely, sql } from 'kysely'

/** Reminders in levels, each once a loan and due day; letters for whom no mail reaches; mails that were stopped. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table mail_templates add column days integer
      check (days is null or (days between 1 and 365 and type = 'object'))`.execute(db)

  await sql`alter table mail_outbox drop constraint mail_outbox_status_check`.execute(db)
  await sql`
    alter table mail_outbox
      add constraint mail_outbox_status_check check (status in ('queued', 'sent', 'failed', 'stopped')),
      add column fault text check (fault in ('address', 'message', 'server', 'template')),
      add column changed_xid bigint not null default pg_current_xact_id()::text::bigint`.execute(db)
  await sql`create index mail_outbox_changed on mail_outbox (changed_xid)`.execute(db)
  await sql`create index mail_outbox_beneficiary on mail_outbox (beneficiary, id)`.execute(db)
  await sql`
    create trigger mail_outbox_touched before update on mail_outbox
    for each row execute function touch_changed_xid()`.execute(db)

  await sql`
    create table letters (
      id integer generated always as identity primary key,
      beneficiary integer not null references beneficiaries on delete cascade,
      template text not null,
      why text not null check (why in ('no_address', 'refused')),
      mail integer references mail_outbox on delete set null,
      sites integer[] not null check (cardinality(sites) > 0),
      made_on date not null,
      printed_at timestamptz,
      printed_by integer references users,
      check ((printed_at is null) = (printed_by is null))
    )`.execute(db)
  // A reader gets one letter, however many levels wait to be printed.
  await sql`create unique index letters_to_print on letters (beneficiary) where printed_at is null`.execute(
    db,
  )
  await sql`create index letters_beneficiary on letters (beneficiary, id)`.execute(db)
  await sql`create index letters_mail on letters (mail)`.execute(db)

  await sql`
    create table loan_reminders (
      id integer generated always as identity primary key,
      loaning integer not null references loanings on delete cascade,
      level text not null
        check (level in ('before_due', 'due', 'late_1', 'late_2', 'late_3', 'loaning_reminder')),
      end_date date not null,
      made_on date not null,
      mail integer references mail_outbox on delete set null,
      letter integer references letters on delete set null
    )`.execute(db)
  // Extended, a loan begins again; by hand, people remind as often as they like.
  await sql`
    create unique index loan_reminders_once on loan_reminders (loaning, level, end_date)
    where level <> 'loaning_reminder'`.execute(db)
  await sql`create index loan_reminders_mail on loan_reminders (mail)`.execute(db)
  await sql`create index loan_reminders_letter on loan_reminders (letter)`.execute(db)

  // Whoever makes the row of a day does its reminders, and who comes after a stop goes on from its place.
  await sql`
    create table reminder_days (
      day date primary key,
      place integer not null default 0,
      mails integer not null default 0,
      letters integer not null default 0,
      problem text,
      started_at timestamptz not null,
      ended_at timestamptz
    )`.execute(db)
}
