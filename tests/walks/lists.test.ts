import { sql } from 'kysely'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { type Api, apiOf } from '../support/api-of.ts'
import { type Device, openDevice, pressAfterScan, signIn, typeAsScanner } from '../support/browser.ts'
import { cutInTable } from '../support/cut-words.ts'
import { openRunningServer, type RunningServer } from '../support/running-server.ts'
import { testPassword } from '../support/test-library.ts'
import { openCounter } from '../support/counter.ts'

// A long list's rows in sight, and acts on several rows while a scanner types.

const shelved = '31555510001007'

describe('a long list on a desktop', () => {
  let server: RunningServer
  let api: Api
  let device: Device
  let page: Page

  beforeAll(async () => {
    server = await openRunningServer({
      onPostgres: true,
      prepare: async (db) => {
        await sql`insert into copies (reference, bar_code, site)
          select 1 + n % 10, '315555200' || (10000 + n), 1 from generate_series(1, 60) n`.execute(db)
        await sql`insert into loanings (beneficiary, copy, site, start_date, end_date, duration_value, duration_type, lent_at, lent_received_at)
          select 1 + n % 2, id, 1, current_date - 3, current_date + 18, 3, 'WEEK', now(), now()
          from (select id, row_number() over (order by id) as n from copies where bar_code like '315555200%') copies`.execute(
          db,
        )
      },
    })
    api = await apiOf(server.address, 'biblio', testPassword)
    device = await openDevice(server.address, { viewport: 'desktop', keepsShell: false })
    page = device.page
    await signIn(page, 'biblio', testPassword)
    await openCounter(page)
  })
  afterAll(async () => {
    await device?.close()
    await server?.drop()
  })

  const open = async () => {
    await page.goto('/loanings')
    await page.getByText('60 prêts', { exact: true }).waitFor()
    await expect.poll(() => page.locator('tbody tr').count()).toBe(25)
  }
  const extended = async () => {
    const { body } = await api.get('/api/loanings?limit=500')
    return (body['hydra:member'] as { duration_value: number }[]).filter(
      ({ duration_value }) => duration_value > 3,
    ).length
  }

  it.each([
    [1440, 900, 14],
    [1920, 1080, 18],
  ])('shows at %i × %i at least %i rows of one line', async (width, height, rows) => {
    await page.setViewportSize({ width, height })
    await open()
    const boxes = await page
      .locator('tbody tr')
      .evaluateAll((all) => all.map((row) => row.getBoundingClientRect()))
    expect(boxes.filter(({ bottom }) => bottom <= height).length).toBeGreaterThanOrEqual(rows)
    expect(new Set(boxes.map((box) => box.height))).toEqual(new Set([44]))
  })

  it('shows by choice 24 rows under the headers of a desktop’s list, and keeps the choice', async () => {
    await page.setViewportSize({ width: 1440, height: 900 })
    await open()
    await page.getByRole('button', { name: 'Colonnes' }).click()
    await page.getByRole('menuitemcheckbox', { name: 'Lignes serrées' }).click()
    await page.keyboard.press('Escape')
    await page.reload()
    await open()
    const first = page.locator('tbody tr').first()
    await first.evaluate((row) => {
      const head = row.closest('table')!.tHead!.getBoundingClientRect().height
      const bar = document.querySelector('header')!.getBoundingClientRect().height
      scrollBy(0, row.getBoundingClientRect().top - head - bar)
    })
    const boxes = await page
      .locator('tbody tr')
      .evaluateAll((all) => all.map((row) => row.getBoundingClientRect()))
    expect(new Set(boxes.map((box) => box.height))).toEqual(new Set([34]))
    expect(boxes.filter(({ bottom }) => bottom <= 900).length).toBeGreaterThanOrEqual(24)
    await page.getByRole('button', { name: 'Colonnes' }).click()
    await page.getByRole('menuitemcheckbox', { name: 'Lignes serrées' }).click()
    await page.keyboard.press('Escape')
  })

  it('shows nine rows of two lines on a phone, under headers of one line each', async () => {
    await page.setViewportSize({ width: 390, height: 844 })
    await open()
    const bar = await page.getByRole('navigation', { name: 'Places' }).boundingBox()
    const boxes = await page
      .locator('tbody tr')
      .evaluateAll((all) => all.map((row) => row.getBoundingClientRect()))
    expect(boxes.filter(({ bottom }) => bottom <= bar!.y).length).toBeGreaterThanOrEqual(9)
    const [row] = await page.locator('tbody tr').allInnerTexts()
    expect(row).toMatch(/^Livre numéro \d+\n/)
  })

  it('has a long title on two lines of a row no higher than the others, and tells it whole under the pointer', async () => {
    await page.setViewportSize({ width: 1440, height: 900 })
    const long =
      'Les très riches heures de la bibliothèque municipale, racontées par celles qui l’ont tenue'.repeat(2)
    expect((await api.put('/api/references/1', { name: long })).status).toBe(200)
    await open()
    const title = page.getByRole('link', { name: long }).first()
    const [row, words, cut] = await title.evaluate((link) => [
      link.closest('tr')!.getBoundingClientRect().height,
      link.parentElement!.getBoundingClientRect().height,
      link.closest('td')!.scrollHeight > link.closest('td')!.clientHeight,
    ])
    await title.hover()
    const told = await title.evaluate((link) => link.closest('td')!.title)
    await api.put('/api/references/1', { name: 'Livre numéro 1' })
    expect([row, words, cut, told]).toEqual([44, 35, false, long])
  })

  it('shows where the keyboard is by a ring of 3 px, in its filters too', async () => {
    await page.setViewportSize({ width: 1440, height: 900 })
    await open()
    const field = page.locator('main input[type="search"]').first()
    await field.focus()
    const ring = await field.evaluate((input) => {
      for (let at: Element | null = input; at !== null; at = at.parentElement) {
        const { outlineStyle, outlineWidth } = getComputedStyle(at)
        if (outlineStyle === 'solid' && outlineWidth !== '0px') return outlineWidth
      }
      return null
    })
    expect(ring).toBe('3px')
  })

  it('shows all that is typed in a search whose words are long', async () => {
    await page.setViewportSize({ width: 1440, height: 900 })
    await page.goto('/references')
    const field = page.locator('main input[type="search"]').first()
    await field.fill('Albert Camus')
    const isWhole = () => field.evaluate((input) => input.scrollWidth <= input.clientWidth)
    expect(await isWhole()).toBe(true)
    await field.blur()
    expect(await isWhole()).toBe(true)
  })

  it('keeps its header in sight', async () => {
    await page.setViewportSize({ width: 1440, height: 900 })
    await open()
    await page.locator('tbody tr').last().scrollIntoViewIfNeeded()
    const { top } = await page
      .locator('thead th')
      .first()
      .evaluate((cell) => cell.getBoundingClientRect())
    expect(top).toBeGreaterThan(0)
    expect(
      await page.locator('thead').evaluate((head) => head.parentElement!.getBoundingClientRect().top),
    ).toBeLessThan(0)
  })

  it('does something to the rows that are ticked, and never for a scan', async () => {
    await open()
    const boxes = page.getByLabel(/^Choisir\s:/)
    await boxes.nth(0).focus()
    await page.keyboard.press('Space')
    await boxes.nth(4).click({ modifiers: ['Shift'] })
    await page.getByText('5 prêts choisis').waitFor()
    const at = await boxes.nth(4).boundingBox()
    const prolong = page.getByRole('button', { name: 'Prolonger', exact: true })
    await prolong.focus()
    await typeAsScanner(page, shelved)
    await page
      .getByText(/Code .+ gardé, à reprendre en haut/)
      .first()
      .waitFor()
    await typeAsScanner(page, '3155 551000 1007')
    expect(await page.getByRole('dialog').count()).toBe(0)
    expect(await extended()).toBe(0)
    await page.getByText('5 prêts choisis').waitFor()

    await pressAfterScan(page, 'Enter')
    const dialog = page.getByRole('dialog', { name: /^Prolonger 5.prêts$/ })
    await dialog.waitFor()
    await dialog.getByRole('button', { name: 'Valider' }).focus()
    await typeAsScanner(page, shelved)
    expect(await dialog.isVisible()).toBe(true)
    expect(await extended()).toBe(0)
    await dialog.getByRole('button', { name: 'Valider' }).click()
    await page.getByText(/^5 prêts prolongés\s: retour prévu/).waitFor()
    await dialog.waitFor({ state: 'detached' })
    expect(await extended()).toBe(5)
    // Nothing slid under the pointer.
    expect(await boxes.nth(4).boundingBox()).toEqual(at)
    expect(await boxes.nth(4).isChecked()).toBe(true)
    expect(device.errors).toEqual([])
  })

  it('opens a loan beside it, which the keys move and a scan leaves alone; a narrow screen has it as a page', async () => {
    await page.setViewportSize({ width: 1440, height: 900 })
    await open()
    const panel = page.getByRole('region', { name: 'Fiche' })
    const links = page.locator('tbody a')
    const pathOf = async (at: number) =>
      links.nth(at).evaluate((link) => (link as HTMLAnchorElement).pathname)
    const isAt = (path: string) => page.waitForURL((url) => url.pathname === path)
    const openRow = page.locator('tbody tr[aria-current="true"]')
    // The address changes a moment before what is in sight.
    const isShown = async (path: string) => {
      await isAt(path)
      await openRow.locator(`a[href^="${path}"]`).waitFor()
    }

    await links.nth(2).click()
    await isShown(await pathOf(2))
    await panel.getByText('Retour prévu').waitFor()
    const [width, summary] = await panel.evaluate((element) => [
      element.getBoundingClientRect().width,
      element.querySelector('h2')!.parentElement!.parentElement!.getBoundingClientRect().height,
    ])
    expect([width, summary]).toEqual([480, 88])
    await page.keyboard.press('j')
    await isShown(await pathOf(3))
    await page.keyboard.press('Alt+k')
    await isShown(await pathOf(2))
    await typeAsScanner(page, shelved)
    const ignored = page.getByText(/Code .+ gardé, à reprendre en haut/).first()
    await ignored.waitFor()
    // Over no button, and a press reaches what is under it.
    expect(
      await ignored.evaluate((words) => {
        const { top, left, width, height } = words.getBoundingClientRect()
        const under = document.elementFromPoint(left + width / 2, top + height / 2)
        const isCovered = [...document.querySelectorAll('button, input')].some((one) => {
          const box = one.getBoundingClientRect()
          return box.right > left && box.left < left + width && box.bottom > top && box.top < top + height
        })
        return [isCovered, words.contains(under)]
      }),
    ).toEqual([false, false])
    await isAt(await pathOf(2))

    await page.keyboard.press('Escape')
    await panel.waitFor({ state: 'detached' })
    await isAt('/loanings')
    expect(await links.nth(2).evaluate((link) => link === document.activeElement)).toBe(true)

    await links.nth(4).click()
    await isShown(await pathOf(4))
    await page.goBack()
    await panel.waitFor({ state: 'detached' })
    const opened = await pathOf(20)
    await links.nth(20).click()
    await isAt(opened)
    await page.evaluate(() => scrollTo(0, 0))
    await page.reload()
    await panel.getByText('Retour prévu').waitFor()
    await openRow.waitFor()
    // It is drawn after the first rows.
    await expect
      .poll(() => openRow.evaluate((row) => row.getBoundingClientRect().bottom <= innerHeight))
      .toBe(true)
    await isAt(opened)

    await page.setViewportSize({ width: 820, height: 1180 })
    await page.getByRole('heading', { level: 1, name: /^Livre numéro/ }).waitFor()
    expect(await page.locator('tbody').count()).toBe(0)
    await isAt(opened)
    await page.setViewportSize({ width: 1440, height: 900 })
    await openRow.waitFor()
    await panel.getByRole('button', { name: 'Fermer la fiche' }).click()
    await isAt('/loanings')
    await expect.poll(() => links.nth(20).evaluate((link) => link === document.activeElement)).toBe(true)
    expect(device.errors).toEqual([])
  })

  it('is gone through by the keyboard alone: one stop, its rows, a tick, the panel, a menu and a letter', async () => {
    await page.setViewportSize({ width: 1440, height: 900 })
    await open()
    const links = page.locator('tbody a')
    const hasFocus = (place: ReturnType<Page['locator']>) =>
      expect.poll(() => place.evaluate((one) => one === document.activeElement)).toBe(true)
    const isUncovered = (place: ReturnType<Page['locator']>) =>
      place.evaluate((one) => {
        const { top, left, width, height } = one.getBoundingClientRect()
        return one.contains(document.elementFromPoint(left + width / 2, top + height / 2))
      })
    const stops = await page
      .locator('table')
      .evaluate((table) =>
        Array.from(table.querySelectorAll<HTMLElement>('a, button, input'), ({ tabIndex }) => tabIndex),
      )
    expect(stops.filter((index) => index >= 0)).toEqual([0])

    await links.first().focus()
    await page.keyboard.press('End')
    await hasFocus(links.last())
    expect(await isUncovered(links.last())).toBe(true)
    await page.keyboard.press('Home')
    await hasFocus(links.first())
    expect(await isUncovered(links.first())).toBe(true)
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Space')
    await page.getByText('1 prêt choisi').waitFor()
    await page.keyboard.press('Escape')
    await page.getByText('1 prêt choisi').waitFor({ state: 'detached' })

    await page.keyboard.press('Enter')
    const panel = page.getByRole('region', { name: 'Fiche' })
    await panel.getByText('Retour prévu').waitFor()
    await hasFocus(panel.getByRole('heading', { level: 2 }).first())
    await page.keyboard.press('Escape')
    await panel.waitFor({ state: 'detached' })
    await hasFocus(links.nth(1))

    await page.keyboard.press('m')
    const change = page.getByRole('menuitem', { name: 'Modifier' })
    await change.waitFor()
    await page.keyboard.press('Escape')
    await change.waitFor({ state: 'detached' })
    await page.keyboard.press('o')
    const dialog = page.getByRole('dialog', { name: 'Prolonger le prêt' })
    await dialog.waitFor()
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    expect(device.errors).toEqual([])
  })

  it('keeps its readers and its days beside a detail, and the view that is open with its menu', async () => {
    await page.setViewportSize({ width: 1440, height: 900 })
    const content = { filters: { 'status|in': 'in_progress' }, order: null, hidden_columns: [] }
    const name = 'Ce qui est dehors depuis la rentrée'
    const { body } = await api.post('/api/views', {
      list: 'loanings',
      name,
      shared: true,
      content: { ...content, order: { field: 'end_date', direction: 'asc' } },
    })
    const { id } = body as { id: number }
    await page.goto(`/loanings?view=${id}&sort=end_date%3Aasc`)
    await page.locator('tbody a').first().click()
    await page.getByRole('region', { name: 'Fiche' }).getByText('Retour prévu').waitFor()
    expect(await page.getByRole('columnheader').allInnerTexts()).toEqual(
      expect.arrayContaining(['Article', 'Lecteur', 'Retour prévu']),
    )
    const views = page.getByRole('navigation', { name: 'Vues' })
    const isWhole = async (part: ReturnType<Page['locator']>) => {
      const [box, room] = [await part.boundingBox(), await views.boundingBox()]
      return box && room && box.width > 0
        ? box.x >= room.x && box.x + box.width <= room.x + room.width + 0.5
        : false
    }
    const tab = views.getByRole('listitem').filter({ has: page.locator('a[aria-current]') })
    await tab.getByText(name).waitFor()
    await expect.poll(() => isWhole(tab.locator('a svg'))).toBe(true)
    await expect.poll(() => isWhole(tab.getByRole('button'))).toBe(true)
  })

  it.each([
    [820, 1180],
    [1440, 900],
  ])('cuts at %i × %i no heading and no column of any list', async (width, height) => {
    await page.setViewportSize({ width, height })
    for (const address of ['/loanings', '/beneficiaries', '/references']) {
      await page.goto(address)
      await page.locator('tbody tr').nth(1).waitFor()
      const cut = await cutInTable(page)
      expect({ address, cut }).toEqual({ address, cut: [] })
    }
  })

  it('has the way out of a choice beside its first line, however narrow', async () => {
    await page.setViewportSize({ width: 820, height: 1180 })
    await open()
    await page
      .getByLabel(/^Choisir\s:/)
      .nth(0)
      .check()
    const bar = page.getByRole('region', { name: /^Choix/ })
    const count = await bar.getByText('1 prêt choisi').boundingBox()
    const out = await bar.getByRole('button', { name: 'Ne plus rien choisir' }).boundingBox()
    if (!count || !out) throw new Error('no choice')
    expect(out.y).toBeLessThan(count.y + count.height)
    expect(out.y + out.height).toBeGreaterThan(count.y)
    expect(out.x + out.width).toBeLessThanOrEqual(820)
    await bar.getByRole('button', { name: 'Ne plus rien choisir' }).click()
    await page.setViewportSize({ width: 1440, height: 900 })
  })

  it('has the menu of its page beside its other acts, on one line', async () => {
    await page.setViewportSize({ width: 820, height: 1180 })
    for (const address of ['/beneficiaries', '/references', '/loanings']) {
      await page.goto(address)
      const header = page.locator('h1').locator('xpath=../..')
      await header.getByRole('button', { name: 'Exporter' }).waitFor()
      const tops = await header
        .locator('button, a[class*="Button"]')
        .evaluateAll((acts) => [...new Set(acts.map((act) => Math.round(act.getBoundingClientRect().top)))])
      expect({ address, tops }).toEqual({ address, tops: [expect.any(Number)] })
    }
  })

  it('keeps the buttons of its filters, and those of a long dialog, in sight on a phone', async () => {
    await page.setViewportSize({ width: 390, height: 844 })
    await page.goto('/loanings')
    const isVisible = async (name: string) => {
      const dialog = page.getByRole('dialog')
      const box = await dialog.getByRole('button', { name }).boundingBox()
      return box !== null && box.y >= 0 && box.y + box.height <= 844
    }
    await page.getByRole('button', { name: /^Filtres( \(\d+\))?$/ }).click()
    await expect.poll(() => isVisible('Voir les résultats')).toBe(true)
    await page.keyboard.press('Escape')
    await page.goto('/references/view/1?copy=')
    await expect.poll(() => isVisible('Valider')).toBe(true)
    await page.keyboard.press('Escape')
    await page.setViewportSize({ width: 1440, height: 900 })
  })

  it('comes back as it was left', async () => {
    await page.setViewportSize({ width: 1440, height: 900 })
    await open()
    await page.getByRole('button', { name: 'Dates' }).click()
    await page.getByRole('textbox', { name: 'Début, du' }).fill('01/01/2026')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: /^Enlever le filtre Début/ }).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Page 2' }).click()
    await page
      .getByRole('button', { name: 'Page 2', exact: true })
      .and(page.locator('[aria-current]'))
      .waitFor()
    const { search } = new URL(page.url())
    await page.locator('tbody a').first().click()
    await page.getByRole('heading', { name: /^Livre numéro/ }).waitFor()
    await page.goBack()
    await page.getByRole('button', { name: /^Enlever le filtre Début/ }).waitFor()
    expect(new URL(page.url()).search).toBe(search)
  })

  it('has all its views in sight, and on a phone in one row that scrolls sideways', async () => {
    const content = { filters: { 'benefsearchname|like': 'martin' }, order: null, hidden_columns: [] }
    for (const day of ['lundi', 'mardi', 'jeudi', 'samedi']) {
      const name = `À relancer chaque ${day}`
      expect((await api.post('/api/views', { list: 'loanings', name, content })).status).toBe(201)
    }
    await page.setViewportSize({ width: 1440, height: 900 })
    await open()
    const views = page.getByRole('navigation', { name: 'Vues' })
    const saturday = views.getByRole('link', { name: /samedi$/ })
    await saturday.waitFor()
    expect(await views.evaluate((nav) => nav.scrollWidth - nav.clientWidth)).toBe(0)
    await page.setViewportSize({ width: 390, height: 844 })
    await expect.poll(async () => (await views.boundingBox())?.height).toBeLessThan(60)
    await saturday.focus()
    await page.keyboard.press('Enter')
    await views.locator('a[aria-current]', { hasText: 'samedi' }).waitFor()
    await page.reload()
    await views.locator('a[aria-current]', { hasText: 'samedi' }).waitFor()
    await expect
      .poll(async () => {
        const box = await saturday.boundingBox()
        return box !== null && box.x >= 0 && box.x + box.width <= 390
      })
      .toBe(true)
    const page390 = await page.evaluate(() => document.documentElement.scrollWidth)
    expect(page390).toBe(390)
    await page.goBack()
    await views.locator('a[aria-current]', { hasText: 'En cours' }).waitFor()
    // Others follow: the last name in sight fades, and the first one where others go before.
    await expect.poll(() => views.getAttribute('data-more')).toBe('')
    expect(await views.getAttribute('data-before')).toBeNull()
    await views.evaluate((nav) => nav.scrollTo({ left: nav.scrollWidth }))
    await expect.poll(() => views.getAttribute('data-more')).toBeNull()
    expect(await views.getAttribute('data-before')).toBe('')
    expect(await views.evaluate((nav) => getComputedStyle(nav).maskImage)).toMatch(
      /^linear-gradient\((90deg|to right)/,
    )
    expect(device.errors).toEqual([])
  })
})
