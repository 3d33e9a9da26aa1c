import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { type Device, openDevice, signIn, viewports } from '../support/browser.ts'
import { openCounter } from '../support/counter.ts'
import { openRunningServer, type RunningServer } from '../support/running-server.ts'
import { adminPassword } from '../support/test-library.ts'

// The settings have one column that leads to all of them, and the parameters one that leads to their sections.

describe('the settings', () => {
  let server: RunningServer
  let device: Device
  let page: Page
  beforeAll(async () => {
    server = await openRunningServer({ onPostgres: true })
    device = await openDevice(server.address, { viewport: 'desktop', keepsShell: false })
    page = device.page
    await signIn(page, 'admin', adminPassword)
    await openCounter(page, 'Centre')
  })
  afterAll(async () => {
    expect(device?.errors).toEqual([])
    await device?.close()
    await server?.drop()
  })

  const index = () => page.getByRole('navigation', { name: 'Réglages' })
  const contents = () => page.getByRole('navigation', { name: 'Sections' })
  const section = (name: string) => contents().getByRole('link', { name, exact: true })
  /** Where the top of a heading is, and whether nothing covers it. */
  const headOf = (name: string) =>
    page.getByRole('heading', { level: 2, name, exact: true }).evaluate((heading) => {
      const { left, top, height } = heading.getBoundingClientRect()
      const seen = document.elementFromPoint(left + 2, top + height / 2)
      return { top, isSeen: seen !== null && heading.contains(seen) }
    })

  it.each([
    ['desktop', '/settings/categories', true],
    ['wide', '/users', true],
    ['desktop', '/settings/mail/late_1', true],
    // Their columns need the width.
    ['desktop', '/users', false],
    ['desktop', '/settings/acts', false],
    ['desktop', '/settings/copies', false],
    ['wide', '/settings/copies', true],
    ['tablet', '/settings/categories', false],
    ['phone', '/settings/categories', false],
  ] as const)('on a %s has at %s its index beside it: %s', async (viewport, path, isBeside) => {
    await page.setViewportSize(viewports[viewport])
    await page.goto(path)
    await page.getByRole('heading', { level: 1 }).waitFor()
    expect(await index().isVisible()).toBe(isBeside)
    if (isBeside) {
      expect(await index().getByRole('searchbox', { name: 'Chercher un réglage' }).isVisible()).toBe(true)
      // The place that is marked is in sight, however long the index.
      const here = await index().locator('[aria-current]').boundingBox()
      expect((here?.y ?? 0) + (here?.height ?? Infinity)).toBeLessThanOrEqual(viewports[viewport].height)
    } else {
      const trail = page.getByRole('navigation', { name: 'Fil d’Ariane' })
      await trail.getByRole('link', { name: 'Réglages' }).click()
      await page.waitForURL(({ pathname }) => pathname === '/settings')
    }
  })

  it.each(['phone', 'tablet', 'desktop'] as const)(
    'on a %s leads to each section of the parameters, and marks the one in sight',
    async (viewport) => {
      await page.setViewportSize(viewports[viewport])
      await page.goto('/settings/global')
      for (const name of ['Réservations', 'Données personnelles', 'Bibliothèque']) {
        await section(name).click()
        await expect.poll(() => section(name).getAttribute('aria-current')).toBe('location')
        const { isSeen } = await headOf(name)
        expect([name, isSeen]).toEqual([name, true])
        expect(await section(name).isVisible()).toBe(true)
      }
      await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight))
      await expect.poll(() => section('Courrier').getAttribute('aria-current')).toBe('location')
    },
  )

  it.each(['phone', 'desktop'] as const)(
    'on a %s brings in sight what was written wrong in another section',
    async (viewport) => {
      await page.setViewportSize(viewports[viewport])
      await page.goto('/settings/global')
      const zone = page.getByRole('textbox', { name: /^Fuseau horaire/ })
      await zone.fill('Europe/Pariss')
      await section('Courrier').click()
      await expect.poll(async () => (await headOf('Courrier')).isSeen).toBe(true)
      await page.getByRole('button', { name: 'Enregistrer' }).click()
      await page.getByText('Ce fuseau horaire n’existe pas').waitFor()
      const isUncovered = await zone.evaluate((field) => {
        const { x, y, width, height } = field.getBoundingClientRect()
        return document.elementFromPoint(x + width / 2, y + height / 2) === field
      })
      expect(isUncovered).toBe(true)
      await page.getByRole('button', { name: 'Annuler' }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Valider' }).click()
      await page.getByText('Aucune modification').waitFor()
    },
  )
})
