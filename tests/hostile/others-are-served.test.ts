import { once } from 'node:events'
import { gzipSync } from 'node:zlib'

import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { type Api, apiOf } from '../support/api-of.ts'
import { openRunningServer, type RunningServer } from '../support/running-server.ts'
import { testPassword } from '../support/test-library.ts'
import { head, openSocket, statusOf } from './raw-socket.ts'

/** Asked for by number in WRONG_PASSWORDS: 10,000 where there is time. */
const guesses = Number(process.env['WRONG_PASSWORDS'] ?? 400)
const metricsToken = 'jeton-de-mesure-0001'

let server: RunningServer
let device: Api

beforeAll(async () => {
  // Every address behind this proxy is its own; the guesses come from the one that they name.
  server = await openRunningServer({
    env: { TRUST_PROXY: '1', METRICS_TOKEN: metricsToken, LOG_LEVEL: 'error' },
  })
  device = await apiOf(server.address, 'biblio', testPassword)
})
afterAll(() => server?.drop())

async function lookUp(): Promise<void> {
  const copy = await device.get('/api/copies?bar_code=1001')
  expect([copy.status, copy.body['hydra:member'][0].bar_code]).toEqual([200, '1001'])
  const reader = await device.get('/api/beneficiaries/autocomplete?searchname=martin')
  expect([reader.status, reader.body['hydra:member'][0].lastname]).toEqual([200, 'Martin'])
}

/** Looks up again and again, as a counter does, until the attack is over; each look-up must be answered. */
async function servedWhile(attack: Promise<unknown>): Promise<void> {
  const over = new AbortController()
  void attack.finally(() => over.abort()).catch(() => undefined)
  do await lookUp()
  while (!over.signal.aborted)
  await attack
}

describe('the server', () => {
  it('serves others while 500 connections send half a request, and closes those', async () => {
    const heads = await Promise.all(
      Array.from({ length: 250 }, async () => {
        const socket = await openSocket(server.port)
        socket.write('GET /api/copies HTTP/1.1\r\nHost: localhost\r\nX-Slow: ')
        return socket
      }),
    )
    const bodies = await Promise.all(
      Array.from({ length: 250 }, async () => {
        const socket = await openSocket(server.port)
        socket.write(
          `${head('POST /auth HTTP/1.1', 'Content-Type: application/json', 'Content-Length: 900')}{"user`,
        )
        return socket
      }),
    )
    for (let time = 0; time < 20; time += 1) await lookUp()
    await apiOf(server.address, 'lecture', testPassword)
    // One more letter now and then buys no time.
    for (const socket of heads) socket.write('a')
    await servedWhile(Promise.all(heads.map((socket) => socket.resume() && once(socket, 'close'))))
    for (const socket of bodies) socket.destroy()
  })

  it(`serves others while ${guesses} wrong passwords come, and looks at few of them`, async () => {
    const statuses = new Map<number, number>()
    const numbers = Array.from({ length: guesses }, (_, n) => n)
    let mostHashes = 0
    const guess = async () => {
      for (let n = numbers.pop(); n !== undefined; n = numbers.pop()) {
        const response = await fetch(`${server.address}/auth`, {
          method: 'POST',
          headers: { 'content-type': 'application/json', 'x-forwarded-for': '198.51.100.7' },
          body: JSON.stringify({ username: n % 2 ? 'biblio' : `nom-${n}`, password: `essai-${n}` }),
        })
        await response.arrayBuffer()
        statuses.set(response.status, (statuses.get(response.status) ?? 0) + 1)
      }
    }
    const watch = async () => {
      while (numbers.length > 0) mostHashes = Math.max(mostHashes, await countHashes())
    }
    await servedWhile(Promise.all([...Array.from({ length: 40 }, guess), watch()]))
    expect([...statuses.keys()].sort()).toEqual([401, 429])
    // Twenty are free, then each waits twice as long as the one before.
    expect(statuses.get(401)).toBeLessThan(45)
    // Three checks run at once at most; the others wait before the database.
    expect(mostHashes).toBeLessThanOrEqual(3)
    // Who works there goes on signing in.
    await apiOf(server.address, 'biblio', testPassword)
  })

  async function countHashes(): Promise<number> {
    const response = await fetch(`${server.address}/metrics`, {
      headers: { authorization: `Bearer ${metricsToken}` },
    })
    const figures = (await response.text()).matchAll(/^comptoir_password_hashes\{.*\} (\d+)$/gm)
    return Array.from(figures, ([, figure]) => Number(figure)).reduce((sum, figure) => sum + figure, 0)
  }

  const json = 'Content-Type: application/json'
  const form = 'Content-Type: application/x-www-form-urlencoded'
  const megabyte = Buffer.alloc(1024 * 1024, 'a')
  const chunk = Buffer.concat([Buffer.from('100000\r\n'), megabyte, Buffer.from('\r\n')])
  const bomb = gzipSync(Buffer.alloc(20 * 1024 * 1024))
  const manyParameters = (count: number) => Array.from({ length: count }, (_, n) => `p${n}=1`).join('&')

  const tooMuch: Record<string, { pieces: (string | Buffer)[]; statuses: (number | null)[] }> = {
    'a header of 100 kB': {
      pieces: [head('GET /api/copies HTTP/1.1', `X-Long: ${'a'.repeat(100_000)}`)],
      statuses: [431],
    },
    'an address of 100 kB': {
      pieces: [head(`GET /api/copies?a=${'a'.repeat(100_000)} HTTP/1.1`)],
      statuses: [431],
    },
    '5,000 headers': {
      pieces: [head('GET /api/copies HTTP/1.1', ...Array.from({ length: 5000 }, (_, n) => `X-${n}: 1`))],
      statuses: [431],
    },
    '10,000 parameters in the address': {
      pieces: [head(`GET /health?${manyParameters(10_000)} HTTP/1.1`)],
      statuses: [431],
    },
    'as many parameters as an address holds': {
      pieces: [head(`GET /health?${manyParameters(1800)} HTTP/1.1`)],
      statuses: [400],
    },
    '10,000 parameters in a form': {
      pieces: [
        head('POST /resetting/send-email HTTP/1.1', form, `Content-Length: ${manyParameters(10_000).length}`),
        manyParameters(10_000),
      ],
      statuses: [413],
    },
    'a body of 50 MB': {
      pieces: [
        head('POST /auth HTTP/1.1', json, `Content-Length: ${50 * megabyte.length}`),
        ...Array(50).fill(megabyte),
      ],
      statuses: [413],
    },
    'a body of 50 MB of unsaid length': {
      pieces: [head('POST /auth HTTP/1.1', json, 'Transfer-Encoding: chunked'), ...Array(50).fill(chunk)],
      statuses: [413],
    },
    'a body where none belongs': {
      pieces: [
        head('GET /health HTTP/1.1', `Content-Length: ${5 * megabyte.length}`),
        ...Array(5).fill(megabyte),
      ],
      statuses: [200],
    },
    'a small body that unfolds': {
      pieces: [
        head('POST /auth HTTP/1.1', json, 'Content-Encoding: gzip', `Content-Length: ${bomb.length}`),
        bomb,
      ],
      statuses: [415],
    },
    'a body deeper than any': {
      pieces: [head('POST /auth HTTP/1.1', json, 'Content-Length: 1000000'), '['.repeat(1_000_000)],
      statuses: [413],
    },
    'two lengths': {
      pieces: [head('POST /auth HTTP/1.1', json, 'Content-Length: 2', 'Content-Length: 3'), '{}'],
      statuses: [400],
    },
    'a length and pieces': {
      pieces: [head('POST /auth HTTP/1.1', json, 'Content-Length: 2', 'Transfer-Encoding: chunked'), '{}'],
      statuses: [400],
    },
    'a length below zero': {
      pieces: [head('POST /auth HTTP/1.1', json, 'Content-Length: -1'), '{}'],
      statuses: [400],
    },
    'no host': { pieces: ['GET /health HTTP/1.1\r\n\r\n'], statuses: [400] },
    'a host that is none': {
      pieces: ['GET /health HTTP/1.1\r\nHost: a b/c?d\r\n\r\n'],
      statuses: [200, 400],
    },
    'an address that is none': { pieces: [head('GET http://[::1 HTTP/1.1')], statuses: [400] },
    'a star': { pieces: [head('OPTIONS * HTTP/1.1')], statuses: [400, 404] },
    'a tunnel': { pieces: [head('CONNECT exemple.fr:443 HTTP/1.1')], statuses: [null, 400, 404] },
    'another protocol': { pieces: ['\u0016\u0003\u0001\u0002\u0000\u0001\u0000'], statuses: [null, 400] },
  }

  it.each(Object.entries(tooMuch))(
    'serves others while %s comes in, and refuses it',
    async (_, { pieces, statuses }) => {
      const attack = Promise.all(Array.from({ length: 10 }, () => statusOf(server.port, pieces)))
      await servedWhile(attack)
      for (const status of await attack) expect(statuses).toContain(status)
    },
  )
})
