import { sql } from 'kysely'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'

import { runJobs, type Steps } from '../../src/server/jobs/run-jobs.ts'
import { jobSteps } from '../../src/server/serve.ts'
import { emptyTables } from '../support/empty-tables.ts'
import { type Client, describeServer } from '../support/test-server.ts'

describeServer('mails to many, as a job', (server) => {
  let biblio: Client
  beforeAll(async () => {
    biblio = await server.as('biblio')
    await sql`insert into beneficiaries (matricule, lastname, firstname, email, agency_id)
      select 'X' || n, 'Nom ' || n, 'Prénom', 'x' || n || '@exemple.fr', 1 from generate_series(1, 120) n`.execute(
      server.db,
    )
    await sql`insert into copies (reference, bar_code, site) select 1, 'X' || n, 1 from generate_series(1, 120) n`.execute(
      server.db,
    )
    await sql`insert into loanings (beneficiary, copy, site, start_date, end_date, status, duration_value, duration_type, lent_at, lent_received_at)
      select b.id, c.id, 1, '2026-02-01', '2026-03-01', 'in_progress', 1, 'MONTH', now(), now()
      from beneficiaries b join copies c on c.bar_code = b.matricule`.execute(server.db)
  })
  beforeEach(() => emptyTables(server.db, 'mail_outbox', 'jobs'))

  const written = async () => {
    const mails = await server.db.selectFrom('mail_outbox').select('to_address').orderBy('id').execute()
    return mails.map(({ to_address }) => to_address)
  }
  const job = async (as = biblio) => (await as.get('/api/jobs')).body['hydra:member'][0]
  const all = Array.from({ length: 120 }, (_, n) => `x${n + 1}@exemple.fr`)
  const steps = (mass: Steps['mail.recap']): Steps => ({ ...jobSteps, 'mail.recap': mass })

  it('are asked for at once and written in steps, each person once', async () => {
    const { status, body } = await biblio.post('/api/mail/recap')
    expect({ status, count: body.count }).toEqual({ status: 202, count: 120 })
    expect(await job()).toMatchObject({
      id: body.job,
      kind: 'mail.recap',
      status: 'queued',
      total: 120,
      done: 0,
    })
    expect(await written()).toEqual([])
    await server.doJobs()
    expect(await job()).toMatchObject({ status: 'done', done: 120, problem: null })
    expect(await written()).toEqual(all)
    await server.doJobs()
    expect(await written()).toHaveLength(120)
  })

  it('go on where they were when the server stopped, also in the middle of a step', async () => {
    await biblio.post('/api/mail/recap')
    let stopped = 0
    const breaking = steps(async (...how) => {
      const stepped = await jobSteps['mail.recap'](...how)
      // The second step has written its mails when its process ends.
      if (++stopped === 2) throw new Error('stopped')
      return stepped
    })
    const run = (with_: Steps) =>
      runJobs({ environment: server.environment, steps: with_, now: () => server.now })
    await expect(run(breaking)).rejects.toThrow('stopped')
    expect(await written()).toEqual(all.slice(0, 50))
    expect(await job()).toMatchObject({ status: 'running', done: 50 })
    await run(jobSteps)
    expect(await written()).toEqual(all)
  })

  it('are shared by processes that look at once', async () => {
    await biblio.post('/api/mail/recap')
    await Promise.all([server.doJobs(), server.doJobs(), server.doJobs()])
    await server.doJobs()
    expect((await written()).sort()).toEqual([...all].sort())
  })

  describe('whose author loses what they were asked by', () => {
    beforeEach(() => async () => {
      await sql`delete from user_sites`.execute(server.db)
      await sql`delete from sites where name = 'Sud'`.execute(server.db)
      await sql`update users set profile = (select id from profiles where name = 'Bibliothécaire') where username = 'biblio'`.execute(
        server.db,
      )
    })

    /** After the first step, of fifty readers. */
    const andThen = async (loses: () => Promise<unknown>) => {
      await biblio.post('/api/mail/recap')
      const afterFirst = new AbortController()
      await runJobs({
        environment: server.environment,
        steps: steps(async (...how) => {
          afterFirst.abort()
          return jobSteps['mail.recap'](...how)
        }),
        now: () => server.now,
        stopping: afterFirst.signal,
      })
      await loses()
      await server.doJobs()
    }
    const problem = 'Votre compte n’a plus le droit d’écrire à ces lecteurs.'

    it('write to nobody more without the right', async () => {
      await andThen(() =>
        sql`update users set profile = (select id from profiles where name = 'Consultation') where username = 'biblio'`.execute(
          server.db,
        ),
      )
      expect(await job()).toMatchObject({ status: 'failed', done: 50, problem })
      expect(await written()).toEqual(all.slice(0, 50))
    })

    it.each([
      ['no site that is theirs still', 'Sud', 50, { status: 'failed', problem }],
      ['the sites that are theirs still', 'Centre', 119, { status: 'done', problem: null }],
    ])('write to readers of %s', async (_, name, count, ended) => {
      await server.db.insertInto('sites').values({ name: 'Sud', gestit_id: null, deleted_at: null }).execute()
      await sql`update loanings set site = 2 where copy = (select id from copies where bar_code = 'X120')`.execute(
        server.db,
      )
      await sql`insert into user_sites (user_id, site) select id, unnest('{1,2}'::int[]) from users where username = 'biblio'`.execute(
        server.db,
      )
      await andThen(async () => {
        await sql`delete from user_sites`.execute(server.db)
        await sql`insert into user_sites (user_id, site)
          select u.id, s.id from users u, sites s where u.username = 'biblio' and s.name = ${name}`.execute(
          server.db,
        )
      })
      expect(await job()).toMatchObject(ended)
      expect(await written()).toHaveLength(count)
    })
  })

  it('are written one at a time, and asked for at two desks at once are asked for once', async () => {
    const admin = await server.as('admin')
    const statuses = (await Promise.all([biblio.post('/api/mail/recap'), admin.post('/api/mail/recap')])).map(
      ({ status }) => status,
    )
    expect(statuses.sort()).toEqual([202, 409])
    const again = await admin.post('/api/mail/recap')
    expect(again).toMatchObject({ status: 409, body: { reason: 'WORK_UNDER_WAY' } })
    for (const path of ['/api/mail/recap?dry_run=1', '/api/mail/reminders?dry_run=1'])
      expect((await admin.post(path)).status).toBe(200)
    await server.doJobs()
    expect(await written()).toHaveLength(120)
    expect((await admin.post('/api/mail/recap?dry_run=1')).body).toEqual({ count: 0, had_one_today: 120 })
  })

  it('end when they cannot be written, and say why', async () => {
    await biblio.post('/api/mail/recap')
    await sql`update mail_templates set content = '{{ loans | nothing }}' where code = 'loaning_recap' and type = 'body'`.execute(
      server.db,
    )
    await server.doJobs()
    const ended = await job()
    expect(ended).toMatchObject({ status: 'failed', done: 0 })
    expect(ended.problem).toContain('«\u00a0loaning_recap\u00a0» ne peut pas être lu')
    expect(await biblio.post('/api/mail/recap')).toMatchObject({ status: 422 })
    expect(await written()).toEqual([])
  })

  it('are given up after five steps that failed, while others go on', async () => {
    await biblio.post('/api/mail/reminders')
    const run = () =>
      runJobs({
        environment: server.environment,
        steps: { ...jobSteps, 'mail.reminders': () => Promise.reject(new Error('always')) },
        now: () => server.now,
      })
    for (let attempt = 1; attempt <= 5; attempt += 1) await expect(run()).rejects.toThrow('always')
    await run()
    expect(await job()).toMatchObject({ status: 'failed', problem: 'Une erreur inattendue s’est produite.' })
  })

  it('are the news of whoever asked for them', async () => {
    await biblio.post('/api/mail/reminders')
    const admin = await server.as('admin')
    expect((await admin.get('/api/jobs')).body['hydra:totalItems']).toBe(0)
    expect((await biblio.get('/api/jobs?status=queued&kind=mail.reminders')).body['hydra:totalItems']).toBe(1)
  })
})
