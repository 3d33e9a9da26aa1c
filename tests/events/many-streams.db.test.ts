import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'

import { getRequestListener } from '@hono/node-server'
import pino from 'pino'
import { afterAll, beforeAll, expect, it } from 'vitest'

import { createApp } from '../../src/server/app.ts'
import { type LiveChanges, openLiveChanges } from '../../src/server/events/live-changes.ts'
import { describeServer } from '../support/test-server.ts'
import { hear, openStream } from './open-stream.ts'

const many = 500

describeServer('five hundred open streams', (server) => {
  const logger = pino({ level: 'silent' })
  let http: Server
  let live: LiveChanges
  let address = ''
  beforeAll(async () => {
    live = openLiveChanges(logger)
    const app = createApp({ environments: [server.environment], logger, live, now: () => server.now })
    const answer = getRequestListener(app.fetch)
    http = createServer((request, response) => void answer(request, response)).listen(0, '127.0.0.1')
    await once(http, 'listening')
    address = `http://127.0.0.1:${(http.address() as AddressInfo).port}`
  })
  afterAll(() => {
    http?.closeAllConnections()
    http?.close()
  })

  it(
    'all hear of a loan, are let go when their clients leave, and do not hold a server that stops',
    { timeout: 120_000 },
    async () => {
      const people = await Promise.all(Array.from({ length: many / 20 }, () => server.as('biblio')))
      const streams = await Promise.all(
        Array.from({ length: many }, (_, at) =>
          openStream((path, init) => fetch(address + path, init), people[at % people.length]?.token ?? null),
        ),
      )
      await Promise.all(streams.map((stream) => stream.next()))
      const feed = live.feedOf(server.environment)
      expect(feed.size).toBe(many)

      const response = await fetch(`${address}/api/loanings`, {
        method: 'POST',
        headers: { authorization: `Bearer ${people[0]?.token}`, 'content-type': 'application/json' },
        body: JSON.stringify({ beneficiary: 1, copy: 1 }),
      })
      expect(response.status).toBe(201)
      await Promise.all(streams.map((stream) => hear(stream, 'loanings')))

      await Promise.all(streams.slice(0, many / 2).map((stream) => stream.close()))
      await expect.poll(() => feed.size).toBe(many / 2)

      live.close()
      await Promise.all(streams.map(({ ended }) => ended))
      http.close()
      http.closeIdleConnections()
      await once(http, 'close')
    },
  )
})
