import { type Kysely, sql } from 'kysely'

/** Images that a medium's rule finds by the codes of its references, apart from those that people gave. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table looked_up_codes add column covers jsonb not null default '{}'`.execute(db)
  // `again_at` is when it is sought again; for ever later where somebody took it away.
  await sql`
    create table found_images (
      reference integer primary key references "references" on delete cascade,
      code text not null,
      source text,
      image_version text check (image_version ~ '^[0-9a-f]{32}$'),
      again_at timestamptz not null
    )`.execute(db)
}
