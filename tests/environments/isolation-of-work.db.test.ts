import { randomUUID } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { sql } from 'kysely'
import pino from 'pino'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, it } from 'vitest'

import type { Environment } from '../../src/server/db/environments/environment.ts'
import { runJobs, startJobs, type Steps } from '../../src/server/jobs/run-jobs.ts'
import { makeArchives } from '../../src/server/data-export/archive-maker.ts'
import { startMailSender } from '../../src/server/mail/mail-sender.ts'
import { mailSenderOf } from '../../src/server/mail/send-mails.ts'
import { openTransport } from '../../src/server/mail/transport.ts'
import { afterFailures, jobSteps } from '../../src/server/serve.ts'
import { type MailServer, startMailServer } from '../mail/mail-server.ts'
import type { Answer } from '../support/test-server.ts'
import { describeTwoLibraries, hosts, metricsToken, now } from './two-libraries.ts'

const logger = pino({ level: 'silent' })
const wasReplayed = ({ headers }: Answer) => headers.get('idempotency-replayed') === 'true'
const both = [0, 1] as const

describeTwoLibraries('what one environment keeps, does and sends', (two) => {
  let directory: string
  let mails: MailServer

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'comptoir-mail-'))
    mails = await startMailServer()
    for (const library of both) {
      const { db, id } = two.environments[library]
      await db
        .updateTable('parameters')
        .set({ value: `Organisation ${id}` })
        .where('code', '=', 'work_council')
        .execute()
      await db
        .updateTable('references')
        .set({ name: `Livre de ${id}` })
        .where('id', '=', 1)
        .execute()
      await db
        .updateTable('mail_templates')
        .set({ content: `Lien de ${id}, {{ work_council }}` })
        .where('code', '=', 'password_reset')
        .where('type', '=', 'object')
        .execute()
    }
  })
  afterAll(async () => {
    await mails?.stop()
    await rm(directory, { recursive: true, force: true })
  })

  const upload = async (library: 0 | 1, path: string, file: File) => {
    const form = new FormData()
    form.set('file', file)
    const answer = await two.app.request(path, {
      method: 'POST',
      headers: { host: hosts[library], authorization: `Bearer ${two.tokens[library]}` },
      body: form,
    })
    return { status: answer.status, body: await answer.json() }
  }
  const waiting = ({ db }: Environment) =>
    db.selectFrom('mail_outbox').select('id').where('status', '=', 'queued').execute()

  /** Of a number that both have. */
  const queue = (db: Environment['db'], html: string) =>
    sql`insert into mail_outbox (id, to_address, subject, html, template, beneficiary, next_attempt_at, created_at)
      overriding system value
      values (7001, 'alice@exemple.fr', 'Essai', ${html}, 'loaning_creation', 1, ${now.toISOString()}, ${now.toISOString()})`.execute(
      db,
    )

  it('acts once in each under one key, and each is answered again with its own', async () => {
    const [one, other] = two.admins
    // A decision and a change, which claim their keys in two ways.
    for (const [path, body] of [
      ['/api/loanings', { copy: 1, beneficiary: 1 }],
      ['/api/references', { name: 'Sous une clé' }],
    ] as const) {
      const key = randomUUID()
      const first = await one.post(path, body, { key })
      const second = await other.post(path, body, { key })
      expect([first.status, second.status]).toEqual([201, 201])
      expect([wasReplayed(first), wasReplayed(second)]).toEqual([false, false])
      const again = [await one.post(path, body, { key }), await other.post(path, body, { key })]
      expect(again.map(wasReplayed)).toEqual([true, true])
      expect(again.map((answer) => answer.body)).toEqual([first.body, second.body])
    }
    const names = await Promise.all(
      two.admins.map(
        async (admin) => (await admin.get('/api/loanings')).body['hydra:member'][0].reference_name,
      ),
    )
    expect(names).toEqual(['Livre de 1', 'Livre de 2'])
    for (const { db } of two.environments) {
      expect(await db.selectFrom('loanings').select('id').execute()).toHaveLength(1)
      expect(
        await db.selectFrom('references').select('id').where('name', '=', 'Sous une clé').execute(),
      ).toHaveLength(1)
    }
    // A key that only the first one knows is new to the second.
    const key = randomUUID()
    await one.post('/api/categories', { name: 'Atlas' }, { key })
    const elsewhere = await other.post('/api/keywords', { name: 'Atlas' }, { key })
    expect([elsewhere.status, wasReplayed(elsewhere)]).toEqual([201, false])
  })

  it('opens no picture, import or archive of one by its number in the other', async () => {
    const [one, other] = two.admins
    const drawn = async (background: string) =>
      new File(
        [
          new Uint8Array(
            await sharp({ create: { width: 60, height: 90, channels: 3, background } })
              .png()
              .toBuffer(),
          ),
        ],
        'couverture.png',
        { type: 'image/png' },
      )
    const { image_path } = (await upload(0, '/api/references/1/image', await drawn('#0b4f3f'))).body
    expect((await two.at(0, null).get(image_path)).status).toBe(200)
    expect((await two.at(1, null).get(image_path)).status).toBe(401)
    expect((await other.get(image_path)).status).toBe(404)

    const csv = (title: string) => new File([`Titre\n${title}\n`], 'titres.csv', { type: 'text/csv' })
    const sent = await upload(0, '/api/imports?subject=references', csv('Titre du premier'))
    expect(sent.status).toBe(201)
    for (const path of ['', '/refusals', '/refused_rows']) {
      expect((await other.get(`/api/imports/${sent.body.id}${path}`)).status).toBe(404)
    }
    expect((await other.post(`/api/imports/${sent.body.id}/check`)).status).toBe(404)
    expect((await other.delete(`/api/imports/${sent.body.id}`)).status).toBe(404)

    const asked = (await one.post('/api/archives')).body
    for (const environment of two.environments) await makeArchives(environment, { now: () => now })
    const path = `/api/archives/${asked.id}/file`
    expect((await one.get(path)).status).toBe(200)
    expect((await other.get(path)).status).toBe(404)
    expect((await other.delete(`/api/archives/${asked.id}`)).status).toBe(404)

    // Under the same numbers each has its own.
    const own = (await upload(1, '/api/references/1/image', await drawn('#f5f1ea'))).body
    expect((await upload(1, '/api/imports?subject=references', csv('Titre du second'))).body.id).toBe(
      sent.body.id,
    )
    const pictures = await Promise.all([one.get(image_path), other.get(own.image_path)])
    expect(pictures[0].body).not.toEqual(pictures[1].body)
    for (const [library, title] of [
      [0, 'Titre du premier'],
      [1, 'Titre du second'],
    ] as const) {
      const { body } = await two.admins[library].get(`/api/imports/${sent.body.id}`)
      expect(JSON.stringify(body)).toContain(title)
    }
  })

  it('runs a job where it was asked for, and nowhere else', async () => {
    const [one, other] = two.admins
    const csv = new File(['Titre\nApporté au premier\n'], 'titres.csv', { type: 'text/csv' })
    const { id } = (await upload(0, '/api/imports?subject=references', csv)).body
    expect((await one.post(`/api/imports/${id}/check`)).status).toBe(202)
    const kinds = async (client: typeof one) =>
      (await client.get('/api/jobs')).body['hydra:member'].map(({ kind }: { kind: string }) => kind)
    expect([await kinds(one), await kinds(other)]).toEqual([['imports.check'], []])
    const stepped: number[] = []
    const steps: Steps = {
      ...jobSteps,
      'imports.check': (trx, job, how) => {
        stepped.push(how.exchange.environment.id)
        return jobSteps['imports.check'](trx, job, how)
      },
    }
    const how = { steps, afterFailures, now: () => now }
    await runJobs({ environment: two.environments[1], ...how, stopping: AbortSignal.timeout(10_000) })
    expect(stepped).toEqual([])
    const jobs = startJobs({ environments: two.environments, ...how, logger, pollEvery: 20 })
    const status = async () => (await one.get(`/api/imports/${id}`)).body.status
    await expect.poll(status).toBe('checked')
    expect((await one.post(`/api/imports/${id}/run`)).status).toBe(202)
    await expect.poll(status).toBe('done')
    await jobs.stop()
    expect([...new Set(stepped)]).toEqual([1])
    const found = await Promise.all(
      two.environments.map(({ db }) =>
        db.selectFrom('references').select('id').where('name', '=', 'Apporté au premier').execute(),
      ),
    )
    expect(found.map(({ length }) => length)).toEqual([1, 0])
  })

  it('sends a mail from its own outbox alone, with its own words and links, which open nothing elsewhere', async () => {
    const transport = openTransport({ smtpUrl: mails.url, mailFrom: 'biblio@exemple.fr', directory })
    for (const library of both) {
      const asked = await two.at(library, null).post('/resetting/send-email', undefined, {
        rawBody: 'username=biblio',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
      })
      expect(asked.status).toBe(200)
    }
    const [first, second] = two.environments
    await mailSenderOf(second, { transport, logger, now: () => now }).runOnce()
    expect((await Promise.all([waiting(first), waiting(second)])).map(({ length }) => length)).toEqual([1, 0])
    expect(mails.received.map(({ subject }) => subject)).toEqual(['Lien de 2, Organisation 2'])
    const sender = startMailSender({ environments: two.environments, transport, logger, now: () => now })
    await mails.arrived(2)
    await sender.stop()
    transport.close()
    expect(mails.received.map(({ subject }) => subject)).toEqual([
      'Lien de 2, Organisation 2',
      'Lien de 1, Organisation 1',
    ])
    const links = mails.received.map(({ html }) => /https:\/\/[^"]+/.exec(html ?? '')?.[0] ?? '').toReversed()
    expect(links.map((link) => new URL(link).hostname)).toEqual([...hosts])

    const hashOf = async ({ db }: Environment) =>
      (
        await db
          .selectFrom('users')
          .select('password_hash')
          .where('username', '=', 'biblio')
          .executeTakeFirstOrThrow()
      ).password_hash
    const before = await Promise.all(two.environments.map(hashOf))
    const reset = (library: 0 | 1) =>
      two
        .at(library, null)
        .post(`/resetting/reset/${new URL(links[0]!).pathname.split('/').at(-1)}`, undefined, {
          rawBody: `password=${encodeURIComponent('sept corneilles au bord du quai')}`,
          headers: { 'content-type': 'application/x-www-form-urlencoded' },
        })
    expect((await reset(1)).body.reason).toBe('LINK_ENDED')
    expect(await Promise.all(two.environments.map(hashOf))).toEqual(before)
    expect((await reset(0)).status).toBe(200)
    expect(await hashOf(second)).toBe(before[1])
  })

  it('writes mails of the same number and instant as two files, where there is no server of mails', async () => {
    const transport = openTransport({ smtpUrl: null, mailFrom: null, directory })
    for (const { db, id } of two.environments) {
      await db.deleteFrom('mail_outbox').execute()
      await queue(db, `Bonjour de ${id}`)
    }
    for (const environment of two.environments)
      await mailSenderOf(environment, { transport, logger, now: () => now }).runOnce()
    transport.close()
    const names = await readdir(directory)
    const written = await Promise.all(names.map((name) => readFile(join(directory, name), 'utf8')))
    expect(written.map((text) => /Bonjour de \d/.exec(text)?.[0]).toSorted()).toEqual([
      'Bonjour de 1',
      'Bonjour de 2',
    ])
    for (const { db } of two.environments) {
      expect(await db.selectFrom('mail_outbox').select(['id', 'status']).execute()).toEqual([
        { id: 7001, status: 'written' },
      ])
    }
  })

  it('tells its figures under its own number, to nobody of another, nor of its own', async () => {
    for (const { db } of two.environments) await db.deleteFrom('mail_outbox').execute()
    await queue(two.environments[0].db, 'Bonjour')
    for (const library of both) {
      for (const token of [null, ...two.tokens]) {
        const answer = await two.at(library, token).get('/metrics')
        expect([answer.status, JSON.stringify(answer.body).includes('comptoir_')]).toEqual([401, false])
      }
    }
    let told = ''
    const figures = async () => {
      told = String((await two.at(1, metricsToken).get('/metrics')).body)
      return told.split('\n').filter((line) => line.startsWith('comptoir_mails_waiting{'))
    }
    // A database that is slow to answer is left out, and asked again.
    await expect
      .poll(figures)
      .toEqual(['comptoir_mails_waiting{environment="1"} 1', 'comptoir_mails_waiting{environment="2"} 0'])
    // The number is all that a series says of whose it is.
    expect(told).not.toMatch(/pret\d\.fr|Organisation|Livre de/)
    const labels = [...told.matchAll(/([a-z_]+)="/g)].map(([, label]) => label)
    expect(new Set(labels)).toEqual(
      new Set([
        'endpoint',
        'environment',
        'kind',
        'le',
        'major',
        'minor',
        'patch',
        'space',
        'state',
        'status',
        'type',
        'version',
      ]),
    )
  })
})
