import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { sql } from 'kysely'
import pino from 'pino'
import { afterAll, beforeAll, expect, it } from 'vitest'

import { createApp } from '../../src/server/app.ts'
import { mailSenderOf } from '../../src/server/mail/send-mails.ts'
import type { MailTransport } from '../../src/server/http/mail-transport.ts'
import { openTransport } from '../../src/server/mail/transport.ts'
import { clientOf, describeServer } from '../support/test-server.ts'
import { type MailServer, startMailServer } from './mail-server.ts'

const logger = pino({ level: 'silent' })

describeServer('how mails leave', (server) => {
  let mails: MailServer
  let directory: string
  let opened: MailTransport[]
  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'comptoir-mail-'))
    mails = await startMailServer()
    await sql`update users set email = 'admin@exemple.fr' where username = 'admin'`.execute(server.db)
    opened = [mails.url, null].map((smtpUrl) => openTransport({ smtpUrl, mailFrom: null, directory }))
  })
  afterAll(async () => {
    for (const transport of opened) transport.close()
    await mails.stop()
    await rm(directory, { recursive: true, force: true })
  })
  const clientBy = async (mailTransport: MailTransport | null) => {
    const environments = [server.environment]
    const by = mailTransport ? { mailTransport } : {}
    const app = createApp({ environments, logger, now: () => server.now, ...by, checkAnswers: true })
    return clientOf(app, (await server.as('admin')).token)
  }
  const [bySmtp, byFile] = [() => clientBy(opened[0]!), () => clientBy(opened[1]!)]

  it('is told: by a mail server, or as files that nobody gets', async () => {
    expect((await (await bySmtp()).get('/api/mail/transport')).body).toEqual({ connected: true })
    expect((await (await byFile()).get('/api/mail/transport')).body).toEqual({ connected: false })
  })

  it('is tried by a mail to oneself, with the answer of the mail server', async () => {
    const admin = await bySmtp()
    const sent = await admin.post('/api/mail/trial')
    expect(sent.body).toMatchObject({ outcome: 'sent', message: expect.stringContaining('admin@exemple.fr') })
    expect(mails.received.map(({ to }) => to?.[0]?.address)).toEqual(['admin@exemple.fr'])
    mails.onRecipient = () => ({ responseCode: 550, message: 'no such user here' })
    const refused = await admin.post('/api/mail/trial')
    expect(refused.body).toMatchObject({
      outcome: 'failed',
      message: expect.stringContaining('no such user'),
    })
    expect((await (await byFile()).post('/api/mail/trial')).body).toMatchObject({
      outcome: 'written',
      message: expect.stringMatching(/^L’essai est écrit dans un fichier du serveur.*n’est pas branché\.$/),
    })
  })

  it('is not told to be in a file by a process that has no way to write one', async () => {
    expect((await (await clientBy(null)).post('/api/mail/trial')).body).toEqual({
      outcome: 'failed',
      message: expect.not.stringContaining('fichier') as string,
    })
  })

  it('cannot be tried by an account without an address, nor without the right', async () => {
    await sql`update users set email = null where username = 'admin'`.execute(server.db)
    const refused = await (await byFile()).post('/api/mail/trial')
    expect([refused.status, refused.body.violations[0].propertyPath]).toEqual([422, 'email'])
    await sql`update users set email = 'admin@exemple.fr' where username = 'admin'`.execute(server.db)
    expect((await (await server.as('biblio')).post('/api/mail/trial')).status).toBe(403)
  })

  it('is kept with each mail: one that became a file was not sent', async () => {
    await sql`insert into mail_outbox (to_address, subject, html, template, beneficiary, next_attempt_at, created_at)
      values ('alice@exemple.fr', 'Vos prêts', 'x', 'loaning_recap', 1, now(), now())`.execute(server.db)
    const sender = mailSenderOf(server.environment, { transport: opened[1]!, logger, now: () => new Date() })
    await sender.runOnce()
    const { body } = await (await server.as('admin')).get('/api/mail?filters[status|in][]=written')
    expect(body['hydra:member']).toMatchObject([{ subject: 'Vos prêts', status: 'written' }])
  })
})
