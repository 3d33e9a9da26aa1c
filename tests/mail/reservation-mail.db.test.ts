import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { sql } from 'kysely'
import pino from 'pino'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'

import { mailSenderOf } from '../../src/server/mail/send-mails.ts'
import type { MailTransport } from '../../src/server/http/mail-transport.ts'
import { openTransport } from '../../src/server/mail/transport.ts'
import { setParameter } from '../settings/set-parameter.ts'
import { clearCounter, openTwoSites, type TwoSites } from '../visibility/two-sites.ts'
import { type Client, describeServer } from '../support/test-server.ts'
import { type MailServer, startMailServer } from './mail-server.ts'

// Alice (1) and Éric (2) are of Centre, Jean (4), without an address, of Annexe.
describeServer('mails about a reservation', (server) => {
  let people: TwoSites
  let chef: Client
  let mails: MailServer
  let transport: MailTransport
  let directory: string
  beforeAll(async () => {
    people = await openTwoSites(server)
    chef = people.chef
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
    await clearCounter(server, false)
    await sql`delete from reservations`.execute(server.db)
    await sql`delete from mail_outbox`.execute(server.db)
    mails.received.length = 0
  })
  const reserve = async (
    beneficiary: number,
    { site = null, comment = '' }: { site?: number | null; comment?: string } = {},
  ) => {
    const { rows } = await sql<{ id: number }>`
      insert into reservations (beneficiary_id, reference_id, queue_position, site, comment)
      values (${beneficiary}, 5, ${beneficiary}, ${site}, ${comment}) returning id`.execute(server.db)
    return rows[0]!.id
  }
  const send = () =>
    mailSenderOf(server.environment, {
      transport,
      logger: pino({ level: 'silent' }),
      now: () => server.now,
    }).runOnce()

  it('are read in a mailbox as they were refused, with the comment', async () => {
    const reservation = await reserve(1)
    const answer = await chef.post('/api/mail', {
      reservation: `/api/reservations/${reservation}`,
      comment: 'Ce livre ne se prête <b>pas</b>.',
      template: 'reservation_refused',
    })
    expect(answer).toMatchObject({ status: 202, body: { count: 1 } })
    await send()
    const [mail, ...others] = mails.received
    expect(others).toEqual([])
    expect(mail?.to?.[0]?.address).toBe('alice@exemple.fr')
    expect(mail?.subject).toBe('Votre réservation n’a pas pu être acceptée à Comptoir')
    expect(mail?.html).toContain('Livre numéro 5')
    expect(mail?.html).toContain('Motif : Ce livre ne se prête &lt;b&gt;pas&lt;/b&gt;.')
    expect(mail?.text).toContain('Motif : Ce livre ne se prête <b>pas</b>.')
  })

  it('say what was kept with the reservation where the call says nothing', async () => {
    const reservation = await reserve(1, { comment: 'Retirée du prêt' })
    await chef.post('/api/mail', { reservation, template: 'reservation_refused' })
    const [mail] = await server.db.selectFrom('mail_outbox').select('html').execute()
    expect(mail?.html).toContain('Motif : Retirée du prêt')
  })

  it.each(['confirmed', 'waiting', 'canceled', 'refused'])('have a template for %s', async (status) => {
    const reservation = await reserve(2)
    expect((await chef.post('/api/mail', { reservation, template: `reservation_${status}` })).status).toBe(
      202,
    )
    const [mail] = await server.db.selectFrom('mail_outbox').selectAll().execute()
    expect(mail).toMatchObject({
      template: `reservation_${status}`,
      beneficiary: 2,
      to_address: 'eric@exemple.fr',
    })
    if (status === 'waiting') expect(mail?.html).toContain('Votre place dans la file : 1.')
  })

  it('are written by hand, and cleaned as templates are', async () => {
    const reservation = await reserve(1)
    const answer = await chef.post('/api/mail', {
      reservation,
      object: 'Votre livre {{ count }}',
      body: '<p onclick="x()">Venez <script>alert(1)</script><a href="javascript:x">ici</a></p>',
      signing: 'Anne\n& Léa <3',
    })
    expect(answer).toMatchObject({ status: 202, body: { count: 1 } })
    await send()
    const [mail] = mails.received
    expect(mail?.subject).toBe('Votre livre {{ count }}')
    expect(mail?.html).toContain('<p>Venez <a>ici</a></p>')
    expect(mail?.html).toContain('Anne<br />&amp; Léa &lt;3')
  })

  it('are written by hand to readers without a reservation, one to each who has an address', async () => {
    const text = { object: 'Fermeture', body: 'Samedi <b>matin</b>', signing: 'Anne' }
    expect(await chef.post('/api/mail', { beneficiary: '/api/beneficiaries/1', ...text })).toMatchObject({
      status: 202,
      body: { count: 1 },
    })
    const several = await chef.post('/api/mail', { beneficiaries: [1, 2, 2, 4], ...text })
    expect(several.body).toEqual({ count: 2, without_address: 1 })
    const rows = await server.db
      .selectFrom('mail_outbox')
      .select(['to_address', 'template', 'html'])
      .execute()
    expect(rows.map(({ to_address, template }) => [to_address, template])).toEqual([
      ['alice@exemple.fr', 'custom'],
      ['alice@exemple.fr', 'custom'],
      ['eric@exemple.fr', 'custom'],
    ])
    expect(rows[0]?.html).toContain('Samedi <b>matin</b>')
  })

  it('are refused where they make no sense, at the field', async () => {
    const reservation = await reserve(1)
    const at = async (body: object) => {
      const { status, body: answer } = await chef.post('/api/mail', body)
      return [status, answer.violations?.[0]?.propertyPath]
    }
    expect(await at({ template: 'reservation_refused' })).toEqual([422, 'reservation'])
    expect(await at({ reservation, loaning: 1, template: 'loaning_creation' })).toEqual([422, 'reservation'])
    expect(await at({ reservation })).toEqual([422, 'template'])
    expect(await at({ reservation, template: 'loaning_creation' })).toEqual([422, 'template'])
    expect(await at({ loaning: 1, template: 'reservation_refused' })).toEqual([422, 'template'])
    expect(await at({ reservation, object: 'x' })).toEqual([422, 'body'])
    expect(await at({ reservation, body: 'x' })).toEqual([422, 'object'])
    expect(await at({ reservation, object: 'x', body: 'y', template: 'reservation_refused' })).toEqual([
      422,
      'template',
    ])
    expect(await at({ object: 'x', body: 'y' })).toEqual([422, 'beneficiaries'])
    expect(await at({ beneficiary: 9999, object: 'x', body: 'y' })).toEqual([422, 'beneficiaries'])
    expect(await at({ beneficiary: 4, object: 'x', body: 'y' })).toEqual([422, 'email'])
    expect(await at({ beneficiary: 1, object: 'x' })).toEqual([422, 'body'])
    expect(await at({ beneficiary: 1, template: 'reservation_refused' })).toEqual([422, 'object'])
    expect(await at({ reservation, beneficiary: 1, object: 'x', body: 'y' })).toEqual([422, 'reservation'])
    expect(await at({ reservation: 9999, template: 'reservation_refused' })).toEqual([422, 'reservation'])
  })

  it('say in a sentence that there is no address', async () => {
    const reservation = await reserve(4)
    expect(await chef.post('/api/mail', { reservation, template: 'reservation_confirmed' })).toMatchObject({
      status: 422,
      body: {
        violations: [
          { propertyPath: 'email', message: 'Jean Sans-Courriel n’a pas d’adresse électronique valable.' },
        ],
      },
    })
  })

  it('tell whoever waited that their title has left the catalogue, unless the library writes no such mail', async () => {
    const admin = await server.as('admin')
    const titled = async () => {
      const { body } = await admin.post('/api/references', { name: 'Un titre', medium: 1, category: 1 })
      for (const beneficiary_id of [1, 2, 4]) {
        await sql`insert into reservations (beneficiary_id, reference_id, queue_position, comment)
          values (${beneficiary_id}, ${body.id}, ${beneficiary_id}, 'Pour l’école')`.execute(server.db)
      }
      return body.id as number
    }
    expect((await admin.delete(`/api/references/${await titled()}`)).status).toBe(204)
    await send()
    // Jean (4) has no address.
    expect(mails.received.map(({ to }) => to?.[0]?.address).toSorted()).toEqual([
      'alice@exemple.fr',
      'eric@exemple.fr',
    ])
    expect(mails.received[0]?.subject).toBe('Votre réservation est annulée à Comptoir')
    expect(mails.received[0]?.text).toContain('Ce titre ne fait plus partie de notre fonds.')
    expect(mails.received[0]?.text).not.toContain('Pour l’école')
    mails.received.length = 0
    await sql`update mail_templates set enabled = false where code = 'reservation_canceled'`.execute(
      server.db,
    )
    expect((await admin.delete(`/api/references/${await titled()}`)).status).toBe(204)
    await send()
    expect(mails.received).toEqual([])
    await sql`update mail_templates set enabled = true where code = 'reservation_canceled'`.execute(server.db)
  })

  it('are read before they leave, as they would, or say why there is none', async () => {
    const draft = (id: number, client = chef) => client.get(`/api/mail/reservations/${id}`)
    const alice = await reserve(1, { comment: 'Tom & Léa <3' })
    await sql`update reservations set status = 'refused' where id = ${alice}`.execute(server.db)
    expect((await draft(alice)).body).toEqual({
      template: 'reservation_refused',
      obstacle: null,
      object: 'Votre réservation n’a pas pu être acceptée à Comptoir',
      body: '<div>Bonjour Alice Martin,<br />votre réservation de «\u00a0Livre numéro 5\u00a0» n’a pas pu être acceptée.</div><div><p>Motif : Tom &amp; Léa &lt;3</p></div>',
      signing: expect.stringContaining('Comptoir'),
    })
    // What is read and sent back is what would have left.
    const { object, body, signing } = (await draft(alice)).body
    await chef.post('/api/mail', { reservation: alice, object, body, signing })
    await chef.post('/api/mail', { reservation: alice, template: 'reservation_refused' })
    await send()
    const [byHand, asItIs] = mails.received
    expect(byHand?.subject).toBe(asItIs?.subject)
    expect(byHand?.text?.replaceAll(/\s+/g, ' ')).toBe(asItIs?.text?.replaceAll(/\s+/g, ' '))

    expect((await draft(await reserve(4))).body).toMatchObject({ obstacle: 'address', body: '' })
    await sql`update mail_templates set enabled = false where code = 'reservation_refused'`.execute(server.db)
    expect((await draft(alice)).body).toMatchObject({ obstacle: 'off', object: '' })
    await sql`update mail_templates set enabled = true where code = 'reservation_refused'`.execute(server.db)
    const content = sql`select content from mail_templates where code = 'reservation_refused' and type = 'body'`
    const kept = (await content.execute(server.db)).rows[0] as { content: string }
    await sql`update mail_templates set content = '{% if %}' where code = 'reservation_refused' and type = 'body'`.execute(
      server.db,
    )
    expect((await draft(alice)).body).toMatchObject({ obstacle: 'template' })
    await sql`update mail_templates set content = ${kept.content} where code = 'reservation_refused' and type = 'body'`.execute(
      server.db,
    )
    expect((await draft(9999)).status).toBe(404)
    const centre = await reserve(1, { site: 1 })
    expect((await draft(centre, people.annexe)).status).toBe(404)
  })

  it('say the amount that the list says', async () => {
    await setParameter(server, 'enable_reservations_amount', '1')
    await sql`update "references" set price = 1.50 where id = 5`.execute(server.db)
    const id = await reserve(1)
    const { amount } = (await chef.get(`/api/reservations/${id}`)).body
    expect(amount).toBe('4.50')
    expect((await chef.get(`/api/mail/reservations/${id}`)).body.body).toContain('4,50')
    await setParameter(server, 'enable_reservations_amount', '0')
  })

  it('leave once, however often the call is repeated', async () => {
    const reservation = await reserve(1)
    const key = randomUUID()
    const body = { reservation, template: 'reservation_waiting' }
    await Promise.all([1, 2, 3].map(() => chef.post('/api/mail', body, { key })))
    await chef.post('/api/mail', body, { key })
    await send()
    expect(mails.received).toHaveLength(1)
  })

  it('are no way to a reader of another site', async () => {
    const body = (reservation: number) => ({ reservation, object: 'x', body: 'y' })
    const centre = await reserve(1, { site: 1 })
    expect((await people.annexe.post('/api/mail', body(centre))).body.violations[0]).toEqual({
      propertyPath: 'reservation',
      message: 'Cette réservation n’existe pas.',
    })
    const anywhere = await reserve(2)
    expect((await people.annexe.post('/api/mail', body(anywhere))).status).toBe(202)
    await setParameter(server, 'by_site_beneficiaries', '1')
    expect((await people.annexe.post('/api/mail', body(anywhere))).status).toBe(422)
  })

  it('are for who may send mail', async () => {
    const reservation = await reserve(1)
    for (const username of ['benevole', 'lecture']) {
      const person = await server.as(username)
      expect((await person.post('/api/mail', { reservation, template: 'reservation_waiting' })).status).toBe(
        403,
      )
    }
  })
})
