import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { apiOf } from '../support/api-of.ts'
import { type Device, openDevice, signIn } from '../support/browser.ts'
import { openRunningServer, type RunningServer } from '../support/running-server.ts'
import { adminPassword } from '../support/test-library.ts'
import { openCounter } from '../support/counter.ts'

// A phone, the same enlarged twice, a tablet lying, a desktop, the same enlarged four times.
const sizes = [
  { width: 390, height: 844 },
  { width: 320, height: 560 },
  { width: 1180, height: 820 },
  { width: 1440, height: 900 },
  { width: 320, height: 256 },
]

describe('the bar of a form', () => {
  let server: RunningServer
  let device: Device
  let page: Page
  let save: Locator
  beforeAll(async () => {
    server = await openRunningServer({ onPostgres: true })
    const api = await apiOf(server.address, 'admin', adminPassword)
    await api.post('/api/loanings', { beneficiary: 1, copy: 1 })
    device = await openDevice(server.address, { viewport: 'phone', keepsShell: false })
    ;({ page } = device)
    await page.goto('/login')
    await signIn(page, 'admin', adminPassword)
    await openCounter(page)
    save = page.getByRole('button', { name: 'Enregistrer' })
  })
  afterAll(async () => {
    expect(device.errors).toEqual([])
    await device?.close()
    await server?.drop()
  })

  const boxOf = async (of: Locator) => {
    const box = await of.boundingBox()
    if (!box) throw new Error('It has no place on the page.')
    return { top: box.y, bottom: box.y + box.height }
  }

  it('has fields side by side meet at their inputs, whatever is said over one of them', async () => {
    await page.setViewportSize({ width: 1180, height: 820 })
    await page.goto('/references/add')
    await page.getByText('ISBN, EAN ou code de la maison.').waitFor()
    const tops = async (...labels: string[]) =>
      Promise.all(labels.map(async (label) => (await boxOf(page.getByLabel(label, { exact: true }))).top))
    const [code, year] = await tops('Code', 'Année')
    expect(year).toBe(code)
    const [author, performer] = await tops('Auteur', 'Interprète')
    expect(performer).toBe(author)
  })

  it.each(sizes)('covers no field at $width × $height', async (size) => {
    await page.setViewportSize(size)
    await page.goto('/loanings/edit/1')
    const comment = page.getByLabel('Commentaire')
    await comment.fill('Ligne\n'.repeat(30))
    // Whoever comes by Tab sees the field whole, or as much of it as there is room for.
    await page.getByLabel(/^Durée/).focus()
    await page.keyboard.press('Tab')
    await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight))
    const last = await boxOf(comment)
    const bar = await boxOf(save)
    expect(last.bottom).toBeLessThan(bar.top)
    expect(bar.bottom).toBeLessThan(size.height)
    const nav = page.getByRole('navigation', { name: 'Places' })
    if (await nav.isVisible()) expect(bar.bottom).toBeLessThan((await boxOf(nav)).top)

    await page.evaluate(() => scrollTo(0, 0))
    const duration = page.getByLabel(/^Durée/)
    await duration.scrollIntoViewIfNeeded()
    await duration.focus()
    const isUncovered = await duration.evaluate((field) => {
      const { x, y, width, height } = field.getBoundingClientRect()
      const above = document.elementFromPoint(x + width / 2, y + height / 2)
      return above === field
    })
    expect(isUncovered).toBe(true)
    await page.getByRole('button', { name: 'Annuler' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Valider' }).click()
    await page.getByText('Aucune modification').waitFor()
  })

  it('stays at the foot of the view however long the form', async () => {
    const size = { width: 390, height: 844 }
    await page.setViewportSize(size)
    await page.goto('/loanings/edit/1')
    const short = await boxOf(save)
    await page.getByLabel('Commentaire').fill('Ligne\n'.repeat(60))
    await page.evaluate(() => scrollTo(0, 0))
    expect(await boxOf(save)).toEqual(short)
    await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight))
    expect(await boxOf(save)).toEqual(short)
  })

  it.each(sizes.slice(0, 4))(
    'stands above a notice at the foot of a page of $width × $height',
    async (size) => {
      await page.setViewportSize(size)
      await page.goto('/loanings/edit/1')
      await save.waitFor()
      await page.evaluate(() => document.documentElement.style.setProperty('--notice', '150px'))
      expect((await boxOf(save)).bottom).toBeLessThanOrEqual(size.height - 150)
    },
  )

  it('says how much has changed, and Ctrl with Enter saves what was typed last', async () => {
    await page.setViewportSize({ width: 1440, height: 900 })
    await page.goto('/loanings/edit/1')
    await page.getByText('Aucune modification').waitFor()
    await page.getByLabel('Commentaire').fill('Avec sa pochette')
    await page.getByText('1 modification', { exact: true }).waitFor()
    const start = page.getByRole('textbox', { name: /^Date de début/ })
    const [day, month, year] = (await start.inputValue()).split('/').map(Number)
    const before = new Date(Date.UTC(year ?? 0, (month ?? 0) - 1, (day ?? 0) - 1))
    const typed = before.toISOString().slice(0, 10).split('-').reverse().join('/')
    await start.fill(typed)
    await page.keyboard.press('Control+Enter')
    await page.getByText('Le prêt a bien été mis à jour.').waitFor()
    const fiche = page.getByRole('region', { name: 'Fiche' })
    await fiche.getByText('Avec sa pochette').waitFor()
    await fiche.getByText(typed).first().waitFor()
  })

  it('leads back at once where nothing has changed', async () => {
    await page.goto('/loanings/edit/1')
    await page.getByRole('button', { name: 'Annuler' }).click()
    await page.waitForURL(/\/loanings\/view\/1$/)
    expect(await page.getByRole('dialog').count()).toBe(0)
  })
})
