import { expect, it } from 'vitest'

import { createApp } from '../../src/server/app.ts'
import { openLogger } from '../../src/server/process/logger.ts'
import { clientOf, describeServer } from '../support/test-server.ts'

describeServer('request ids', (server) => {
  const lines: string[] = []
  const logger = openLogger('info', { write: (line: string) => void lines.push(line) })
  const open = (isProxyTrusted: boolean) =>
    clientOf(createApp({ environments: [server.environment], logger, isProxyTrusted }), null)
  const asked = { headers: { 'x-request-id': 'proxy-0001' } }

  it('are on every answer, each its own, and in the log', async () => {
    const client = open(false)
    const ids: (string | null)[] = []
    for (const path of ['/health', '/dns', '/api/loanings', '/api/nulle-part', '/nulle-part', '/metrics']) {
      ids.push((await client.get(path)).headers.get('x-request-id'))
    }
    for (const id of ids) expect(id).toMatch(/^[0-9a-f]{8}$/)
    expect(new Set(ids).size).toBe(ids.length)
    expect(lines.map((line) => JSON.parse(line).request)).toEqual(ids)
  })

  it('are taken from a proxy that is trusted, and from nobody else', async () => {
    expect((await open(false).get('/health', asked)).headers.get('x-request-id')).toMatch(/^[0-9a-f]{8}$/)
    const behind = open(true)
    expect((await behind.get('/health', asked)).headers.get('x-request-id')).toBe('proxy-0001')
    for (const id of ['', 'a b', '"}{"level":60', 'x'.repeat(65)]) {
      const answer = await behind.get('/health', { headers: { 'x-request-id': id } })
      expect(answer.headers.get('x-request-id')).toMatch(/^[0-9a-f]{8}$/)
    }
  })
})
