import { type Kysely, sql } from 'kysely'

/** Sold copies leave the stock, and copies on their way say from where and since when. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const statements = [
    sql`create table sales (
      id integer generated always as identity primary key,
      beneficiary integer references beneficiaries,
      relative integer references relatives,
      copy integer not null references copies,
      site integer not null references sites,
      date date not null,
      price numeric(10, 2) not null check (price >= 0),
      free boolean not null default false,
      free_reason integer references reasons,
      comment text not null default '',
      sold_by integer references users,
      sold_at timestamptz not null,
      sold_received_at timestamptz not null,
      device_id text,
      deleted_at timestamptz,
      check (not free or price = 0),
      check (free or free_reason is null)
    )`,
    sql`create unique index sales_copy on sales (copy) where deleted_at is null`,
    sql`create index sales_date on sales (date, id)`,
    sql`create index sales_beneficiary on sales (beneficiary)`,
    // What has left the stock is lent and sent no more.
    sql`alter table copies add constraint copies_gone_stay
      check (withdrawn_on is null or deleted_at is not null or status = 'Non Disponible')`,
    // Marked by hand in another system, without saying who sent them: nobody could take them back.
    sql`update copies set sent_from = null, sent_at = null where status <> 'En transfert' or sent_from = site`,
    sql`update copies set sent_at = now() where sent_from is not null and sent_at is null`,
    sql`update copies set sent_at = null where sent_from is null`,
    sql`alter table copies
      add constraint copies_sent_on_their_way check (sent_from is null or status = 'En transfert'),
      add constraint copies_sent_at check ((sent_from is null) = (sent_at is null)),
      add constraint copies_sent_elsewhere check (sent_from <> site)`,
    sql`create index copies_sent on copies (sent_from) where sent_from is not null`,
  ]
  for (const statement of statements) await statement.execute(db)
}
