import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { type Api, apiOf } from '../support/api-of.ts'
import { type Device, openDevice, signIn } from '../support/browser.ts'
import { openRunningServer, type RunningServer } from '../support/running-server.ts'
import { testPassword } from '../support/test-library.ts'
import { openCounter, scan } from '../support/counter.ts'

// A reader leaves with a book on loan and one that was weeded out and is for sale.

const cards = ['21555510000011', '21555510000022']
const labels = ['31555510001001', '31555510001002', '31555510001003']

describe('a basket of a loan and a sale', () => {
  let server: RunningServer
  let device: Device
  let page: Page
  let api: Api
  beforeAll(async () => {
    server = await openRunningServer()
    api = await apiOf(server.address, 'biblio', testPassword)
    // As long as those on real cards and labels: shorter ones are only taken in the scan box.
    for (const [reader, number] of cards.entries())
      await api.put(`/api/beneficiaries/${reader + 1}`, { number })
    await api.put('/api/copies/1', { bar_code: labels[0] })
    for (const copy of [2, 3])
      await api.put(`/api/copies/${copy}`, { bar_code: labels[copy - 1], type: 'Vente', price: '2.00' })
    device = await openDevice(server.address, { viewport: 'tablet', keepsShell: false })
    page = device.page
    await signIn(page, 'biblio', testPassword)
    await openCounter(page)
  })
  afterAll(async () => {
    expect(device?.errors).toEqual([])
    await device?.close()
    await server?.drop()
  })

  it('is lent and sold with one press', async () => {
    await page.goto('/loaning/add')
    await page.getByRole('heading', { name: 'Prêter' }).waitFor()
    await scan(page, cards[0]!, labels[0]!, labels[1]!)
    const lines = page.getByRole('list', { name: 'Exemplaires du prêt' }).getByRole('listitem')
    await expect.poll(() => lines.count()).toBe(2)
    await lines.filter({ hasText: 'Livre numéro 2' }).getByText('Vente').waitFor()
    await page.getByText('2 exemplaires · Total 2,75\u00a0€').waitFor()
    await page.getByRole('button', { name: 'Enregistrer et continuer' }).click()
    await page.getByText('Articles sortis avec succès.').waitFor()
    await page.getByRole('region', { name: 'Prêts enregistrés' }).getByText('Livre numéro 1').waitFor()
    const sold = page.getByRole('region', { name: 'Ventes enregistrées' })
    await sold.getByText('Livre numéro 2').waitFor()
    await sold.getByRole('link', { name: 'Voir la vente' }).click()
    await page.waitForURL('**/sales/view/1')
    expect(await api.lent()).toEqual([labels[0]])
  })

  it('opens from the counter, where a copy for sale is scanned', async () => {
    await page.goto('/home')
    await openCounter(page)
    await scan(page, cards[1]!)
    await page.getByRole('region', { name: 'Lecteur' }).getByText('Éric Dupont').waitFor()
    await scan(page, labels[2]!)
    const sheet = page.getByRole('region', { name: 'Prêt complet' })
    await sheet.getByRole('list', { name: 'Exemplaires du prêt' }).getByText('Livre numéro 3').waitFor()
    await sheet.getByRole('button', { name: 'Enregistrer' }).click()
    await page.getByRole('list', { name: 'Derniers passages' }).getByText('Vendu', { exact: true }).waitFor()
    expect(new URL(page.url()).pathname).toBe('/home')
    await expect.poll(async () => (await api.get('/api/sales')).body['hydra:totalItems']).toBe(2)
  })

  it('is found among the sales, and taken back the same day', async () => {
    await page.goto('/sales')
    await page.getByRole('searchbox', { name: 'Lecteur' }).fill('dupont')
    await page.getByRole('link', { name: 'Livre numéro 3' }).click()
    await page.getByRole('button', { name: 'Autres actions' }).click()
    await page.getByRole('menuitem', { name: 'Supprimer la vente' }).click()
    const asked = page.getByRole('dialog', { name: 'Supprimer la vente' })
    await asked.getByRole('button', { name: 'Valider' }).click()
    await page.waitForURL(/\/sales(\?|$)/)
    const { body } = await api.get('/api/copies?id|eq=3')
    expect(body['hydra:member']).toMatchObject([{ status_name: 'Disponible', sold_on: null }])
  })
})
