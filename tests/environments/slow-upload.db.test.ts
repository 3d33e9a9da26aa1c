import { randomBytes } from 'node:crypto'

import pino from 'pino'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { createApp } from '../../src/server/app.ts'
import { openConnections, type Connections } from '../../src/server/db/connections/connections.ts'
import { openEnvironment } from '../../src/server/db/environments/environment.ts'
import type { Environments } from '../../src/server/db/environments/environments.ts'
import { openEnvironmentsOnDemand } from '../../src/server/db/environments/environments-on-demand.ts'
import { listHere } from '../../src/server/db/environments/list-environments.ts'
import { seedEnvironment } from '../../src/server/seed-environment.ts'
import { hashToken } from '../../src/server/session/find-caller.ts'
import { emptyStorage, isEngineReachable, testEngine } from '../support/databases.ts'

/** The embedded engine never closes one. */
describe.skipIf(testEngine === 'embedded' || !isEngineReachable())('a library that somebody sends to', () => {
  let storage: Awaited<ReturnType<typeof emptyStorage>>
  let connections: Connections
  let environments: Environments
  const token = randomBytes(32).toString('base64url')

  beforeAll(async () => {
    storage = await emptyStorage()
    connections = openConnections(storage.settings.databaseUrl ?? '', { most: 4 })
    const open = (id: number) => openEnvironment({ ...storage.settings, connections }, id)
    for (const id of [1, 2]) {
      const { db, close } = await open(id)
      await seedEnvironment(db, 'mot-de-passe-admin')
      await db
        .updateTable('environment')
        .set({ hosts: [`pret${id}.fr`] })
        .execute()
      const now = new Date().toISOString()
      await db
        .insertInto('sessions')
        .values({ token_hash: hashToken(token), user_id: 1, created_at: now, last_used_at: now })
        .execute()
      await close()
    }
    environments = await openEnvironmentsOnDemand({
      list: () => listHere(connections.ground),
      open,
      isBusy: () => Promise.resolve(false),
      onEvent: () => undefined,
      times: { idleMs: 20, lookMs: 10 },
    })
  })
  afterAll(async () => {
    await environments.close()
    await connections.end()
    await storage.drop()
  })

  const isOpen = (id: number) => environments.open.some((one) => one.id === id)

  it('stays open for as long as the sending takes', async () => {
    const app = createApp({ environments, logger: pino({ level: 'silent' }) })
    const boundary = 'limite'
    const [head, tail] = [
      `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="lecteurs.csv"\r\nContent-Type: text/csv\r\n\r\nNom;Matricule\n`,
      `Dupont;M1\n\r\n--${boundary}--\r\n`,
    ]
    let sendRest = () => {}
    const rest = new Promise<void>((resolve) => (sendRest = resolve))
    const body = new ReadableStream<Uint8Array>({
      async start(stream) {
        stream.enqueue(Buffer.from(head))
        await rest
        stream.enqueue(Buffer.from(tail))
        stream.close()
      },
    })
    const answered = Promise.resolve(
      app.request('/api/imports?subject=readers', {
        method: 'POST',
        headers: {
          host: 'pret1.fr',
          authorization: `Bearer ${token}`,
          'idempotency-key': '0b9f5a39-6a3f-4d0e-8c0e-4f2f1f6f3a12',
          'content-type': `multipart/form-data; boundary=${boundary}`,
          'content-length': String(head.length + tail.length),
        },
        body,
        duplex: 'half',
      } as RequestInit),
    )
    await expect.poll(() => isOpen(1)).toBe(true)
    // Another one was asked for since, and has slept enough to close, twice.
    for (const _ of [1, 2]) {
      await environments.at('pret2.fr')
      await expect.poll(() => isOpen(2)).toBe(false)
    }
    expect(isOpen(1)).toBe(true)
    sendRest()
    expect((await answered).status).toBe(201)
    await expect.poll(() => isOpen(1)).toBe(false)
  })
})
