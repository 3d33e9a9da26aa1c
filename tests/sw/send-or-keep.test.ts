import { randomUUID } from 'node:crypto'

import { afterEach, describe, expect, it, vi } from 'vitest'

import { occurredAtHeader, sealHeader } from '../../src/contract/seal.ts'
import { meaningOf } from '../../src/offline/answer-meaning.ts'
import { drain } from '../../src/offline/drain.ts'
import { keptAnswer, keptHeader } from '../../src/offline/kept-answer.ts'
import { getEntry, listEntries } from '../../src/offline/outbox.ts'
import { withdrawQueued } from '../../src/offline/outbox-decisions.ts'
import { forgetSession } from '../../src/offline/session-mirror.ts'
import { isToBeTakenUp } from '../../src/offline/take-up.ts'
import { sendOrKeep } from '../../sw/strategies.ts'
import {
  change,
  copyRow,
  freshDevice,
  json,
  lending,
  loaned,
  loadSnapshot,
  outboxNews,
  readerRow,
  record,
  scriptedServer,
  settingsOf,
  signIn,
} from '../offline/device.ts'

freshDevice()
afterEach(() => vi.unstubAllGlobals())

const origin = 'https://pret.exemple.fr'
const at = '2026-03-10T09:00:00.000Z'

type Sent = { path?: string; body?: unknown; headers?: Record<string, string>; signal?: AbortSignal }

/** What a page sends by itself, signed in as the device is. */
const sent = ({ path = '/api/loanings', body, headers = {}, signal }: Sent = {}): Request =>
  new Request(new URL(path, origin), {
    method: 'POST',
    body: JSON.stringify(body ?? { copy: '/api/copies/1', beneficiary: 1, occurred_at: at }),
    headers: {
      'Content-Type': 'application/json',
      Authorization: 'Bearer jeton',
      'X-Site': '1',
      'Idempotency-Key': randomUUID(),
      ...headers,
    },
    ...(signal ? { signal } : {}),
  })

const network = (answer: () => Promise<Response>) => vi.stubGlobal('fetch', answer)
const noNetwork = () => network(() => Promise.reject(new TypeError('Failed to fetch')))
const onKept = vi.fn()
const keyOf = (request: Request) => request.headers.get('idempotency-key') ?? ''

describe('a loan that a page sends by itself', () => {
  it('is kept under its own key where no network takes it, sealed and as it was sent', async () => {
    await signIn()
    await loadSnapshot({ copies: [copyRow(1)], beneficiaries: [readerRow(1)] })
    const news = outboxNews()
    noNetwork()
    const request = sent()
    const body = await request.clone().text()
    onKept.mockClear()
    const answer = await sendOrKeep(request, onKept)
    expect([answer.status, answer.headers.get(keptHeader)]).toEqual([503, '1'])
    expect(await answer.json()).toMatchObject({ code: 503, message: expect.stringContaining('est gardée') })
    expect(onKept).toHaveBeenCalledOnce()
    const [entry, ...others] = await listEntries()
    expect(others).toEqual([])
    expect(entry).toMatchObject({
      id: keyOf(request),
      endpoint: 'loanings.lend',
      frozen_body: body,
      body: { copy: 1, beneficiary: 1 },
      site: 1,
      username: 'biblio',
      copy_id: 1,
      bar_code: '1001',
      beneficiary_id: 1,
      device_seq: 1,
      state: 'queued',
      label: { kind: 'lend', title: 'Livre numéro 1', beneficiary: 'Alice Martin (M1)', due: null },
    })
    expect(entry?.seal).toMatchObject({ mac: expect.any(String) })
    expect(news).toContainEqual({ ids: [keyOf(request)], to_send: true })

    const server = scriptedServer(() => loaned())
    expect(await drain(settingsOf(server.fetch))).toMatchObject({ done: 1, stopped: null })
    expect(server.sent.map(({ path, key }) => [path, key])).toEqual([['/api/loanings', keyOf(request)]])
    expect(server.sent[0]?.headers.has(sealHeader)).toBe(true)
  })

  it('is kept once, however often it is sent again, also once it is done', async () => {
    await signIn()
    noNetwork()
    const request = sent()
    const again = [request.clone(), request.clone(), request.clone()]
    await Promise.all([sendOrKeep(request, onKept), sendOrKeep(again[0]!, onKept)])
    expect((await sendOrKeep(again[1]!, onKept)).status).toBe(503)
    expect(await listEntries()).toHaveLength(1)
    await drain(settingsOf(scriptedServer(() => loaned()).fetch))
    expect((await sendOrKeep(again[2]!, onKept)).headers.has(keptHeader)).toBe(true)
    expect((await listEntries()).map(({ state }) => state)).toEqual(['done'])
  })

  it('is nobody’s to drop, because the server may have it', async () => {
    await signIn()
    noNetwork()
    const request = sent()
    await sendOrKeep(request, onKept)
    expect((await getEntry(keyOf(request)))?.attempts).toBe(1)
    expect(await withdrawQueued(keyOf(request), 'biblio')).toBe(false)
  })

  it('leaves with the moment of the device where its body says none', async () => {
    await signIn()
    noNetwork()
    await sendOrKeep(sent({ body: { copy: '/api/copies/1', beneficiary: 1 } }), onKept)
    await sendOrKeep(sent(), onKept)
    const [first] = await listEntries()
    const server = scriptedServer(() => loaned())
    await drain(settingsOf(server.fetch))
    expect(server.sent.map(({ headers }) => headers.get(occurredAtHeader))).toEqual([
      first?.occurred_at,
      null,
    ])
  })

  it('fails where a person has put it aside', async () => {
    await signIn()
    const entry = await change(await record(lending(1)), { state: 'set_aside' })
    noNetwork()
    const again = sent({ headers: { 'Idempotency-Key': entry.id } })
    await expect(sendOrKeep(again, onKept)).rejects.toThrow('Failed to fetch')
  })

  it('fails where the outbox is sending that very one', async () => {
    await signIn()
    const entry = await change(await record(lending(1)), { state: 'sending' })
    noNetwork()
    await expect(sendOrKeep(sent({ headers: { 'Idempotency-Key': entry.id } }), onKept)).rejects.toThrow(
      'Failed to fetch',
    )
    expect(await listEntries()).toEqual([entry])
  })

  it('is answered by the server where it answers, whatever it says', async () => {
    await signIn()
    network(() => Promise.resolve(json({ code: 500, message: 'Oups.' }, 500)))
    expect(await (await sendOrKeep(sent(), onKept)).json()).toEqual({ code: 500, message: 'Oups.' })
    expect(await listEntries()).toEqual([])
  })

  it('fails where the page gave up, which has told its person so', async () => {
    await signIn()
    noNetwork()
    await expect(sendOrKeep(sent({ signal: AbortSignal.abort() }), onKept)).rejects.toThrow()
    expect(await listEntries()).toEqual([])
  })

  it.each<[string, Sent]>([
    ['another session', { headers: { Authorization: 'Bearer autre' } }],
    ['a key that is none', { headers: { 'Idempotency-Key': 'deux' } }],
    ['a body that the call does not take', { body: { copy: 1 } }],
  ])('fails where it is of %s', async (_, of) => {
    await signIn()
    noNetwork()
    await expect(sendOrKeep(sent(of), onKept)).rejects.toThrow('Failed to fetch')
    expect(await listEntries()).toEqual([])
  })

  it('fails where nobody is signed in any more', async () => {
    await signIn()
    await forgetSession()
    noNetwork()
    await expect(sendOrKeep(sent(), onKept)).rejects.toThrow('Failed to fetch')
    expect(await listEntries()).toEqual([])
  })
})

describe('a return that a page sends by itself', () => {
  it.each<[string, string, unknown, object]>([
    [
      'by its bar code',
      '/api/loanings/return',
      { bar_code: '1001', loan_key: 'b3f0a5de-6b3a-4a53-9d42-2ed1a7f7a9a0', occurred_at: at },
      {
        endpoint: 'loanings.return_copy',
        copy_id: 1,
        bar_code: '1001',
        depends_on: 'b3f0a5de-6b3a-4a53-9d42-2ed1a7f7a9a0',
        label: { kind: 'return', title: 'Livre numéro 1' },
      },
    ],
    [
      'of a loan',
      '/api/loanings/12/return',
      { state: 'GOOD', occurred_at: at },
      {
        endpoint: 'loanings.return',
        params: { id: '12' },
        body: { state: 'GOOD' },
        label: { kind: 'return', title: 'Prêt n° 12' },
      },
    ],
  ])('is kept, %s', async (_, path, body, kept) => {
    await signIn()
    await loadSnapshot({ copies: [copyRow(1)] })
    noNetwork()
    const request = sent({ path, body })
    await sendOrKeep(request, onKept)
    expect(await getEntry(keyOf(request))).toMatchObject(kept)
  })
})

describe('isToBeTakenUp', () => {
  const of = (request: Request) => isToBeTakenUp(request, origin)

  it('finds loans and returns that no outbox sends', () => {
    expect(of(sent())).toBe(true)
    expect(of(sent({ path: '/api/loanings/return' }))).toBe(true)
    expect(of(sent({ path: '/api/loanings/12/return' }))).toBe(true)
  })

  it('leaves alone what an outbox sends, other calls, other places and what has no key', () => {
    expect(of(sent({ headers: { [sealHeader]: 'x.y' } }))).toBe(false)
    for (const path of [
      '/api/loanings/12/extend',
      '/api/loanings/fast',
      '/api/loanings/0/return',
      '/api/sales',
    ]) {
      expect(of(sent({ path }))).toBe(false)
    }
    expect(isToBeTakenUp(sent(), 'https://ailleurs.exemple.fr')).toBe(false)
    const url = new URL('/api/loanings', origin).href
    expect(isToBeTakenUp({ method: 'POST', url, headers: new Headers() }, origin)).toBe(false)
    const headers = new Headers({ 'Idempotency-Key': randomUUID() })
    expect(isToBeTakenUp({ method: 'GET', url, headers }, origin)).toBe(false)
  })
})

it('the answer to what is kept is read by an outbox as one to send again', async () => {
  const answer = keptAnswer()
  const { status, redirected, type, headers } = answer
  const text = await answer.text()
  expect(meaningOf({ status, redirected, type, headers, text }, 0)).toMatchObject({
    kind: 'again',
    status: 503,
  })
})
