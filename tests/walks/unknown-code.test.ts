import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'

import { apiOf } from '../support/api-of.ts'
import { type Device, openDevice, signIn } from '../support/browser.ts'
import { openRunningServer, type RunningServer } from '../support/running-server.ts'
import { testPassword } from '../support/test-library.ts'
import { lentTo, lineOf, openCounter, scan } from '../support/counter.ts'

// A book that nobody entered comes to the counter, and leaves lent.

describe('an unknown code at the counter', () => {
  let server: RunningServer
  let device: Device
  let page: Page
  beforeAll(async () => {
    server = await openRunningServer()
  })
  afterAll(async () => server?.drop())
  beforeEach(async () => {
    device = await openDevice(server.address, { viewport: 'desktop', keepsShell: false })
    page = device.page
    await signIn(page, 'biblio', testPassword)
    await openCounter(page)
  })
  afterEach(async () => {
    expect(device?.errors).toEqual([])
    await device?.close()
  })

  const dialog = (name: RegExp) => page.getByRole('dialog', { name })
  const copyOf = async (code: string) => {
    const api = await apiOf(server.address, 'biblio', testPassword)
    const { body } = await api.get(`/api/copies?filters[bar_code|eq]=${code}`)
    return (body as { 'hydra:member': { name: string; status_name: string }[] })['hydra:member'][0]
  }

  it('becomes a copy of a title, and is lent to the reader who waits', async () => {
    const code = '31555510007771'
    await scan(page, 'R1', code)
    const line = lineOf(page, code)
    await line.getByRole('button', { name: /^Ajouter l’exemplaire/ }).click()
    const asking = dialog(/^Ajouter l’exemplaire/)
    await asking.getByRole('combobox', { name: 'Référence' }).fill('numero 4')
    await page.getByRole('option', { name: /^Livre numéro 4/ }).click()
    const form = dialog(/^Ajouter un exemplaire de/)
    const barCode = form.getByRole('textbox', { name: 'Code-barres' })
    expect(await barCode.inputValue()).toBe(code)
    // Scanned once more, the label writes its code and confirms nothing.
    await barCode.fill('')
    await scan(page, code)
    await expect.poll(() => barCode.inputValue()).toBe(code)
    expect(await copyOf(code)).toBeUndefined()
    await form.getByRole('button', { name: 'Valider' }).click()
    await lentTo(page, 'Alice Martin', 'Livre numéro 4').waitFor()
    await expect
      .poll(() => copyOf(code))
      .toMatchObject({ name: 'Livre numéro 4', status_name: 'En Location' })
  })

  it('becomes a copy of a title that is entered first, and its line is still there', async () => {
    const code = '31555510007772'
    await scan(page, 'R1', code)
    await lineOf(page, code)
      .getByRole('button', { name: /^Ajouter l’exemplaire/ })
      .click()
    await dialog(/^Ajouter l’exemplaire/)
      .getByRole('button', { name: 'Ajouter une référence' })
      .click()
    await page.getByRole('textbox', { name: 'Titre', exact: true }).fill('Nana')
    await page.getByRole('button', { name: 'Enregistrer' }).click()
    const form = dialog(/^Ajouter un exemplaire de «\sNana\s»$/)
    expect(await form.getByRole('textbox', { name: 'Code-barres' }).inputValue()).toBe(code)
    await form.getByRole('button', { name: 'Valider' }).click()
    await openCounter(page)
    await lineOf(page, code)
      .getByRole('button', { name: /^Ajouter l’exemplaire/ })
      .click()
    await page.getByRole('button', { name: 'Reprendre' }).click()
    await lentTo(page, 'Alice Martin', 'Nana').waitFor()
  })
})
