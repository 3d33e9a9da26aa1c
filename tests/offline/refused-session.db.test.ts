import { expect, it } from 'vitest'

import { clearSnapshot } from '../../src/offline/clear-snapshot.ts'
import { findReader } from '../../src/offline/counter.ts'
import { sides } from '../../src/offline/device-store.ts'
import { drain } from '../../src/offline/drain.ts'
import { readLibrary } from '../../src/offline/known-library.ts'
import { getEntry } from '../../src/offline/outbox.ts'
import type { DeviceFetch } from '../../src/offline/send-entry.ts'
import { currentSession, rememberSession } from '../../src/offline/session-mirror.ts'
import { watchSessionRefused } from '../../src/offline/session-news.ts'
import { refreshSnapshot } from '../../src/offline/snapshot.ts'
import { snapshotState } from '../../src/offline/snapshot-state.ts'
import { emptyUnusedSide } from '../../src/offline/empty-side.ts'
import { describeServer } from '../support/test-server.ts'
import { biblio, freshDevice, lending, record, settingsOf, signInWith, stillClock } from './device.ts'

const nothingKnown = {
  complete: false,
  site: null,
  loading: null,
  counts: { copies: 0, beneficiaries: 0, loanings: 0, reservations: 0 },
}

describeServer('a device whose session was ended from afar', (server) => {
  freshDevice()
  const network: DeviceFetch = (path, init) => server.app.request(path, init)
  const clock = stillClock()
  const refresh = (fetch = network) => refreshSnapshot({ fetch, site: 1, now: clock.now })

  /** A tablet that knows the library, and holds a loan that waits. */
  async function tablet() {
    const client = await server.as('biblio')
    await signInWith(client, biblio)
    expect(await refresh()).toEqual({ ok: true })
    expect(await findReader('R1')).not.toBeNull()
    const action = lending(1)
    const waiting = await record(
      { ...action, label: { ...action.label, beneficiary: 'M1 - Martin Alice' } },
      biblio,
      new Date(clock.at),
    )
    return { client, waiting }
  }

  it('knows no reader any more once its queue is refused; the queue stays, and says whom it is about', async () => {
    const { client, waiting } = await tablet()
    await client.post('/api/logout')
    let told = 0
    const stop = watchSessionRefused(() => (told += 1))
    expect(await drain(settingsOf(network, clock))).toMatchObject({ stopped: 'signed-out' })
    stop()
    expect(await snapshotState()).toMatchObject(nothingKnown)
    expect(await findReader('R1')).toBeNull()
    expect(await getEntry(waiting.id)).toMatchObject({
      state: 'queued',
      label: { title: 'Livre numéro 1', beneficiary: 'M1 - Martin Alice' },
    })
    expect(told).toBe(1)
  })

  it('knows none either once its refreshing is refused', async () => {
    const { client, waiting } = await tablet()
    await client.post('/api/logout')
    expect(await refresh()).toEqual({ ok: false, why: 'signed-out' })
    expect(await snapshotState()).toMatchObject(nothingKnown)
    expect((await getEntry(waiting.id))?.state).toBe('queued')
  })

  it.each([
    [
      'a portal',
      () => new Response('<h1>Bienvenue</h1>', { status: 401, headers: { 'Content-Type': 'text/html' } }),
    ],
    ['a proxy', () => Response.json({ error: 'login required' }, { status: 401 })],
    ['another server’s code', () => Response.json({ code: 403, message: 'Non.' }, { status: 401 })],
  ])('goes on when it is %s that refuses', async (_, refusing) => {
    await tablet()
    await drain(settingsOf(refusing, clock))
    await refresh(refusing)
    expect(await findReader('R1')).not.toBeNull()
    expect(await currentSession()).not.toBeNull()
  })

  it('keeps what a newer sign-in knows when an older answer comes late', async () => {
    const { client } = await tablet()
    await client.post('/api/logout')
    const newer = await server.as('biblio')
    const late: DeviceFetch = async (path, init) => {
      const answer = await network(path, init)
      await rememberSession({ ...biblio, token: newer.token ?? '' })
      return answer
    }
    expect(await drain(settingsOf(late, clock))).toMatchObject({ stopped: 'signed-out' })
    expect(await findReader('R1')).not.toBeNull()
    expect(await currentSession()).toMatchObject({ token: newer.token })
  })

  it('does not take a refused token up again, and knows the library again after the next sign-in', async () => {
    const { client, waiting } = await tablet()
    await client.post('/api/logout')
    await drain(settingsOf(network, clock))
    // A page that was closed meanwhile still holds it.
    await rememberSession({ ...biblio, token: client.token ?? '' })
    expect(await currentSession()).toBeNull()
    const { token } = await server.as('biblio')
    await rememberSession({ ...biblio, token: token ?? '' })
    expect(await refresh()).toEqual({ ok: true })
    expect(await findReader('R1')).not.toBeNull()
    expect(await drain(settingsOf(network, clock))).toMatchObject({ done: 1 })
    expect((await getEntry(waiting.id))?.state).toBe('done')
  })

  it('does not empty what the next person loads, when it is slow in emptying the last one’s', async () => {
    await tablet()
    await clearSnapshot()
    expect(await refresh()).toEqual({ ok: true })
    for (const side of sides) await emptyUnusedSide(side)
    expect(await snapshotState()).toMatchObject({ complete: true, counts: { copies: 10, beneficiaries: 4 } })
    expect(await readLibrary(async (library) => library?.settings?.parameters['timezone'])).toBe(
      'Europe/Paris',
    )
  })
})
