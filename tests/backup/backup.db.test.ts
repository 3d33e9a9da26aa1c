import { randomUUID } from 'node:crypto'
import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'

import { makeBackup } from '../../src/server/backup/make-backup.ts'
import { restoreBackup } from '../../src/server/backup/restore-backup.ts'
import {
  type Environment,
  openEnvironment,
  type StorageSettings,
} from '../../src/server/db/environments/environment.ts'
import { emptyStorage, testEngine } from '../support/databases.ts'
import { describeServer, type TestServer } from '../support/test-server.ts'
import { expectRestored, lookInto, temporaryDirectory, type WholeBase, wholeBase } from './whole-base.ts'

/** What a careless copy would lose or change. */
async function seedOddities({ db, environment }: TestServer): Promise<void> {
  await sql`insert into "references" (name, description, tags, price, created_at) values
    (${'L’été\u2028 "entre" \\guillemets\\ \t😀'}, ${'ligne\nautre\r\nligne\\.'},
     ${JSON.stringify({ author: '\u2029\\', n: 1e21 })}, 12345678.99, '2026-01-01T00:00:00.123456Z')`.execute(
    db,
  )
  await sql`update users set password_hash = '' where username = 'lecture'`.execute(db)
  await sql`insert into audit_journal (at, action, entity, before, after) values (now(), 'a', 'b', 'null', null)`.execute(
    db,
  )
  await sql`insert into idempotency_keys (key, endpoint, request_hash, status, answer, created_at) values
    (${randomUUID()}, 'e', '\\x00ff0a5c', 200, '', '2026-03-28T01:59:59.999999+02')`.execute(db)
  await sql`insert into mail_outbox (to_address, subject, html, template, beneficiary, next_attempt_at, created_at, status) values
    ('a@exemple.fr', 's', 'lien secret', 'reset', null, now(), now(), 'queued'),
    ('b@exemple.fr', 's', 'rappel', 'late', 1, now(), now(), 'queued'),
    ('c@exemple.fr', 's', 'parti', 'late', 1, now(), now(), 'sent')`.execute(db)
  // A gap at the end of a sequence: the number was given, the row is gone.
  await sql`insert into locations (label) values ('Réserve'), ('Vitrine')`.execute(db)
  await sql`delete from locations where label = 'Vitrine'`.execute(db)
  await mkdir(join(environment.files, 'images', 'grandes'), { recursive: true })
  await writeFile(join(environment.files, 'images', 'vide.png'), '')
  await writeFile(
    join(environment.files, 'images', 'grandes', 'é 1.bin'),
    Buffer.alloc(
      500_000,
      Uint8Array.from({ length: 251 }, (_, n) => n),
    ),
  )
}

// A restore makes a new embedded base: seconds, and more on a machine that is busy.
describeServer('a backup', (server) => {
  const closing: (() => Promise<void>)[] = []
  afterEach(async () => {
    for (const close of closing.splice(0).reverse()) await close()
  })
  const place = async (): Promise<StorageSettings> => {
    const { settings, drop } = await emptyStorage()
    closing.push(drop)
    return settings
  }
  const directory = async () => {
    const { path, drop } = await temporaryDirectory()
    closing.push(drop)
    return path
  }
  const storage = (): StorageSettings => ({
    dataDir: server.storage.dataDir,
    databaseUrl: server.storage.databaseUrl,
  })

  describe('of a server that runs', () => {
    const drops: (() => Promise<void>)[] = []
    let restored: Environment
    let folder: string
    let before: WholeBase

    beforeAll(async () => {
      await seedOddities(server)
      await sql`insert into password_links values ('\\x01', 'reset', 1, now() + interval '1 hour', null)`.execute(
        server.db,
      )
      await sql`insert into login_failures values ('k', 9, now())`.execute(server.db)
      await sql`insert into user_factors values (2, '\\x01', now(), now(), 1)`.execute(server.db)
      await sql`insert into user_recovery_codes values (2, '\\x01', null)`.execute(server.db)
      const biblio = await server.as('biblio')
      expect((await biblio.post('/api/loanings', { beneficiary: 1, copy: 1 })).status).toBe(201)
      const made = await temporaryDirectory()
      const target = await emptyStorage()
      folder = made.path
      await makeBackup(join(folder, 'comptoir.backup'), storage())
      before = await wholeBase(server.environment)
      await restoreBackup(join(folder, 'comptoir.backup'), target.settings, { replace: false })
      restored = await openEnvironment(target.settings, 1)
      drops.push(() => restored.close(), target.drop, made.drop)
    })
    afterAll(async () => {
      for (const drop of drops) await drop()
    })

    it('is one file, for its owner alone', async () => {
      expect(await readdir(folder)).toEqual(['comptoir.backup'])
      expect((await stat(join(folder, 'comptoir.backup'))).mode & 0o777).toBe(0o600)
    })

    it('holds every row, sequence and file', async () => {
      expect(before.rows['loanings']).toHaveLength(1)
      expect(Object.keys(before.files).sort()).toEqual(['images/grandes/é 1.bin', 'images/vide.png'])
      const after = await wholeBase(restored)
      // What waited is looked at below.
      expectRestored(
        { ...after, rows: { ...after.rows, mail_outbox: [] } },
        { ...before, rows: { ...before.rows, mail_outbox: [] } },
      )
      expect(after.rows['mail_outbox']).toHaveLength(3)
    })

    it('brings no session, link, failure or second factor back', async () => {
      const leftOut = [
        'sessions',
        'password_links',
        'login_failures',
        'user_factors',
        'user_recovery_codes',
      ] as const
      for (const table of leftOut)
        expect(await restored.db.selectFrom(table).selectAll().execute()).toEqual([])
    })

    it('counts every row as touched in the restored base’s own past', async () => {
      // With the saved base's transaction ids, every device would fetch the rows again and again.
      const { rows } = await sql<{ late: number }>`
        select count(*) as late from beneficiaries
        where changed_xid >= pg_snapshot_xmax(pg_current_snapshot())::text::bigint`.execute(restored.db)
      expect(rows).toEqual([{ late: 0 }])
      const journal = await sql<{ lines: number; late: number }>`
        select count(*) as lines, count(*) filter (where written_xid is null
          or written_xid >= pg_snapshot_xmax(pg_current_snapshot())::text::bigint) as late
        from audit_journal`.execute(restored.db)
      expect(journal.rows).toMatchObject([{ late: 0 }])
      expect(journal.rows[0]?.lines).toBeGreaterThan(0)
    })

    it('lets no mail that waited leave by itself', async () => {
      const mails = await restored.db
        .selectFrom('mail_outbox')
        .select(['status', 'html'])
        .orderBy('id')
        .execute()
      expect(mails).toEqual([
        { status: 'failed', html: '' },
        { status: 'failed', html: 'rappel' },
        { status: 'sent', html: 'parti' },
      ])
    })

    it('still fires the triggers that were silent while it was restored', async () => {
      const touched = () =>
        restored.db.selectFrom('beneficiaries').select('changed_xid').where('id', '=', 2).executeTakeFirst()
      const first = await touched()
      await sql`update relatives set firstname = 'Zoë' where beneficiary = 2`.execute(restored.db)
      expect((await touched())?.changed_xid).toBeGreaterThan(first?.changed_xid ?? 0)
    })
  })

  it('is of one instant while loans are made', async () => {
    await sql`update media set max_loaning = null, max_late = null`.execute(server.db)
    await sql`insert into copies (reference, bar_code, site) select 1, 'B' || n, 1 from generate_series(1, 2000) n`.execute(
      server.db,
    )
    const biblio = await server.as('biblio')
    const { rows: copies } = await sql<{
      id: number
    }>`select id from copies where bar_code like 'B%' order by id`.execute(server.db)
    const lent: number[] = []
    const over = new AbortController()
    const lend = async () => {
      while (!over.signal.aborted) {
        const copy = copies.pop()
        if (!copy) throw new Error('more copies are needed')
        const answer = await biblio.post(
          '/api/loanings',
          { beneficiary: 1, copy: copy.id },
          { key: randomUUID() },
        )
        expect(answer.status).toBe(201)
        lent.push(answer.body.id as number)
      }
    }
    const counters = [lend(), lend(), lend()]
    while (lent.length < 20) await new Promise(setImmediate)
    const before = [...lent]
    const file = join(await directory(), 'b')
    await makeBackup(file, storage())
    const after = lent.length
    over.abort()
    await Promise.all(counters)
    expect(after).toBeGreaterThan(before.length)

    const target = await place()
    await restoreBackup(file, target, { replace: false })
    const now = await wholeBase(server.environment)
    await lookInto(target, async (environment) => {
      const { rows } = await sql<{ loan: number; key: string; journal: number; status: string }>`
        select l.id as loan, k.key, j.id as journal, c.status
        from loanings l join copies c on c.id = l.copy
        left join idempotency_keys k on k.key = l.loan_key
        left join audit_journal j on j.entity_id = l.id and j.idempotency_key = k.key
        where c.bar_code like 'B%'`.execute(environment.db)
      const found = new Set(rows.map(({ loan }) => loan))
      expect(before.filter((loan) => !found.has(loan))).toEqual([])
      // A loan is there with its key, its line of the journal and its copy's status, or not at all.
      expect(rows.filter(({ key, journal, status }) => !key || !journal || status !== 'En Location')).toEqual(
        [],
      )
      const { rows: away } = await sql<{ n: number }>`
        select count(*) as n from copies where status = 'En Location' and bar_code like 'B%'`.execute(
        environment.db,
      )
      expect(away).toEqual([{ n: rows.length }])
      const restored = await wholeBase(environment)
      const known = new Set(now.rows['loanings'])
      expect(restored.rows['loanings']?.filter((row) => !known.has(row))).toEqual([])
    })
  })

  it('leaves the former file as it was when it cannot be made', async () => {
    const folder = await directory()
    const file = join(folder, 'b')
    await writeFile(file, 'précédente')
    const nowhere = { dataDir: join(folder, 'rien'), databaseUrl: null }
    await expect(makeBackup(file, nowhere)).rejects.toThrow('rien à sauvegarder')
    expect(await readFile(file, 'utf8')).toBe('précédente')
    await expect(makeBackup(join(folder, 'absent', 'b'), storage())).rejects.toThrow('ENOENT')
    expect(await readdir(folder)).toEqual(['b'])
    if (testEngine === 'embedded') {
      const copies = await readdir(join(server.environment.files, 'database'))
      expect(copies.filter((name) => name.startsWith('copy-'))).toEqual([])
    }
  })
})
