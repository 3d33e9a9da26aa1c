import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { sql } from 'kysely'
import pino from 'pino'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'

import { remindOfToday } from '../../src/server/mail/daily-reminders.ts'
import { mailSenderOf } from '../../src/server/mail/send-mails.ts'
import type { MailTransport } from '../../src/server/http/mail-transport.ts'
import { openTransport } from '../../src/server/mail/transport.ts'
import { setParameter } from '../settings/set-parameter.ts'
import { emptyTables } from '../support/empty-tables.ts'
import { type Client, describeServer } from '../support/test-server.ts'
import { type MailServer, startMailServer } from './mail-server.ts'

describeServer('reminders of the day', (server) => {
  let admin: Client
  let mails: MailServer
  let transport: MailTransport
  let directory: string
  beforeAll(async () => {
    admin = await server.as('admin')
    directory = await mkdtemp(join(tmpdir(), 'comptoir-mail-'))
    mails = await startMailServer()
    transport = openTransport({ smtpUrl: mails.url, mailFrom: 'biblio@exemple.fr', directory })
  })
  afterAll(async () => {
    transport.close()
    await mails.stop()
    await rm(directory, { recursive: true, force: true })
  })
  beforeEach(async () => {
    await emptyTables(server.db, 'loan_reminders', 'letters', 'mail_outbox', 'reminder_days', 'loanings')
    await sql`update mail_templates set enabled = code in ('loaning_reminder', 'loaning_recap', 'loaning_creation')`.execute(
      server.db,
    )
    await sql`update mail_templates set days = case code when 'before_due' then 3 when 'late_1' then 3 when 'late_2' then 7 when 'late_3' then 14 end
      where type = 'object'`.execute(server.db)
    await sql`update beneficiaries set email = 'alice@exemple.fr', deleted_at = null where id = 1`.execute(
      server.db,
    )
    mails.received.length = 0
    mails.onRecipient = () => null
    at('2026-03-10')
  })
  const at = (day: string, hour = '09:00') => server.moveTo(`${day}T${hour}:00.000Z`)
  const switchOn = (...codes: string[]) =>
    sql`update mail_templates set enabled = true where code = any(${codes}::text[])`.execute(server.db)
  const lend = async (beneficiary: number, copy: number, end_date: string, start_date = '2026-01-15') => {
    const { rows } = await sql<{ id: number }>`
      insert into loanings (beneficiary, copy, site, start_date, end_date, duration_value, duration_type, lent_at, lent_received_at)
      values (${beneficiary}, ${copy}, 1, ${start_date}::date, ${end_date}::date, 1, 'DAY', now(), now()) returning id`.execute(
      server.db,
    )
    return rows[0]!.id
  }
  const remind = () =>
    remindOfToday(server.environment, { now: () => server.now, publicUrl: 'https://ici.fr' })
  const send = () =>
    mailSenderOf(server.environment, {
      transport,
      logger: pino({ level: 'silent' }),
      now: () => server.now,
    }).runOnce()
  const outbox = () => server.db.selectFrom('mail_outbox').selectAll().orderBy('id').execute()
  const written = async () => (await outbox()).map(({ template, beneficiary }) => [template, beneficiary])
  const titles = (html = '') => [...html.matchAll(/<li>(.*?),/g)].map(([, text]) => text)

  it('write nothing that nobody switched on', async () => {
    await lend(1, 1, '2026-03-01')
    await lend(2, 2, '2026-03-10')
    await remind()
    expect(await outbox()).toEqual([])
  })

  it.each([
    ['first', (press: () => Promise<unknown>) => [remind(), press()]],
    ['last', (press: () => Promise<unknown>) => [press(), remind()]],
  ])(
    'and a mass reminder that is written in the same minute, begun %s, write one mail to each reader',
    async (_, begin) => {
      await switchOn('late_1')
      await sql`
        with readers as (
          insert into beneficiaries (matricule, lastname, firstname, email, agency_id)
          select 'X' || n, 'Nom ' || n, 'Prénom', 'x' || n || '@exemple.fr', 1 from generate_series(1, 90) n returning id, matricule),
        lent as (
          insert into copies (reference, bar_code, site) select 1, matricule, 1 from readers returning id, bar_code)
        insert into loanings (beneficiary, copy, site, start_date, end_date, duration_value, duration_type, lent_at, lent_received_at)
        select readers.id, lent.id, 1, '2026-02-01', '2026-03-01', 1, 'MONTH', now(), now()
        from readers join lent on lent.bar_code = readers.matricule`.execute(server.db)
      expect((await admin.post('/api/mail/reminders')).status).toBe(202)
      await Promise.all(begin(server.doJobs))
      const written = (await outbox()).map(({ to_address }) => to_address)
      expect(written.toSorted()).toEqual(
        Array.from({ length: 90 }, (_one, n) => `x${n + 1}@exemple.fr`).toSorted(),
      )
      await emptyTables(server.db, 'loan_reminders', 'mail_outbox', 'jobs', 'loanings')
      await sql`delete from copies where bar_code like 'X%'`.execute(server.db)
      await sql`delete from beneficiaries where matricule like 'X%'`.execute(server.db)
    },
  )

  it.each([
    ['late', '2026-03-01'],
    ['due', '2026-03-10'],
  ])('write nothing of a loan that is %s and was reminded by hand on that day', async (_what, end_date) => {
    await switchOn('late_1', 'due')
    await lend(1, 1, end_date)
    expect((await admin.post('/api/beneficiaries/1/remind')).status).toBe(202)
    await remind()
    expect(await written()).toHaveLength(1)
  })

  it('announce a loan some days before it is due, once, and on the day itself', async () => {
    await switchOn('before_due', 'due')
    await lend(1, 1, '2026-03-13')
    await lend(1, 2, '2026-03-12')
    await lend(1, 3, '2026-03-14')
    // Lent for less than the notice, it is no news.
    await lend(2, 4, '2026-03-11', '2026-03-10')
    await remind()
    expect(await written()).toEqual([['before_due', 1]])
    expect(titles((await outbox())[0]?.html)).toEqual(['Livre numéro 2', 'Livre numéro 1'])
    at('2026-03-11')
    await remind()
    expect((await written()).slice(1)).toEqual([
      ['before_due', 1],
      ['due', 2],
    ])
    expect(titles((await outbox())[1]?.html)).toEqual(['Livre numéro 3'])
    at('2026-03-12')
    await remind()
    expect((await written()).slice(3)).toEqual([['due', 1]])
  })

  it('rise level by level, each so many days after the one before', async () => {
    await switchOn('late_1', 'late_2', 'late_3')
    await lend(1, 1, '2026-03-01')
    const days: [string, string][] = []
    for (let day = 1; day <= 31; day += 1) {
      const today = `2026-03-${String(day).padStart(2, '0')}`
      at(today)
      const before = (await outbox()).length
      await remind()
      for (const { template } of (await outbox()).slice(before)) days.push([today, template])
    }
    expect(days).toEqual([
      ['2026-03-04', 'late_1'],
      ['2026-03-11', 'late_2'],
      ['2026-03-25', 'late_3'],
    ])
    // The session of today, whose clock went on.
    at('2026-03-10')
    const { body } = await admin.get('/api/loanings?status=in_progress')
    expect(body['hydra:member'][0].reminded_on).toBe('2026-03-25')
  })

  it('begin again once a loan is extended, and skip a level that is off', async () => {
    await switchOn('late_1', 'late_3')
    const loan = await lend(1, 1, '2026-03-01')
    await remind()
    expect(await written()).toEqual([['late_1', 1]])
    await sql`update loanings set end_date = '2026-03-20' where id = ${loan}`.execute(server.db)
    at('2026-03-24')
    await remind()
    at('2026-04-07')
    await remind()
    expect((await written()).slice(1)).toEqual([
      ['late_1', 1],
      ['late_3', 1],
    ])
  })

  it('write one mail a reader for all that is late, at the highest level', async () => {
    await switchOn('late_1', 'late_2')
    await lend(1, 1, '2026-03-01')
    at('2026-03-05')
    await remind()
    await lend(1, 2, '2026-03-06')
    await lend(2, 3, '2026-03-06')
    at('2026-03-12')
    await remind()
    expect((await written()).slice(1).toSorted()).toEqual([
      ['late_1', 2],
      ['late_2', 1],
    ])
    const both = (await outbox()).find(({ template }) => template === 'late_2')
    expect(titles(both?.html)).toEqual(['Livre numéro 1', 'Livre numéro 2'])
    // Each goes on from its own level.
    at('2026-03-19')
    await remind()
    const last = (await outbox()).findLast(({ beneficiary }) => beneficiary === 1)
    expect(titles(last?.html)).toEqual(['Livre numéro 2'])
  })

  it('leave alone who was written to by hand on the same day', async () => {
    await switchOn('late_1')
    await lend(1, 1, '2026-03-01')
    expect((await admin.post('/api/beneficiaries/1/remind')).status).toBe(202)
    await remind()
    expect(await written()).toEqual([['loaning_reminder', 1]])
    at('2026-03-11')
    await remind()
    expect((await written()).at(-1)).toEqual(['late_1', 1])
  })

  it('are of the library’s day, from its hour on', async () => {
    await switchOn('due')
    await setParameter(server, 'timezone', 'Pacific/Auckland')
    await lend(1, 1, '2026-03-11')
    // Five in the morning of the 11th there, then eight.
    at('2026-03-10', '16:00')
    await remind()
    expect(await written()).toEqual([])
    at('2026-03-10', '19:00')
    await remind()
    expect(await written()).toEqual([['due', 1]])
    await setParameter(server, 'timezone', 'Europe/Paris')
  })

  it('are written once, whatever the number of processes and of starts', async () => {
    await switchOn('late_1')
    for (let copy = 1; copy <= 8; copy += 1) await lend(1 + (copy % 2), copy, '2026-03-01')
    await Promise.all([remind(), remind(), remind()])
    await remind()
    expect((await written()).toSorted()).toEqual([
      ['late_1', 1],
      ['late_1', 2],
    ])
    const { rows } = await sql<{ mails: number; is_over: boolean }>`
      select mails, ended_at is not null as is_over from reminder_days`.execute(server.db)
    expect(rows).toEqual([{ mails: 2, is_over: true }])
  })

  it('go on from their place when the server stops between two steps', async () => {
    await switchOn('late_1')
    await sql`insert into beneficiaries (matricule, lastname, firstname, email, agency_id)
      select 'Y' || n, 'Nom ' || n, 'Prénom', 'y' || n || '@exemple.fr', 1 from generate_series(1, 90) n`.execute(
      server.db,
    )
    await sql`insert into copies (reference, bar_code, site) select 1, 'Y' || n, 1 from generate_series(1, 90) n`.execute(
      server.db,
    )
    await sql`insert into loanings (beneficiary, copy, site, start_date, end_date, duration_value, duration_type, lent_at, lent_received_at)
      select b.id, c.id, 1, '2026-02-01', '2026-03-01', 1, 'MONTH', now(), now() from beneficiaries b join copies c on c.bar_code = b.matricule
      where b.matricule like 'Y%'`.execute(server.db)
    const stopping = new AbortController()
    await remindOfToday(server.environment, {
      now: () => server.now,
      stopping: stopping.signal,
      onStep: () => stopping.abort(),
    })
    expect(await outbox()).toHaveLength(40)
    await Promise.all([remind(), remind()])
    await remind()
    const all = await outbox()
    expect(new Set(all.map(({ to_address }) => to_address)).size).toBe(90)
    expect(all).toHaveLength(90)
  })

  it('pass over a broken template, which is tried again the next day', async () => {
    await switchOn('late_1')
    await lend(1, 1, '2026-03-01')
    const { rows } = await sql<{ content: string }>`
      select content from mail_templates where code = 'late_1' and type = 'body'`.execute(server.db)
    await sql`update mail_templates set content = '{{ oups' where code = 'late_1' and type = 'body'`.execute(
      server.db,
    )
    await remind()
    expect(await outbox()).toEqual([])
    const day = await server.db.selectFrom('reminder_days').select('problem').executeTakeFirst()
    expect(day?.problem).toContain('«\u00a0late_1\u00a0» ne peut pas être lu')
    await sql`update mail_templates set content = ${rows[0]!.content} where code = 'late_1' and type = 'body'`.execute(
      server.db,
    )
    at('2026-03-11')
    await remind()
    expect(await written()).toEqual([['late_1', 1]])
  })

  // Looked at again as they leave.
  const queueLate = async () => {
    await switchOn('late_1')
    const loans = [await lend(1, 1, '2026-03-01'), await lend(1, 2, '2026-03-02')] as const
    await remind()
    expect(await written()).toEqual([['late_1', 1]])
    return loans
  }
  const giveBack = (...ids: number[]) =>
    sql`update loanings set status = 'finished', return_date = '2026-03-10' where id = any(${ids}::int[])`.execute(
      server.db,
    )
  const said = async () => (await outbox()).map(({ status, last_error }) => [status, last_error])

  it('do not leave once everything is given back, and say so', async () => {
    const loans = await queueLate()
    await giveBack(...loans)
    expect(await send()).toEqual({ sent: 0, later: 0, failed: 0, stopped: 1 })
    expect(mails.received).toEqual([])
    expect(await said()).toEqual([['stopped', 'Tout a été rendu avant l’envoi.']])
    const { body } = await admin.get('/api/mail?status=stopped')
    expect(body['hydra:member']).toMatchObject([
      { last_error: 'Tout a été rendu avant l’envoi.', fault: null },
    ])
    const left = await server.db.selectFrom('loanings').select('reminded_on').execute()
    expect(left.map(({ reminded_on }) => reminded_on)).toEqual([null, null])
  })

  it('leave without what was given back meanwhile', async () => {
    const [first] = await queueLate()
    await giveBack(first)
    await send()
    expect(titles(String(mails.received[0]?.html))).toEqual(['Livre numéro 2'])
  })

  it.each([
    [
      'everything is extended',
      sql`update loanings set end_date = '2026-03-30'`,
      'Tout a été prolongé avant l’envoi.',
    ],
    [
      'the reader is no longer there',
      sql`update beneficiaries set deleted_at = now() where id = 1`,
      'Le lecteur a été retiré avant l’envoi.',
    ],
    [
      'the template is switched off',
      sql`update mail_templates set enabled = false where code = 'late_1'`,
      'Le modèle a été désactivé avant l’envoi.',
    ],
  ])('do not leave where %s', async (_, change, why) => {
    await queueLate()
    await change.execute(server.db)
    await send()
    expect(mails.received).toEqual([])
    expect(await said()).toEqual([['stopped', why]])
  })

  it('stop by hand as well', async () => {
    const loan = await lend(2, 1, '2026-03-01')
    await admin.post('/api/mail/reminders')
    await server.doJobs()
    await giveBack(loan)
    await send()
    expect(mails.received).toEqual([])
    expect(await said()).toEqual([['stopped', 'Tout a été rendu avant l’envoi.']])
  })

  it('go to the address that the reader has as they leave', async () => {
    await queueLate()
    await sql`update beneficiaries set email = 'nouvelle@exemple.fr' where id = 1`.execute(server.db)
    await send()
    expect(mails.received.map(({ to }) => to?.[0]?.address)).toEqual(['nouvelle@exemple.fr'])
  })

  it('become a letter where the address is gone or refused, and a mail again once it is mended', async () => {
    await queueLate()
    mails.onRecipient = () => ({ responseCode: 550, message: 'no such user' })
    await send()
    expect((await outbox())[0]).toMatchObject({ status: 'failed', fault: 'address' })
    const letters = async () => (await admin.get('/api/letters')).body['hydra:member']
    expect(await letters()).toMatchObject([
      {
        beneficiary: 1,
        name: 'Alice Martin',
        template: 'late_1',
        why: 'refused',
        status: 'to_print',
        loans: 2,
      },
    ])
    mails.onRecipient = () => null
    await sql`update beneficiaries set email = 'nouvelle@exemple.fr' where id = 1`.execute(server.db)
    const id = (await outbox())[0]?.id
    expect((await admin.post(`/api/mail/${id}/retry`)).status).toBe(202)
    expect(await letters()).toEqual([])
    await send()
    expect(mails.received.map(({ to }) => to?.[0]?.address)).toEqual(['nouvelle@exemple.fr'])
    expect((await admin.post(`/api/mail/${id}/retry`)).status).toBe(409)
  })
})
