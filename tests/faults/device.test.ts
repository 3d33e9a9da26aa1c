import { execFileSync } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import type { Page } from 'playwright-core'
import { afterAll, describe, expect, it } from 'vitest'

import { lineOf, openCounter, put } from '../support/counter.ts'
import { openDevice } from '../support/browser.ts'
import { openNewerStore } from '../support/page-store.ts'
import {
  copyCode,
  copyTitle,
  counterOn,
  type FaultyCounter,
  atFaultyCounter,
  reload,
} from './faulty-counter.ts'
import { type Fate, httpAnswer, isLend, keyOf, type PassingRequest } from './tcp-proxy.ts'

describe('a device that fails', () => {
  let profile = ''
  const at = atFaultyCounter(async () => {
    profile = await mkdtemp(join(tmpdir(), 'comptoir-profile-'))
    return { profile }
  })
  afterAll(() => rm(profile, { recursive: true, force: true }))
  let n = 0

  const loseNetwork = () => {
    at.counter.proxy.isDown = true
    at.counter.proxy.cutAll()
  }
  /** Another tab of the same browser, at the counter, with a reader chosen. */
  async function openTab(): Promise<Page> {
    const page = await at.counter.device.context.newPage()
    await page.goto('/home')
    await openCounter(page)
    await put(page, 'R1')
    await page.getByRole('region', { name: 'Lecteur' }).waitFor()
    return page
  }
  /** Holds the first such request until the answer is called; later ones meet `otherwise`. */
  function heldOnce(
    isIt: (request: PassingRequest) => boolean,
    otherwise: (request: PassingRequest) => Fate = () => 'pass',
  ): () => void {
    let release = () => {}
    const hold = new Promise<void>((resolve) => {
      release = resolve
    })
    let isMet = false
    at.counter.proxy.fateOf = (request) => {
      if (isMet || !isIt(request)) return otherwise(request)
      isMet = true
      return { hold }
    }
    return release
  }
  const lendOn = async (page: Page, copy: number) => {
    await put(page, copyCode(copy))
    await lineOf(page, copyTitle(copy))
      .getByText(/^(Enregistré|Confirmé)/)
      .first()
      .waitFor()
    at.counter.confirmed.push({ kind: 'lend', bar_code: copyCode(copy) })
  }

  it('sends once what two tabs recorded', async () => {
    const tab = await openTab()
    loseNetwork()
    const copies = [(n += 1), (n += 1), (n += 1), (n += 1)]
    for (const [turn, copy] of copies.entries()) await lendOn(turn % 2 ? tab : at.counter.page, copy)
    await at.counter.heal()
    for (const copy of copies) expect(await at.counter.statesOf(copy)).toEqual(['done'])
    await tab.close()
  })

  it('applies once what two tabs send at the same time, the lock bypassed', async () => {
    const context = at.counter.device.context
    const bypass = () => {
      const locks = navigator.locks as unknown as { request: (...args: unknown[]) => unknown }
      locks.request = (name, options, work) => {
        const act = (typeof options === 'function' ? options : work) as (lock: unknown) => unknown
        return Promise.resolve(act({ name, mode: 'exclusive' }))
      }
    }
    await context.addInitScript(bypass)
    await reload(at.counter.page)
    await at.counter.chooseReader()
    const tab = await openTab()
    loseNetwork()
    const copies = [(n += 1), (n += 1), (n += 1)]
    for (const copy of copies) await at.counter.lend(copy)
    const { proxy } = at.counter
    const first = (await at.counter.entriesOf(copies[0] ?? 0))[0]?.id
    const sent = () => proxy.seen.filter(({ request }) => keyOf(request) === first).length
    const before = sent()
    const goOn = heldOnce((request) => keyOf(request) === first)
    proxy.isDown = false
    const goesOnLine = (page: Page) => page.evaluate(() => dispatchEvent(new Event('online')))
    // One page has it on its way, and the other takes it for one that a dead page left behind.
    await goesOnLine(at.counter.page)
    await expect.poll(sent).toBe(before + 1)
    await goesOnLine(tab)
    await expect.poll(sent).toBeGreaterThan(before + 1)
    goOn()
    await at.counter.heal()
    for (const copy of copies) expect(await at.counter.statesOf(copy)).toEqual(['done'])
    await tab.close()
  })

  it('keeps what was confirmed when the browser is killed at any instant', async () => {
    for (const waits of [0, 5, 20, 60]) {
      loseNetwork()
      const kept = (n += 1)
      const doubtful = (n += 1)
      await at.counter.lend(kept)
      await put(at.counter.page, copyCode(doubtful))
      // Any instant will do, because the oracle tells a lie from a doubt.
      await new Promise((resolve) => setTimeout(resolve, waits))
      at.counter = await killAndReopen()
      // The page that opens tries at once.
      expect(['queued', 'sending']).toContain((await at.counter.statesOf(kept)).join())
      await at.counter.heal()
      expect(await at.counter.statesOf(kept)).toEqual(['done'])
      await at.counter.chooseReader()
    }
  })

  it('is sent by the worker when no page is open, and once though the worker is stopped while sending', async () => {
    const { context } = at.counter.device
    const bare = await context.newPage()
    await bare.goto('/robots.txt')
    loseNetwork()
    const copies = [(n += 1), (n += 1)]
    for (const copy of copies) await at.counter.lend(copy)
    // The page goes before the network is back: the worker alone is left to send.
    await at.counter.page.close()
    at.counter.proxy.isDown = false
    const session = await context.newCDPSession(bare)
    const registered = new Promise<string>((resolve) => {
      session.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
        const found = registrations.find(({ scopeURL }) => scopeURL.startsWith(at.counter.proxy.address))
        if (found) resolve(found.registrationId)
      })
    })
    await session.send('ServiceWorker.enable')
    const registrationId = await registered
    const sync = () =>
      session.send('ServiceWorker.dispatchSyncEvent', {
        origin: at.counter.proxy.address,
        registrationId,
        tag: 'comptoir-drain',
        lastChance: false,
      })
    const sent = () => at.counter.proxy.seen.filter(({ request }) => isLend(request)).length
    const before = sent()
    at.counter.proxy.fateOf = (request) => (isLend(request) ? 'swallow-answer' : 'pass')
    // A browser calls again while the page that closes still holds the lock.
    const sentAfterSync = async () => {
      await sync()
      return sent()
    }
    await expect.poll(sentAfterSync, { timeout: 30_000 }).toBeGreaterThan(before)
    await session.send('ServiceWorker.stopAllWorkers')
    at.counter.proxy.fateOf = () => 'pass'
    await sync()
    at.counter.use(bare)
    await expect
      .poll(async () => (await Promise.all(copies.map(at.counter.statesOf))).flat(), { timeout: 90_000 })
      .toEqual(['done', 'done'])
    await bare.goto('/home')
    await openCounter(bare)
    await at.counter.chooseReader()
  })

  it('goes on sending while a new version takes over', async () => {
    const worker = await (await fetch(`${at.server.address}/sw.js`)).text()
    const newer = httpAnswer(200, `${worker}\n// une version de plus`, {
      'Content-Type': 'text/javascript',
      'Cache-Control': 'no-cache',
    })
    loseNetwork()
    const copies = [(n += 1), (n += 1), (n += 1)]
    for (const copy of copies) await at.counter.lend(copy)
    const { proxy } = at.counter
    const sent = () => proxy.seen.filter(({ request }) => isLend(request)).length
    const before = sent()
    const goOn = heldOnce(isLend, (request) => (request.path === '/sw.js' ? newer : 'pass'))
    proxy.isDown = false
    await at.counter.page.evaluate(async () => {
      const registration = await navigator.serviceWorker.ready
      void registration.update()
      dispatchEvent(new Event('online'))
    })
    const update = at.counter.page.getByRole('button', { name: /Recharger|Mettre à jour/ })
    await update.waitFor()
    await expect.poll(sent).toBeGreaterThan(before)
    await update.click()
    goOn()
    await expect
      .poll(async () => (await Promise.all(copies.map(at.counter.statesOf))).flat(), { timeout: 60_000 })
      .toEqual(['done', 'done', 'done'])
    await openCounter(at.counter.page)
    await at.counter.chooseReader()
  })

  it('does not confirm what a newer version of its store keeps it from writing, and loses nothing', async () => {
    loseNetwork()
    const kept = (n += 1)
    await at.counter.lend(kept)
    const newer = await at.counter.device.context.newPage()
    at.counter.proxy.isDown = false
    await newer.goto('/robots.txt')
    loseNetwork()
    await openNewerStore(newer)
    await put(at.counter.page, copyCode((n += 1)))
    await lineOf(at.counter.page, copyCode(n))
      .or(lineOf(at.counter.page, copyTitle(n)))
      .first()
      .waitFor()
    await at.counter.page
      .getByText(/version plus récente de Comptoir/)
      .first()
      .waitFor()
    // The store keeps its rows whatever its version, the one that was about to be tried again like any other.
    at.counter.use(newer)
    expect(await at.counter.statesOf(kept)).toHaveLength(1)
    expect(await at.counter.statesOf(n)).toEqual([])
    isOutdated = true
  })
  let isOutdated = false

  it('leaves nothing for the oracle to find', async () => {
    expect(isOutdated).toBe(true)
    await at.counter.judge()
  })

  /** The browser ends as at a power cut; the same tablet is opened again. */
  async function killAndReopen(): Promise<FaultyCounter> {
    const { confirmed, proxy, device } = at.counter
    execFileSync('pkill', ['-9', '-f', profile])
    await device.close().catch(() => undefined)
    proxy.isDown = false
    const again = await openDevice(proxy.address, { still: true, profile })
    const reopened = counterOn(at.server, proxy, again, confirmed)
    loseNetwork()
    await again.page.goto('/home')
    await openCounter(again.page)
    return reopened
  }
})
