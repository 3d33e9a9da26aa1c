import type { Locator } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { type Device, openDevice, signIn, typeAsScanner, viewports } from '../support/browser.ts'
import { openRunningServer, type RunningServer } from '../support/running-server.ts'
import { adminPassword } from '../support/test-library.ts'
import { openCounter } from './counter.ts'

// What is said stands ten seconds, and nobody waits for it.

describe('what is said', () => {
  let server: RunningServer
  let device: Device
  beforeAll(async () => {
    server = await openRunningServer({ onPostgres: true })
    device = await openDevice(server.address, { viewport: 'phone', still: true })
    await signIn(device.page, 'admin', adminPassword)
    await openCounter(device.page)
  })
  afterAll(async () => {
    expect(device.errors).toEqual([])
    await device?.close()
    await server?.drop()
  })

  it.each(['phone', 'tablet'] as const)('covers no button of a dialog on a %s', async (viewport) => {
    const { page } = device
    await page.setViewportSize(viewports[viewport])
    await page.goto('/users')
    await page.getByRole('button', { name: 'Ajouter un utilisateur' }).first().click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: 'Valider' }).waitFor()
    await typeAsScanner(page, '31555510009999')
    const said = page.locator('.mantine-Notification-root').last()
    await said.waitFor()
    const covered = () =>
      dialog.getByRole('button').evaluateAll((buttons) =>
        buttons
          .filter((button) => {
            const { top, bottom, left, right } = button.getBoundingClientRect()
            if (top < 0 || bottom > innerHeight) return false
            const over = document.elementFromPoint((left + right) / 2, (top + bottom) / 2)
            return over?.closest('.mantine-Notification-root') !== null && over !== null
          })
          .map(({ textContent }) => textContent),
      )
    const clear = async () => {
      const [words, room] = [await said.boundingBox(), await dialog.boundingBox()]
      return words !== null && room !== null && room.y >= words.y + words.height
    }
    await expect.poll(clear).toBe(true)
    expect(await covered()).toEqual([])
    await said.getByRole('button').click()
    await said.waitFor({ state: 'detached' })
    await page.keyboard.press('Escape')
  })

  it('has the last message first, and covers on a phone nothing of what the page is there for', async () => {
    const { page } = device
    await page.setViewportSize(viewports.phone)
    await page.goto('/settings/categories')
    const main = page.getByRole('button', { name: /^Ajouter/ }).first()
    const add = async (name: string) => {
      await main.click()
      const dialog = page.getByRole('dialog')
      await dialog.getByLabel(/^Nom/).fill(name)
      await dialog.getByRole('button', { name: 'Valider' }).click()
      await dialog.waitFor({ state: 'detached' })
      const said = page.locator('.mantine-Notification-root').filter({ hasText: name })
      await said.waitFor()
      return said
    }
    const boxOf = async (of: Locator) => {
      const box = await of.boundingBox()
      if (!box) throw new Error('It has no place on the page.')
      return box
    }
    const first = await add('Polar')
    const [words, button] = [await boxOf(first), await boxOf(main)]
    expect(words.y + words.height).toBeLessThanOrEqual(button.y)
    const second = await add('Récits de mer')
    const [before, last] = [await boxOf(first), await boxOf(second)]
    expect(last.y + last.height).toBeLessThanOrEqual(before.y)
  })
})
