import { execFileSync } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { lineOf, openCounter, put } from '../journeys/counter.ts'
import { openDevice } from '../support/browser.ts'
import { openNewerStore } from '../support/page-store.ts'
import type { RunningServer } from '../support/running-server.ts'
import {
  copyCode,
  copyTitle,
  counterOn,
  type FaultyCounter,
  openFaultyCounter,
  openFaultyServer,
  reload,
} from './faulty-counter.ts'
import { httpAnswer, isLend } from './tcp-proxy.ts'

describe('a device that fails', () => {
  let server: RunningServer
  let counter: FaultyCounter
  let profile: string
  let n = 0
  beforeAll(async () => {
    server = await openFaultyServer()
    profile = await mkdtemp(join(tmpdir(), 'comptoir-profile-'))
    counter = await openFaultyCounter(server, { profile })
    await counter.chooseReader()
  })
  afterAll(async () => {
    await counter?.close()
    await server?.drop()
    await rm(profile, { recursive: true, force: true })
  })

  const statesOf = async (copy: number) => (await counter.entriesOf(copy)).map(({ state }) => state)
  const loseNetwork = () => {
    counter.proxy.isDown = true
    counter.proxy.cutAll()
  }
  /** Another tab of the same browser, at the counter, with a reader chosen. */
  async function openTab(): Promise<Page> {
    const page = await counter.device.context.newPage()
    await page.goto('/home')
    await openCounter(page)
    await put(page, 'R1')
    await page.getByRole('region', { name: 'Lecteur' }).waitFor()
    return page
  }
  const lendOn = async (page: Page, copy: number) => {
    await put(page, copyCode(copy))
    await lineOf(page, copyTitle(copy))
      .getByText(/^(Enregistré|Confirmé)/)
      .first()
      .waitFor()
    counter.confirmed.push({ kind: 'lend', bar_code: copyCode(copy) })
  }

  it('sends once what two tabs recorded', async () => {
    const tab = await openTab()
    loseNetwork()
    const copies = [(n += 1), (n += 1), (n += 1), (n += 1)]
    for (const [at, copy] of copies.entries()) await lendOn(at % 2 ? tab : counter.page, copy)
    await counter.heal()
    for (const copy of copies) expect(await statesOf(copy)).toEqual(['done'])
    await tab.close()
  })

  it('applies once what two tabs send at the same time, the lock bypassed', async () => {
    const context = counter.device.context
    const bypass = () => {
      const locks = navigator.locks as unknown as { request: (...args: unknown[]) => unknown }
      locks.request = (name, options, work) => {
        const act = (typeof options === 'function' ? options : work) as (lock: unknown) => unknown
        return Promise.resolve(act({ name, mode: 'exclusive' }))
      }
    }
    await context.addInitScript(bypass)
    await reload(counter.page)
    await counter.chooseReader()
    const tab = await openTab()
    loseNetwork()
    const copies = [(n += 1), (n += 1), (n += 1)]
    for (const copy of copies) await counter.lend(copy)
    const before = counter.proxy.seen.length
    counter.proxy.isDown = false
    await Promise.all(
      [counter.page, tab].map((page) => page.evaluate(() => dispatchEvent(new Event('online')))),
    )
    await counter.heal()
    for (const copy of copies) expect(await statesOf(copy)).toEqual(['done'])
    expect(
      counter.proxy.seen.slice(before).filter(({ request }) => isLend(request)).length,
    ).toBeGreaterThanOrEqual(3)
    await tab.close()
  })

  it('keeps what was confirmed when the browser is killed at any instant', async () => {
    for (const waits of [0, 5, 20, 60]) {
      loseNetwork()
      const kept = (n += 1)
      const doubtful = (n += 1)
      await counter.lend(kept)
      await put(counter.page, copyCode(doubtful))
      // Any instant will do: what was not confirmed may be kept or not, and the oracle tells a lie from a doubt.
      await new Promise((resolve) => setTimeout(resolve, waits))
      counter = await killAndReopen()
      expect(await statesOf(kept)).toEqual(['queued'])
      await counter.heal()
      expect(await statesOf(kept)).toEqual(['done'])
      await counter.chooseReader()
    }
  })

  it('is sent by the worker when no page is open, and once though the worker is stopped while sending', async () => {
    loseNetwork()
    const copies = [(n += 1), (n += 1)]
    for (const copy of copies) await counter.lend(copy)
    const { context } = counter.device
    const bare = await context.newPage()
    counter.proxy.isDown = false
    await bare.goto('/robots.txt')
    await counter.page.close()
    const session = await context.newCDPSession(bare)
    const registered = new Promise<string>((resolve) => {
      session.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
        const found = registrations.find(({ scopeURL }) => scopeURL.startsWith(counter.proxy.address))
        if (found) resolve(found.registrationId)
      })
    })
    await session.send('ServiceWorker.enable')
    const registrationId = await registered
    const sync = () =>
      session.send('ServiceWorker.dispatchSyncEvent', {
        origin: counter.proxy.address,
        registrationId,
        tag: 'comptoir-drain',
        lastChance: false,
      })
    const sent = () => counter.proxy.seen.filter(({ request }) => isLend(request)).length
    const before = sent()
    counter.proxy.fateOf = (request) => (isLend(request) ? 'swallow-answer' : 'pass')
    await sync()
    await expect.poll(sent).toBeGreaterThan(before)
    await session.send('ServiceWorker.stopAllWorkers')
    counter.proxy.fateOf = () => 'pass'
    await sync()
    counter.use(bare)
    await expect
      .poll(async () => (await Promise.all(copies.map(statesOf))).flat(), { timeout: 90_000 })
      .toEqual(['done', 'done'])
    await bare.goto('/home')
    await openCounter(bare)
    await counter.chooseReader()
  })

  it('goes on sending while a new version takes over', async () => {
    const worker = await (await fetch(`${server.address}/sw.js`)).text()
    const newer = httpAnswer(200, `${worker}\n// une version de plus`, {
      'Content-Type': 'text/javascript',
      'Cache-Control': 'no-cache',
    })
    loseNetwork()
    const copies = [(n += 1), (n += 1), (n += 1)]
    for (const copy of copies) await counter.lend(copy)
    counter.proxy.isDown = false
    counter.proxy.fateOf = (request) => (request.path === '/sw.js' ? newer : 'pass')
    await counter.page.evaluate(async () => {
      const registration = await navigator.serviceWorker.ready
      void registration.update()
      dispatchEvent(new Event('online'))
    })
    await counter.page.getByRole('button', { name: /Recharger|Mettre à jour/ }).click()
    await expect
      .poll(async () => (await Promise.all(copies.map(statesOf))).flat(), { timeout: 60_000 })
      .toEqual(['done', 'done', 'done'])
    await openCounter(counter.page)
    await counter.chooseReader()
  })

  it('does not confirm what a newer version of its store keeps it from writing, and loses nothing', async () => {
    loseNetwork()
    const kept = (n += 1)
    await counter.lend(kept)
    const newer = await counter.device.context.newPage()
    counter.proxy.isDown = false
    await newer.goto('/robots.txt')
    loseNetwork()
    await openNewerStore(newer)
    await put(counter.page, copyCode((n += 1)))
    await lineOf(counter.page, copyCode(n))
      .or(lineOf(counter.page, copyTitle(n)))
      .first()
      .waitFor()
    await counter.page
      .getByText(/version plus récente du Comptoir/)
      .first()
      .waitFor()
    // The store keeps its rows whatever its version.
    counter.use(newer)
    expect(await statesOf(kept)).toEqual(['queued'])
    expect(await statesOf(n)).toEqual([])
    isOutdated = true
  })
  let isOutdated = false

  it('leaves nothing for the oracle to find', async () => {
    expect(isOutdated).toBe(true)
    await counter.judge()
  })

  /** The browser ends as at a power cut; the same tablet is opened again. */
  async function killAndReopen(): Promise<FaultyCounter> {
    const { confirmed, proxy, device } = counter
    execFileSync('pkill', ['-9', '-f', profile])
    await device.close().catch(() => undefined)
    proxy.isDown = false
    const again = await openDevice(proxy.address, { still: true, profile })
    const reopened = counterOn(server, proxy, again, confirmed)
    loseNetwork()
    await again.page.goto('/home')
    await openCounter(again.page)
    return reopened
  }
})

describe('a device whose disk or clock fails', () => {
  let server: RunningServer
  let counter: FaultyCounter
  let n = 0
  beforeAll(async () => {
    server = await openFaultyServer()
    counter = await openFaultyCounter(server)
    await counter.chooseReader()
  })
  afterAll(async () => {
    await counter?.close()
    await server?.drop()
  })
  const statesOf = async (copy: number) => (await counter.entriesOf(copy)).map(({ state }) => state)
  const lentAt = async (copy: number): Promise<number> => {
    const [entry] = (await counter.entriesOf(copy)).slice(-1)
    const receipt = entry?.receipt as { lent_at?: string; loaning?: { lent_at: string } }
    return Date.parse(receipt.lent_at ?? receipt.loaning?.lent_at ?? '')
  }
  /** The device's clock, from the next page on, is so many hours ahead. */
  async function setClock(hours: number): Promise<void> {
    await counter.page.evaluate((ms) => localStorage.setItem('clock', String(ms)), hours * 3600_000)
    await counter.page.goto('/home')
    await openCounter(counter.page)
    await counter.chooseReader()
  }

  it('says that a full disk kept nothing, offers the queue as a file, and works again with room', async () => {
    const { page, proxy } = counter
    const kept = (n += 1)
    proxy.isDown = true
    proxy.cutAll()
    await counter.lend(kept)
    const session = await page.context().newCDPSession(page)
    await session.send('Storage.overrideQuotaForOrigin', { origin: proxy.address, quotaSize: 1 })
    // The browser believes for a while in the room it last measured: what it confirms meanwhile is kept.
    const refused = page.getByText(/mémoire de cet appareil est pleine/).first()
    while (!(await refused.isVisible())) {
      n += 1
      await put(page, copyCode(n))
      const kept = lineOf(page, copyTitle(n)).getByText(/^(Enregistré|Confirmé)/)
      await kept.or(refused).first().waitFor()
      if (!(await refused.isVisible())) counter.confirmed.push({ kind: 'lend', bar_code: copyCode(n) })
    }
    expect(await statesOf(n)).toEqual([])
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page
        .getByRole('button', { name: /Exporter/ })
        .first()
        .click(),
    ])
    expect(download.suggestedFilename()).toMatch(/^comptoir-actions-/)
    await session.send('Storage.overrideQuotaForOrigin', { origin: proxy.address })
    await counter.lend((n += 1))
    await counter.heal()
    expect(await statesOf(kept)).toEqual(['done'])
    expect(await statesOf(n)).toEqual(['done'])
  })

  it('dates by the server’s time what a clock three hours ahead recorded', async () => {
    await counter.device.context.addInitScript(() => {
      const RealDate = Date
      const ahead = () => Number(localStorage.getItem('clock') ?? 0)
      globalThis.Date = class extends RealDate {
        constructor(...given: unknown[]) {
          if (given.length === 0) super(RealDate.now() + ahead())
          else super(...(given as [number]))
        }
        static override now() {
          return RealDate.now() + ahead()
        }
      } as DateConstructor
    })
    await setClock(3)
    const first = (n += 1)
    await counter.lend(first)
    await expect.poll(() => statesOf(first), { timeout: 60_000 }).toHaveLength(1)
    await counter.heal()
    const copy = (n += 1)
    await counter.lend(copy)
    await counter.heal()
    expect(await statesOf(copy)).toEqual(['done'])
    expect(Math.abs((await lentAt(copy)) - Date.now())).toBeLessThan(5 * 60_000)
  })

  it('asks for the date of what a clock days off recorded', async () => {
    await setClock(-72)
    counter.proxy.isDown = true
    counter.proxy.cutAll()
    const copy = (n += 1)
    await counter.lend(copy)
    await counter.heal()
    expect((await counter.entriesOf(copy))[0]).toMatchObject({
      state: 'conflict',
      problem: { reason: 'CLOCK_OFF' },
    })
    const { page } = counter
    await page.goto('/waiting')
    await page
      .getByRole('listitem')
      .filter({ hasText: copyTitle(copy) })
      .getByRole('button', { name: 'Choisir la date' })
      .click()
    await page.getByRole('dialog').getByRole('button', { name: 'Choisir la date' }).click()
    await expect.poll(() => statesOf(copy), { timeout: 60_000 }).toEqual(['set_aside', 'done'])
    expect(Math.abs((await lentAt(copy)) - Date.now())).toBeLessThan(10 * 60_000)
  })

  it('keeps the order of what was done while the clock jumped back', async () => {
    await setClock(0)
    counter.proxy.isDown = true
    counter.proxy.cutAll()
    const copy = (n += 1)
    await counter.lend(copy)
    await counter.page.evaluate(() => localStorage.setItem('clock', String(-2 * 3600_000)))
    await counter.giveBack(copy)
    await counter.heal()
    const states = await statesOf(copy)
    expect(states[0]).toBe('done')
    // Dated before its loan, the return is a person's to judge, or it follows: it is never lost.
    expect(['done', 'conflict']).toContain(states[1])
    await setClock(0)
  })

  it('leaves nothing for the oracle to find', async () => {
    await counter.judge()
  })
})
