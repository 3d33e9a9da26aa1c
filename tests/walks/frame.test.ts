import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { apiOf } from '../support/api-of.ts'
import { type Device, openDevice, signIn, typeAsScanner, viewports } from '../support/browser.ts'
import { openRunningServer, type RunningServer } from '../support/running-server.ts'
import { testPassword } from '../support/test-library.ts'
import { fileOf } from '../waiting/difficult-queue.ts'
import { openCounter, scanBox } from '../support/counter.ts'

const findButton = (page: Page) => page.getByRole('button', { name: 'Rechercher partout' })
const findField = (page: Page) => page.getByRole('combobox', { name: 'Rechercher partout' })
const side = (page: Page) => page.getByRole('navigation', { name: 'Écrans' })
const path = (page: Page) => new URL(page.url()).pathname

describe('the frame around the screens', () => {
  let server: RunningServer
  let device: Device
  let page: Page
  beforeAll(async () => {
    server = await openRunningServer({ onPostgres: true })
    const api = await apiOf(server.address, 'biblio', testPassword)
    const late = { start_date: '2026-01-05', override_reason: 'Reprise du cahier' }
    await api.post('/api/loanings', { beneficiary: 2, copy: 1, ...late })
    device = await openDevice(server.address, { viewport: 'desktop', keepsShell: false })
    page = device.page
    await signIn(page, 'biblio', testPassword)
    await openCounter(page, 'Centre')
  })
  afterAll(async () => {
    await device?.close()
    await server?.drop()
  })

  it('leads to every place from the side bar of a desktop, with what is late and waiting counted', async () => {
    await side(page).getByRole('link', { name: 'Prêter' }).click()
    await page.waitForURL('**/loaning/add')
    await side(page).getByRole('link', { name: 'Rendre' }).click()
    await page.waitForURL('**/loaning/return')
    await side(page).getByRole('link', { name: 'Prêts 1 prêt en retard' }).click()
    await page.waitForURL('**/loanings')
    expect(await side(page).getByRole('link', { name: 'Actions en attente', exact: true }).count()).toBe(1)
  })

  it('has a loan to take back on a row of 56 px, with what its title is recognised by', async () => {
    await page.goto('/loaning/return?beneficiary=2')
    const row = page.getByRole('region', { name: 'Prêts à rendre' }).getByRole('listitem')
    await row.waitFor()
    expect((await row.boundingBox())?.height).toBe(56)
    expect(await row.locator('[class*="cover"] svg').isVisible()).toBe(true)
  })

  it.each(['desktop', 'tablet', 'phone'] as const)(
    'has a copy to lend on a row of 56 px on a %s, also while its amount is typed, and its terms on one line',
    async (viewport) => {
      await page.setViewportSize(viewports[viewport])
      await page.goto('/loaning/add?beneficiary=4&copy=3')
      const row = page.getByRole('list', { name: 'Exemplaires du prêt' }).getByRole('listitem')
      await row.waitFor()
      const height = async () => (await row.boundingBox())?.height
      expect(await height()).toBe(56)
      expect(await row.locator('[class*="cover"] svg').isVisible()).toBe(true)
      expect(await row.getByTitle('Livre numéro 3').isVisible()).toBe(true)
      expect(await row.getByText(/^\d\d\/\d\d\/\d{4}$/).isVisible()).toBe(true)
      await row.getByRole('button', { name: /^Montant/ }).click()
      await row.getByRole('textbox', { name: /^Montant/ }).waitFor()
      expect(await height()).toBe(56)
      await page.keyboard.press('Enter')
      await row.getByRole('button', { name: /^Montant/ }).waitFor()
      const terms = page.getByRole('button', { name: /^Conditions du prêt/ })
      expect((await terms.boundingBox())?.height).toBeLessThan(48)
      expect(await page.getByLabel('Durée').isVisible()).toBe(false)
      await page.setViewportSize(viewports.desktop)
      page.once('dialog', (dialog) => void dialog.accept())
      await page.goto('/home')
    },
  )

  it('folds to the groups, and stays folded on this device', async () => {
    const width = () => side(page).evaluate((element) => element.getBoundingClientRect().width)
    expect(await width()).toBe(240)
    await page.getByRole('button', { name: 'Replier le menu' }).click()
    expect(await width()).toBe(64)
    await page.reload()
    await side(page).getByRole('button', { name: 'Suivi' }).click()
    await page.getByRole('menuitem', { name: 'Actions en attente' }).click()
    await page.waitForURL('**/waiting')
    await page.getByRole('button', { name: 'Déplier le menu' }).click()
    expect(await width()).toBe(240)
  })

  it.each([1920, 1440, 1200, 820, 390])(
    'has the codes that nobody took in sight beside the search on %i px',
    async (width) => {
      await page.goto('/home')
      await page.evaluate(() => {
        const { id } = JSON.parse(localStorage.getItem('user') ?? '') as { id: number }
        const scans = [{ code: '1' }, { code: '2' }, { code: '3' }]
        sessionStorage.setItem('comptoir.scans-not-taken', JSON.stringify({ owner: id, scans }))
      })
      await page.setViewportSize({ width, height: 900 })
      await page.reload()
      const tag = page.getByRole('button', { name: '3 codes non pris' })
      await tag.waitFor()
      const isCovered = await tag.evaluate((one) => {
        const { left, right, top, height } = one.getBoundingClientRect()
        return [left + 4, right - 4].some(
          (x) => !one.contains(document.elementFromPoint(x, top + height / 2)),
        )
      })
      expect(isCovered).toBe(false)
      await tag.click()
      await page.getByRole('menuitem', { name: 'Les écarter' }).click()
      await page.setViewportSize(viewports.desktop)
    },
  )

  it('opens the search from a field by Ctrl+K, and Escape gives the focus back', async () => {
    await page.goto('/home')
    await scanBox(page).fill('mart')
    await page.keyboard.press('Control+k')
    await expect.poll(() => findField(page).evaluate((field) => field === document.activeElement)).toBe(true)
    await page.keyboard.type('livre numero 1')
    await page
      .getByRole('option', { name: /Livre numéro 1.*Référence/ })
      .first()
      .waitFor()
    await page.keyboard.press('Escape')
    await findField(page).waitFor({ state: 'detached' })
    await expect.poll(() => scanBox(page).evaluate((field) => field === document.activeElement)).toBe(true)
    expect(await scanBox(page).inputValue()).toBe('mart')
    expect(path(page)).toBe('/home')
  })

  it('opens the record of what is scanned into the search, and confirms nothing', async () => {
    await page.goto('/references')
    await findButton(page).click()
    await findField(page).fill('acc')
    await page.getByRole('option', { name: /Accueil/ }).waitFor()
    await typeAsScanner(page, '123456789012')
    await page.getByText(/ne porte «.123456789012/).waitFor()
    expect(path(page)).toBe('/references')
    expect(await findField(page).inputValue()).toBe('123456789012')
    await page.keyboard.press('Escape')
  })

  it('says that a list is being loaded, to the eye as well when it takes long, and moves nothing', async () => {
    let release: () => void = () => undefined
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    await page.route('**/api/loanings?*', async (route) => {
      await held
      await route.continue()
    })
    await page.goto('/loanings')
    const loading = page.getByText('Chargement en cours...')
    const table = page.getByRole('table')
    await table.waitFor()
    const before = await table.boundingBox()
    expect(await loading.evaluate((text) => getComputedStyle(text).animationDelay)).toBe('0.3s')
    await expect.poll(() => loading.evaluate((text) => getComputedStyle(text).opacity)).toBe('1')
    expect((await loading.boundingBox())?.width).toBeGreaterThan(100)
    release()
    await page.getByRole('link', { name: 'Livre numéro 1' }).waitFor()
    expect(await loading.count()).toBe(0)
    expect((await table.boundingBox())?.y).toBe(before?.y)
    await page.unroute('**/api/loanings?*')
  })

  it('says in the header of a page what it stands under, and leads there', async () => {
    await page.goto('/loanings/edit/1')
    const trail = page.getByRole('navigation', { name: 'Fil d’Ariane' })
    await page.getByRole('heading', { name: 'Modifier le prêt' }).waitFor()
    await trail.getByRole('link', { name: 'Prêts' }).click()
    await page.getByRole('heading', { name: 'Prêts' }).waitFor()
    expect(await trail.count()).toBe(0)
  })

  it('has one scanner on a phone, and every screen behind « Plus », searched by its name', async () => {
    await page.setViewportSize(viewports.phone)
    await page.goto('/home')
    await scanBox(page).waitFor()
    expect(await page.getByRole('button', { name: 'Scanner' }).count()).toBe(1)
    expect(
      await page.getByRole('navigation', { name: 'Places' }).locator('a, button').allInnerTexts(),
    ).toEqual(['Accueil', 'Prêter', 'Scanner', 'Rendre', 'Plus'])
    await page.getByRole('button', { name: 'Plus', exact: true }).click()
    const sheet = page.getByRole('dialog', { name: 'Tous les écrans' })
    const row = sheet.getByRole('link', { name: /Prêts/ })
    expect((await row.boundingBox())?.height).toBe(56)
    await sheet.getByLabel('Rechercher un écran').fill('attente')
    await row.waitFor({ state: 'detached' })
    await sheet.getByRole('link', { name: /Actions en attente/ }).click()
    await page.waitForURL('**/waiting')
    await sheet.waitFor({ state: 'detached' })
  })

  it('brings what is asked on a phone over its lower bar, and over the line that says that there is no network', async () => {
    await page.setViewportSize(viewports.phone)
    await page.goto('/home')
    await scanBox(page).waitFor()
    await device.context.setOffline(true)
    const line = page.locator('.foot')
    await line.waitFor()
    const { room, taken } = await line.evaluate((foot: HTMLElement) => ({
      room: parseFloat(getComputedStyle(document.documentElement).scrollPaddingBottom),
      taken: parseFloat(getComputedStyle(foot).bottom) + foot.offsetHeight,
    }))
    expect(room).toBeGreaterThanOrEqual(taken)
    await device.context.setOffline(false)
    await line.waitFor({ state: 'detached' })
  })

  it.each(['/loaning/add?beneficiary=1', '/loaning/return?beneficiary=1'])(
    'has one scanner on a phone at %s as well, which opens the camera there',
    async (address) => {
      await page.setViewportSize(viewports.phone)
      const before = page.url()
      await page.goto(address)
      await page.getByText('Alice Martin').first().waitFor()
      const scanner = page.getByRole('button', { name: 'Scanner' })
      expect(await scanner.count()).toBe(1)
      await page.evaluate(() => scrollTo(0, document.body.scrollHeight))
      await scanner.click()
      const close = page.getByRole('button', { name: 'Fermer la caméra' })
      await close.waitFor()
      expect(page.url()).toBe(new URL(`${address}&scanner=1`, server.address).href)
      await scanner.click()
      expect(await page.getByText('Alice Martin').count()).toBeGreaterThan(0)
      await close.click()
      await close.waitFor({ state: 'detached' })
      expect(page.url()).toBe(new URL(address, server.address).href)
      await page.setViewportSize(viewports.desktop)
      await page.getByRole('button', { name: 'Scanner avec la caméra' }).waitFor()
      // Opened, asked for again and closed, it has left no step behind.
      await page.goBack()
      expect(page.url()).toBe(before)
    },
  )

  it.each([
    ['/loaning/add?beneficiary=1&copy=3&scanner=1', 'Enregistrer et quitter'],
    ['/loaning/return?beneficiary=2&loan=1&scanner=1', 'Enregistrer le retour'],
  ])('keeps the foot of %s above the bottom bar while the camera is open', async (address, verb) => {
    await page.setViewportSize(viewports.phone)
    await page.goto(address)
    await page.getByRole('button', { name: 'Fermer la caméra' }).waitFor()
    const button = page.getByRole('button', { name: verb })
    await button.waitFor()
    const bar = page.getByRole('navigation', { name: 'Places' })
    const room = async () => {
      const [foot, below] = [await button.boundingBox(), await bar.boundingBox()]
      return foot && below ? below.y - (foot.y + foot.height) : null
    }
    for (const where of [0, 100_000]) {
      await page.evaluate((top) => scrollTo(0, top), where)
      await expect.poll(room).toBeGreaterThanOrEqual(0)
      await button.click({ trial: true })
    }
    // What stands last in the page can be brought out from under it.
    const [foot, last] = [await button.boundingBox(), await page.locator('main section').last().boundingBox()]
    expect((last?.y ?? 0) + (last?.height ?? 0)).toBeLessThanOrEqual(foot?.y ?? 0)
    await page.setViewportSize(viewports.desktop)
    page.once('dialog', (dialog) => void dialog.accept())
    await page.goto('/home')
  })

  it('says what waits in one line of the side bar, with its count', async () => {
    await page.setViewportSize(viewports.desktop)
    await page.goto('/waiting')
    const [chooser] = await Promise.all([
      page.waitForEvent('filechooser'),
      page.getByRole('button', { name: 'Importer une file' }).click(),
    ])
    await chooser.setFiles({
      name: 'file.json',
      mimeType: 'application/json',
      buffer: Buffer.from(
        fileOf(
          Array.from({ length: 12 }, (_, n) => ({
            by: { user_id: 1, username: 'admin' },
            agoMs: 3600_000 + n,
            copy: { id: 7, bar_code: '1007', name: 'Livre numéro 7' },
            to: null,
          })),
        ),
      ),
    })
    const link = side(page).getByRole('link', { name: 'Actions en attente 12 en attente' })
    await link.waitFor()
    const lines = await link.getByText('Actions en attente', { exact: true }).evaluate((word) => {
      const range = document.createRange()
      range.selectNodeContents(word)
      return new Set([...range.getClientRects()].map(({ top }) => top)).size
    })
    expect(lines).toBe(1)
    expect(await link.evaluate((element) => element.scrollWidth <= element.clientWidth)).toBe(true)
  })

  it('gives the browser’s bar the colour of its own, in the theme chosen on the device', async () => {
    await page.setViewportSize(viewports.desktop)
    const bars = async () => [
      await page.getByRole('banner').evaluate((bar) => getComputedStyle(bar).backgroundColor),
      await page.evaluate(() => {
        const meta = [...document.querySelectorAll<HTMLMetaElement>('meta[name="theme-color"]')].find(
          ({ media }) => matchMedia(media).matches,
        )
        const probe = document.createElement('i')
        probe.style.color = meta?.content ?? ''
        return probe.style.color
      }),
    ]
    await page.goto('/account')
    const [bar, colour] = await bars()
    expect(colour).toBe(bar)
    await page.getByText('Sombre', { exact: true }).click()
    await page.locator('html[data-mantine-color-scheme="dark"]').waitFor({ state: 'attached' })
    const [darkBar, darkColour] = await bars()
    expect(darkBar).not.toBe(bar)
    expect(darkColour).toBe(darkBar)
    expect(device.errors).toEqual([])
  })
})
