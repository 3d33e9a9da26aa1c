import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import PostalMime from 'postal-mime'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'

import type { MailTransport, OutgoingMail } from '../../src/server/http/mail-transport.ts'
import { openTransport } from '../../src/server/mail/transport.ts'
import { type MailServer, startMailServer } from './mail-server.ts'

const mail: OutgoingMail = {
  key: 'comptoir.1.12.1773133200000',
  to_address: 'alice@exemple.fr',
  subject: 'Des retours sont attendus à la médiathèque <img onerror=x>',
  html: '<!doctype html><html lang="fr"><body><div>Bonjour Noémie Œuvré,<br />« L’été » à 12,50 €</div></body></html>',
  created_at: '2026-03-10T09:00:00.000Z',
  holds_link: false,
}

let directory: string
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'comptoir-mail-'))
})
afterAll(() => rm(directory, { recursive: true, force: true }))

describe('mail by SMTP', () => {
  let server: MailServer
  let transport: MailTransport
  beforeAll(async () => {
    server = await startMailServer()
    transport = openTransport({ smtpUrl: server.url, mailFrom: 'Médiathèque <biblio@exemple.fr>', directory })
  })
  afterAll(async () => {
    transport.close()
    await server.stop()
  })
  beforeEach(() => {
    server.received.length = 0
    server.onRecipient = () => null
    server.onMessage = () => null
  })

  it('keeps accents, subject, sender, date and its own Message-ID', async () => {
    expect(await transport.send(mail)).toEqual({ ok: true, as: 'sent' })
    expect(await transport.send(mail)).toEqual({ ok: true, as: 'sent' })
    expect(server.received).toHaveLength(2)
    for (const received of server.received) {
      expect(received).toMatchObject({
        subject: mail.subject,
        from: { name: 'Médiathèque', address: 'biblio@exemple.fr' },
        to: [{ address: 'alice@exemple.fr' }],
        messageId: '<comptoir.1.12.1773133200000@exemple.fr>',
        date: '2026-03-10T09:00:00.000Z',
      })
      expect(received.html).toContain('Bonjour Noémie Œuvré,<br />« L’été » à 12,50 €')
      expect(received.text?.trim()).toBe('Bonjour Noémie Œuvré,\n« L’été » à 12,50 €')
      expect(received.headers).toContainEqual(
        expect.objectContaining({ key: 'auto-submitted', value: 'auto-generated' }),
      )
    }
  })

  it.each([
    ['RCPT TO', 550, 'refused'],
    ['RCPT TO', 451, 'later'],
    ['DATA', 554, 'refused'],
    ['DATA', 452, 'later'],
  ])('reads a refusal after %s by %i as « %s »', async (command, responseCode, fault) => {
    const answer = { responseCode, message: 'Non merci' }
    if (command === 'DATA') server.onMessage = () => answer
    else server.onRecipient = () => answer
    const delivery = await transport.send(mail)
    expect(delivery).toMatchObject({
      ok: false,
      fault,
      message: expect.stringContaining(`${responseCode} Non merci`),
    })
    expect(server.received).toHaveLength(0)
  })

  it('holds nothing against a mail when the server hangs up', async () => {
    let asked = 0
    server.onRecipient = () => {
      asked += 1
      return { responseCode: 421, message: 'Trop de monde' }
    }
    expect(await transport.send(mail)).toMatchObject({ ok: false, fault: 'unreachable' })
    // Trying again is the outbox's: it alone knows what became of a mail.
    expect(asked).toBe(1)
    expect(server.received).toHaveLength(0)
  })

  it('takes an address for one address, whatever it holds', async () => {
    const delivery = await transport.send({ ...mail, to_address: 'alice@exemple.fr, eric@exemple.fr' })
    const addresses = server.received.flatMap(({ to }) => to ?? []).map(({ address }) => address)
    expect(delivery.ok && addresses.includes('eric@exemple.fr')).toBe(false)
    expect(await transport.send({ ...mail, to_address: '' })).toMatchObject({ ok: false, fault: 'refused' })
  })

  it('holds nothing against a mail when nobody listens', async () => {
    await server.stop()
    expect(await transport.send(mail)).toMatchObject({ ok: false, fault: 'unreachable' })
    await server.start()
    expect(await transport.send(mail)).toEqual({ ok: true, as: 'sent' })
  })
})

describe('mail without SMTP', () => {
  it('is a file that any mail program opens, written whole, the same file when it leaves twice', async () => {
    const transport = openTransport({ smtpUrl: null, mailFrom: null, directory: join(directory, 'mail') })
    expect(await transport.send(mail)).toEqual({ ok: true, as: 'written' })
    expect(await transport.send(mail)).toEqual({ ok: true, as: 'written' })
    transport.close()
    const names = await readdir(join(directory, 'mail'))
    expect(names).toEqual(['2026-03-10T09-00-00-000Z-comptoir.1.12.1773133200000.eml'])
    const read = await PostalMime.parse(await readFile(join(directory, 'mail', names[0] ?? '')))
    expect(read.subject).toBe(mail.subject)
    expect(read.html).toContain('Noémie Œuvré')
    expect(read.to).toEqual([{ address: 'alice@exemple.fr', name: '' }])
  })

  it('waits where the directory cannot be written', async () => {
    await writeFile(join(directory, 'taken'), '')
    const transport = openTransport({ smtpUrl: null, mailFrom: null, directory: join(directory, 'taken') })
    expect(await transport.send(mail)).toMatchObject({ ok: false, fault: 'unreachable' })
    transport.close()
  })
})
