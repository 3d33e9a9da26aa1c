import { describe, expect, it } from 'vitest'

import { waitingTag } from '../support/counter.ts'
import { apiOf } from '../support/api-of.ts'
import { tamperWith } from '../support/page-store.ts'
import { testPassword } from '../support/test-library.ts'
import { copyCode, copyTitle, atFaultyCounter } from './faulty-counter.ts'
import { type Fate, httpAnswer, isLend, isReturn, keyOf, type PassingRequest } from './tcp-proxy.ts'

describe('a network that fails', () => {
  const at = atFaultyCounter(undefined, { onPostgres: true })
  let n = 0

  /** What the loan of a copy met on its way, in order. */
  const fatesOf = async (copy: number): Promise<Fate[]> => {
    const [entry] = await at.counter.entriesOf(copy)
    return at.counter.proxy.seen.filter(({ request }) => keyOf(request) === entry?.id).map(({ fate }) => fate)
  }
  const stateOf = async (copy: number) => (await at.counter.entriesOf(copy))[0]?.state

  /** Lends the next copy while loans meet these fates in turn, and answers its number. */
  async function lendMeeting(...fates: Fate[]): Promise<number> {
    const copy = (n += 1)
    const left = [...fates]
    at.counter.proxy.fateOf = (request) => (isLend(request) ? (left.shift() ?? 'pass') : 'pass')
    await at.counter.lend(copy)
    await expect.poll(() => left.length, { timeout: 60_000 }).toBe(0)
    return copy
  }
  async function isDoneAfterHealing(copy: number): Promise<void> {
    await at.counter.heal()
    expect(await at.counter.entriesOf(copy)).toMatchObject([{ state: 'done', bar_code: copyCode(copy) }])
  }

  it('applies once a loan whose answer was cut after the commit, on a fresh connection', async () => {
    const copy = (n += 1)
    let met = 0
    // Chromium itself repeats a request whose reused connection ends without a byte.
    at.counter.proxy.fateOf = (request) => {
      if (!isLend(request) || met > 0) return 'pass'
      if (request.nth > 1) return 'drop'
      met += 1
      return 'cut-answer'
    }
    await at.counter.lend(copy)
    await expect.poll(() => met).toBe(1)
    await isDoneAfterHealing(copy)
    expect((await fatesOf(copy)).length).toBeGreaterThan(1)
  })

  it('applies once a loan whose answer was cut after the commit, on a reused connection', async () => {
    let met: PassingRequest | null = null
    at.counter.proxy.fateOf = (request) => {
      if (!isLend(request) || met || request.nth === 1) return 'pass'
      met = request
      return 'cut-answer'
    }
    for (let tries = 0; tries < 10; tries += 1) {
      if (met) break
      n += 1
      await at.counter.lend(n)
      await expect
        .poll(() => met !== null || at.counter.entriesOf(n).then(([entry]) => entry?.state === 'done'))
        .toBeTruthy()
    }
    expect(met).not.toBeNull()
    await isDoneAfterHealing(n)
  })

  it.each<[string, Fate]>([
    ['the answer’s body is cut', 'cut-body'],
    ['the request is cut', 'cut-request'],
    ['the answer never comes', 'swallow-answer'],
  ])('applies a loan once when %s', async (_, fate) => {
    await isDoneAfterHealing(await lendMeeting(fate))
  })

  it('keeps what falls into a black hole while the browser believes in its network', async () => {
    const copy = (n += 1)
    at.counter.proxy.fateOf = (request) => (isLend(request) ? 'blackhole' : 'pass')
    await at.counter.lend(copy)
    await expect.poll(async () => (await at.counter.entriesOf(copy))[0]?.state).toBe('sending')
    expect(await at.counter.page.evaluate(() => navigator.onLine)).toBe(true)
    // The counter goes on meanwhile.
    await at.counter.lend((n += 1))
    await isDoneAfterHealing(copy)
    await isDoneAfterHealing(n)
  })

  it('takes an answer that comes byte by byte', async () => {
    const copy = await lendMeeting('trickle')
    await expect.poll(() => stateOf(copy), { timeout: 60_000 }).toBe('done')
    expect(await fatesOf(copy)).toEqual(['trickle'])
  })

  it('makes one loan of ten requests at the same instant', async () => {
    await isDoneAfterHealing(await lendMeeting({ duplicate: 10 }))
  })

  it('never does again what arrives late, after its loan and the return of it', async () => {
    let release = () => {}
    const late = new Promise<void>((resolve) => {
      release = resolve
    })
    const copy = await lendMeeting({ hold: late })
    at.counter.proxy.fateOf = () => 'pass'
    // The device gives up on the connection and sends again; the network still holds the first one.
    at.counter.proxy.cutDevice()
    await expect.poll(() => stateOf(copy), { timeout: 60_000 }).toBe('done')
    await at.counter.giveBack(copy)
    await expect
      .poll(async () => (await at.counter.entriesOf(copy)).map(({ state }) => state))
      .toEqual(['done', 'done'])
    release()
    const api = await apiOf(at.server.address, 'biblio', testPassword)
    await expect.poll(() => at.counter.proxy.lateAnswers).toBeGreaterThan(0)
    expect(await api.lent()).not.toContain(copyCode(copy))
  })

  it('puts a return that overtook its loan before a person, who loses neither', async () => {
    const copy = (n += 1)
    const { proxy, page } = at.counter
    proxy.isDown = true
    proxy.cutAll()
    await at.counter.lend(copy)
    await at.counter.giveBack(copy)
    // The device itself keeps its order: it is the network that lets the second action through first.
    const back = (await at.counter.entriesOf(copy))[1]
    const api = await apiOf(at.server.address, 'biblio', testPassword)
    const early = await api.post('/api/loanings/return', JSON.parse(back?.frozen_body ?? ''), {
      key: back?.id ?? '',
      site: back?.site ?? 0,
    })
    expect(early).toMatchObject({ status: 409, body: { reason: 'LOAN_NOT_MADE' } })
    await at.counter.heal()
    expect(await at.counter.statesOf(copy)).toEqual(['done', 'conflict'])
    expect(await api.lent()).toContain(copyCode(copy))
    await page.goto('/waiting')
    await page
      .getByRole('listitem')
      .filter({ hasText: copyTitle(copy) })
      .getByRole('button', { name: 'Clore le prêt en cours' })
      .click()
    await expect.poll(() => at.counter.statesOf(copy)).toEqual(['done', 'set_aside', 'done'])
    expect(await api.lent()).not.toContain(copyCode(copy))
    await page.goto('/home')
    await at.counter.chooseReader()
  })

  it('refuses a body that was changed, and another one under a key that served', async () => {
    const copy = (n += 1)
    let isApplied = false
    at.counter.proxy.fateOf = (request) => {
      if (!isLend(request)) return 'pass'
      const fate = isApplied ? 'cut-request' : 'cut-answer'
      isApplied = true
      return fate
    }
    await at.counter.lend(copy)
    await expect.poll(() => isApplied).toBe(true)
    await expect.poll(() => stateOf(copy)).toBe('queued')
    await tamperWith(at.counter.page, copyCode(copy), '"beneficiary":1', '"beneficiary":2')
    await at.counter.heal()
    expect(await at.counter.entriesOf(copy)).toMatchObject([
      { state: 'conflict', problem: { code: 403, reason: 'SEAL_BROKEN' } },
    ])
    // Even when the person takes what was changed for theirs, its key has served for something else.
    await at.counter.page.goto('/waiting')
    await at.counter.page
      .getByRole('region', { name: 'À confirmer' })
      .getByRole('button', { name: /^Confirmer/ })
      .click()
    await expect.poll(() => stateOf(copy)).toBe('quarantined')
    expect(await at.counter.entriesOf(copy)).toMatchObject([{ problem: { code: 422, reason: 'KEY_REUSED' } }])
    // The applied loan is another entry's as far as the oracle can see: a new try under a new key finds it.
    await at.counter.page
      .getByRole('listitem')
      .filter({ hasText: copyTitle(copy) })
      .getByRole('button', { name: 'Réessayer' })
      .click()
    await expect
      .poll(async () => (await at.counter.entriesOf(copy)).map(({ state }) => state))
      .toEqual(['set_aside', 'conflict'])
    expect((await at.counter.entriesOf(copy))[1]?.problem?.reason).toBe('ALREADY_LENT')
    tampered.push(copyCode(copy))
    await at.counter.page.goto('/home')
    await at.counter.chooseReader()
  })
  const tampered: string[] = []

  it('tries again after three failures of the server', async () => {
    const failure = httpAnswer(
      500,
      JSON.stringify({ code: 500, message: 'Une erreur inattendue s’est produite.' }),
    )
    const copy = await lendMeeting(failure, failure, failure)
    await expect.poll(() => stateOf(copy), { timeout: 60_000 }).toBe('done')
    expect((await at.counter.entriesOf(copy))[0]).toMatchObject({ faults: 3, attempts: 4 })
  })

  it('sets a copy on which the server always fails apart, and goes on with the others', async () => {
    const copy = (n += 1)
    const failure = httpAnswer(
      500,
      JSON.stringify({ code: 500, message: 'Une erreur inattendue s’est produite.' }),
    )
    const entryId = () => at.counter.entriesOf(copy).then(([entry]) => entry?.id)
    let id: string | undefined
    at.counter.proxy.fateOf = (request) =>
      isLend(request) && (id === undefined || keyOf(request) === id) ? failure : 'pass'
    await at.counter.lend(copy)
    id = await entryId()
    await at.counter.lend((n += 1))
    await expect.poll(() => stateOf(copy), { timeout: 120_000 }).toBe('quarantined')
    await expect.poll(() => stateOf(n), { timeout: 60_000 }).toBe('done')
    await waitingTag(at.counter.page).waitFor()
  })

  it('comes back when a server that is too busy asks it to', async () => {
    const busy = httpAnswer(429, JSON.stringify({ code: 429, message: 'Trop de demandes.' }), {
      'Retry-After': '2',
    })
    const copy = await lendMeeting(busy)
    await expect.poll(() => stateOf(copy), { timeout: 60_000 }).toBe('done')
    expect((await at.counter.entriesOf(copy))[0]).toMatchObject({ faults: 0, attempts: 2 })
  })

  it.each<[string, Fate]>([
    [
      'a portal’s page',
      httpAnswer(200, '<html><body>Bienvenue</body></html>', { 'Content-Type': 'text/html' }),
    ],
    ['a portal’s redirection', httpAnswer(302, '', { Location: 'http://localhost:9/portail' })],
    ['a proxy’s refusal', httpAnswer(403, '<html>Interdit</html>', { 'Content-Type': 'text/html' })],
  ])('takes %s for no network', async (_, fate) => {
    const copy = await lendMeeting(fate)
    expect((await at.counter.entriesOf(copy))[0]).not.toMatchObject({ state: 'conflict' })
    await isDoneAfterHealing(copy)
  })

  it('keeps a loan and its return in order however the network flaps between them', async () => {
    const copy = (n += 1)
    at.counter.proxy.isDown = true
    at.counter.proxy.cutAll()
    await at.counter.lend(copy)
    await at.counter.giveBack(copy)
    at.counter.proxy.isDown = false
    let flaps = 0
    at.counter.proxy.fateOf = (request) =>
      isLend(request) || isReturn(request) ? ((flaps += 1) % 2 ? 'cut-answer' : 'pass') : 'pass'
    await at.counter.page.evaluate(() => dispatchEvent(new Event('online')))
    await expect.poll(() => flaps).toBeGreaterThan(0)
    await isDoneInOrder(copy)
  })

  it('leaves nothing for the oracle to find', async () => {
    await at.counter.heal()
    await at.counter.judge({ tampered })
  })

  async function isSettled(copy: number, ...states: string[]): Promise<void> {
    await expect
      .poll(async () => (await at.counter.entriesOf(copy)).map(({ state }) => state), { timeout: 60_000 })
      .toEqual(states)
  }
  const isDoneInOrder = async (copy: number) => {
    await at.counter.heal()
    await isSettled(copy, 'done', 'done')
  }
})
