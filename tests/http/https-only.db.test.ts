import pino from 'pino'
import { expect, it } from 'vitest'

import { createApp } from '../../src/server/app.ts'
import { clientOf, describeServer } from '../support/test-server.ts'

describeServer('the promise to come over HTTPS', (server) => {
  const asked = async (isProxyTrusted: boolean, publicUrl: string, proto?: string) => {
    const logger = pino({ level: 'silent' })
    const app = createApp({ environments: [server.environment], logger, isProxyTrusted, publicUrl })
    const { headers } = await clientOf(app, null).get('/health', {
      headers: proto === undefined ? {} : { 'x-forwarded-proto': proto },
    })
    return headers.get('strict-transport-security')
  }
  const [https, http] = ['https://pret.exemple.fr', 'http://localhost:3000']
  const year = 'max-age=31536000'

  it.each([
    ['behind a proxy that says HTTPS', true, http, 'https', year],
    ['behind a proxy that says so last', true, http, 'http, HTTPS', year],
    ['behind a proxy that says nothing, at an https address', true, https, undefined, year],
    ['behind a proxy that says HTTP', true, https, 'http', null],
    ['behind a proxy that says HTTP last', true, https, 'https, http', null],
    ['behind a proxy that says nothing, at an http address', true, http, undefined, null],
    ['where no proxy is trusted, whoever says HTTPS', false, https, 'https', null],
    ['where no proxy is trusted, at an https address', false, https, undefined, null],
  ])('%s', async (_name, isProxyTrusted, publicUrl, proto, expected) => {
    expect(await asked(isProxyTrusted, publicUrl, proto)).toBe(expected)
  })
})
