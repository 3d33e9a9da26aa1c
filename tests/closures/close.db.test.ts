import { randomUUID } from 'node:crypto'

import { sql } from 'kysely'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'

import { runJobs } from '../../src/server/jobs/run-jobs.ts'
import { lockQueue } from '../../src/server/queue/lock-queue.ts'
import { jobSteps } from '../../src/server/serve.ts'
import { testEngine } from '../support/databases.ts'
import { liveRows } from '../support/live-rows.ts'
import { type Client, describeServer } from '../support/test-server.ts'

const closing = {
  site: null,
  closures: [{ first_day: '2026-03-30', last_day: '2026-04-03', label: 'Congés' }],
}

describeServer('closing', (server) => {
  let admin: Client
  let biblio: Client
  beforeAll(async () => {
    admin = await server.as('admin')
    biblio = await server.as('biblio')
  })
  beforeEach(async () => {
    await sql`truncate loanings, reservations, acts, closures, jobs, mail_outbox, idempotency_keys restart identity cascade`.execute(
      server.db,
    )
    await sql`update copies set status = 'Disponible'`.execute(server.db)
    await sql`update sites set open_weekdays = '{1,2,3,4,5,6,7}'`.execute(server.db)
    // The process forgets what it knew of closures when one is set by a call.
    await admin.put('/api/sites/1', { open_weekdays: [1, 2, 3, 4, 5, 6] })
    await admin.put('/api/sites/1', { open_weekdays: [1, 2, 3, 4, 5, 6, 7] })
  })
  const lend = async (beneficiary: number, copy: number, body: object = {}, site = 1) => {
    const lent = await biblio.post(
      '/api/loanings',
      { beneficiary, copy, override_reason: 'Essai', ...body },
      { key: randomUUID(), site },
    )
    expect(lent.status).toBe(201)
    return lent.body.id as number
  }
  const close = async (body: object = {}, client = admin) => {
    const asked = await client.post('/api/closures/close', { ...closing, ...body }, { key: randomUUID() })
    await server.doJobs()
    return asked
  }
  const due = async () =>
    Object.fromEntries(
      (
        await sql<{ id: number; end_date: string }>`select id, end_date from loanings`.execute(server.db)
      ).rows.map(({ id, end_date }) => [id, end_date]),
    )
  const act = async (id: number) => (await admin.get(`/api/acts/${id}`)).body
  const dump = async () => {
    const { mail_outbox: _mails, ...rest } = await liveRows(server.db)
    return rest
  }

  it('moves until when what is set aside waits on its shelf, and gives that back', async () => {
    const asked = { beneficiary_id: 1, reference_id: 1 }
    const { id } = (await biblio.post('/api/reservations', asked, { key: randomUUID(), site: 1 })).body
    await biblio.put(`/api/reservations/${id}`, { status: 'confirmed' }, { key: randomUUID() })
    const until = async () => (await biblio.get(`/api/reservations/${id}`)).body.pickup_until
    expect(await until()).toBe('2026-03-17')
    const before = await dump()
    const week = {
      site: null,
      closures: [{ first_day: '2026-03-16', last_day: '2026-03-18', label: 'Travaux' }],
    }
    expect((await admin.post('/api/closures/preview', week)).body.shelf_deadlines).toBe(1)
    const closed = await close(week)
    expect(await until()).toBe('2026-03-19')
    await admin.post(`/api/acts/${closed.body.id}/undo`, {}, { key: randomUUID() })
    await server.doJobs()
    expect(await until()).toBe('2026-03-17')
    expect((await dump())['reservations']).toEqual(before['reservations'])
  })

  it.runIf(testEngine === 'postgres')(
    'waits for whoever decides on a reservation that it moves, and holds nothing of it meanwhile',
    async () => {
      const asked = { beneficiary_id: 1, reference_id: 1 }
      const { id } = (await biblio.post('/api/reservations', asked, { key: randomUUID(), site: 1 })).body
      await biblio.put(`/api/reservations/${id}`, { status: 'confirmed' }, { key: randomUUID() })
      const week = {
        site: null,
        closures: [{ first_day: '2026-03-16', last_day: '2026-03-18', label: 'Travaux' }],
      }
      const isAwaited = async () => {
        const { rows } = await sql`
          select from pg_locks where locktype = 'advisory' and not granted
            and database = (select oid from pg_database where datname = current_database())`.execute(
          server.db,
        )
        return rows.length > 0
      }
      let closed: ReturnType<typeof close> | undefined
      await server.db.transaction().execute(async (trx) => {
        await lockQueue(trx, 1)
        closed = close(week)
        await expect.poll(isAwaited).toBe(true)
        await sql`set local lock_timeout = '2s'`.execute(trx)
        await sql`update reservations set comment = 'Elle passe demain' where id = ${id}`.execute(trx)
      })
      expect((await closed)?.status).toBe(202)
      const after = (await biblio.get(`/api/reservations/${id}`)).body
      expect(after).toMatchObject({ pickup_until: '2026-03-19', comment: 'Elle passe demain' })
    },
  )

  it('previews what moves, and moves just that', async () => {
    const inside = await lend(1, 1)
    const before = await lend(1, 2, { duration_value: 1 })
    const elsewhere = await lend(4, 11, { duration_type: 'DAY', duration_value: 21 }, 2)
    const body = { ...closing, site: 1 }
    const { status, body: preview } = await admin.post('/api/closures/preview', body)
    expect([status, preview]).toEqual([
      200,
      {
        loans: 1,
        shelf_deadlines: 0,
        people: 1,
        rows: [{ id: inside, name: 'Livre numéro 1', site: 1, from: '2026-03-31', to: '2026-04-04' }],
        by_day: [{ day: '2026-04-04', count: 1 }],
      },
    ])
    const asked = await close({ site: 1 })
    expect(asked).toMatchObject({
      status: 202,
      body: { kind: 'closures.close', name: 'Congés, du 30/03/2026 au 03/04/2026 (Centre)' },
    })
    expect(await due()).toEqual({
      [inside]: '2026-04-04',
      [before]: '2026-03-17',
      [elsewhere]: '2026-03-31',
    })
    expect(await act(asked.body.id)).toMatchObject({ touched: 2, undone: 0, ended_at: expect.any(String) })
    // It is the rules' own date now.
    expect((await biblio.get(`/api/loanings/${inside}`)).body).toMatchObject({
      end_date: '2026-04-04',
      end_date_flagged: false,
    })
    expect(
      (await biblio.get(`/api/journal?entity=loanings&id=${inside}`)).body['hydra:member'][0],
    ).toMatchObject({
      action: 'Retour déplacé par une fermeture',
      changes: [{ field: 'Retour prévu', before: '31/03/2026', after: '04/04/2026' }],
    })
    const { rows } = await sql`select from loan_renewals`.execute(server.db)
    expect(rows).toEqual([])
  })

  it('is undone as any act: nothing of it is left, and what was lent since goes by no closure', async () => {
    await lend(1, 1)
    await lend(2, 3)
    const before = await dump()
    const { body } = await close({ spread_days: 4 })
    expect(await dump()).not.toEqual(before)
    expect((await admin.post(`/api/acts/${body.id}/undo`)).status).toBe(202)
    await server.doJobs()
    expect(await dump()).toEqual(before)
    expect(await act(body.id)).toMatchObject({ touched: 3, undone: 3 })
    const later = await lend(1, 5)
    expect((await due())[later]).toBe('2026-03-31')
  })

  it('keeps, once undone, what was extended or returned since', async () => {
    const [kept, extended, returned] = [await lend(1, 1), await lend(1, 2), await lend(1, 3)]
    const { body } = await close()
    await biblio.post(`/api/loanings/${extended}/extend`, { duration_value: 1 })
    await biblio.post(`/api/loanings/${returned}/return`, {}, { key: randomUUID() })
    await admin.post(`/api/acts/${body.id}/undo`)
    await server.doJobs()
    expect(await due()).toEqual({
      [kept]: '2026-03-31',
      [extended]: '2026-04-07',
      [returned]: '2026-04-04',
    })
    const rows = (await admin.get(`/api/acts/${body.id}/rows?undone=false`)).body['hydra:member']
    expect(rows.map((row: { kept: string }) => row.kept)).toEqual([
      'Il a été modifié depuis.',
      'Il a été modifié depuis.',
    ])
  })

  it('spreads returns over open days, and keeps together what one reader has', async () => {
    const alice = [await lend(1, 1), await lend(1, 2)]
    const eric = await lend(2, 3)
    const jean = await lend(4, 4)
    await close({ spread_days: 3 })
    const now = await due()
    expect(alice.map((id) => now[id])).toEqual(['2026-04-05', '2026-04-05'])
    expect([now[eric], now[jean]]).toEqual(['2026-04-06', '2026-04-05'])
  })

  it('leaves late what was late, unless its day is one of those that close', async () => {
    const late = await lend(1, 1, { expected_return_date: '2026-03-15' })
    const storm = await lend(1, 2, { expected_return_date: '2026-03-16' })
    server.moveTo('2026-03-17T09:00:00.000Z')
    admin = await server.as('admin')
    await admin.put('/api/sites/1', { open_weekdays: [2, 3, 4, 5, 6] })
    await close({ closures: [{ first_day: '2026-03-16', last_day: '2026-03-17', label: 'Neige' }] })
    // The 15th is a Sunday, when nobody is there.
    expect(await due()).toEqual({ [late]: '2026-03-15', [storm]: '2026-03-18' })
    server.moveTo('2026-03-10T09:00:00.000Z')
    admin = await server.as('admin')
  })

  it('moves what is due on days of the week when the site is not open any more', async () => {
    const sunday = await lend(1, 1, { expected_return_date: '2026-03-29' })
    await admin.put('/api/sites/1', { open_weekdays: [2, 3, 4, 5, 6] })
    const asked = await close({ closures: [] })
    expect(asked.body.name).toBe('Retours des jours sans ouverture')
    expect(await due()).toEqual({ [sunday]: '2026-03-31' })
  })

  it('writes once to each reader whose loans it moved, with both days', async () => {
    await lend(1, 1)
    await lend(1, 2)
    await lend(2, 3)
    await lend(4, 4)
    await close({ mail: true })
    const { rows } = await sql<{ to_address: string; subject: string; html: string; template: string }>`
      select to_address, subject, html, template from mail_outbox order by to_address`.execute(server.db)
    expect(rows.map(({ to_address }) => to_address)).toEqual(['alice@exemple.fr', 'eric@exemple.fr'])
    expect(rows[0]).toMatchObject({
      template: 'closing_notice',
      subject: expect.stringContaining('Fermeture'),
    })
    const said = [
      'Congés',
      'du 30/03/2026 au 03/04/2026',
      'Livre numéro 2, à rendre le 04/04/2026 au lieu du 31/03/2026',
    ]
    for (const words of said) expect(rows[0]?.html).toContain(words)
    expect(rows[0]?.html).not.toContain('mis de côté')
  })

  it('writes to nobody once whoever asked for it may write to nobody', async () => {
    await lend(1, 1)
    const asked = await admin.post('/api/closures/close', { ...closing, mail: true }, { key: randomUUID() })
    expect(asked.status).toBe(202)
    await sql`delete from profile_rights where right_code = 'SEND_MAIL' and profile = (
      select profile from users where username = 'admin')`.execute(server.db)
    await server.doJobs()
    await sql`insert into profile_rights (profile, right_code)
      select profile, 'SEND_MAIL' from users where username = 'admin'`.execute(server.db)
    expect(Object.values(await due())).toEqual(['2026-04-04'])
    expect((await sql`select from mail_outbox`.execute(server.db)).rows).toEqual([])
    const [job] = (await admin.get('/api/jobs')).body['hydra:member']
    expect(job.problem).toBe('Votre compte n’a plus le droit d’écrire aux lecteurs.')
    expect(await act(asked.body.id)).toMatchObject({ touched: 2, ended_at: expect.any(String) })
  })

  it('tells whoever has something set aside until when it waits now, in the same mail', async () => {
    await lend(1, 2)
    for (const [beneficiary_id, reference_id] of [
      [1, 1],
      [2, 3],
    ]) {
      const body = { beneficiary_id, reference_id }
      const { id } = (await biblio.post('/api/reservations', body, { key: randomUUID(), site: 1 })).body
      await biblio.put(`/api/reservations/${id}`, { status: 'confirmed' }, { key: randomUUID() })
    }
    const closures = [{ first_day: '2026-03-16', last_day: '2026-04-03', label: 'Travaux' }]
    await close({ mail: true, closures })
    const { rows } = await sql<{ to_address: string; html: string }>`
      select to_address, html from mail_outbox order by to_address`.execute(server.db)
    expect(rows.map(({ to_address }) => to_address)).toEqual(['alice@exemple.fr', 'eric@exemple.fr'])
    const waits = 'à retirer jusqu’au 04/04/2026 au lieu du 17/03/2026'
    expect(rows[0]?.html).toContain('Livre numéro 2, à rendre le 04/04/2026 au lieu du 31/03/2026')
    expect(rows[0]?.html).toContain(`Livre numéro 1, ${waits}`)
    expect(rows[1]?.html).toContain(`Livre numéro 3, ${waits}`)
    expect(rows[1]?.html).not.toContain('Vos retours')
  })

  it('refuses to write with a template that is off or broken, and closes nothing', async () => {
    await sql`update mail_templates set enabled = false where code = 'closing_notice' and type = 'body'`.execute(
      server.db,
    )
    expect(await close({ mail: true })).toMatchObject({ status: 422 })
    await sql`update mail_templates set enabled = true where code = 'closing_notice'`.execute(server.db)
    const { rows } = await sql`select from closures`.execute(server.db)
    expect(rows).toEqual([])
  })

  it('is done once, wherever its server stops and however often it is asked for', async () => {
    await lend(1, 1)
    await lend(2, 3)
    const key = { key: randomUUID() }
    const body = { ...closing, mail: true }
    const asked = await Promise.all([1, 2].map(() => admin.post('/api/closures/close', body, key)))
    asked.push(await admin.post('/api/closures/close', body, key))
    const ids = new Set(asked.flatMap((one) => (one.status === 202 ? [Number(one.body.id)] : [])))
    expect(ids.size).toBe(1)
    const [id = 0] = ids
    for (let tries = 0; tries < 2; tries += 1) {
      const stopping = runJobs({
        environment: server.environment,
        now: () => server.now,
        steps: {
          ...jobSteps,
          'closures.close': async (...how) => {
            const stepped = await jobSteps['closures.close'](...how)
            if (tries === 0 || ('isLast' in stepped && stepped.isLast)) throw new Error('stopped')
            return stepped
          },
        },
      })
      await expect(stopping).rejects.toThrow('stopped')
    }
    expect(await act(id)).toMatchObject({ ended_at: null, fixed: 'Il n’est pas terminé.' })
    await server.doJobs()
    expect(Object.values(await due())).toEqual(['2026-04-04', '2026-04-04'])
    const { rows } = await sql<{ closures: number; lines: number; mails: number }>`
      select (select count(*)::int from closures) as closures, (select count(*)::int from mail_outbox) as mails,
        (select count(*)::int from audit_journal where action = 'loan.move_due') as lines`.execute(server.db)
    expect(rows).toEqual([{ closures: 1, lines: 2, mails: 2 }])
  })

  describe('by whoever works at some sites only', () => {
    beforeEach(async () => {
      await sql`insert into user_sites (user_id, site) select id, 2 from users where username = 'admin'`.execute(
        server.db,
      )
      admin = await server.as('admin')
      return async () => {
        await sql`delete from user_sites`.execute(server.db)
        admin = await server.as('admin')
      }
    })

    it.each(['/api/closures/preview', '/api/closures/close'])('is for those: %s', async (path) => {
      for (const site of [null, 1]) {
        expect(await admin.post(path, { ...closing, site }, { key: randomUUID() })).toMatchObject({
          status: 422,
          body: { violations: [{ propertyPath: 'site' }] },
        })
      }
      expect((await admin.post(path, { ...closing, site: 2 }, { key: randomUUID() })).status).toBeLessThan(
        300,
      )
    })

    it('leaves the closures of others as they are', async () => {
      const { rows } = await sql<{ id: number }>`
        insert into closures (site, first_day, last_day, label) values (null, '2026-05-01', '2026-05-01', 'Mai') returning id`.execute(
        server.db,
      )
      const path = `/api/closures/${rows[0]?.id}`
      expect((await admin.put(path, { label: 'Avril' })).status).toBe(422)
      expect((await admin.delete(path)).status).toBe(422)
    })
  })
})
