import pino from 'pino'
import { beforeAll, expect, it } from 'vitest'

import { createApp } from '../../src/server/app.ts'
import { type Client, clientOf, describeServer } from '../support/test-server.ts'

const pages = 'https://pret.exemple.fr'
const [api, same] = ['api.exemple.fr', 'pret.exemple.fr']

describeServer('an API called from the pages of another host', (server) => {
  let client: Client
  const from = (origin: string, host: string, headers = {}) => ({ headers: { origin, host, ...headers } })
  const preflight = (origin: string, host: string) =>
    client.call('OPTIONS', '/api/loanings', undefined, {
      headers: { origin, host, 'access-control-request-method': 'POST' },
    })
  beforeAll(async () => {
    const app = createApp({
      environments: [server.environment],
      logger: pino({ level: 'silent' }),
      now: () => server.now,
      publicUrl: pages,
      checkAnswers: true,
    })
    client = clientOf(app, (await server.as('biblio')).token)
  })

  it('lets those of PUBLIC_URL ask, send and read what they need', async () => {
    const asked = await preflight(pages, api)
    expect(asked.status).toBe(204)
    expect(asked.headers.get('access-control-allow-origin')).toBe(pages)
    expect(asked.headers.get('access-control-allow-methods')).toBe('GET, POST, PUT, DELETE')
    expect(asked.headers.get('access-control-allow-headers')).toBe(
      'Authorization, Content-Type, Idempotency-Key, Last-Event-ID, X-Act, X-Device, X-Occurred-At, X-On-Behalf-Of, X-Seal, X-Site',
    )
    for (const [path, status] of [
      ['/api/sites', 200],
      ['/api/sites/99', 404],
      ['/api/events', 200],
    ] as const) {
      const answer = await client.get(path, from(pages, api))
      expect([path, answer.status]).toEqual([path, status])
      expect(answer.headers.get('access-control-allow-origin')).toBe(pages)
      expect(answer.headers.get('access-control-expose-headers')).toBe(
        'Content-Disposition, Date, Idempotency-Replayed, Retry-After, X-Request-Id, X-State-At',
      )
      expect(answer.headers.get('vary')).toContain('Origin')
    }
    const image = await client.get('/api/image/env/1', { headers: { host: api } })
    expect(image.headers.get('cross-origin-resource-policy')).toBe('cross-origin')
  })

  it.each([
    ['another origin', 'https://pirate.example', api],
    ['a page of its own host', pages, same],
  ])('says nothing to %s', async (_, origin, host) => {
    expect((await preflight(origin, host)).status).toBe(404)
    const answer = await client.get('/api/sites', from(origin, host))
    expect(answer.status).toBe(200)
    expect([...answer.headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([])
    expect(answer.headers.get('cross-origin-resource-policy')).toBe('same-origin')
  })
})
