export const mail = [
  `create table mail_templates (
     id integer generated always as identity primary key,
     code text not null,
     type text not null check (type in ('object', 'body', 'details', 'signing')),
     content text not null,
     enabled boolean not null default true,
     date_update timestamptz not null default now(),
     days integer,
     unique (code, type),
     check (days is null or days between 1 and 365 and type = 'object')
   )`,
  `create table mail_outbox (
     id integer generated always as identity primary key,
     to_address text not null,
     subject text not null,
     html text not null,
     template text not null,
     beneficiary integer references beneficiaries,
     loaning integer references loanings,
     status text not null default 'queued' check (status in ('queued', 'sent', 'written', 'failed', 'stopped')),
     attempts integer not null default 0 check (attempts >= 0),
     next_attempt_at timestamptz not null,
     last_error text,
     created_at timestamptz not null,
     sent_at timestamptz,
     sites integer[] check (cardinality(sites) > 0),
     fault text check (fault in ('address', 'message', 'server', 'template')),
     changed_xid bigint not null default pg_current_xact_id()::text::bigint
   )`,
  `create index mail_outbox_beneficiary on mail_outbox (beneficiary, id)`,
  `create index mail_outbox_changed on mail_outbox (changed_xid)`,
  `create index mail_outbox_created on mail_outbox (created_at desc, id desc)`,
  `create index mail_outbox_due on mail_outbox (next_attempt_at, id) where status = 'queued'`,
  `create table letters (
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
   )`,
  `create index letters_beneficiary on letters (beneficiary, id)`,
  `create index letters_mail on letters (mail)`,
  // A reader gets one letter, however many levels wait to be printed.
  `create unique index letters_to_print on letters (beneficiary) where printed_at is null`,
  `create table loan_reminders (
     id integer generated always as identity primary key,
     loaning integer not null references loanings on delete cascade,
     level text not null check (level in ('before_due', 'due', 'late_1', 'late_2', 'late_3', 'loaning_reminder')),
     end_date date not null,
     made_on date not null,
     mail integer references mail_outbox on delete set null,
     letter integer references letters on delete set null
   )`,
  `create index loan_reminders_letter on loan_reminders (letter)`,
  `create index loan_reminders_mail on loan_reminders (mail)`,
  // Extended, a loan begins again; by hand, people remind as often as they like.
  `create unique index loan_reminders_once on loan_reminders (loaning, level, end_date) where level <> 'loaning_reminder'`,
  // Whoever makes the row of a day does its reminders, and who comes after a stop goes on from its place.
  `create table reminder_days (
     day date primary key,
     place integer not null default 0,
     mails integer not null default 0,
     letters integer not null default 0,
     problem text,
     started_at timestamptz not null,
     ended_at timestamptz
   )`,
  `create trigger mail_outbox_touched before update on mail_outbox for each row execute function touch_changed_xid()`,
]
