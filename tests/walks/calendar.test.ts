import { sql } from 'kysely'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { plusDays } from '../../src/domain/calendar-day.ts'
import type { Api } from '../support/api-of.ts'
import { scan } from '../support/counter.ts'
import { type Desk, openDesk } from '../support/desk.ts'

// Somebody asks at a desk when a book is free, and leaves with it.

const labels = ['31555510001001', '31555510001002', '31555510001003']

describe('the calendar', () => {
  let desk: Desk
  let page: Page
  let api: Api
  let today: string
  beforeAll(async () => {
    desk = await openDesk({
      prepare: (db) =>
        sql`update parameters set value = '0' where code = 'reservations_without_dates'`.execute(db),
      arrange: async (of) => {
        // As long as those on real labels: shorter ones are only taken in the scan box.
        for (const [at, bar_code] of labels.entries()) await of.put(`/api/copies/${at + 1}`, { bar_code })
        await of.post('/api/loanings', { beneficiary: 1, copy: 2 })
        ;({ today } = (await of.get('/api/calendar?category=roman')).body as { today: string })
        await of.post('/api/reservations', {
          beneficiary_id: 2,
          reference_id: 3,
          copy_id: 3,
          start_date: today,
          end_date: plusDays(today, 6),
        })
      },
    })
    ;({ api, page } = desk)
  })
  afterAll(async () => desk?.leave())

  const blockOf = (name: string) => page.getByRole('rowgroup', { name, exact: true })
  const isAt = (address: string) => page.waitForURL(({ pathname, search }) => pathname + search === address)
  /** In French, as a cell tells its days. */
  const told = (day: string) => day.split('-').reverse().join('/')

  it('lends from the calendar: searched, pressed and lent to whoever reserved it', async () => {
    await page.getByRole('link', { name: 'Calendrier' }).click()
    await page.getByRole('searchbox', { name: 'Référence' }).fill('livre')
    await blockOf('Livre numéro 3').waitFor()
    await blockOf('Livre numéro 2')
      .getByRole('gridcell', { name: /^Prêté à Alice Martin/ })
      .waitFor()
    await blockOf('Livre numéro 3')
      .getByRole('gridcell', { name: /^Réservé pour Éric Dupont/ })
      .click()
    await page
      .getByRole('dialog', { name: 'Livre numéro 3' })
      .getByRole('button', { name: 'Nouveau prêt' })
      .click()
    await page.waitForURL(/\/loaning\/add\?beneficiary=2&copy=3/)
    await page.getByRole('list', { name: 'Exemplaires du prêt' }).getByText('Livre numéro 3').waitFor()
    await page.getByRole('button', { name: 'Enregistrer et continuer' }).click()
    await page.getByText('Article sorti avec succès').first().waitFor()
    expect(await api.lent()).toEqual([labels[1], labels[2]])
  })

  it('shows what a scan asks for at once, and takes it back from there', async () => {
    await page.goto('/calendar')
    await page.getByRole('searchbox', { name: 'Référence' }).waitFor()
    await scan(page, labels[2]!)
    await page.waitForURL(new RegExp(`/calendar\\?bar_code=${labels[2]}`))
    await blockOf('Livre numéro 3')
      .getByRole('gridcell', { name: /^Prêté à Éric Dupont/ })
      .click()
    await page.getByRole('dialog').getByRole('button', { name: 'Rendre' }).click()
    await page.waitForURL(/\/loaning\/return\?beneficiary=2/)
  })

  it('reserves days that a mouse draws over, and no more than are free', async () => {
    await page.goto(`/calendar?bar_code=${labels[0]}`)
    const track = blockOf('Livre numéro 1').locator('[data-track]').nth(1)
    await track.waitFor()
    const box = (await track.boundingBox())!
    const { first_day } = (await api.get(`/api/calendar?bar_code=${labels[0]}`)).body as { first_day: string }
    const at = (place: number) => box.x + ((place + 0.5) / 84) * box.width
    const middle = box.y + box.height / 2
    await page.mouse.move(at(30), middle)
    await page.mouse.down()
    await page.mouse.move(at(32), middle, { steps: 3 })
    await page.mouse.move(at(35), middle, { steps: 3 })
    await page.mouse.up()
    await isAt(
      `/reservations/add?reference=1&copy=1&start_date=${plusDays(first_day, 30)}&end_date=${plusDays(first_day, 35)}`,
    )
  })

  it('does the same by the keyboard alone', async () => {
    await page.goto(`/calendar?bar_code=${labels[0]}`)
    const cells = blockOf('Livre numéro 1').getByRole('gridcell')
    await cells.first().waitFor()
    const { first_day } = (await api.get(`/api/calendar?bar_code=${labels[0]}`)).body as { first_day: string }
    const week = plusDays(first_day, 35)
    await cells.first().focus()
    for (let step = 0; step < 5; step += 1) await page.keyboard.press('ArrowRight')
    await expect
      .poll(() => page.evaluate(() => document.activeElement?.getAttribute('aria-label')))
      .toBe(`Libre du ${told(week)} au ${told(plusDays(week, 6))}`)
    for (let step = 0; step < 3; step += 1) await page.keyboard.press('Shift+ArrowRight')
    await page.getByText(/^3 jours choisis/).waitFor({ state: 'attached' })
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('Enter')
    await isAt(
      `/reservations/add?reference=1&copy=1&start_date=${plusDays(week, 1)}&end_date=${plusDays(week, 3)}`,
    )
  })

  it('keeps the copies’ names in sight on a phone, whatever weeks are looked at', async () => {
    await page.setViewportSize({ width: 390, height: 844 })
    try {
      await page.goto('/calendar?reference=livre')
      const name = blockOf('Livre numéro 1').getByRole('rowheader').nth(1)
      await name.waitFor()
      const before = (await name.boundingBox())!
      await page.getByRole('grid').evaluate((grid) => grid.parentElement?.scrollTo({ left: 500 }))
      expect((await name.boundingBox())!.x).toBeCloseTo(before.x, 0)
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390)
    } finally {
      await page.setViewportSize({ width: 1440, height: 900 })
    }
  })
})
