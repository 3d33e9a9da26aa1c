import { readFileSync } from 'node:fs'

import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { apiOf } from '../support/api-of.ts'
import { type Device, openDevice, signIn } from '../support/browser.ts'
import { hasFetched } from '../support/chunk-of.ts'
import { openRunningServer, type RunningServer } from '../support/running-server.ts'
import { adminPassword } from '../support/test-library.ts'
import { becomeReadyForOffline, openCounter, scanBox } from './counter.ts'

const mostFiles = 30
const isCall = /^\/(api|auth|dns|health)(\/|$)/

/** The files of the application that a page asks for from now on, whoever serves them. */
function filesOf(page: Page): Set<string> {
  const files = new Set<string>()
  page.on('request', (request) => {
    const { pathname, protocol } = new URL(request.url())
    if (protocol.startsWith('http') && !request.serviceWorker() && !isCall.test(pathname)) files.add(pathname)
  })
  return files
}

/** What moved on the page by itself since it was opened: how far, and what. */
const movedOn = (page: Page): Promise<string[]> =>
  page.evaluate(async () => {
    const moved: string[] = []
    const observer = new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) {
        if ('hadRecentInput' in entry && entry.hadRecentInput === true) continue
        const sources = 'sources' in entry && Array.isArray(entry.sources) ? entry.sources : []
        const what = sources.map(({ node }: { node: Node | null }) => node?.textContent?.slice(0, 60) ?? '')
        moved.push(`${String('value' in entry ? entry.value : '')} ${what.join(' | ')}`)
      }
    })
    observer.observe({ type: 'layout-shift', buffered: true })
    await new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))
    observer.disconnect()
    return moved
  })

/** Waits until nothing of the page is drawn in outline any more. */
async function untilDrawn(page: Page): Promise<void> {
  await page.locator('main h1, main h2').first().waitFor({ state: 'attached' })
  await expect.poll(() => page.locator('.mantine-Skeleton-root').count()).toBe(0)
}

/** Every screen behind the door. */
const addresses = Array.from(
  readFileSync('src/client/app/screens.tsx', 'utf8').matchAll(/^ {4}path: '([^']+)'/gm),
  ([, path = '']) => path.replace(':loaning_id', '1'),
)

describe('a first visit', () => {
  let server: RunningServer
  beforeAll(async () => {
    server = await openRunningServer()
    const api = await apiOf(server.address, 'admin', adminPassword)
    const late = { start_date: '2026-01-05', override_reason: 'Reprise du cahier' }
    await api.post('/api/loanings', { beneficiary: 2, copy: 1, ...late })
  })
  afterAll(() => server?.drop())

  describe.each(['phone', 'tablet', 'desktop'] as const)('on a %s', (viewport) => {
    let device: Device
    let page: Page
    beforeAll(async () => {
      device = await openDevice(server.address, { viewport })
      page = device.page
    })
    afterAll(() => device?.close())

    it('signs in without an empty page, and nothing moves until the counter is ready for off line', async () => {
      const files = filesOf(page)
      await page.goto('/login')
      await page.getByLabel('Nom d’utilisateur').waitFor()
      await page.evaluate(async () => {
        await navigator.serviceWorker.ready
      })
      expect([...files].length).toBeLessThanOrEqual(mostFiles)
      expect(await movedOn(page)).toEqual([])
      // What is seen at each picture, until the counter is there.
      await page.evaluate(() => {
        const look = () => {
          const isEmpty = document.querySelector('form, main, [role="dialog"]') === null
          if (isEmpty) document.documentElement.dataset['wasEmpty'] = 'true'
          requestAnimationFrame(look)
        }
        requestAnimationFrame(look)
      })
      await page.getByLabel('Nom d’utilisateur').fill('admin')
      await page.getByLabel('Mot de passe', { exact: true }).fill(adminPassword)
      await page.getByRole('button', { name: 'Se connecter' }).click()
      await openCounter(page, 'Centre')
      await untilDrawn(page)
      expect(await page.evaluate(() => document.documentElement.dataset['wasEmpty'])).toBeUndefined()
      await page.getByRole('status').filter({ hasText: 'En ligne' }).waitFor({ state: 'attached' })
      expect(await movedOn(page)).toEqual([])
    })

    it.each(['/home', '/loanings'])('fetches few files for %s', async (path) => {
      const files = filesOf(page)
      await page.goto(path)
      await untilDrawn(page)
      await expect.poll(() => hasFetched(page, 'src/client/api/live-changes.ts')).toBe(true)
      expect([...files].length).toBeGreaterThan(5)
      expect([...files].length).toBeLessThanOrEqual(mostFiles)
    })

    it.each(addresses)('moves nothing on %s', async (path) => {
      await page.goto(path)
      await untilDrawn(page)
      expect(await movedOn(page)).toEqual([])
    })

    it('moves nothing when the network goes and comes back', async () => {
      await becomeReadyForOffline(page)
      await untilDrawn(page)
      await device.context.setOffline(true)
      await page.getByText('Hors ligne').first().waitFor({ state: 'attached' })
      expect(await movedOn(page)).toEqual([])
      await page.reload()
      await scanBox(page).waitFor()
      await untilDrawn(page)
      await device.context.setOffline(false)
      await page.getByText('Hors ligne').first().waitFor({ state: 'detached' })
      expect(await movedOn(page)).toEqual([])
    })
  })

  it('fetches a screen when the pointer comes to its door', async () => {
    const device = await openDevice(server.address, { viewport: 'desktop' })
    const { page } = device
    try {
      await signIn(page, 'admin', adminPassword)
      await openCounter(page, 'Centre')
      const list = 'src/client/loans/loan-list-screen.tsx'
      expect(await hasFetched(page, list)).toBe(false)
      await page.getByRole('link', { name: /^Prêts/ }).hover()
      await expect.poll(() => hasFetched(page, list)).toBe(true)
      expect(new URL(page.url()).pathname).toBe('/home')
    } finally {
      await device.close()
    }
  })
})
