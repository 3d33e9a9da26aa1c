import fc from 'fast-check'
import * as v from 'valibot'
import { beforeAll, expect, it } from 'vitest'

import type { Endpoint } from '../../src/contract/endpoint.ts'
import { endpoints } from '../../src/contract/endpoints.ts'
import { refusal, violationList } from '../../src/contract/wire.ts'
import { testEngine } from '../support/databases.ts'
import { type Answer, clientOf, describeServer } from '../support/test-server.ts'
import { type HostileRequest, hostileRequests } from './hostile-request.ts'

// FAULT_ROUNDS asks for more requests a call, SEED for those of an earlier run; the slower engine gets fewer.
const rounds = Number(process.env['FAULT_ROUNDS'] ?? (testEngine === 'embedded' ? 8 : 25))
const first = Date.now() % 2_000_000_000
/** Calls differ, or all would be sent the same keys. */
const seedOf = (n: number) => Number(process.env['SEED'] ?? first + n)

/** Words of libraries and of the language itself: a person is never shown them. */
const foreign =
  /\b(Invalid|Expected|Unexpected|received|undefined|NaN|Error|must|not valid|prototype)\b|\[object/

/** Such a word is the caller's own where a code of theirs is one: « Le code-barres NaN est celui d’un exemplaire. » */
const foreignIn = (sent = ''): string[] =>
  (sent.match(/"(?:[^"\\]|\\.)*"/g) ?? [])
    .map((text) => text.slice(1, -1))
    .filter((text) => foreign.test(text))

function expectRefusal({ status, body, headers }: Answer, sent: string | undefined): void {
  expect(headers.get('content-type')).toMatch(/^application\/json/)
  const shape = status === 422 && body['@type'] ? violationList : refusal
  expect(v.safeParse(shape, body).issues).toBeUndefined()
  const said = body.message ?? body['hydra:description']
  // What the caller wrote may be quoted; the sentence around it is ours.
  const quoted = String(said).replaceAll(/«[^]*?»/g, '« … »')
  const sentence = foreignIn(sent).reduce((text, word) => text.replaceAll(word, '…'), quoted)
  expect(sentence).toMatch(/[a-zé][^]*[.!?]$|^Identifiants incorrects$/)
  expect(sentence).not.toMatch(foreign)
}

describeServer('generated requests', (server) => {
  let admin = { id: 0, username: '', profile: 0 }
  beforeAll(async () => {
    admin = await server.db
      .selectFrom('users')
      .select(['id', 'username', 'profile'])
      .where('username', '=', 'admin')
      .executeTakeFirstOrThrow()
  })
  /** Some calls end the session they are made with, others rename the person who makes them. */
  const signInAnew = async () => {
    const { id, username, profile } = admin
    await server.db.updateTable('users').set({ username, profile }).where('id', '=', id).execute()
    return server.as(username)
  }
  const send = async ({ method, access }: Endpoint, request: HostileRequest): Promise<Answer> => {
    const { token } = access === 'public' ? server.anonymous : await signInAnew()
    const { path, query, headers, body } = request
    return clientOf(server.app, token).call(method, query ? `${path}?${query}` : path, undefined, {
      headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
      ...(body === undefined ? {} : { rawBody: body }),
    })
  }

  it.each(
    endpoints.map((endpoint, n) => [`${endpoint.method} ${endpoint.path}`, endpoint, seedOf(n)] as const),
  )(
    '%s answers whatever comes with what the contract promises, and takes no unknown field',
    async (_, endpoint, seed) => {
      const answersWell = fc.asyncProperty(hostileRequests(endpoint), async (request) => {
        const answer = await send(endpoint, request)
        const took = { status: answer.status, hasUnknown: answer.status < 300 && request.hasUnknown }
        expect(took).toEqual({ status: expect.toSatisfy((status) => status < 500), hasUnknown: false })
        if (answer.status >= 400) expectRefusal(answer, request.body)
        expect(answer.headers.get('x-request-id')).toMatch(/^[0-9a-f]{8}$/)
      })
      await fc.assert(answersWell, { numRuns: rounds, seed })
    },
    20_000 + rounds * 1000,
  )

  it('changes nothing of the language itself', () => {
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined()
  })
})
