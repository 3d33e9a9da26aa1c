import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { Agent, type ClientRequest, type IncomingMessage, request } from 'node:http'
import { type AddressInfo, createConnection, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { type Kysely, sql } from 'kysely'
import pg from 'pg'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { readEngineAddress } from '../../src/server/db/engine/embedded-engine.ts'
import { openEnvironment } from '../../src/server/db/environments/environment.ts'
import type { Database } from '../../src/server/db/schema.ts'
import { startMailServer } from '../mail/mail-server.ts'
import { seedFromTemplate } from '../support/databases.ts'
import { testPassword } from '../support/test-library.ts'
import { type Product, startProduct } from './product.ts'

let dataDir: string
let product: Product | null
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'comptoir-stop-'))
  seedFromTemplate(dataDir)
})
afterEach(async () => {
  await product?.end('SIGKILL')
  product = null
  await rm(dataDir, { recursive: true, force: true })
})

async function inBase<T>(look: (db: Kysely<Database>) => Promise<T>): Promise<T> {
  const environment = await openEnvironment({ dataDir, databaseUrl: null }, 1)
  return look(environment.db).finally(() => environment.close())
}

describe('a server that is stopped', () => {
  it('answers what is under way, takes nothing new, and ends', async () => {
    product = await startProduct({ DATA_DIR: dataDir })
    const { address } = product
    const token = await signIn(address)
    // A transaction that holds the embedded engine: calls wait behind it for as long as the test wants.
    const holder = new pg.Client(readEngineAddress(join(dataDir, 'environments', '1', 'database')) ?? {})
    await holder.connect()
    await holder.query('begin')
    const agent = new Agent({ keepAlive: true, maxSockets: 5 })
    const copies = [1, 2, 3, 4, 5]
    const underWay = copies.map((copy) => startLending(address, agent, token, { beneficiary: 1, copy }))
    // The server said « continue »: it has the request, and its answer is on the way.
    await Promise.all(underWay.map(({ received }) => received))

    const ended = product.end('SIGTERM')
    await untilRefused(address)
    await holder.query('rollback')
    await holder.end()
    const answers = await Promise.all(underWay.map(({ answer }) => answer))
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201, 201, 201])
    // A connection that is kept would bring new calls to a server that is leaving.
    expect(answers.map(({ connection }) => connection)).toEqual(Array.from(copies, () => 'close'))
    expect(await ended).toBe(0)
    agent.destroy()
    const loans = await inBase((db) =>
      db.selectFrom('loanings').select('copy').where('status', '=', 'in_progress').orderBy('copy').execute(),
    )
    expect(loans.map(({ copy }) => copy)).toEqual(copies)
  })

  it('ends while counters go on asking over connections that they keep', async () => {
    await inBase(async (db) => {
      await sql`update media set max_loaning = null, max_late = null`.execute(db)
      await sql`insert into copies (reference, bar_code, site) select 1, 'X' || n, 1 from generate_series(1, 3000) n`.execute(
        db,
      )
    })
    product = await startProduct({ DATA_DIR: dataDir })
    const { address } = product
    const token = await signIn(address)
    const agent = new Agent({ keepAlive: true, maxSockets: 4 })
    const statuses: number[] = []
    const lent: number[] = []
    let copy = 15
    const counter = async () => {
      for (;;) {
        copy += 1
        const mine = copy
        const { status } = await startLending(address, agent, token, { beneficiary: 1, copy: mine }).answer
        statuses.push(status)
        if (status === 201) lent.push(mine)
        if (status === 0) return
      }
    }
    const counters = [counter(), counter(), counter(), counter()]
    while (lent.length < 20) await new Promise(setImmediate)
    expect(await product.end('SIGTERM')).toBe(0)
    await Promise.all(counters)
    agent.destroy()
    // Done, refused for now, or not connected: never a failure of something half closed.
    expect(statuses.filter((status) => ![201, 503, 0].includes(status))).toEqual([])
    const loans = await inBase((db) => db.selectFrom('loanings').select('copy').execute())
    const found = new Set(loans.map((loan) => loan.copy))
    expect(lent.filter((mine) => !found.has(mine))).toEqual([])
  })

  it('sends later a mail that was claimed and had not left', async () => {
    await inBase((db) =>
      sql`insert into mail_outbox (to_address, subject, html, template, beneficiary, next_attempt_at, created_at)
      values ('alice@exemple.fr', 'Rappel', '<p>Bonjour</p>', 'late', 1, now(), now())`.execute(db),
    )
    // A mail server that takes the connection and says nothing.
    const mute = createServer().listen(0, '127.0.0.1')
    await once(mute, 'listening')
    const claimed = once(mute, 'connection')
    product = await startProduct({
      DATA_DIR: dataDir,
      SMTP_URL: `smtp://127.0.0.1:${(mute.address() as AddressInfo).port}`,
    })
    await claimed
    expect(await product.end('SIGTERM')).toBe(0)
    mute.close()
    const mails = await inBase(async (db) => {
      const rows = await db
        .selectFrom('mail_outbox')
        .select(['status', 'attempts', 'next_attempt_at'])
        .execute()
      // The claim lapses: time goes by.
      await sql`update mail_outbox set next_attempt_at = now()`.execute(db)
      return rows
    })
    expect(mails).toMatchObject([{ status: 'queued', attempts: 1 }])

    const inbox = await startMailServer()
    product = await startProduct({ DATA_DIR: dataDir, SMTP_URL: inbox.url })
    await inbox.arrived(1)
    expect(await product.end('SIGTERM')).toBe(0)
    await inbox.stop()
    expect(inbox.received.map(({ subject }) => subject)).toEqual(['Rappel'])
    expect(await inBase((db) => db.selectFrom('mail_outbox').select('status').execute())).toEqual([
      { status: 'sent' },
    ])
  })
})

async function signIn(address: string): Promise<string> {
  const response = await fetch(`${address}/api/login_check`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username: 'biblio@1', password: testPassword }),
  })
  return ((await response.json()) as { token: string }).token
}

type LendAnswer = { status: number; connection: string | undefined }

/** A call that waits for the server to have it before it sends its body; status 0 when nobody answers. */
function startLending(
  address: string,
  agent: Agent,
  token: string,
  body: object,
): { received: Promise<unknown>; answer: Promise<LendAnswer> } {
  const call: ClientRequest = request(`${address}/api/loanings`, {
    method: 'POST',
    agent,
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      'idempotency-key': randomUUID(),
      expect: '100-continue',
    },
  })
  const received = new Promise<void>((resolve) => {
    call.once('continue', () => {
      call.end(JSON.stringify(body))
      resolve()
    })
  })
  const answer = new Promise<LendAnswer>((resolve) => {
    call.once('response', (response: IncomingMessage) => {
      const { statusCode = 0, headers } = response
      response.resume()
      response.once('end', () => resolve({ status: statusCode, connection: headers.connection }))
      response.once('error', () => resolve({ status: 0, connection: undefined }))
    })
    call.once('error', () => resolve({ status: 0, connection: undefined }))
  })
  call.flushHeaders()
  return { received, answer }
}

/** Until nobody listens there any more. */
async function untilRefused(address: string): Promise<void> {
  const { port, hostname } = new URL(address)
  for (;;) {
    const socket = createConnection({ port: Number(port), host: hostname })
    const code = await new Promise<string | undefined>((resolve) => {
      socket.once('connect', () => resolve(undefined))
      socket.once('error', (error: NodeJS.ErrnoException) => resolve(error.code))
    })
    socket.destroy()
    if (code === 'ECONNREFUSED') return
    await new Promise(setImmediate)
  }
}
