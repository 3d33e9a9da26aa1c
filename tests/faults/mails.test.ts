import { randomUUID } from 'node:crypto'

import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'

import { type Environment, openEnvironment } from '../../src/server/db/environments/environment.ts'
import type { Db } from '../../src/server/db/handles.ts'
import { type MailServer, startMailServer } from '../mail/mail-server.ts'
import { apiOf } from '../support/api-of.ts'
import { openRunningServer, type RunningServer } from '../support/running-server.ts'
import { adminPassword } from '../support/test-library.ts'
import type { KillAt } from './fail-point-server.ts'
import { isPostgresReachable } from '../support/postgres-address.ts'

const readers = 60
const soon = { timeout: 60_000 }

/** Late readers, each with an address of their own. */
async function seed(db: Db): Promise<void> {
  await sql`update parameters set value = '0' where code = 'reminder_hour'`.execute(db)
  await sql`insert into beneficiaries (matricule, lastname, firstname, email, agency_id)
    select 'X' || n, 'Nom ' || n, 'Prénom', 'x' || n || '@exemple.fr', 1 from generate_series(1, ${sql.lit(readers)}) n`.execute(
    db,
  )
  await sql`insert into copies (reference, bar_code, site, status) select 1, 'X' || n, 1, 'En Location' from generate_series(1, ${sql.lit(readers)}) n`.execute(
    db,
  )
  await sql`insert into loanings (beneficiary, copy, site, start_date, end_date, duration_value, duration_type, lent_at, lent_received_at)
    select b.id, c.id, 1, current_date - 60, current_date - 30, 1, 'MONTH', now(), now()
    from beneficiaries b join copies c on c.bar_code = b.matricule`.execute(db)
}

describe.skipIf(!(await isPostgresReachable()))('mails through a server that dies', () => {
  let mails: MailServer
  let server: RunningServer
  let beside: Environment
  beforeAll(async () => {
    mails = await startMailServer()
    server = await openRunningServer({
      onPostgres: true,
      entry: 'dist/faults/fail-point-server.js',
      env: { SMTP_URL: mails.url, MAIL_FROM: 'biblio@exemple.fr' },
      prepare: seed,
    })
    beside = await openEnvironment({ dataDir: server.dataDir, databaseUrl: server.databaseUrl }, 1)
  })
  afterAll(async () => {
    await beside?.close()
    await server?.drop()
    await mails?.stop()
  })
  beforeEach(async () => {
    await sql`truncate mail_outbox, loan_reminders, letters, reminder_days restart identity cascade`.execute(
      beside.db,
    )
    await sql`update loanings set reminded_on = null`.execute(beside.db)
    mails.received.length = 0
  })
  const outbox = async () =>
    (
      await sql<{ status: string; count: number }>`
        select status, count(*)::integer as count from mail_outbox group by status order by status`.execute(
        beside.db,
      )
    ).rows
  /** As ten minutes do: who was sending is gone. */
  const lapse = () =>
    sql`update mail_outbox set next_attempt_at = now() where status = 'queued'`.execute(beside.db)
  const restart = async () => {
    await server.ended()
    await lapse()
    await server.start()
  }
  const allSent = async () => {
    await expect.poll(outbox, soon).toEqual([{ status: 'sent', count: readers }])
    const names = mails.received.map(({ messageId }) => messageId)
    const people = new Set(mails.received.map(({ to }) => to?.[0]?.address))
    return { received: names.length, different: new Set(names).size, people: people.size }
  }

  it.each<[string, KillAt['phase'], number]>([
    ['with a mail in its hands', 'claimed', readers],
    // It cannot know that it left, and sends it again under its name, by which a mailbox tells (decision 0002).
    ['as soon as a mail was taken', 'accepted', readers + 1],
  ])('are one a reader when it dies %s', async (_, phase, received) => {
    const api = await apiOf(server.address, 'admin', adminPassword)
    await server.tell({ phase, victim: 'server' } satisfies KillAt)
    const key = randomUUID()
    const ask = () => api.post('/api/mail/reminders', {}, { key }).catch(() => null)
    await Promise.all([ask(), ask(), ask()])
    await restart()
    // The answer was lost: asked again under the same key, it is the same.
    const again = await apiOf(server.address, 'admin', adminPassword)
    expect((await again.post('/api/mail/reminders', {}, { key }))?.status).toBe(202)
    expect(await allSent()).toEqual({ received, different: readers, people: readers })
  })

  it('of the day are one a reader, however often it dies while it writes and sends them', async () => {
    await server.stop()
    await sql`update mail_templates set enabled = true where code = 'late_1'`.execute(beside.db)
    for (const phase of ['claimed', 'accepted', 'claimed'] as const) {
      await server.start()
      await server.tell({ phase, victim: 'server' } satisfies KillAt)
      await server.ended()
      await lapse()
    }
    await server.start()
    const { received, different, people } = await allSent()
    expect({ different, people }).toEqual({ different: readers, people: readers })
    expect(received).toBeLessThanOrEqual(readers + 1)
    const { rows } = await sql<{ days: number; reminders: number }>`
      select (select count(*)::integer from reminder_days where ended_at is not null) as days,
        (select count(*)::integer from loan_reminders) as reminders`.execute(beside.db)
    expect(rows).toEqual([{ days: 1, reminders: readers }])
  })
})
