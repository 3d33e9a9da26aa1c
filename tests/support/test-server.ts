import type { Hono } from 'hono'
import pino from 'pino'
import { afterAll, beforeAll, describe } from 'vitest'

import { createApp } from '../../src/server/app.ts'
import type { Environment } from '../../src/server/db/environments/environment.ts'
import type { Db } from '../../src/server/db/handles.ts'
import type { MailTransport } from '../../src/server/http/mail-transport.ts'
import { runJobs } from '../../src/server/jobs/run-jobs.ts'
import { afterFailures, jobSteps } from '../../src/server/serve.ts'
import { copyTemplate, isEngineReachable, testEngine, type TestStorage } from './databases.ts'
import { openSession } from './open-session.ts'

export type Answer = { status: number; body: any; headers: Headers } // oxlint-disable-line typescript/no-explicit-any -- tests look into answers freely

type CallOptions = { key?: string; site?: number; headers?: Record<string, string>; rawBody?: string }

export type Client = {
  call(method: string, path: string, body?: unknown, options?: CallOptions): Promise<Answer>
  get(path: string, options?: CallOptions): Promise<Answer>
  post(path: string, body?: unknown, options?: CallOptions): Promise<Answer>
  put(path: string, body?: unknown, options?: CallOptions): Promise<Answer>
  delete(path: string, options?: CallOptions): Promise<Answer>
  token: string | null
}

/** The real router on a database of its own. The clock stands still until moved. */
export type TestServer = {
  app: Hono
  environment: Environment
  db: Db
  storage: TestStorage
  readonly now: Date
  moveTo(instant: string): void
  /** A client with a session made without hashing a password, on the device `device_id`. */
  as(username: string, device_id?: string): Promise<Client>
  anonymous: Client
  /** Whether mails leave from then on, or become files, as they do at first. */
  connectMail(isConnected: boolean): void
  /** Does what was asked for and waits for its turn in the background. */
  doJobs(): Promise<void>
}

export const testNow = '2026-03-10T09:00:00.000Z'

/** Describes tests that need a server; on a machine without that engine they are not run and say so. */
export function describeServer(name: string, body: (server: TestServer) => void): void {
  describe.skipIf(!isEngineReachable())(`${name} (${testEngine})`, () => {
    const server = {} as TestServer
    // Descriptors, so that `now` stays the live clock.
    beforeAll(async () =>
      Object.defineProperties(server, Object.getOwnPropertyDescriptors(await openTestServer())),
    )
    afterAll(async () => server.storage?.drop())
    body(server)
  })
}

async function openTestServer(): Promise<TestServer> {
  const storage = await copyTemplate()
  const { environment } = storage
  let now = new Date(testNow)
  const server = {
    storage,
    environment,
    db: environment.db,
    get now() {
      return now
    },
    moveTo: (instant: string) => {
      now = new Date(instant)
    },
  } as TestServer
  const logger = pino({ level: 'silent' })
  const mailTransport: MailTransport = {
    isConnected: false,
    send: () => Promise.reject(new Error('no mail leaves a test')),
    close: () => undefined,
  }
  server.connectMail = (isConnected) => {
    mailTransport.isConnected = isConnected
  }
  server.app = createApp({
    environments: [environment],
    logger,
    now: () => now,
    mailTransport,
    checkAnswers: true,
  })
  server.doJobs = () => runJobs({ environment, steps: jobSteps, afterFailures, now: () => now })
  server.anonymous = clientOf(server.app, null)
  server.as = async (username, device_id) => {
    const user = await server.db
      .selectFrom('users')
      .select('id')
      .where('username', '=', username)
      .executeTakeFirstOrThrow()
    const at = server.now.toISOString()
    if (device_id !== undefined) {
      await server.db
        .insertInto('devices')
        .values({
          device_id,
          user_id: user.id,
          site: null,
          first_seen: at,
          last_seen: at,
          reported_at: null,
          oldest_at: null,
          snapshot_at: null,
          storage_used: null,
        })
        .onConflict((conflict) => conflict.column('device_id').doNothing())
        .execute()
    }
    const session = { user_id: user.id, device_id: device_id ?? null, at: server.now }
    return clientOf(server.app, await openSession(server.db, session))
  }
  return server
}

export function clientOf(app: Hono, token: string | null, host = 'localhost'): Client {
  const call: Client['call'] = async (method, path, body, options = {}) => {
    const response = await app.request(path, {
      method,
      headers: {
        host,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(token ? { authorization: `Bearer ${token}` } : {}),
        ...(options.key ? { 'idempotency-key': options.key } : {}),
        ...(options.site === undefined ? {} : { 'x-site': String(options.site) }),
        ...options.headers,
      },
      ...(options.rawBody === undefined
        ? body === undefined
          ? {}
          : { body: JSON.stringify(body) }
        : { body: options.rawBody }),
    })
    // A stream has no end to wait for.
    const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') ?? false
    if (isStream) await response.body?.cancel()
    const { status, headers } = response
    // A file is looked into as it is.
    if (headers.has('content-disposition')) {
      return { status, body: Buffer.from(await response.arrayBuffer()), headers }
    }
    const text = isStream ? '' : await response.text()
    const isJson = headers.get('content-type')?.includes('json')
    return { status, body: isJson && text ? JSON.parse(text) : text, headers }
  }
  return {
    call,
    token,
    get: (path, options) => call('GET', path, undefined, options),
    post: (path, body = {}, options) => call('POST', path, body, options),
    put: (path, body = {}, options) => call('PUT', path, body, options),
    delete: (path, options) => call('DELETE', path, undefined, options),
  }
}
