import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { apiOf } from '../support/api-of.ts'
import { type Device, openDevice, signIn } from '../support/browser.ts'
import { hasFetched } from '../support/chunk-of.ts'
import { openRunningServer, type RunningServer } from '../support/running-server.ts'
import { adminPassword } from '../support/test-library.ts'
import { openCounter } from '../support/counter.ts'

// One of them is of the holidays of the year to come, from November to January.
const mostFiles = 31
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

/** Waits until nothing of the page is drawn in outline any more. */
async function untilDrawn(page: Page): Promise<void> {
  await page.locator('main h1, main h2').first().waitFor({ state: 'attached' })
  await expect.poll(() => page.locator('.mantine-Skeleton-root').count()).toBe(0)
}

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

    it('signs in without an empty page', async () => {
      const files = filesOf(page)
      await page.goto('/login')
      await page.getByLabel('Nom d’utilisateur').waitFor()
      await page.evaluate(async () => {
        await navigator.serviceWorker.ready
      })
      expect([...files].length).toBeLessThanOrEqual(mostFiles)
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
    })

    it.each(['/home', '/loanings'])('fetches few files for %s', async (path) => {
      const files = filesOf(page)
      await page.goto(path)
      await untilDrawn(page)
      await expect.poll(() => hasFetched(page, 'src/client/api/live-changes.ts')).toBe(true)
      expect([...files].length).toBeGreaterThan(5)
      expect([...files].length).toBeLessThanOrEqual(mostFiles)
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
      // Whoever comes near before the page listens comes near again.
      const comeNear = async () => {
        await page.mouse.move(700, 500)
        await page.getByRole('link', { name: /^Prêts/ }).hover()
        return hasFetched(page, list)
      }
      await expect.poll(comeNear).toBe(true)
      expect(new URL(page.url()).pathname).toBe('/home')
    } finally {
      await device.close()
    }
  })
})
