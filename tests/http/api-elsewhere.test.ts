// @vitest-environment happy-dom
import { afterEach, describe, expect, it, vi } from 'vitest'

import { call } from '../../src/client/api/call.ts'
import { currentConnection, noteNoAnswer } from '../../src/client/api/connection.ts'
import { sites } from '../../src/contract/sites.ts'
import { contentSecurityPolicy } from '../../src/server/http/security-headers.ts'

afterEach(() => {
  vi.unstubAllEnvs()
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

const asked: string[] = []
const answerEverything = () => {
  asked.length = 0
  vi.stubGlobal('fetch', (input: RequestInfo | URL) => {
    asked.push(input instanceof Request ? input.url : String(input))
    return Promise.resolve(Response.json({ status: 'ok' }))
  })
}

describe('an API elsewhere', () => {
  it('is called and looked for where the build says', async () => {
    vi.stubEnv('VITE_API_BASE', 'https://api.exemple.fr/pret/')
    answerEverything()
    await call(sites.list, {})
    vi.useFakeTimers()
    noteNoAnswer()
    expect(currentConnection()).toBe('offline')
    await vi.advanceTimersByTimeAsync(5000)
    expect(currentConnection()).toBe('online')
    expect(asked).toEqual(['https://api.exemple.fr/pret/api/sites', 'https://api.exemple.fr/pret/health'])
  })

  it('is open to the page’s policy, and nothing else is', () => {
    const lines = () => contentSecurityPolicy('abc').split('; ')
    expect(lines()).toEqual(expect.arrayContaining(["connect-src 'self'", "img-src 'self' data: blob:"]))
    vi.stubEnv('VITE_API_BASE', 'https://api.exemple.fr/pret')
    expect(lines()).toEqual(
      expect.arrayContaining([
        "connect-src 'self' https://api.exemple.fr",
        "img-src 'self' https://api.exemple.fr data: blob:",
        "script-src 'self' 'wasm-unsafe-eval'",
      ]),
    )
  })
})
