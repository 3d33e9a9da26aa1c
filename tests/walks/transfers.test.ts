import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { type Api, apiOf } from '../support/api-of.ts'
import { type Device, openDevice, signIn, typeAsScanner } from '../support/browser.ts'
import { openRunningServer, type RunningServer } from '../support/running-server.ts'
import { testPassword } from '../support/test-library.ts'
import { chooseSite, openCounter } from '../support/counter.ts'

// A book leaves Centre in the morning’s crate, and is scanned out of it at Annexe.

describe('a copy that goes from one site to the other', () => {
  let server: RunningServer
  let centre: Device
  let annexe: Device
  let api: Api
  beforeAll(async () => {
    server = await openRunningServer({ onPostgres: true })
    api = await apiOf(server.address, 'biblio', testPassword)
    // As long as those on real labels: shorter ones are only taken in the scan box.
    await api.put('/api/copies/5', { bar_code: '31555510001005' })
    await api.put('/api/copies/11', { bar_code: '31555510002001' })
    centre = await openDevice(server.address, { viewport: 'desktop', keepsShell: false })
    annexe = await openDevice(server.address, { viewport: 'tablet', keepsShell: false })
    await signIn(centre.page, 'biblio', testPassword)
    await openCounter(centre.page, 'Centre')
    await annexe.page.goto('/transfers')
    await annexe.page.waitForURL('**/login')
    await signIn(annexe.page, 'biblio', testPassword)
    await chooseSite(annexe.page, 'Annexe')
    await annexe.page.getByRole('heading', { name: 'Transferts' }).waitFor()
  })
  afterAll(async () => {
    expect([...(centre?.errors ?? []), ...(annexe?.errors ?? [])]).toEqual([])
    await centre?.close()
    await annexe?.close()
    await server?.drop()
  })
  const table = (page: Page) => page.getByRole('table', { name: 'Transferts' })
  const stateOf = async (copy: number) => {
    const { body } = await api.get(`/api/copies?id|eq=${copy}`)
    const [found] = body['hydra:member'] as { status_name: string; site_name: string }[]
    return found && `${found.status_name}, ${found.site_name}`
  }

  it('is sent from its title, and seen at once on the tablet where it goes', async () => {
    const { page } = centre
    await page.goto('/references/view/5')
    await page.getByRole('button', { name: /^Actions\s: exemplaire 31555510001005/ }).click()
    await page.getByRole('menuitem', { name: 'Transférer…' }).click()
    const dialog = page.getByRole('dialog', { name: 'Transférer l’exemplaire 31555510001005' })
    await dialog.getByRole('combobox', { name: 'Site de destination' }).click()
    await page.getByRole('option', { name: 'Annexe' }).click()
    await dialog.getByRole('button', { name: 'Transférer' }).click()
    await expect.poll(() => stateOf(5)).toBe('En transfert, Annexe')
    await table(annexe.page).getByText('Livre numéro 5').waitFor()
    await table(annexe.page).getByText('Centre').waitFor()
  })

  it('is received by its scan, wherever the eye is, and leaves both lists', async () => {
    await typeAsScanner(annexe.page, '31555510001005')
    const scans = annexe.page.getByRole('list', { name: 'Exemplaires scannés' })
    await scans.getByText('Reçu de Centre').waitFor()
    await expect.poll(() => stateOf(5)).toBe('Disponible, Annexe')
    await table(annexe.page).getByText('Livre numéro 5').waitFor({ state: 'detached' })
    await centre.page.goto('/transfers?tab=departures')
    await centre.page.getByText('Aucun exemplaire pour l’instant.').waitFor()
  })

  it('is taken back by the site that sent it, before it arrives', async () => {
    await api.put('/api/copies/6', { site: 2 })
    const { page } = centre
    await table(page).getByText('Livre numéro 6').waitFor()
    await page.getByRole('button', { name: /^Reprendre\s: Livre numéro 6/ }).click()
    await expect.poll(() => stateOf(6)).toBe('Disponible, Centre')
  })

  it('comes back over the other counter, and goes home by one tap', async () => {
    await api.post('/api/loanings', { beneficiary: 4, copy: 11 }, { site: 2 })
    const { page } = centre
    await page.goto('/home')
    await openCounter(page)
    await typeAsScanner(page, '31555510002001')
    const lane = page.getByRole('list', { name: 'Derniers passages' })
    await lane.getByRole('button', { name: 'Renvoyer à Annexe' }).click()
    await lane.getByText('En transfert vers Annexe').waitFor()
    await expect.poll(() => stateOf(11)).toBe('En transfert, Annexe')
    await table(annexe.page).getByText('Film numéro 1').waitFor()
  })
})
