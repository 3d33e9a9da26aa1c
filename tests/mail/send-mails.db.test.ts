import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { sql } from 'kysely'
import pino from 'pino'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'

import { startMailSender } from '../../src/server/mail/mail-sender.ts'
import { queueMail } from '../../src/server/writing/queue-mail.ts'
import { type MailSender, mailSenderOf } from '../../src/server/mail/send-mails.ts'
import type { MailTransport } from '../../src/server/http/mail-transport.ts'
import { openTransport } from '../../src/server/mail/transport.ts'
import { readParameters } from '../../src/server/library-facts/parameters.ts'
import { describeServer } from '../support/test-server.ts'
import { type MailServer, startMailServer } from './mail-server.ts'

const logger = pino({ level: 'silent' })
const start = '2026-03-10T09:00:00.000Z'

describeServer('the sender of mails', (server) => {
  let mails: MailServer
  let transport: MailTransport
  let sender: MailSender
  let directory: string

  let clock = new Date(start)
  const now = () => clock
  const newSender = (over: MailTransport = transport) =>
    mailSenderOf(server.environment, { transport: over, logger, now })
  const queue = async (
    to_address: string,
    variables: Record<string, unknown> = {},
    beneficiary: number | null = 1,
  ) => {
    const parameters = await readParameters(server.db)
    const exchange = { now: clock, parameters }
    const template = beneficiary === null ? 'login_link' : 'loaning_recap'
    return server.db
      .transaction()
      .execute((trx) => queueMail(trx, exchange, { template, to_address, variables, beneficiary }))
  }
  const rows = () => server.db.selectFrom('mail_outbox').selectAll().orderBy('id').execute()
  const minutesLater = (minutes: number) => {
    clock = new Date(clock.getTime() + minutes * 60_000)
  }
  const recipients = () => mails.received.map(({ to }) => to?.[0]?.address)

  beforeAll(async () => {
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
    await server.db.deleteFrom('mail_outbox').execute()
    clock = new Date(start)
    mails.received.length = 0
    mails.onRecipient = () => null
    sender = newSender()
  })

  it('sends what was queued, once, names as text and accents whole', async () => {
    const beneficiary = { firstname: '<img src=x onerror=alert(1)>', lastname: 'Noémie Œuvré' }
    await queue('alice@exemple.fr', {
      beneficiary,
      loans: [{ reference_name: 'L’Été & <b>lui</b>', end_date: '31/03/2026' }],
    })
    expect(await sender.runOnce()).toEqual({ sent: 1, later: 0, failed: 0 })
    expect(await sender.runOnce()).toEqual({ sent: 0, later: 0, failed: 0 })
    minutesLater(60 * 24)
    await newSender().runOnce()
    expect(mails.received).toHaveLength(1)
    const [mail] = mails.received
    expect(mail?.subject).toBe('Vos emprunts en cours à Comptoir')
    expect(mail?.html).toContain('Bonjour &lt;img src=x onerror=alert(1)&gt; Noémie Œuvré')
    expect(mail?.html).toContain('<li>L’Été &amp; &lt;b&gt;lui&lt;/b&gt;, à rendre le 31/03/2026</li>')
    expect(mail?.html).not.toContain('<img')
    expect(await rows()).toMatchObject([{ status: 'sent', attempts: 1, last_error: null, sent_at: start }])
  })

  it('queues nothing when the transaction is given up', async () => {
    const parameters = await readParameters(server.db)
    const given = server.db.transaction().execute(async (trx) => {
      await queueMail(
        trx,
        { now: clock, parameters },
        { template: 'loaning_recap', to_address: 'a@b.fr', variables: {} },
      )
      throw new Error('given up')
    })
    await expect(given).rejects.toThrow('given up')
    expect(await rows()).toEqual([])
  })

  it('tries again later, less and less often, after a temporary refusal, then gives up and says why', async () => {
    mails.onRecipient = () => ({ responseCode: 451, message: 'Revenez plus tard' })
    await queue('alice@exemple.fr')
    const waits: number[] = []
    for (let attempt = 1; attempt <= 5; attempt += 1) {
      expect(await sender.runOnce()).toEqual({ sent: 0, later: 1, failed: 0 })
      const [row] = await rows()
      const wait = (Date.parse(row?.next_attempt_at ?? '') - clock.getTime()) / 60_000
      waits.push(wait)
      minutesLater(wait - 0.1)
      expect(await sender.runOnce()).toEqual({ sent: 0, later: 0, failed: 0 })
      minutesLater(0.1)
    }
    expect(waits).toEqual([1, 5, 30, 120, 720])
    expect(await sender.runOnce()).toEqual({ sent: 0, later: 0, failed: 1 })
    expect(await rows()).toMatchObject([
      { status: 'failed', attempts: 6, last_error: expect.stringContaining('451 Revenez plus tard') },
    ])
    minutesLater(60 * 48)
    expect(await sender.runOnce()).toEqual({ sent: 0, later: 0, failed: 0 })
  })

  it('delivers after a temporary refusal', async () => {
    mails.onRecipient = () => ({ responseCode: 450, message: 'Liste grise' })
    await queue('alice@exemple.fr')
    await sender.runOnce()
    mails.onRecipient = () => null
    minutesLater(1)
    expect(await sender.runOnce()).toEqual({ sent: 1, later: 0, failed: 0 })
    expect(await rows()).toMatchObject([{ status: 'sent', attempts: 2, last_error: null }])
  })

  it('gives up at once on a permanent refusal, and goes on with the others', async () => {
    mails.onRecipient = (address) =>
      address.startsWith('inconnu') ? { responseCode: 550, message: `5.1.1 <${address}> inconnu` } : null
    await queue('inconnu@exemple.fr')
    await queue('alice@exemple.fr')
    expect(await sender.runOnce()).toEqual({ sent: 1, later: 0, failed: 1 })
    expect(recipients()).toEqual(['alice@exemple.fr'])
    expect(await rows()).toMatchObject([{ status: 'failed', attempts: 1, sent_at: null }, { status: 'sent' }])

    const admin = await server.as('admin')
    const { body } = await admin.get('/api/mail?status=failed')
    expect(body['hydra:member']).toMatchObject([
      {
        '@type': 'Mail',
        to_address: 'inconnu@exemple.fr',
        status: 'failed',
        attempts: 1,
        last_error: expect.stringContaining('<inconnu@exemple.fr> inconnu'),
      },
    ])
  })

  it('rests while the server is down, without spending every mail’s attempts, then sends everything', async () => {
    await mails.stop()
    for (const name of ['a', 'b', 'c']) await queue(`${name}@exemple.fr`)
    expect(await sender.runOnce()).toEqual({ sent: 0, later: 1, failed: 0 })
    expect(await sender.runOnce()).toEqual({ sent: 0, later: 0, failed: 0 })
    expect((await rows()).map(({ attempts }) => attempts)).toEqual([1, 0, 0])
    await mails.start()
    minutesLater(1)
    expect(await sender.runOnce()).toEqual({ sent: 3, later: 0, failed: 0 })
    expect(new Set(recipients())).toEqual(new Set(['a@exemple.fr', 'b@exemple.fr', 'c@exemple.fr']))
  })

  it('sends each mail once when several senders share the outbox', async () => {
    for (let n = 0; n < 12; n += 1) await queue(`lecteur${n}@exemple.fr`)
    const tallies = await Promise.all([sender, newSender(), newSender()].map((each) => each.runOnce()))
    expect(tallies.reduce((sum, { sent }) => sum + sent, 0)).toBe(12)
    expect(new Set(recipients()).size).toBe(12)
    expect(mails.received).toHaveLength(12)
  })

  it('lets links that someone waits for go before a mass mail, and forgets them once gone', async () => {
    await queue('alice@exemple.fr')
    await queue(
      'biblio@exemple.fr',
      { user: { username: 'biblio' }, link: 'https://exemple.fr/login?token=secret' },
      null,
    )
    await sender.runOnce()
    expect(recipients()).toEqual(['biblio@exemple.fr', 'alice@exemple.fr'])
    expect(mails.received[0]?.html).toContain('<a href="https://exemple.fr/login?token=secret">')
    const [recap, link] = await rows()
    expect(recap?.html).not.toBe('')
    expect(link?.html).toBe('')
  })

  it('takes up what a stopped process had claimed, under the same Message-ID', async () => {
    await queue('alice@exemple.fr')
    // A process that dies after the server took the mail and before that is recorded.
    const dying: MailTransport = {
      ...transport,
      send: async (mail) => {
        await transport.send(mail)
        throw new Error('killed')
      },
    }
    await expect(newSender(dying).runOnce()).rejects.toThrow('killed')
    expect(await sender.runOnce()).toEqual({ sent: 0, later: 0, failed: 0 })
    minutesLater(10)
    expect(await sender.runOnce()).toEqual({ sent: 1, later: 0, failed: 0 })
    expect(mails.received).toHaveLength(2)
    expect(new Set(mails.received.map(({ messageId }) => messageId)).size).toBe(1)
  })

  it('does not send again what it sent while the database was away', async () => {
    await queue('alice@exemple.fr')
    // The database goes away while the mail is on the wire.
    const breaking: MailTransport = {
      ...transport,
      send: async (mail) => {
        const delivery = await transport.send(mail)
        await sql`alter table mail_outbox rename to mail_outbox_away`.execute(server.db)
        return delivery
      },
    }
    const outage = newSender(breaking)
    await expect(outage.runOnce()).rejects.toThrow('mail_outbox')
    await sql`alter table mail_outbox_away rename to mail_outbox`.execute(server.db)
    minutesLater(60)
    expect(await outage.runOnce()).toEqual({ sent: 1, later: 0, failed: 0 })
    expect(mails.received).toHaveLength(1)
    expect(await rows()).toMatchObject([{ status: 'sent', attempts: 1 }])
  })

  it('holds no transaction while a mail is on the wire', async () => {
    await queue('alice@exemple.fr')
    let open = 0
    const looking: MailTransport = {
      ...transport,
      send: async (mail) => {
        const { rows } = await sql<{ open: number }>`
          select count(*) as open from pg_locks l join pg_class c on c.oid = l.relation
          where c.relname = 'mail_outbox' and l.database = (select oid from pg_database where datname = current_database())`.execute(
          server.db,
        )
        open = rows[0]?.open ?? -1
        return transport.send(mail)
      },
    }
    await newSender(looking).runOnce()
    expect(open).toBe(0)
    expect(mails.received).toHaveLength(1)
  })

  it('records a mail whose template is broken, and queues none that is switched off', async () => {
    await sql`update mail_templates set content = '{{ oups' where code = 'login_link' and type = 'body'`.execute(
      server.db,
    )
    expect(await queue('biblio@exemple.fr', {}, null)).toMatchObject({ state: 'broken' })
    expect(await rows()).toMatchObject([
      { status: 'failed', last_error: expect.stringContaining('Le modèle ne peut pas être lu') },
    ])
    await sql`update mail_templates set content = 'x', enabled = false where code = 'login_link' and type = 'body'`.execute(
      server.db,
    )
    expect(await queue('biblio@exemple.fr', {}, null)).toEqual({ state: 'off' })
    expect(await rows()).toHaveLength(1)
    await sql`update mail_templates set enabled = (type <> 'signing') where code = 'login_link'`.execute(
      server.db,
    )
    expect(await queue('biblio@exemple.fr', {}, null)).toMatchObject({ state: 'queued' })
    const [, mail] = await rows()
    expect(mail?.html).toMatch(/<div[^>]*>x<\/div><\/body>/)
    await sender.runOnce()
  })

  it('works in the background: wakes when told, and stops', async () => {
    const running = startMailSender({
      environments: [server.environment],
      transport,
      logger,
      now,
      pollEvery: 3_600_000,
    })
    await queue('alice@exemple.fr')
    running.wake()
    await mails.arrived(1)
    await queue('eric@exemple.fr')
    running.wake()
    await mails.arrived(2)
    await running.stop()
    await queue('noemie@exemple.fr')
    running.wake()
    expect(await rows()).toMatchObject([{ status: 'sent' }, { status: 'sent' }, { status: 'queued' }])
    expect(recipients()).toEqual(['alice@exemple.fr', 'eric@exemple.fr'])
  })
})
