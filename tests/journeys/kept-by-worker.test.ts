import { randomUUID } from 'node:crypto'

import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { type Api, apiOf } from '../support/api-of.ts'
import { type Device, openDevice, signIn } from '../support/browser.ts'
import { becomeReadyForOffline, openCounter } from '../support/counter.ts'
import { readMeta, readOutbox } from '../support/page-store.ts'
import { openRunningServer, type RunningServer } from '../support/running-server.ts'
import { testPassword } from '../support/test-library.ts'

describe('a loan and a return that a page sends by itself without a network', () => {
  let server: RunningServer
  let device: Device
  let api: Api
  beforeAll(async () => {
    server = await openRunningServer()
    api = await apiOf(server.address, 'biblio', testPassword)
    await api.post('/api/loanings', { beneficiary: 2, copy: 6 })
    device = await openDevice(server.address, { viewport: 'tablet' })
  })
  afterAll(async () => {
    await device?.close()
    await server?.drop()
  })

  it('are kept by the worker, and sent once by it when the network is back and the page closed', async () => {
    const { context, page } = device
    await signIn(page, 'biblio', testPassword)
    await openCounter(page)
    await becomeReadyForOffline(page)
    const bare = await context.newPage()
    await bare.goto('/robots.txt')
    const { token } = (await readMeta(page, 'session')) as { token: string }
    await server.stop('SIGKILL')

    const calls = [
      { path: '/api/loanings', key: randomUUID(), body: { beneficiary: 1, copy: 1 } },
      { path: '/api/loanings/return', key: randomUUID(), body: { bar_code: '1006' } },
    ]
    /** As a page of another version would, twice. */
    const send = () =>
      page.evaluate(
        ([asked, bearer]) =>
          Promise.all(
            asked.map(async ({ path, key, body }) => {
              const answer = await fetch(path, {
                method: 'POST',
                body: JSON.stringify({ ...body, occurred_at: new Date().toISOString() }),
                headers: {
                  'Content-Type': 'application/json',
                  Authorization: `Bearer ${bearer}`,
                  'X-Site': '1',
                  'Idempotency-Key': key,
                },
              })
              return `${answer.status} ${((await answer.json()) as { message: string }).message}`
            }),
          ),
        [calls, token] as const,
      )
    const kept = expect.stringMatching(/^503 .*l’action est gardée sur cet appareil/)
    expect(await send()).toEqual([kept, kept])
    // What the page's own outbox is sending at that moment is answered as by no network.
    await send().catch(() => undefined)
    const keys = async () => (await readOutbox(bare)).map(({ id }) => id).sort()
    expect(await keys()).toEqual(calls.map(({ key }) => key).sort())

    await page.close()
    await server.start()
    const session = await context.newCDPSession(bare)
    const registered = new Promise<string>((resolve) => {
      session.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
        const found = registrations.find(({ scopeURL }) => scopeURL.startsWith(server.address))
        if (found) resolve(found.registrationId)
      })
    })
    await session.send('ServiceWorker.enable')
    const registrationId = await registered
    const states = async () => {
      // A browser calls again by itself.
      await session.send('ServiceWorker.dispatchSyncEvent', {
        origin: server.address,
        registrationId,
        tag: 'comptoir-drain',
        lastChance: false,
      })
      return (await readOutbox(bare)).map(({ state }) => state)
    }
    await expect.poll(states, { timeout: 60_000 }).toEqual(['done', 'done'])
    api = await apiOf(server.address, 'biblio', testPassword)
    expect(await api.lent()).toEqual(['1001'])
    expect(await api.countLoans()).toBe(2)
    expect(await keys()).toHaveLength(2)
  })
})
