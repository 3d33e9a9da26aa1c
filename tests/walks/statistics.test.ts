import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { viewports } from '../support/browser.ts'
import { type Desk, openDesk } from '../support/desk.ts'

// What is lent in the morning is in the figures of the day, at a desk and on a phone.

describe('statistics', () => {
  let desk: Desk
  let page: Page
  beforeAll(async () => {
    desk = await openDesk({
      arrange: async (of) => {
        for (const copy of [1, 2]) await of.post('/api/loanings', { beneficiary: 1, copy })
      },
    })
    ;({ page } = desk)
  })
  afterAll(async () => desk?.leave())

  const figure = (name: string) =>
    page.locator('dl > div').filter({ has: page.locator('dt', { hasText: name }) })
  const place = (name: string) => page.getByRole('main').getByRole('link', { name: new RegExp(`^${name}`) })
  const chart = () => page.getByRole('img', { name: /^Activité du / })
  const isAt = (path: string) => page.waitForURL(({ pathname }) => pathname === path)
  /** Wider than its screen, a page is moved under the finger. */
  const overflow = () => page.evaluate(() => document.documentElement.scrollWidth - innerWidth)

  it('count what was just lent, and lead to it', async () => {
    await page.getByRole('link', { name: 'Statistiques' }).click()
    await figure('Sorties').getByText('2', { exact: true }).waitFor()
    await chart().waitFor()
    await place('En ce moment').click()
    await figure('Exemplaires dehors').getByText('2', { exact: true }).waitFor()
    await page.getByRole('link', { name: 'Livre' }).click()
    await isAt('/loanings')
    await page.getByRole('link', { name: 'Livre numéro 2' }).waitFor()
    expect(await page.getByRole('main').getByRole('row').count()).toBe(3)
  })

  it('show the day of the loans, and bring the workbook of them', async () => {
    await page.goto('/statistics')
    await place('Activité').click()
    await figure('Sorties').getByText('2', { exact: true }).waitFor()
    expect(await chart().getAttribute('aria-label')).toMatch(/\u202f: 2 sorties, aucun retour$/)
    await page.goto('/statistics/loanings')
    await page.getByRole('img', { name: /^Par support\s: Livre 100,0/ }).waitFor()
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Excel' }).click(),
    ])
    expect(file.suggestedFilename()).toMatch(/\.xlsx$/)
    await page.getByRole('link', { name: 'Voir ces prêts' }).click()
    await isAt('/loanings')
    await page.getByRole('link', { name: 'Livre numéro 1' }).waitFor()
  })

  it('show a whole year of weeks at a desk, with nothing to scroll', async () => {
    await page.goto('/statistics/activity')
    await page.getByRole('button', { name: 'Cette année' }).click()
    await page.getByRole('heading', { name: 'Par semaine et par jour' }).waitFor()
    const [drawn, room] = await chart().evaluate(
      (of) => [of.scrollWidth, of.parentElement!.clientWidth] as const,
    )
    expect(drawn).toBeLessThanOrEqual(room + 1)
  })

  it('are read on a phone: a year goes by weeks, scrolled by itself', async () => {
    await page.setViewportSize(viewports.phone)
    try {
      await page.goto('/statistics')
      await place('Rapport annuel').waitFor()
      const [first, last] = await Promise.all(
        [figure('Sorties'), figure('Nouveaux inscrits')].map(async (of) => (await of.boundingBox())?.y ?? 0),
      )
      // Five figures are in sight before anything is scrolled.
      expect(first).toBeLessThan(last!)
      expect(last).toBeLessThan(viewports.phone.height - 100)
      expect(await overflow()).toBe(0)
      await page.goto('/statistics/activity')
      await chart().waitFor()
      await page.getByRole('button', { name: /^Filtres\s: du / }).click()
      const filters = page.getByRole('dialog', { name: 'Filtres' })
      await filters.getByRole('button', { name: 'Cette année' }).click()
      await filters.getByRole('button', { name: 'Voir les chiffres' }).click()
      await filters.waitFor({ state: 'hidden' })
      await page.getByRole('heading', { name: 'Par semaine et par jour' }).waitFor()
      const scrolled = page.getByRole('region', { name: 'Le graphique, à faire défiler' })
      await scrolled.waitFor()
      const [inner, outer] = await scrolled.evaluate((of) => [of.scrollWidth, of.clientWidth] as const)
      expect(inner).toBeGreaterThan(outer)
      expect(await overflow()).toBe(0)
      for (const path of ['references', 'beneficiaries', 'loanings', 'active']) {
        await page.goto(`/statistics/${path}`)
        await page.getByRole('table').first().waitFor()
        expect([path, await overflow()]).toEqual([path, 0])
      }
    } finally {
      await page.setViewportSize(viewports.desktop)
    }
  })
})
