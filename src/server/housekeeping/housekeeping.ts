import { sql } from 'kysely'
import type { Logger } from 'pino'

import type { Environment } from '../db/environment.ts'
import { keptDays } from '../http/idempotency.ts'
import { sweepWrittenMails } from '../mail/written-mails.ts'
import { readParameters } from '../db/parameters.ts'
import { forgetOldAttempts } from '../session/sign-in-attempts.ts'
import { type BackgroundLoop, type LoopSettings, startLoop } from '../jobs/background-loop.ts'
import { sweepArchives } from '../leaving/archive-place.ts'
import { sweepPlaces } from '../imports/import-place.ts'
import { keepWhatIsReal } from '../start/remove-sample.ts'
import { foldTallies } from './fold-tallies.ts'
import { shortenJournal } from './shorten-journal.ts'
import { sweepCovers } from './sweep-covers.ts'

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
