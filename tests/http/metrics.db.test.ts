import { randomUUID } from 'node:crypto'

import { sql } from 'kysely'
import { beforeAll, expect, it } from 'vitest'

import { createApp } from '../../src/server/app.ts'
import { openLogger } from '../../src/server/process/logger.ts'
import { servedBy } from '../../src/server/db/environments/environments.ts'
import { type Metrics, openMetrics } from '../../src/server/metrics/metrics.ts'
import { type Client, clientOf, describeServer } from '../support/test-server.ts'

const token = 'jeton-de-mesure-0001'

describeServer('metrics', (server) => {
  let metrics: Metrics
  let client: Client
  const read = async () => {
    const { body } = await client.get('/metrics', { headers: { authorization: `Bearer ${token}` } })
    return String(body)
  }
  /** The figure of a series, by its name and labels as they are written; undefined where there is none. */
  const figure = (text: string, series: string) => {
    const line = text.split('\n').find((candidate) => candidate.startsWith(`${series} `))
    return line === undefined ? undefined : Number(line.slice(series.length + 1))
  }

  beforeAll(async () => {
    metrics = openMetrics(servedBy([server.environment]))
    const app = createApp({
      environments: [server.environment],
      logger: openLogger('silent'),
      now: () => server.now,
      metrics: { metrics, token },
    })
    client = clientOf(app, (await server.as('admin')).token)
  })

  it('is not there where no token is set', async () => {
    const answer = await server.anonymous.get('/metrics', { headers: { authorization: `Bearer ${token}` } })
    expect([answer.status, answer.body]).toEqual([404, { code: 404, message: 'Cet appel n’existe pas.' }])
  })

  it('answers the token alone, and only to be read', async () => {
    for (const authorization of ['', 'Bearer ', 'Bearer jeton-de-mesure-0002', `Bearer ${token}x`, token]) {
      const answer = await client.get('/metrics', { headers: { authorization } })
      expect([authorization, answer.status]).toEqual([authorization, 401])
      expect(String(answer.body.message)).not.toContain('comptoir_')
    }
    const headers = { authorization: `Bearer ${token}` }
    expect((await client.post('/metrics', {}, { headers })).status).toBe(404)
    const read = await client.get('/metrics', { headers })
    expect([read.status, read.headers.get('content-type')]).toEqual([200, metrics.contentType])
  })

  it('counts requests by call and class of status, never by address', async () => {
    await client.get('/api/loanings?copy_barcode=secret-1001')
    await client.get('/api/loanings/424242')
    await client.get('/api/rien/secret-424242')
    const text = await read()
    const count = (endpoint: string, status: string) =>
      figure(text, `comptoir_http_request_duration_seconds_count{endpoint="${endpoint}",status="${status}"}`)
    expect(count('loanings.list', '2xx')).toBe(1)
    expect(count('loanings.get', '4xx')).toBe(1)
    expect(count('other', '4xx')).toBeGreaterThan(0)
    expect(text).not.toMatch(/424242|secret/)
  })

  it('counts replays and conflicts apart', async () => {
    const key = randomUUID()
    for (let time = 0; time < 3; time += 1) {
      await client.post('/api/loanings', { beneficiary: 1, copy: 1 }, { key })
    }
    const taken = randomUUID()
    for (let time = 0; time < 2; time += 1) {
      await client.post('/api/loanings', { beneficiary: 2, copy: 1 }, { key: taken })
    }
    const text = await read()
    expect(figure(text, 'comptoir_idempotent_replays_total{endpoint="loanings.lend"}')).toBe(3)
    expect(figure(text, 'comptoir_conflicts_total{reason="ALREADY_LENT"}')).toBe(1)
  })

  it('says how the process, its database, its mails and its streams are', async () => {
    await sql`insert into mail_outbox (to_address, subject, html, template, next_attempt_at, created_at)
      values ('a@exemple.fr', 'Essai', '', 'recap', now(), now())`.execute(server.db)
    metrics.openStreams(() => 7)
    const text = await read()
    expect(figure(text, 'comptoir_pool_connections{environment="1",state="total"}')).toBeGreaterThan(0)
    expect(figure(text, 'comptoir_pool_connections{environment="1",state="waiting"}')).toBe(0)
    expect(figure(text, 'comptoir_mails_waiting{environment="1"}')).toBe(1)
    expect(figure(text, 'comptoir_event_streams_open')).toBe(7)
    expect(figure(text, 'comptoir_password_hashes{state="waiting"}')).toBe(0)
    expect(figure(text, 'process_resident_memory_bytes')).toBeGreaterThan(0)
  })
})
