import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { type Api, apiOf } from '../support/api-of.ts'
import { type Device, openDevice, signIn, typeAsScanner } from '../support/browser.ts'
import { openRunningServer, type RunningServer } from '../support/running-server.ts'
import { adminPassword } from '../support/test-library.ts'
import { openCounter } from '../support/counter.ts'

// Somebody asks for a book that is out; the library later reserves by dates.

const card = '21555510000011'
const label = '31555510001003'

describe('a reservation', () => {
  let server: RunningServer
  let device: Device
  let page: Page
  let api: Api
  beforeAll(async () => {
    server = await openRunningServer()
    api = await apiOf(server.address, 'admin', adminPassword)
    await api.put('/api/beneficiaries/1', { number: card })
    await api.put('/api/copies/3', { bar_code: label })
    device = await openDevice(server.address, { viewport: 'tablet', keepsShell: false })
    page = device.page
    await signIn(page, 'admin', adminPassword)
    await openCounter(page, 'Centre')
  })
  afterAll(async () => {
    expect(device?.errors).toEqual([])
    await device?.close()
    await server?.drop()
  })
  const save = () => page.getByRole('button', { name: 'Enregistrer' })
  const all = async () => (await api.get('/api/reservations?order[id]=asc')).body['hydra:member']

  it('is made from a reader’s page, in the queue of a title', async () => {
    await page.goto('/beneficiaries/view/2?part=reservations')
    await page.getByText('Aucune réservation en cours.').waitFor()
    await page.getByRole('button', { name: 'Réserver' }).click()
    await page.getByText('Il manque la référence.').waitFor()
    expect(await save().isDisabled()).toBe(true)
    await page.getByRole('combobox', { name: 'Référence' }).fill('numéro 3')
    await page.getByRole('option', { name: /^Livre numéro 3(?!\d)/ }).click()
    await page.getByText(/^Rang 1\s: personne n’attend encore\.$/).waitFor()
    await page.getByRole('combobox', { name: 'Exemplaire' }).click()
    await page.getByRole('option', { name: 'Le premier disponible' }).click()
    await save().click()
    await page.getByText('Réservation ajoutée avec succès.').waitFor()
    const table = page.getByRole('table', { name: 'Réservations du lecteur' })
    await table.getByRole('link', { name: 'Livre numéro 3' }).waitFor()
    expect(await all()).toMatchObject([{ beneficiary_id: 2, copy_id: null, queuePosition: 1, site: 1 }])
  })

  it('is made from a title’s page for whoever shows their card, behind who waits', async () => {
    await page.goto('/references/view/3')
    const waiting = page.getByRole('region', { name: 'Réservations' })
    await waiting.getByText('Éric Dupont').waitFor()
    await page.getByRole('button', { name: 'Réserver' }).click()
    await page.getByText(/^Rang 2, après 1\sautre demande\.$/).waitFor()
    await typeAsScanner(page, card)
    await page.getByRole('group', { name: 'Lecteur' }).getByText('Alice Martin').waitFor()
    await typeAsScanner(page, label)
    // The copy in hand is the one that is wished for; a scan saves nothing.
    await expect.poll(() => page.getByRole('combobox', { name: 'Exemplaire' }).inputValue()).toContain(label)
    expect(await all()).toHaveLength(1)
    await save().click()
    await page.waitForURL('**/references/view/3')
    await expect.poll(() => waiting.getByRole('listitem').count()).toBe(2)
    expect((await all())[1]).toMatchObject({ beneficiary_id: 1, copy_id: 3, queuePosition: 2 })
  })

  it('is changed from the list', async () => {
    await page.goto('/reservations')
    await page.getByRole('button', { name: /^Actions\s: Livre numéro 3, Alice Martin/ }).click()
    await page.getByRole('menuitem', { name: 'Modifier' }).click()
    await page.waitForURL('**/reservations/edit/2')
    await page.getByRole('textbox', { name: 'Commentaire' }).fill('Appeler le soir')
    await page.getByText('1 modification', { exact: true }).waitFor()
    await save().click()
    await page.getByText('Réservation modifiée avec succès.').waitFor()
    await page.waitForURL('**/reservations')
    expect((await all())[1]).toMatchObject({ comment: 'Appeler le soir', queuePosition: 2 })
  })

  it.each(['/reservations', '/reservations/picking', '/beneficiaries/view/1'])(
    'has every tab of %s in sight on a tablet',
    async (address) => {
      await page.setViewportSize({ width: 820, height: 1180 })
      await page.goto(address)
      const tabs = page.getByRole('navigation', { name: 'Vues' }).getByRole('link').or(page.getByRole('tab'))
      await tabs.first().waitFor()
      const strip = page.getByRole('navigation', { name: 'Vues' }).or(page.getByRole('tablist'))
      const rights = await tabs.evaluateAll((all) => all.map((tab) => tab.getBoundingClientRect().right))
      const end = await strip.evaluate((one) => one.getBoundingClientRect().right)
      expect(rights.filter((right) => right > end + 0.5)).toEqual([])
    },
  )

  it('asks for both dates where the library reserves by dates', async () => {
    const found = (await api.get('/api/parameters?limit=100')).body['hydra:member'] as {
      id: number
      code: string
    }[]
    const { id } = found.find(({ code }) => code === 'reservations_without_dates')!
    expect((await api.put(`/api/parameters/${id}`, { value: '0' })).status).toBe(200)
    await page.goto('/reservations')
    await page.getByRole('link', { name: 'Ajouter une réservation' }).click()
    await page.getByRole('combobox', { name: 'Lecteur' }).fill('martin')
    await page.getByRole('button', { name: 'Changer de lecteur' }).waitFor()
    await page.getByRole('combobox', { name: 'Référence' }).fill('numéro 5')
    await page.getByRole('option', { name: /^Livre numéro 5(?!\d)/ }).click()
    await page.getByText('Il manque la date de début et la date de fin.').waitFor()
    const next = new Date().getFullYear() + 1
    await page.getByRole('textbox', { name: 'Date de début' }).fill(`05/01/${next}`)
    await page.getByRole('textbox', { name: 'Date de fin' }).fill(`20/01/${next}`)
    await save().click()
    await page.getByText('Réservation ajoutée avec succès.').waitFor()
    expect((await all())[2]).toMatchObject({
      beneficiary_id: 1,
      reference_id: 5,
      start_date: `${next}-01-05`,
      end_date: `${next}-01-20`,
      queuePosition: null,
    })
  })
})
