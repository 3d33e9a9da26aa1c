import { sql } from 'kysely'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import type { CalendarBoard } from '../../src/contract/calendar.ts'
import { membersOf } from '../../src/contract/list.ts'
import { plusDays } from '../../src/domain/calendar-day.ts'
import { isWiderThanScreen } from '../support/accessible.ts'
import type { Api } from '../support/api-of.ts'
import { viewports } from '../support/browser.ts'
import { type Desk, openDesk } from '../support/desk.ts'

// Somebody who keeps a pool of things looks at what is out, and gives it a few days more.

describe('the board of the calendar', () => {
  let desk: Desk
  let page: Page
  let api: Api
  beforeAll(async () => {
    desk = await openDesk({
      prepare: async (db) => {
        await sql`insert into copies (reference, bar_code, site, status)
          select 1, 'LOT' || lpad(n::text, 2, '0'), 1, 'En Location' from generate_series(1, 25) n`.execute(
          db,
        )
        await sql`insert into loanings (beneficiary, copy, site, status, start_date, end_date, duration_value, duration_type, lent_at, lent_received_at)
          select 1, c.id, 1, 'in_progress', t.today - 2, t.today + 5, 7, 'DAY', now(), now()
          from copies c, (select (now() at time zone 'Europe/Paris')::date as today) t where c.bar_code like 'LOT%'`.execute(
          db,
        )
      },
    })
    ;({ api, page } = desk)
  })
  afterAll(async () => desk?.leave())

  const lent = () => page.getByRole('gridcell', { name: /^Prêté à Alice Martin/ }).first()

  it('has twenty rows in sight on a desk', async () => {
    await page.goto('/calendar')
    await lent().waitFor()
    const seen = await page.getByRole('rowheader').evaluateAll(
      (names) =>
        names.filter((name) => {
          const end = name.closest('[data-board]')?.getBoundingClientRect().bottom ?? 0
          return name.getBoundingClientRect().bottom <= Math.min(end, innerHeight)
        }).length,
    )
    expect(seen).toBeGreaterThanOrEqual(20)
  })

  it('prolongs a loan by its edge, asks before, and takes it back', async () => {
    await page.goto('/calendar')
    await lent().waitFor()
    const board = (await api.get('/api/calendar/board')).body as CalendarBoard
    const id = membersOf(board)[0]?.bars[0]?.id ?? 0
    const dueOf = async () => ((await api.get(`/api/loanings/${id}`)).body as { end_date: string }).end_date
    const due = await dueOf()
    const bar = (await lent().boundingBox())!
    const track = (await page.locator('[data-track]').first().boundingBox())!
    const middle = bar.y + bar.height / 2
    await page.mouse.move(bar.x + bar.width - 3, middle)
    await page.mouse.down()
    await page.mouse.move(bar.x + bar.width + track.width / 28, middle, { steps: 3 })
    await page.mouse.move(bar.x + bar.width + (1.5 * track.width) / 28, middle, { steps: 3 })
    await page.mouse.up()
    const dialog = page.getByRole('dialog', { name: 'Prolonger le prêt' })
    await expect.poll(() => dialog.getByLabel(/^Prolonger de/).inputValue()).toBe('2')
    expect(await dueOf()).toBe(due)
    await dialog.getByRole('button', { name: 'Valider' }).click()
    const undo = page.getByRole('button', { name: 'Annuler la prolongation' })
    await undo.waitFor()
    expect(await dueOf()).toBe(plusDays(due, 2))
    await undo.click()
    await page.getByText('La prolongation est annulée.').waitFor()
    expect(await dueOf()).toBe(due)
  })

  it('is no wider than a tablet, and a list on a phone', async () => {
    try {
      await page.setViewportSize(viewports.tablet)
      await page.goto('/calendar')
      await lent().waitFor()
      expect(await isWiderThanScreen(page)).toBe(false)
      const spare = await page.locator('div[data-board]').evaluate((one) => one.scrollWidth - one.clientWidth)
      expect(spare).toBe(0)
      await page.setViewportSize(viewports.phone)
      await page.getByRole('region', { name: 'Retours' }).waitFor()
      expect(await isWiderThanScreen(page)).toBe(false)
    } finally {
      await page.setViewportSize(viewports.desktop)
    }
  })
})
