import { describe, expect, it } from 'vitest'

import { lineOf, openCounter, put } from '../support/counter.ts'
import { apiOf } from '../support/api-of.ts'
import { readMeta } from '../support/page-store.ts'
import { testPassword } from '../support/test-library.ts'
import { atFaultyCounter, copyCode, copyTitle } from './faulty-counter.ts'

describe('a device whose disk or clock fails', () => {
  const at = atFaultyCounter()
  let n = 0
  /** When the last loan of a copy was made, as the server knows it. */
  const lentAt = async (copy: number): Promise<number> => {
    const api = await apiOf(at.server.address, 'biblio', testPassword)
    const { body } = await api.get(`/api/loanings?filters[copy_barcode|eq]=${copyCode(copy)}`)
    return Date.parse(body['hydra:member'][0]?.lent_at ?? '')
  }
  /** The device's clock, from the next page on, is so many hours ahead, and the device has measured it. */
  async function setClock(hours: number): Promise<void> {
    await at.counter.page.evaluate((ms) => localStorage.setItem('clock', String(ms)), hours * 3600_000)
    await at.counter.page.goto('/home')
    await openCounter(at.counter.page)
    const measured = async () =>
      ((await readMeta(at.counter.page, 'clock')) as { offset: number } | undefined)?.offset ?? 0
    await expect.poll(measured).toBeCloseTo(hours * 3600_000, -5)
    await at.counter.chooseReader()
  }

  it('says that a full disk kept nothing, offers the queue as a file, and works again with room', async () => {
    const { page, proxy } = at.counter
    const kept = (n += 1)
    proxy.isDown = true
    proxy.cutAll()
    await at.counter.lend(kept)
    const session = await page.context().newCDPSession(page)
    await session.send('Storage.overrideQuotaForOrigin', { origin: proxy.address, quotaSize: 1 })
    // The browser believes for a while in the room it last measured: what it confirms meanwhile is kept.
    const refused = page.getByText(/mémoire de cet appareil est pleine/).first()
    while (!(await refused.isVisible())) {
      n += 1
      await put(page, copyCode(n))
      const kept = lineOf(page, copyTitle(n)).getByText(/^(Enregistré|Confirmé)/)
      await kept.or(refused).first().waitFor()
      if (!(await refused.isVisible())) at.counter.confirmed.push({ kind: 'lend', bar_code: copyCode(n) })
    }
    expect(await at.counter.statesOf(n)).toEqual([])
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page
        .getByRole('button', { name: /Exporter/ })
        .first()
        .click(),
    ])
    expect(download.suggestedFilename()).toMatch(/^comptoir-actions-/)
    await session.send('Storage.overrideQuotaForOrigin', { origin: proxy.address })
    await at.counter.lend((n += 1))
    await at.counter.heal()
    expect(await at.counter.statesOf(kept)).toEqual(['done'])
    expect(await at.counter.statesOf(n)).toEqual(['done'])
  })

  it('dates by the server’s time what a clock three hours ahead recorded', async () => {
    await at.counter.device.context.addInitScript(() => {
      const RealDate = Date
      const ahead = () => Number(localStorage.getItem('clock') ?? 0)
      globalThis.Date = class extends RealDate {
        constructor(...given: unknown[]) {
          if (given.length === 0) super(RealDate.now() + ahead())
          else super(...(given as [number]))
        }
        static override now() {
          return RealDate.now() + ahead()
        }
      } as DateConstructor
    })
    await setClock(3)
    const first = (n += 1)
    await at.counter.lend(first)
    await expect.poll(() => at.counter.statesOf(first), { timeout: 60_000 }).toHaveLength(1)
    await at.counter.heal()
    const copy = (n += 1)
    await at.counter.lend(copy)
    await at.counter.heal()
    expect(await at.counter.statesOf(copy)).toEqual(['done'])
    expect(Math.abs((await lentAt(copy)) - Date.now())).toBeLessThan(5 * 60_000)
  })

  it('asks for the date of what a clock days off recorded', async () => {
    await setClock(-72)
    at.counter.proxy.isDown = true
    at.counter.proxy.cutAll()
    const copy = (n += 1)
    await at.counter.lend(copy)
    await at.counter.heal()
    expect((await at.counter.entriesOf(copy))[0]).toMatchObject({
      state: 'conflict',
      problem: { reason: 'CLOCK_OFF' },
    })
    const { page } = at.counter
    await page.goto('/waiting')
    await page
      .getByRole('listitem')
      .filter({ hasText: copyTitle(copy) })
      .getByRole('button', { name: 'Choisir la date' })
      .click()
    await page.getByRole('dialog').getByRole('button', { name: 'Choisir la date' }).click()
    await expect.poll(() => at.counter.statesOf(copy), { timeout: 60_000 }).toEqual(['set_aside', 'done'])
    expect(Math.abs((await lentAt(copy)) - Date.now())).toBeLessThan(10 * 60_000)
  })

  it('keeps the order of what was done while the clock jumped back', async () => {
    await setClock(0)
    at.counter.proxy.isDown = true
    at.counter.proxy.cutAll()
    const copy = (n += 1)
    await at.counter.lend(copy)
    await at.counter.page.evaluate(() => localStorage.setItem('clock', String(-2 * 3600_000)))
    await at.counter.giveBack(copy)
    await at.counter.heal()
    const states = await at.counter.statesOf(copy)
    expect(states[0]).toBe('done')
    // Dated before its loan, the return is a person's to judge, or it follows: it is never lost.
    expect(['done', 'conflict']).toContain(states[1])
    await setClock(0)
  })

  it('leaves nothing for the oracle to find', async () => {
    await at.counter.judge()
  })
})
