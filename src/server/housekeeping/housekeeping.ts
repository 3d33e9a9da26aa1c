import { opendir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'

import { subDays, subMonths } from 'date-fns'
import { sql } from 'kysely'
import type { Logger } from 'pino'

import { sweepArchives } from '../data-export/archive-maker.ts'
import type { Environment } from '../db/environments/environment.ts'
import type { Db } from '../db/handles.ts'
import { unlessGone } from '../files/unless-gone.ts'
import { keptDays } from '../http/idempotency.ts'
import { sweepPlaces } from '../imports/import-place.ts'
import { type BackgroundLoop, type LoopSettings, startLoop } from '../jobs/background-loop.ts'
import { readParameters } from '../library-facts/parameters.ts'
import { sweepWrittenMails } from '../mail/transport.ts'
import { forgetOldAttempts } from '../session/sign-in-attempts.ts'
import { keepWhatIsReal } from '../start/remove-sample.ts'

/** Tables whose lines are only added: what they are told apart by, and what is added up (migrations/baseline/tallies.ts). */
const tallies = {
  loan_tallies: { by: ['start_date', 'site', 'status'], sums: ['loans'] },
  lending_tallies: {
    by: ['span', 'starts_on', 'site', 'medium', 'category', 'status', 'late', 'due_on'],
    sums: ['loans', 'amount'],
  },
  public_tallies: { by: ['month', 'site', 'medium', 'audience', 'age_band'], sums: ['loans'] },
  return_tallies: { by: ['day', 'site'], sums: ['returns'] },
}

/** Makes one line of those that are alike, and none of those that add up to nothing; two processes at once take different lines. */
export async function foldTallies(db: Db): Promise<void> {
  for (const [name, { by, sums }] of Object.entries(tallies)) {
    const [table, alike] = [sql.table(name), sql.join(by.map((column) => sql.ref(column)))]
    const added = sums.map((column) => sql`sum(${sql.ref(column)})`)
    const isSomething = sql.join(
      added.map((sum) => sql`${sum} <> 0`),
      sql` or `,
    )
    await sql`
      with several as (
        select unnest(array_agg(ctid)) as line from ${table} group by ${alike} having count(*) > 1
      ), taken as (
        delete from ${table} t using several s where t.ctid = s.line returning t.*
      )
      insert into ${table} (${alike}, ${sql.join(sums.map((column) => sql.ref(column)))})
      select ${alike}, ${sql.join(added)} from taken group by ${alike} having ${isSomething}`.execute(db)
  }
}

/** A loan at the counter hardly waits for so few, though the embedded engine does one thing at a time. */
const linesAtOnce = 500

/** Deletes lines older than so many months (0: none) but the last one, by which devices know their place. */
async function shortenJournal(db: Db, months: number, now: Date): Promise<void> {
  if (months === 0) return
  const kept = subMonths(now, months).toISOString()
  for (let after = 0; ;) {
    const { rows } = await sql<{ id: number }>`
      with oldest as materialized (
        select id, at from audit_journal where id > ${after} order by id limit ${linesAtOnce}
      )
      delete from audit_journal where id in (
        select id from oldest
        where id < coalesce((select min(id) from oldest where at >= ${kept}), (select max(id) + 1 from oldest))
          and id < (select max(id) from audit_journal)
      ) returning id`.execute(db)
    if (rows.length < linesAtOnce) return
    after = Math.max(...rows.map(({ id }) => id))
  }
}

/** A session lasts 30 days: whose device was away longer signs in again, and begins anew. */
const changesKeptDays = 31

/** Deletes lines of changes older than that, as the journal tells their time, but those of the newest transaction: they say how far back all is told. A transaction's lines go together, however many: half of them would be taken for all. */
export async function forgetChanges(db: Db, now: Date): Promise<void> {
  const before = subDays(now, changesKeptDays).toISOString()
  let gone: bigint | undefined
  do {
    const { numAffectedRows } = await sql`
      with several as materialized (
        select max(changed_xid) as last from (select changed_xid from row_changes order by changed_xid limit ${linesAtOnce}) oldest
      )
      delete from row_changes using several
      where changed_xid <= last and changed_xid < (select max(changed_xid) from row_changes)
        -- What is still under way may be older, and would be told as the first.
        and changed_xid < pg_snapshot_xmin(pg_current_snapshot())::text::bigint
        and (select at from audit_journal where written_xid >= last order by written_xid limit 1) < ${before}::timestamptz`.execute(
      db,
    )
    gone = numAffectedRows
  } while (gone)
}

/** A change under way keeps its picture before it is committed. */
const restMs = 24 * 3600_000
const atOnce = 500

/** Deletes the covers that no reference has any more, such as replaced ones. */
export async function sweepCovers(db: Db, files: string, now: Date): Promise<void> {
  const directory = join(files, 'covers')
  const entries = await opendir(directory).catch(unlessGone)
  let names: string[] = []
  for await (const { name } of entries ?? []) {
    names.push(name)
    if (names.length < atOnce) continue
    await sweepSome(db, directory, names, now)
    names = []
  }
  await sweepSome(db, directory, names, now)
}

async function sweepSome(db: Db, directory: string, names: readonly string[], now: Date): Promise<void> {
  if (names.length === 0) return
  const { rows } = await sql<{ name: string }>`
    select kept.name from unnest(${names}::text[]) as kept (name)
    where not exists (
      select from "references" r
      where r.deleted_at is null and r.id = substring(kept.name from '^([0-9]{1,9})-')::int
        and kept.name like r.id || '-' || r.image_version || '-%')
    and not exists (
      select from found_images f
      where f.reference = substring(kept.name from '^([0-9]{1,9})-')::int
        and kept.name like f.reference || '-' || f.image_version || '-%')`.execute(db)
  for (const { name } of rows) {
    const path = join(directory, name)
    // Another process may have swept it.
    const found = await stat(path).catch(unlessGone)
    if (found && now.getTime() - found.mtimeMs > restMs) await rm(path, { force: true })
  }
}

/** A session lasts 30 days, and what it sealed may wait for 30 more. */
const longestSealDays = 62

export async function sweep({ db, files }: Pick<Environment, 'db' | 'files'>, now: Date): Promise<void> {
  const daysAgo = (days: number) => new Date(now.getTime() - days * 86_400_000).toISOString()
  await db.deleteFrom('idempotency_keys').where('created_at', '<', daysAgo(keptDays)).execute()
  await forgetSessions(db, daysAgo(31))
  await db.deleteFrom('session_seals').where('created_at', '<', daysAgo(longestSealDays)).execute()
  await db.deleteFrom('password_links').where('expires_at', '<', daysAgo(1)).execute()
  await forgetOldAttempts(db, now)
  await db
    .deleteFrom('mail_outbox')
    .where('status', 'in', ['sent', 'written'])
    .where('sent_at', '<', daysAgo(90))
    .execute()
  await sql`delete from letters where printed_at < ${daysAgo(365)}::timestamptz`.execute(db)
  await sql`delete from reminder_days where started_at < ${daysAgo(365)}::timestamptz`.execute(db)
  await foldTallies(db)
  await forgetChanges(db, now)
  await sweepCovers(db, files, now)
  await sweepImports(db, files, now)
  await sweepArchives(db, files, now)
  await db.transaction().execute(keepWhatIsReal)
  await shortenJournal(db, (await readParameters(db)).number('journal_months'), now)
}

/** How long a file stays to be imported, or its refused lines to be fetched. */
const importDays = 30

async function sweepImports(db: Environment['db'], files: string, now: Date): Promise<void> {
  const before = new Date(now.getTime() - importDays * 86_400_000).toISOString()
  await db
    .deleteFrom('imports')
    .where('created_at', '<', before)
    .where(
      sql<boolean>`not exists (select from jobs j where j.ended_at is null and (j.input ->> 'import')::int = imports.id)`,
    )
    .execute()
  const known = await db.selectFrom('imports').select(['place', 'rows_file']).execute()
  await sweepPlaces(files, new Map(known.map(({ place, rows_file }) => [place, rows_file])), now)
}

/** Forgets old sessions, but not when their person last came. */
async function forgetSessions(db: Environment['db'], before: string): Promise<void> {
  await sql`
    with gone as (
      delete from sessions where created_at < ${before}::timestamptz returning user_id, last_used_at
    ), last as (select user_id, max(last_used_at) as at from gone group by user_id)
    update users u set last_used_at = greatest(u.last_used_at, last.at) from last where u.id = last.user_id`.execute(
    db,
  )
}

/** In milliseconds: not in the rush of an opening, and then every so long. */
const usualTimes = { firstAfter: 10 * 60_000, every: 6 * 3600_000, pollEvery: 60_000 }

/**
 * Sweeps each environment, one that sleeps when it is next awake, and refreshes the planner's statistics, because the embedded
 * engine has no autovacuum.
 */
export function startHousekeeping(
  environments: LoopSettings['environments'],
  logger: Logger,
  times = usualTimes,
): BackgroundLoop {
  const dueAt = new Map<number, number>()
  return startLoop({
    environments,
    logger,
    pollEvery: times.pollEvery,
    outOfReach: 'housekeeping put off',
    async look(environment) {
      const due = dueAt.get(environment.id) ?? performance.now() + times.firstAfter
      const isDue = performance.now() >= due
      dueAt.set(environment.id, isDue ? performance.now() + times.every : due)
      if (!isDue) return
      await sweep(environment, new Date())
      if (environment.engine) await sql`vacuum analyze`.execute(environment.db)
    },
  })
}

/** Of the whole installation. */
export function startMailSweep(mailDirectory: string, logger: Logger): { stop(): void } {
  const run = () =>
    sweepWrittenMails(mailDirectory, new Date()).catch((error: unknown) =>
      logger.warn({ err: error }, 'written mails not swept'),
    )
  const first = setTimeout(() => void run(), usualTimes.firstAfter)
  const every = setInterval(() => void run(), usualTimes.every)
  return {
    stop() {
      clearTimeout(first)
      clearInterval(every)
    },
  }
}
