import type { Locator } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { type Device, openDevice, signIn, typeAsScanner, viewports } from '../support/browser.ts'
import { openRunningServer, type RunningServer } from '../support/running-server.ts'
import { adminPassword } from '../support/test-library.ts'
import { openCounter } from '../support/counter.ts'

// What is said stands ten seconds, and nobody waits for it.

describe('what is said', () => {
  let server: RunningServer
  let device: Device
  beforeAll(async () => {
    server = await openRunningServer({ onPostgres: true })
    device = await openDevice(server.address, { viewport: 'phone', still: true, keepsShell: false })
    await signIn(device.page, 'admin', adminPassword)
    await openCounter(device.page)
  })
  afterAll(async () => {
    expect(device.errors).toEqual([])
    await device?.close()
    await server?.drop()
  })

  const added = async (name: string) => {
    const { page } = device
    await page
      .getByRole('button', { name: /^Ajouter/ })
      .first()
      .click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel(/^Nom/).fill(name)
    await dialog.getByRole('button', { name: 'Valider' }).click()
    await dialog.waitFor({ state: 'detached' })
    const said = page.locator('.mantine-Notification-root').filter({ hasText: name })
    await said.waitFor()
    return said
  }

  /** What a message covers of a dialog, and whether the dialog begins below it; null once nothing is said. */
  const measured = (dialog: Locator) =>
    dialog.evaluate((room) => {
      const words = [...document.querySelectorAll('.mantine-Notification-root')].at(-1)
      if (!words) return null
      const isCovered = (button: Element) => {
        const { top, bottom, left, right } = button.getBoundingClientRect()
        if (top < 0 || bottom > innerHeight) return false
        const over = document.elementFromPoint((left + right) / 2, (top + bottom) / 2)
        return over?.closest('.mantine-Notification-root') != null
      }
      return {
        isBelow: room.getBoundingClientRect().top >= words.getBoundingClientRect().bottom,
        covered: [...room.querySelectorAll('button')].filter(isCovered).map(({ textContent }) => textContent),
      }
    })

  it.each(['phone', 'tablet'] as const)('covers no button of a dialog on a %s', async (viewport) => {
    const { page } = device
    await page.setViewportSize(viewports[viewport])
    await page.goto('/settings/categories')
    const said = await added(`Bandes dessinées sur ${viewport}`)
    await page
      .getByRole('button', { name: /^Ajouter/ })
      .first()
      .click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: 'Valider' }).waitFor()
    await expect.poll(() => measured(dialog)).toEqual({ isBelow: true, covered: [] })
    await said.getByRole('button').click()
    await said.waitFor({ state: 'detached' })
    // An ignored code is said at the bottom, in passing.
    await typeAsScanner(page, '31555510009999')
    await page.locator('.mantine-Notification-root').waitFor()
    expect((await measured(dialog))?.covered ?? []).toEqual([])
    await page.keyboard.press('Escape')
  })

  it.each(['phone', 'tablet'] as const)(
    'covers on the counter of a %s neither its box nor what was scanned last',
    async (viewport) => {
      const { page } = device
      await page.setViewportSize(viewports[viewport])
      await page.goto('/home')
      await openCounter(page)
      await typeAsScanner(page, '31555510009999')
      const box = page.locator('[data-scanning]').first()
      const last = page.getByRole('region', { name: 'Passages au comptoir' }).getByRole('listitem').first()
      await last.waitFor()
      await page.route('**/api/copies?*', (route) =>
        route.fulfill({
          status: 422,
          contentType: 'application/problem+json',
          body: JSON.stringify({
            status: 422,
            message: 'Une phrase bien plus longue que la barre. '.repeat(4),
          }),
        }),
      )
      // As the search everywhere leads to a copy.
      await page.evaluate(() => {
        history.pushState(null, '', '/home?copy=1')
        dispatchEvent(new PopStateEvent('popstate'))
      })
      const said = page.locator('.mantine-Notification-root')
      await said.first().waitFor()
      const clear = async () => {
        const [words, field, line] = [
          await said.last().boundingBox(),
          await box.boundingBox(),
          await last.boundingBox(),
        ]
        if (!words || !field || !line) return false
        const end = words.y + words.height
        return field.y >= end && line.y >= field.y + field.height
      }
      await expect.poll(clear).toBe(true)
      await page.unrouteAll()
      for (const one of await said.all()) await one.getByRole('button').click()
    },
  )

  it.each(['phone', 'tablet', 'desktop'] as const)(
    'has the last message first, and covers on a %s nothing of what the page is there for',
    async (viewport) => {
      const { page } = device
      await page.setViewportSize(viewports[viewport])
      await page.goto('/settings/categories')
      const main = page.getByRole('button', { name: /^Ajouter/ }).first()
      const boxOf = async (of: Locator) => {
        const box = await of.boundingBox()
        if (!box) throw new Error('It has no place on the page.')
        return box
      }
      const first = await added(`Polar sur ${viewport}`)
      const [words, button] = [await boxOf(first), await boxOf(main)]
      expect(words.y + words.height).toBeLessThanOrEqual(button.y)
      const second = await added(`Récits de mer sur ${viewport}`)
      // The earlier one moves down.
      await expect
        .poll(async () => {
          const [before, last] = [await boxOf(first), await boxOf(second)]
          return last.y + last.height <= before.y
        })
        .toBe(true)
    },
  )
})
