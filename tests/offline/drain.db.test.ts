import { beforeAll, expect, it } from 'vitest'

import { listDueOffline } from '../../src/client/home/due-offline.ts'
import { openLoansOf } from '../../src/offline/counter.ts'
import { drain } from '../../src/offline/drain.ts'
import type { Entry } from '../../src/offline/entry.ts'
import { getEntry, listEntries } from '../../src/offline/outbox.ts'
import { retryEntry } from '../../src/offline/outbox-decisions.ts'
import { hashToken } from '../../src/server/session/find-caller.ts'
import type { DeviceFetch } from '../../src/offline/send-entry.ts'
import { refreshSnapshot } from '../../src/offline/snapshot.ts'
import { type Client, describeServer } from '../support/test-server.ts'
import {
  freshDevice,
  lending,
  receiptId,
  record,
  reloadPage,
  returning,
  settingsOf,
  signInWith,
  stillClock,
} from './device.ts'

describeServer('the outbox and the server', (server) => {
  freshDevice()
  let client: Client
  beforeAll(async () => {
    client = await server.as('biblio')
  })

  const person = { environment_id: 1, site: 1, user_id: 2, username: 'biblio' }
  const signInAsBiblio = () => signInWith(client, person)
  const network: DeviceFetch = (path, init) => server.app.request(path, init)
  const at = (time: string) => new Date(`2026-03-10T${time}Z`)
  const lendAt = (n: number, time: string, beneficiary = 1) =>
    record(lending(n, beneficiary), person, at(time))
  const openLoans = async (n: number) =>
    (await client.get(`/api/loanings?copy=${n}&status=in_progress`)).body['hydra:totalItems'] as number
  const states = async () => (await listEntries()).map(({ state }) => state)

  it('applies a loan and its return, dated when they happened', async () => {
    await signInAsBiblio()
    const lend = await lendAt(1, '08:00:00')
    await record(returning(1, lend), person, at('08:30:00'))
    expect(await drain(settingsOf(network))).toMatchObject({ done: 2, refused: 0, stopped: null })
    const [first] = await listEntries()
    const { body } = await client.get(`/api/loanings/${receiptId(first)}`)
    expect(body).toMatchObject({
      status: 'finished',
      lent_at: at('08:00:00').toISOString(),
      returned_at: at('08:30:00').toISOString(),
    })
  })

  it('applies once what was cut after the server had it, page dead and reloaded', async () => {
    await signInAsBiblio()
    const lend = await lendAt(2, '08:00:00')
    const clock = stillClock()
    const cutAfterCommit: DeviceFetch = async (path, init) => {
      await server.app.request(path, init)
      throw new TypeError('Failed to fetch')
    }
    await drain(settingsOf(cutAfterCommit, clock))
    expect(await getEntry(lend.id)).toMatchObject({ state: 'queued', attempts: 1 })
    await reloadPage()
    let replayed: string | null = null
    const again: DeviceFetch = async (path, init) => {
      const response = await network(path, init)
      replayed = response.headers.get('idempotency-replayed')
      return response
    }
    expect(await drain({ ...settingsOf(again, clock), hurry: true })).toMatchObject({ done: 1 })
    expect(replayed).toBe('true')
    expect(await openLoans(2)).toBe(1)
  })

  it('never closes another reader’s loan with the return of a loan that was refused', async () => {
    await signInAsBiblio()
    const lend = await lendAt(3, '08:00:00', 1)
    const back = await record(returning(3, lend), person, at('08:10:00'))
    await client.post('/api/loanings', { beneficiary: 2, copy: 3 }, { site: 1 })
    await drain(settingsOf(network))
    expect(await states()).toEqual(['conflict', 'waiting'])
    expect(await getEntry(lend.id)).toMatchObject({
      problem: {
        code: 409,
        reason: 'ALREADY_LENT',
        facts: { loaning: { beneficiary: 2, beneficiary_info: 'M2 - Dupont Éric' } },
      },
    })
    expect(await openLoans(3)).toBe(1)
    // The other reader brings it back: now the first loan can be made, and its own return closes it.
    await client.post(
      '/api/loanings/return',
      { bar_code: '1003', occurred_at: at('09:00:00').toISOString() },
      { site: 1 },
    )
    await retryEntry(lend.id, { username: 'biblio' })
    expect(await drain(settingsOf(network))).toMatchObject({ done: 2, refused: 0 })
    expect((await getEntry(back.id))?.state).toBe('done')
    expect(await openLoans(3)).toBe(0)
  })

  it('keeps for a person what a right or a rule refuses', async () => {
    await signInAsBiblio()
    await lendAt(4, '08:00:00', 3)
    await drain(settingsOf(network))
    expect(await listEntries()).toMatchObject([
      { state: 'conflict', problem: { code: 422, reason: 'NOT_ELIGIBLE' } },
    ])
    const { profile } = await server.db
      .selectFrom('users')
      .select('profile')
      .where('id', '=', person.user_id)
      .executeTakeFirstOrThrow()
    const right = { profile, right_code: 'LOANING_ADD' }
    await server.db
      .deleteFrom('profile_rights')
      .where('profile', '=', profile)
      .where('right_code', '=', right.right_code)
      .execute()
    const other = await lendAt(5, '08:00:00')
    await drain(settingsOf(network))
    await server.db.insertInto('profile_rights').values(right).execute()
    expect(await getEntry(other.id)).toMatchObject({
      state: 'conflict',
      problem: { code: 403, reason: 'RIGHT_MISSING' },
    })
  })

  /** Puts an action to the server with its own key, as another person would who has the queue's file. */
  async function presentedBy(username: string, entry: Entry): Promise<void> {
    const other = await server.as(username)
    await other.post('/api/loanings', {}, { key: entry.id, site: entry.site, rawBody: entry.frozen_body })
  }

  it('takes for done what the server has under another name, which tells nothing of it', async () => {
    await signInAsBiblio()
    const lend = await lendAt(8, '08:00:00')
    await presentedBy('admin', lend)
    expect(await drain(settingsOf(network))).toMatchObject({ done: 1, refused: 0 })
    expect(await getEntry(lend.id)).toMatchObject({ state: 'done', receipt: null, last_status: 409 })
    expect(await openLoans(8)).toBe(1)
    // The device counts one loan of it, before it learns of it and after.
    const counted = async () =>
      (await openLoansOf(1, '2026-03-10')).filter(({ bar_code }) => bar_code === '1008')
    expect(await counted()).toMatchObject([])
    await refreshSnapshot({ fetch: network, site: 1, now: () => Date.parse('2026-03-10T08:00:00Z') })
    expect(await counted()).toMatchObject([{ loan_id: expect.any(Number), waiting: false }])
    const due = { page: 1, limit: 50, order: [], filters: [] }
    const late = await listDueOffline('late', due, '2026-04-10')
    expect(late.loans.filter(({ bar_code }) => bar_code === '1008')).toHaveLength(1)
    await record(returning(8, lend), person, at('08:30:00'))
    await drain(settingsOf(network))
    expect(await openLoans(8)).toBe(0)
  })

  it('puts before a person what was refused under another name, to be put again under a new key', async () => {
    await signInAsBiblio()
    const lend = await lendAt(9, '08:00:00')
    await client.post('/api/loanings', { beneficiary: 2, copy: 9 }, { site: 1 })
    await presentedBy('admin', lend)
    await client.post('/api/loanings/return', { bar_code: '1009' }, { site: 1 })
    await drain(settingsOf(network))
    expect(await getEntry(lend.id)).toMatchObject({
      state: 'conflict',
      problem: { code: 409, reason: 'KEY_OF_ANOTHER', facts: null },
    })
    const again = await retryEntry(lend.id, { username: 'biblio' })
    await drain(settingsOf(network))
    expect(await getEntry(again?.id ?? '')).toMatchObject({
      state: 'done',
      receipt: { status: 'in_progress' },
    })
    await client.post('/api/loanings/return', { bar_code: '1009' }, { site: 1 })
  })

  it('keeps everything when the session has ended, and sends it after the next sign-in', async () => {
    const earlier = await server.as('biblio')
    await signInWith(earlier, person)
    await server.db
      .updateTable('sessions')
      .set({ last_used_at: '2026-03-09T12:00:00Z' })
      .where('token_hash', '=', hashToken(earlier.token ?? ''))
      .execute()
    await lendAt(6, '08:00:00')
    await lendAt(7, '08:01:00')
    expect(await drain(settingsOf(network))).toMatchObject({ stopped: 'signed-out' })
    expect(await states()).toEqual(['queued', 'queued'])
    await signInAsBiblio()
    expect(await drain(settingsOf(network))).toMatchObject({ done: 2 })
  })

  it('takes a hundred gestures through a network that fails one time in three, each once and in order', async () => {
    await signInAsBiblio()
    const clock = stillClock()
    const { count: before } = await countLoans()
    for (let turn = 0; turn < 50; turn += 1) {
      const n = 8 + (turn % 3)
      const time = new Date(at('07:00:00').getTime() + turn * 2000)
      const lend = await record(lending(n), person, time)
      await record(returning(n, lend), person, new Date(time.getTime() + 1000))
    }
    // A small generator of its own, so that a failure can be repeated.
    let seed = 20260310
    const chance = () => {
      seed = (seed * 1103515245 + 12345) % 2147483648
      return seed / 2147483648
    }
    const flapping: DeviceFetch = async (path, init) => {
      const luck = chance()
      if (luck < 0.17) throw new TypeError('Failed to fetch')
      const response = await server.app.request(path, init)
      if (luck < 0.33) throw new TypeError('network changed')
      return response
    }
    let report = await drain(settingsOf(flapping, clock))
    while (report.stopped === 'network') {
      clock.at = report.next_try ?? clock.at
      report = await drain(settingsOf(flapping, clock))
    }
    expect(new Set(await states())).toEqual(new Set(['done']))
    expect((await countLoans()).count - before).toBe(50)
    const ids = (await listEntries()).map(receiptId)
    expect(ids).toEqual([...ids].sort((a, b) => a - b))
  })

  const countLoans = () =>
    server.db
      .selectFrom('loanings')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow()
})
