import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { type Api, apiOf } from '../support/api-of.ts'
import { type Device, openDevice, signIn } from '../support/browser.ts'
import { openRunningServer, type RunningServer } from '../support/running-server.ts'
import { testPassword } from '../support/test-library.ts'
import { chooseSite, lentTo, lineOf, openCounter, put } from '../support/counter.ts'

describe('a day at the counter, on a tablet', () => {
  let server: RunningServer
  let device: Device
  let api: Api
  beforeAll(async () => {
    server = await openRunningServer()
    api = await apiOf(server.address, 'biblio', testPassword)
    // Lent another day: what comes back this morning.
    for (const copy of [6, 7, 8]) await api.post('/api/loanings', { beneficiary: 2, copy })
    await api.post('/api/loanings', {
      beneficiary: 4,
      copy: 9,
      start_date: daysAgo(60),
      override_reason: 'Reprise du cahier',
    })
    device = await openDevice(server.address, { viewport: 'tablet', keepsShell: false })
  })
  afterAll(async () => {
    await device?.close()
    await server?.drop()
  })

  it('signs in and chooses a site', async () => {
    await device.page.goto('/loanings')
    await device.page.waitForURL('**/login')
    await signIn(device.page, 'biblio', testPassword)
    // Back to where the person was heading, once the site is chosen.
    await chooseSite(device.page)
    await device.page.getByRole('heading', { name: 'Prêts' }).waitFor()
    await device.page.getByRole('link', { name: /, accueil$/ }).click()
    await openCounter(device.page)
  })

  it('lends three books to a reader by scanning', async () => {
    const { page } = device
    await put(page, 'R1')
    await page.getByRole('region', { name: 'Lecteur' }).getByText('Alice Martin').waitFor()
    for (const code of ['1001', '1002', '1003']) await put(page, code)
    for (const title of ['Livre numéro 1', 'Livre numéro 2', 'Livre numéro 3']) {
      await lentTo(page, 'Alice Martin', title).waitFor()
      await lineOf(page, title).getByText('Confirmé').waitFor()
    }
    await expect.poll(() => api.lent()).toEqual(expect.arrayContaining(['1001', '1002', '1003']))
  })

  it('shows a loan on a line of 52 px', async () => {
    expect((await lineOf(device.page, 'Livre numéro 1').boundingBox())?.height).toBe(52)
  })

  it('takes a loan back', async () => {
    const { page } = device
    await lineOf(page, 'Livre numéro 3')
      .getByRole('button', { name: /Annuler/ })
      .click()
    await expect.poll(() => api.lent()).not.toContain('1003')
  })

  it('takes returns, says how late one is, and keeps its penalty on the line', async () => {
    const { page } = device
    for (const code of ['1006', '1009']) await put(page, code)
    await lineOf(page, 'Livre numéro 6')
      .getByText(/Rendu \(prêté à /)
      .waitFor()
    await lineOf(page, 'Livre numéro 9')
      .getByText(/jours de retard/)
      .waitFor()
    await expect.poll(() => api.lent()).not.toContain('1009')
  })

  it('refuses a copy that another reader has without lending it twice, and names who has it', async () => {
    const { page } = device
    await page.goto('/loanings')
    await page
      .getByRole('row', { name: /Livre numéro 7/ })
      .getByText('Éric Dupont M2')
      .waitFor()
    await page.getByRole('link', { name: 'Livre numéro 7' }).click()
    await page.getByRole('heading', { name: 'Livre numéro 7' }).waitFor()
    await page.goBack()
    await page.waitForURL('**/loanings*')
  })

  it('adds several copies to one loan', async () => {
    const { page } = device
    await page.goto('/loaning/add')
    // A single hit is chosen by itself.
    await page.getByRole('combobox', { name: 'Lecteur' }).fill('alice')
    await page
      .getByText(/prêts? en cours/)
      .first()
      .waitFor()
    const basket = page.getByRole('list', { name: 'Exemplaires du prêt' })
    for (const code of ['1004', '1005']) {
      await page.getByRole('combobox', { name: 'Exemplaire' }).fill(code)
      await page.keyboard.press('Enter')
      await basket.getByText(code).waitFor()
    }
    await page.getByRole('button', { name: 'Enregistrer et continuer' }).click()
    await page.getByText('Articles sortis avec succès.').first().waitFor()
    await expect.poll(() => api.lent()).toEqual(expect.arrayContaining(['1004', '1005']))
  })

  it('breaks no policy and throws nothing on the way', () => {
    expect(device.errors).toEqual([])
  })
})

const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10)
