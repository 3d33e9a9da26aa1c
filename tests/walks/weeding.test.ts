import { sql } from 'kysely'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { type Api, apiOf } from '../support/api-of.ts'
import { type Device, openDevice, signIn, typeAsScanner, viewports } from '../support/browser.ts'
import { cutInTable } from '../support/cut-words.ts'
import { openRunningServer, type RunningServer } from '../support/running-server.ts'
import { adminPassword } from '../support/test-library.ts'
import { openCounter } from '../support/counter.ts'

// Somebody walks along the shelves with a phone, withdraws three books at once, and takes it back.

describe('weeding on a phone', () => {
  let server: RunningServer
  let api: Api
  let device: Device
  let page: Page

  const lane = () => page.getByRole('list', { name: 'Scans de cet appareil' })
  const gone = async () => {
    const { body } = await api.get('/api/copies?filters[site]=1&limit=100')
    return 10 - (body['hydra:totalItems'] as number)
  }

  beforeAll(async () => {
    server = await openRunningServer({
      prepare: async (db) => {
        // Codes as long as real ones: by their keys alone a scanner is told from fingers.
        await sql`update copies set bar_code = '3155551000' || bar_code where id <= 10`.execute(db)
      },
    })
    api = await apiOf(server.address, 'admin', adminPassword)
    device = await openDevice(server.address, { viewport: 'phone', keepsShell: false })
    ;({ page } = device)
    await signIn(page, 'admin', adminPassword)
    await openCounter(page, 'Centre')
  })
  afterAll(async () => {
    expect(device.errors).toEqual([])
    await device.close()
    await server?.drop()
  })

  it('fills the cart by scanning', async () => {
    await page.goto('/weeding')
    await page.locator('tbody').getByText('Zola, Émile').first().waitFor()
    await page.getByRole('link', { name: 'Scanner en rayon' }).click()
    await page.getByRole('heading', { name: 'Scanner ce qui quitte le fonds' }).waitFor()
    for (const n of [1, 2, 3]) {
      await typeAsScanner(page, `3155551000100${n}`)
      await lane()
        .getByRole('listitem')
        .filter({ hasText: `Livre numéro ${n}` })
        .filter({ hasText: 'Au panier' })
        .waitFor()
    }
    await typeAsScanner(page, '31555510001001')
    await lane().getByText('Déjà au panier').waitFor()
    await page.getByText(/^3 exemplaires au panier/).waitFor()
    expect(await page.locator('tbody').getByText('Zola, Émile').first().isVisible()).toBe(true)
  })

  it('withdraws what is in it as one act', async () => {
    await page.getByRole('button', { name: 'Retirer du fonds' }).first().click()
    const asked = page.getByRole('dialog', { name: 'Retirer 3 exemplaires du fonds' })
    await asked.getByRole('combobox', { name: /^Destination/ }).click()
    await page.getByRole('option', { name: 'Donné' }).click()
    await asked.getByRole('button', { name: 'Retirer du fonds' }).click()
    await page.getByText('Aucun exemplaire pour l’instant.').waitFor()
    expect(await gone()).toBe(3)
  })

  it('takes it back, and has them in the cart again', async () => {
    await page.getByRole('link', { name: 'Désherbages faits' }).click()
    await page.getByRole('link', { name: /^Désherbage du/ }).click()
    await page.getByRole('button', { name: 'Annuler l’acte' }).click()
    await page
      .getByRole('dialog', { name: /Annuler l’acte/ })
      .getByRole('button', { name: 'Valider' })
      .click()
    await page.goto('/weeding/cart')
    await page.getByText(/^3 exemplaires au panier/).waitFor()
    expect(await gone()).toBe(0)
  })

  it('reads every code and heading whole on a tablet and a desktop', async () => {
    for (const size of [viewports.tablet, viewports.desktop]) {
      await page.setViewportSize(size)
      for (const [address, known] of [
        ['/weeding/cart', '31555510001001'],
        ['/weeding', 'Livre numéro 1'],
      ] as const) {
        await page.goto(address)
        await page.locator('tbody').getByText(known, { exact: true }).first().waitFor()
        expect({ address, cut: await cutInTable(page) }).toEqual({ address, cut: [] })
      }
    }
  })
})
