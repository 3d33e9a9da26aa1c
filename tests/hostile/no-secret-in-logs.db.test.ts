import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { sql } from 'kysely'
import type { Hono } from 'hono'
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest'

import { createApp } from '../../src/server/app.ts'
import { openLogger } from '../../src/server/process/logger.ts'
import { mailSenderOf } from '../../src/server/mail/send-mails.ts'
import { openSecurityLog, type SecurityLog } from '../../src/server/security/security-log.ts'
import { issueLoginLink } from '../../src/server/session/password-links.ts'
import { testPassword } from '../support/test-library.ts'
import { type Client, clientOf, describeServer } from '../support/test-server.ts'

const chosen = 'Trois-tortues-jaunes-1987'
const metricsToken = 'jeton-de-mesure-secret'

describeServer('what the log holds', (server) => {
  let app: Hono
  let lines: string[] = []
  let folder = ''
  let securityLog: SecurityLog
  const told = () => readFileSync(join(folder, 'security.log'), 'utf8').split('\n').slice(0, -1)
  let secrets: Record<string, string> = {}
  const logger = openLogger('trace', { write: (line: string) => void lines.push(line) })

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'comptoir-log-'))
    securityLog = openSecurityLog(logger, join(folder, 'security.log'))
    app = createApp({
      environments: [server.environment],
      logger,
      securityLog,
      now: () => server.now,
      checkAnswers: true,
    })
  })
  afterAll(() => rm(folder, { recursive: true }))
  beforeEach(() => {
    lines = []
    secrets = {
      testPassword,
      chosen,
      email: 'biblio@exemple.fr',
      reader: 'Martin',
      readersMail: 'alice@exemple.fr',
    }
  })
  afterEach(async () => {
    await securityLog.close()
    expect(lines.length).toBeGreaterThan(0)
    for (const line of told()) {
      for (const [name, secret] of Object.entries(secrets)) {
        if (line.includes(secret)) expect(`${name} in ${line}`).toBe('in no line')
      }
    }
    for (const line of lines) {
      expect(JSON.parse(line)).toMatchObject({ level: expect.any(Number), msg: expect.any(String) })
      for (const [name, secret] of Object.entries(secrets)) {
        if (line.includes(secret)) expect(`${name} in ${line}`).toBe('in no line')
      }
    }
  })

  const anonymous = () => clientOf(app, null)
  const signIn = async (password: string): Promise<Client> => {
    const first = await anonymous().post('/auth', { username: 'biblio', password })
    expect(first.status).toBe(200)
    const { body } = await anonymous().post('/api/login_check', { username: 'biblio@1', password })
    secrets['token'] = body.token
    return clientOf(app, body.token)
  }
  const errors = () => lines.map((line) => JSON.parse(line)).filter(({ msg }) => msg === 'unexpected error')

  it('names no password and no token of those who sign in, well or not', async () => {
    const client = await signIn(testPassword)
    expect((await client.get('/api/users/me')).status).toBe(200)
    expect((await anonymous().post('/auth', { username: 'biblio', password: chosen })).status).toBe(401)
    expect((await anonymous().post(`/auth?password=${chosen}`, { password: chosen })).status).toBe(400)
    const again = { current_password: chosen, new_password: `${chosen}!` }
    expect((await client.post('/api/change-password', again)).status).toBe(422)
    for (let n = 0; n < 30; n++) await anonymous().post('/auth', { username: 'lecture', password: chosen })
    expect((await client.post('/api/logout', undefined)).status).toBe(204)
    await securityLog.close()
    for (const event of ['sign_in_failed', 'throttled']) {
      expect(told().join('\n')).toContain(` security.${event} `)
    }
  })

  it('names no link that signs in', async () => {
    const token = await server.db.transaction().execute((trx) => issueLoginLink(trx, 2, server.now))
    secrets['link'] = token
    await anonymous().get(`/login?token=${token}`)
    await anonymous().get(`/api/login_link/${token}`)
    const answer = await anonymous().post('/api/login_link', { token })
    expect(answer.status).toBe(200)
    secrets['token'] = answer.body.token
    expect((await anonymous().post('/api/login_link', { token })).status).toBe(401)
  })

  it('names no link that changes a password, neither when it is mailed nor when it is used', async () => {
    const form = { headers: { 'content-type': 'application/x-www-form-urlencoded' } }
    const rawBody = new URLSearchParams({ username: 'biblio' }).toString()
    expect((await anonymous().post('/resetting/send-email', {}, { ...form, rawBody })).status).toBe(200)
    const { html } = await server.db
      .selectFrom('mail_outbox')
      .select('html')
      .orderBy('id', 'desc')
      .executeTakeFirstOrThrow()
    secrets['link'] = /reset\/password\/([\w-]{20,})/.exec(html)?.[1] ?? 'no link'
    expect(secrets['link']).not.toBe('no link')
    const refusing = {
      isConnected: true,
      send: ({ to_address }: { to_address: string }) =>
        Promise.resolve({
          ok: false as const,
          fault: 'refused' as const,
          message: `550 <${to_address}> unknown`,
        }),
      close: () => undefined,
    }
    await mailSenderOf(server.environment, { transport: refusing, logger, now: () => server.now }).runOnce()
    // The page, the call behind it, and one that does not exist.
    for (const path of [
      `/reset/password/${secrets['link']}`,
      `/resetting/reset/${secrets['link']}/${secrets['link']}`,
    ]) {
      await anonymous().get(path)
    }
    const reset = await anonymous().post(
      `/resetting/reset/${secrets['link']}`,
      {},
      { ...form, rawBody: new URLSearchParams({ password: chosen }).toString() },
    )
    expect(reset.status).toBe(200)
  })

  it('names no password that is changed', async () => {
    const client = await signIn(chosen)
    const changed = await client.post('/api/change-password', {
      current_password: chosen,
      new_password: testPassword,
    })
    expect(changed.status).toBe(200)
  })

  it('names nobody who is looked for, lent to or changed', async () => {
    const client = clientOf(app, (await server.as('admin')).token)
    secrets['token'] = client.token ?? ''
    await client.get('/api/beneficiaries?searchname=Martin')
    await client.get('/api/beneficiaries/autocomplete?searchname=alice@exemple.fr')
    await client.get('/api/beneficiaries/Martin')
    expect(
      (await client.put('/api/beneficiaries/1', { lastname: 'Martin-Durand', email: 'alice@exemple.fr' }))
        .status,
    ).toBe(200)
    expect(
      (await client.post('/api/loanings', { beneficiary: 1, copy: 1, comment: 'Pour Martin' })).status,
    ).toBe(201)
  })

  it('says what went wrong in the database without the row that it is about', async () => {
    const client = clientOf(app, (await server.as('admin')).token)
    await sql`create function refuse_row() returns trigger language plpgsql as $$
      begin raise exception 'row % is refused', new using detail = new::text, errcode = 'XX001'; end $$`.execute(
      server.db,
    )
    await sql`create trigger refuse_row before update on beneficiaries for each row execute function refuse_row()`.execute(
      server.db,
    )
    const answer = await client.put('/api/beneficiaries/1', { lastname: 'Nouvelle-Martin', message: 'pain' })
    await sql`drop trigger refuse_row on beneficiaries`.execute(server.db)
    expect(answer.status).toBe(500)
    const [{ err, request, endpoint }] = errors()
    expect({ err, request, endpoint }).toMatchObject({
      endpoint: 'beneficiaries.update',
      request: answer.headers.get('x-request-id'),
      err: {
        type: 'DatabaseError',
        code: 'XX001',
        message: expect.stringContaining('row'),
        stack: expect.stringMatching(/^\s+at /),
      },
    })
    expect(answer.body).toEqual({
      code: 500,
      message: expect.stringMatching(/^Une erreur inattendue/),
      request_id: answer.headers.get('x-request-id'),
    })
  })

  it('says what went wrong in a verb without what was sent to it', async () => {
    secrets['word'] = 'rhododendron'
    secrets['address'] = 'postgres://comptoir:rhododendron@db'
    // What a verb of tomorrow might do: put all that it was given in its complaint.
    const broken = createApp({ environments: [server.environment], logger, now: () => server.now })
    broken.post('/broken', async ({ req }) => {
      const body = await req.text()
      throw new Error(`cannot do ${body} with ${req.header('authorization')} at ${req.url}`, {
        cause: new Error(`no answer from postgres://comptoir:rhododendron@db/x for alice@exemple.fr`),
      })
    })
    const client = clientOf(broken, 'jeton-de-session-0001')
    secrets['token'] = 'jeton-de-session-0001'
    for (const body of [{ password: chosen, to: ['Martin'] }, `Martin ${chosen}`]) {
      const rawBody = typeof body === 'string' ? body : JSON.stringify(body)
      expect((await client.post(`/broken?name=Martin`, {}, { rawBody })).status).toBe(500)
    }
    expect(errors()).toHaveLength(2)
    for (const { err } of errors()) {
      expect(err).toMatchObject({
        type: 'Error',
        message: expect.stringMatching(/^cannot do /),
        cause: { message: expect.stringMatching(/^no answer/) },
      })
    }
  })

  it('keeps the secret of the measures', async () => {
    secrets['metrics'] = metricsToken
    await anonymous().get(`/metrics?token=${metricsToken}`, {
      headers: { authorization: `Bearer ${metricsToken}` },
    })
  })

  it('writes an error as safely where a job logs it', () => {
    const error = Object.assign(new Error('invalid input syntax for type integer: "Martin"'), {
      severity: 'ERROR',
      routine: 'pg_strtoint32',
      code: '22P02',
      detail: 'alice@exemple.fr',
      where: 'Martin',
      parameters: ['Martin'],
    })
    logger.warn({ err: error, environment: 1 }, 'housekeeping put off')
    const [{ err }] = lines.map((line) => JSON.parse(line))
    expect(err).toMatchObject({ code: '22P02', message: 'invalid input syntax for type integer: "…"' })
  })
})
