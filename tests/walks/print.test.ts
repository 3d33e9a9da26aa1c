import type { Locator, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'

import { apiOf } from '../support/api-of.ts'
import { type Device, openDevice, signIn, typeAsScanner } from '../support/browser.ts'
import { addManyRows } from '../support/many-rows.ts'
import { openRunningServer, type RunningServer } from '../support/running-server.ts'
import { adminPassword } from '../support/test-library.ts'
import { openCounter } from '../support/counter.ts'

const pointsOfMillimetre = 72 / 25.4
const a4 = { short: 210, long: 297 }

describe('what is printed', () => {
  let server: RunningServer
  let device: Device
  let page: Page
  let finished: number
  beforeAll(async () => {
    server = await openRunningServer({ prepare: (db) => addManyRows(db, 80), onPostgres: true })
    const api = await apiOf(server.address, 'admin', adminPassword)
    await api.post('/api/loanings', { beneficiary: 1, copy: 1 })
    const { body } = await api.get('/api/loanings?limit=1&filters[status|in]=finished&filters[site|eq]=1')
    finished = body['hydra:totalItems'] as number
    // In the dark: paper is white all the same.
    device = await openDevice(server.address, { viewport: 'desktop', colorScheme: 'dark' })
    ;({ page } = device)
    await device.context.addInitScript(() => {
      // What a printer would take; headless, nothing answers.
      window.print = () => void (document.documentElement.dataset['printed'] = document.title)
    })
    await page.goto('/login')
    await signIn(page, 'admin', adminPassword)
    await openCounter(page)
  })
  afterEach(() => page.emulateMedia({ media: 'screen' }))
  afterAll(async () => {
    expect(device.errors).toEqual([])
    await device?.close()
    await server?.drop()
  })

  /** Waits for a sheet of that title, and looks at the page as the printer does. */
  const sheetOf = async (title: string): Promise<Locator> => {
    await page.locator(`html[data-printed="${title}"]`).waitFor({ state: 'attached' })
    await page.emulateMedia({ media: 'print' })
    return page.locator('body > [data-paper]')
  }
  /** The pages of what the printer gets, in millimetres. */
  const pagesOnPaper = async (): Promise<{ width: number; height: number }[]> => {
    const pdf = await page.pdf({ preferCSSPageSize: true })
    return [...pdf.toString('latin1').matchAll(/\/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]/g)].map(
      ([, width, height]) => ({
        width: Math.round(Number(width) / pointsOfMillimetre),
        height: Math.round(Number(height) / pointsOfMillimetre),
      }),
    )
  }
  const printLoans = async (how: string) => {
    await page.getByRole('button', { name: 'Imprimer les prêts en cours' }).click()
    await page.getByRole('menuitem', { name: how }).click()
  }

  it('is the whole list as it is filtered, with its columns, its count, and no button', async () => {
    await page.goto('/loanings?status%7Cin=finished')
    await page
      .getByText(`sur ${finished}`)
      .or(page.getByText(`${finished} prêts`))
      .first()
      .waitFor()
    const table = page.getByRole('table', { name: 'Prêts' })
    const titles = (await table.getByRole('columnheader').allInnerTexts()).filter(
      (title) => title.trim() !== '' && title !== 'Action',
    )
    await page.getByRole('button', { name: 'Actions\u202f: Prêts' }).click()
    await page.getByRole('menuitem', { name: 'Imprimer la liste' }).click()
    const sheet = await sheetOf('Prêts')
    expect(await sheet.getByRole('heading', { level: 1 }).innerText()).toBe('Prêts')
    expect(await sheet.getByText(new RegExp(`^\\d\\d/\\d\\d/\\d{4} · ${finished} prêts$`)).count()).toBe(1)
    expect(await sheet.getByText('Statut : Terminés').isVisible()).toBe(true)
    // Paper also has the columns that the screen has no room for.
    const onPaper = await sheet.getByRole('columnheader').allInnerTexts()
    expect(onPaper.filter((title) => titles.includes(title))).toEqual(titles)
    expect(await sheet.locator('tbody tr').count()).toBe(finished)
    expect(await page.getByRole('button').count()).toBe(0)
    expect(await page.getByRole('navigation').count()).toBe(0)
    const looks = await sheet.evaluate((element) => ({
      ground: getComputedStyle(element).backgroundColor,
      ink: getComputedStyle(element).color,
      head: getComputedStyle(element.querySelector('thead') ?? element).display,
      link: getComputedStyle(element.querySelector('td a') ?? element).textDecorationLine,
    }))
    expect(looks).toEqual({
      ground: 'rgb(255, 255, 255)',
      ink: 'rgb(0, 0, 0)',
      head: 'table-header-group',
      link: 'none',
    })
    const pages = await pagesOnPaper()
    expect(pages.length).toBeGreaterThan(1)
    expect(pages[0]).toEqual({ width: a4.long, height: a4.short })

    await page.emulateMedia({ media: 'screen' })
    await page.keyboard.press('Shift')
    await sheet.waitFor({ state: 'detached' })
    expect(await page.title()).toBe('Prêts · Comptoir')
    expect(await table.isVisible()).toBe(true)
  })

  it('is a slip of 80 mm, as long as the reader’s loans, or a sheet', async () => {
    await page.goto('/home')
    await openCounter(page)
    await typeAsScanner(page, 'R1')
    await printLoans('Imprimer la fiche')
    const slip = await sheetOf('Prêts, Alice Martin (M1)')
    const lines = (await slip.innerText()).split('\n').filter((line) => line !== '')
    const day = /\d\d\/\d\d\/\d{4}/
    expect(lines).toEqual([
      'Comptoir',
      'Centre',
      expect.stringMatching(day),
      'Alice Martin (M1)',
      'Livre numéro 1',
      expect.stringMatching(/^À rendre le \d\d\/\d\d\/\d{4}$/),
      '1 prêt en cours',
    ])
    const [cut, ...others] = await pagesOnPaper()
    expect(cut?.width).toBe(80)
    expect(cut?.height).toBeLessThan(100)
    expect(others).toEqual([])

    await page.emulateMedia({ media: 'screen' })
    await printLoans('Imprimer sur une feuille A4')
    const sheet = await sheetOf('Prêts, Alice Martin (M1)')
    await sheet.getByRole('cell', { name: 'Livre numéro 1' }).waitFor()
    expect(await pagesOnPaper()).toEqual([{ width: a4.short, height: a4.long }])
  })

  it('is a slip with what was just lent, also without a network', async () => {
    await page.goto('/loaning/add?beneficiary=2')
    await page.getByRole('button', { name: 'Changer de lecteur' }).waitFor()
    for (const code of ['1003', '1004']) {
      await page.getByRole('combobox', { name: 'Exemplaire' }).fill(code)
      await page.keyboard.press('Enter')
      await page
        .getByRole('button', { name: new RegExp(`Retirer\\s: Livre numéro ${code.slice(-1)}`) })
        .waitFor()
    }
    await page.getByRole('button', { name: 'Enregistrer et continuer' }).click()
    await page.getByRole('region', { name: 'Prêts enregistrés' }).waitFor()
    await device.context.setOffline(true)
    await printLoans('Imprimer la fiche')
    const slip = await sheetOf('Prêts, Éric Dupont (M2)')
    // Due on one day, they come in the order of the device or of the server, whichever told them last.
    expect((await slip.getByRole('listitem').allInnerTexts()).toSorted()).toEqual([
      expect.stringContaining('Livre numéro 3'),
      expect.stringContaining('Livre numéro 4'),
    ])
    expect(await pagesOnPaper()).toHaveLength(1)
    await device.context.setOffline(false)
  })

  it('is the content of any other page, without what stands around it', async () => {
    await page.goto('/loanings?status%7Cin=finished')
    await page.getByRole('cell').nth(20).waitFor()
    await page.emulateMedia({ media: 'print' })
    await page.getByRole('heading', { level: 1 }).waitFor()
    // Columns that had no room on the screen come in with the others.
    await page.getByRole('columnheader', { name: 'Rendu le' }).waitFor()
    await page.getByRole('columnheader', { name: 'Lecteur' }).waitFor()
    expect(await page.getByRole('navigation').count()).toBe(0)
    expect(await page.getByRole('banner').count()).toBe(0)
    expect(await page.getByRole('search').count()).toBe(0)
    expect(await page.getByRole('button', { name: 'Exporter' }).count()).toBe(0)
    expect((await pagesOnPaper())[0]).toEqual({ width: a4.long, height: a4.short })
  })
})
