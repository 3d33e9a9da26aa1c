import { describe, expect, it } from 'vitest'

import { backOff, meaningOf } from '../../src/offline/answer-meaning.ts'
import { json, loaned, refusal } from './device.ts'

const now = Date.parse('2026-03-10T09:00:00Z')
const read = async (response: Response, more: { redirected?: boolean; type?: ResponseType } = {}) => {
  const { status, headers, redirected, type } = response
  return meaningOf({ status, headers, redirected, type, ...more, text: await response.text() }, now)
}
const html = (status: number) =>
  new Response('<!doctype html><title>Bienvenue</title>', {
    status,
    headers: { 'Content-Type': 'text/html' },
  })
const violations = (reason?: string, facts?: object) =>
  json(
    {
      '@type': 'ConstraintViolationList',
      'hydra:description': 'Non.',
      violations: [{ propertyPath: 'copy', message: 'Non.' }],
      reason,
      facts,
    },
    422,
  )

describe('what an answer means', () => {
  it.each([200, 201])('%i with an item of ours is a receipt', async (status) => {
    expect(await read(json({ '@type': 'Loaning', id: 7 }, status))).toEqual({
      kind: 'done',
      status,
      receipt: { '@type': 'Loaning', id: 7 },
    })
  })

  it.each([
    ['a portal’s page', html(200)],
    ['JSON that is not ours', json({ ok: true })],
    ['an item without its content type', new Response(JSON.stringify({ '@type': 'Loaning', id: 1 }))],
    ['JSON cut short', new Response('{"@type":"Loan', { headers: { 'Content-Type': 'application/json' } })],
    ['a redirect', new Response(null, { status: 302, headers: { Location: 'https://portail.exemple.fr' } })],
    ['a portal’s 401', html(401)],
    ['a proxy’s 403', html(403)],
    ['a proxy’s 404', html(404)],
    [
      'a 421 of a host that has no library',
      json({ code: 421, message: 'Non.', reason: 'HOST_UNKNOWN' }, 421),
    ],
    ['a proxy’s 421', html(421)],
    ['a 409 that is not ours', json({ error: 'conflict' }, 409)],
  ])('%s is no answer', async (_, response) => {
    expect(await read(response)).toEqual({ kind: 'again', status: null, retry_at: null })
  })

  it.each([199, 300, 304, 399])('an item under %i is no answer', (status) => {
    const { headers } = loaned()
    const text = JSON.stringify({ '@type': 'Loaning', id: 7 })
    const answer = { status, headers, text, redirected: false, type: 'basic' } as const
    expect(meaningOf(answer, now)).toMatchObject({ kind: 'again', status: null })
    expect(meaningOf({ ...answer, status: 299 }, now)).toMatchObject({ kind: 'done', status: 299 })
  })

  it.each<[string, boolean]>([
    ['application/json', true],
    ['Application/JSON; charset=utf-8', true],
    ['application/ld+json', true],
    ['application/problem.v1+json', true],
    ['application/jsonp', false],
    ['text/json', false],
    ['text/html; not=application/json', false],
  ])('an item called %s is a receipt: %s', async (type, is) => {
    const response = new Response('{"@type":"Loaning","id":7}', { headers: { 'Content-Type': type } })
    expect((await read(response)).kind).toBe(is ? 'done' : 'again')
  })

  it('a refusal of another status than it says is no answer', async () => {
    expect(await read(json({ code: 403, message: 'Non.' }, 409))).toMatchObject({
      kind: 'again',
      status: null,
    })
  })

  it('a success may have to be of another form', async () => {
    const { status, headers, redirected, type } = json({ scans: [] })
    const answer = { status, headers, redirected, type, text: '{"scans":[]}' }
    const hasScans = (body: unknown) => typeof body === 'object' && body !== null && 'scans' in body
    expect(meaningOf(answer, now, hasScans)).toEqual({ kind: 'done', status: 200, receipt: { scans: [] } })
    expect(meaningOf(answer, now)).toMatchObject({ kind: 'again' })
  })

  it('an answer reached through a redirect is no answer', async () => {
    expect(await read(loaned(), { redirected: true })).toMatchObject({ kind: 'again', status: null })
    expect(await read(loaned(), { type: 'opaqueredirect' })).toMatchObject({ kind: 'again', status: null })
  })

  it.each([408, 425, 429, 500, 502, 503, 504])('%i comes again', async (status) => {
    expect(await read(refusal(status))).toEqual({ kind: 'again', status, retry_at: null })
  })

  it('409 of an action still running comes again, when the server asks', async () => {
    expect(await read(refusal(409, 'STILL_RUNNING', { 'Retry-After': '3' }))).toEqual({
      kind: 'again',
      status: 409,
      retry_at: now + 3000,
    })
  })

  it('409 of an action that the server has already is done, without a receipt', async () => {
    expect(await read(refusal(409, 'ALREADY_RECORDED'))).toEqual({ kind: 'done', status: 409, receipt: null })
  })

  it('403 of whoever must first set up a second factor comes again, and is no conflict', async () => {
    expect(await read(refusal(403, 'SECOND_FACTOR_REQUIRED'))).toEqual({
      kind: 'again',
      status: 403,
      retry_at: null,
    })
  })

  it.each([
    [refusal(422, 'STILL_RUNNING'), 'conflict'],
    [refusal(422, 'ALREADY_RECORDED'), 'conflict'],
    [refusal(409, 'KEY_REUSED'), 'conflict'],
    [refusal(400, 'ALREADY_RECORDED'), 'quarantine'],
  ])('a reason counts only under its status (%#)', async (response, kind) => {
    expect(await read(response)).toMatchObject({ kind })
  })

  it('401 pauses', async () => {
    expect(await read(refusal(401))).toEqual({ kind: 'signed-out' })
  })

  it.each([
    [refusal(403, 'RIGHT_MISSING'), 403, 'RIGHT_MISSING'],
    [refusal(409, 'ALREADY_LENT'), 409, 'ALREADY_LENT'],
    [refusal(409, 'KEY_OF_ANOTHER'), 409, 'KEY_OF_ANOTHER'],
    [violations('NOT_ELIGIBLE'), 422, 'NOT_ELIGIBLE'],
    [violations(), 422, null],
  ])('a refusal with a reason is for a person (%#)', async (response, code, reason) => {
    expect(await read(response)).toMatchObject({ kind: 'conflict', problem: { code, reason } })
  })

  it.each([[refusal(400)], [refusal(404)], [refusal(413)], [violations('KEY_REUSED')], [refusal(415)]])(
    'what can never be applied is quarantined (%#)',
    async (response) => {
      expect(await read(response)).toMatchObject({ kind: 'quarantine' })
    },
  )

  it('keeps the facts of a conflict and the fields of a violation', async () => {
    const facts = { loaning: { beneficiary_info: 'M1 - Martin Alice' } }
    expect(
      await read(json({ code: 409, message: 'Non.', reason: 'ALREADY_LENT', facts }, 409)),
    ).toMatchObject({ problem: { facts } })
    expect(await read(violations())).toMatchObject({
      problem: { message: 'Non.', facts: { violations: [{ propertyPath: 'copy' }] } },
    })
    expect(await read(refusal(409, 'ALREADY_LENT'))).toMatchObject({ problem: { facts: null } })
    expect(await read(refusal(409, 'OF_A_NEWER_VERSION'))).toMatchObject({ problem: { reason: null } })
    const bounds = [{ bound: 'longest_loan_days', days: 366 }]
    expect(await read(violations('BEYOND_BOUNDS', { bounds }))).toMatchObject({
      problem: { facts: { bounds, violations: [{ propertyPath: 'copy' }] } },
    })
  })
})

describe('Retry-After', () => {
  const asked = async (value: string, date?: string) => {
    const meaning = await read(
      refusal(503, undefined, { 'Retry-After': value, ...(date ? { Date: date } : {}) }),
    )
    return meaning.kind === 'again' && meaning.retry_at !== null ? meaning.retry_at - now : null
  }
  it('is seconds, or a date by the server’s clock', async () => {
    expect(await asked('120')).toBe(120_000)
    expect(await asked(' 0 ')).toBe(0)
    expect(await asked('Tue, 10 Mar 2026 09:00:30 GMT')).toBe(30_000)
    expect(await asked('Tue, 10 Mar 2026 09:00:30 GMT', 'hier')).toBe(30_000)
    expect(await asked('Tue, 10 Mar 2026 12:00:30 GMT', 'Tue, 10 Mar 2026 12:00:00 GMT')).toBe(30_000)
  })
  it('is not believed beyond an hour, nor when it makes no sense', async () => {
    expect(await asked('3600')).toBe(3600_000)
    expect(await asked('3601')).toBe(3600_000)
    expect(await asked('99999999')).toBe(3600_000)
    expect(await asked('')).toBeNull()
    expect(await asked('bientôt')).toBeNull()
    expect(await asked('Tue, 10 Mar 2020 09:00:30 GMT')).toBe(0)
  })
})

it('backOff waits 1 s at least, 5 min at most, doubling, never quite the same', () => {
  expect([1, 2, 3, 9, 10, 400].map((n) => backOff(n, () => 0))).toEqual([
    1000, 2000, 4000, 150_000, 150_000, 150_000,
  ])
  expect([1, 2, 3, 9, 10, 400].map((n) => backOff(n, () => 1))).toEqual([
    2000, 4000, 8000, 300_000, 300_000, 300_000,
  ])
})
