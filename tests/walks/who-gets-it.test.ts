import { sql } from 'kysely'
import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'

import type { Db } from '../../src/server/db/handles.ts'
import { type Api, apiOf } from '../support/api-of.ts'
import { type Device, openDevice, signIn } from '../support/browser.ts'
import { emptyOutbox, knownLoans, readOutbox } from '../support/page-store.ts'
import { openRunningServer, type RunningServer } from '../support/running-server.ts'
import { testPassword } from '../support/test-library.ts'
import { becomeReadyForOffline, lentTo, lineOf, openCounter, scan, scanBox } from '../support/counter.ts'

/** Codes as long as real ones: by their keys alone a scanner is told from fingers. */
const copy = (n: number) => `31555510001${String(n).padStart(3, '0')}`
const card = (n: number) => `2900000000${n}`
const longCodes = async (db: Db) => {
  await sql`update copies set bar_code = '3155551000' || bar_code`.execute(db)
  await sql`update beneficiaries set reader_id = '2900000000' || id`.execute(db)
}

declare global {
  var aheadMs: number | undefined
}

/** Copy 6 is out, and late: its return costs something. */
const lateLoan = () => ({ beneficiary: 2, copy: 6, start_date: daysAgo(29) })

/** Whatever was lent or returned, copy 6 alone is out. */
async function leaveLateLoanAlone(api: Api): Promise<void> {
  const lent = await api.lent()
  for (const bar_code of lent.filter((code) => code !== copy(6)))
    expect((await api.post('/api/loanings/return', { bar_code })).status).toBe(200)
  if (!lent.includes(copy(6))) expect((await api.post('/api/loanings', lateLoan())).status).toBe(201)
}

const typeName = async (page: Page, name: string) => {
  await scanBox(page).focus()
  await page.keyboard.type(name, { delay: 120 })
}
const shownReader = (page: Page, name: string) =>
  page.getByRole('region', { name: 'Lecteur' }).getByRole('heading', { name })

let server: RunningServer
let device: Device
let page: Page
let api: Api
beforeAll(async () => {
  server = await openRunningServer({ prepare: longCodes, onPostgres: true })
  api = await apiOf(server.address, 'biblio', testPassword)
  await leaveLateLoanAlone(api)
  device = await openDevice(server.address, { viewport: 'desktop' })
  page = device.page
  await page.addInitScript(shiftableDate)
  // Nor does a page show the lane of the test before.
  await page.addInitScript(() => sessionStorage.removeItem('comptoir.lane'))
  await signIn(page, 'biblio', testPassword)
  await openCounter(page)
  await becomeReadyForOffline(page)
})
afterAll(async () => {
  await device?.close()
  await server?.drop()
})
afterEach(() => expect(device.errors.splice(0)).toEqual([]))

const isOutboxAtRest = async () =>
  (await readOutbox(page)).every(({ state }) => state !== 'queued' && state !== 'sending')

/** The page as it is opened, with nothing recorded and nothing lent but copy 6. */
async function beginAnew(): Promise<void> {
  do {
    // A loan of the test before that is under way would be made after the shelf was tidied.
    if (server.isRunning()) await expect.poll(isOutboxAtRest).toBe(true)
    await emptyOutbox(page)
    if (server.isRunning()) await leaveLateLoanAlone(api)
    await page.goto('/home')
    await scanBox(page).waitFor()
  } while ((await readOutbox(page)).length > 0)
  await expect.poll(() => knownLoans(page)).toEqual([6])
}

describe('a title looked up at the counter', () => {
  beforeEach(beginAnew)
  const lookUp = async (title: string) => {
    await scanBox(page).fill(title)
    await page.getByRole('option', { name: new RegExp(title) }).click()
    return page.getByRole('region', { name: 'Exemplaire cherché' })
  }

  it('returns nothing before « Rendre » is pressed', async () => {
    const row = await lookUp('Livre numéro 6')
    await row.getByRole('button', { name: 'Rendre' }).waitFor()
    await row.getByText(/Éric Dupont/).waitFor()
    expect(await readOutbox(page)).toEqual([])
    expect(await api.lent()).toEqual([copy(6)])
    await page.keyboard.press('Escape')
    await row.waitFor({ state: 'detached' })
    expect(await api.lent()).toEqual([copy(6)])
    await (await lookUp('Livre numéro 6')).getByRole('button', { name: 'Rendre' }).click()
    await lineOf(page, 'Livre numéro 6')
      .getByText(/^Rendu \(prêté à /)
      .waitFor()
    await expect.poll(() => api.lent()).toEqual([])
  })

  it('leads to the loan of a copy that somebody has', async () => {
    await (await lookUp('Livre numéro 6')).getByRole('link', { name: 'Voir' }).click()
    await page.waitForURL(/\/loanings\/view\/\d+$/)
    expect(await api.lent()).toEqual([copy(6)])
  })

  it('lends nothing before « Prêter » is pressed, and then to the reader it names', async () => {
    await scan(page, card(1))
    await shownReader(page, 'Alice Martin').waitFor()
    const row = await lookUp('Livre numéro 7')
    await row.getByRole('button', { name: 'Prêter à Alice Martin' }).waitFor()
    expect(await readOutbox(page)).toEqual([])
    await page.keyboard.press('Tab')
    await page.keyboard.press('Tab')
    expect(
      await row
        .getByRole('button', { name: 'Prêter à Alice Martin' })
        .evaluate((one) => one === document.activeElement),
    ).toBe(true)
    await page.keyboard.press('Enter')
    await lentTo(page, 'Alice Martin', 'Livre numéro 7').waitFor()
    await expect.poll(() => api.lent()).toEqual([copy(6), copy(7)])
  })

  it('is a row to tick on the return screen', async () => {
    await page.goto('/loaning/return')
    await page.getByRole('combobox', { name: 'Exemplaire rendu' }).fill('Livre numéro 6')
    await page.getByRole('option', { name: /Livre numéro 6/ }).click()
    const tick = page.getByRole('checkbox', { name: /Livre numéro 6/ })
    await tick.waitFor()
    expect(await tick.isChecked()).toBe(false)
    expect(await page.getByRole('button', { name: 'Enregistrer le retour' }).count()).toBe(0)
    await tick.check()
    await page.getByRole('button', { name: 'Enregistrer le retour' }).waitFor()
  })
})

// Those without a network come last: what they do is in the outbox alone.
describe.each(['on line', 'off line'] as const)('at the counter, %s, with a scanner', (where) => {
  beforeAll(async () => {
    if (where === 'off line') await server.stop('SIGKILL')
  })
  beforeEach(async () => {
    await beginAnew()
    if (where === 'off line') await page.getByText('Hors ligne', { exact: true }).first().waitFor()
    await scanBox(page).blur()
  })

  /** What this device has recorded, whatever became of it: who got which copy, and which came back. */
  const recorded = async () =>
    (await readOutbox(page)).map(({ label, bar_code, beneficiary_id }) =>
      label.kind === 'lend' ? `${bar_code} to ${beneficiary_id}` : `${bar_code} back`,
    )
  const seconds = (count: number) =>
    page.evaluate((ms) => void (globalThis.aheadMs = (globalThis.aheadMs ?? 0) + ms), count * 1000)
  const minutes = (count: number) => seconds(count * 60)
  /** Until the reader has gone; what is still worked on when the clock goes forward counts as a touch. */
  const leaveAlone = () =>
    expect
      .poll(
        async () => {
          await minutes(4)
          return page.getByRole('region', { name: 'Lecteur' }).innerText()
        },
        { interval: 500 },
      )
      .toContain('Carte à scanner de nouveau')

  it('lends a copy that waited to the next card', async () => {
    await scan(page, copy(1), copy(2))
    await lineOf(page, 'Livre numéro 2').getByText('Attend un lecteur').waitFor()
    await scan(page, card(1))
    await lentTo(page, 'Alice Martin', 'Livre numéro 2').waitFor()
    await expect.poll(recorded).toEqual([`${copy(1)} to 1`, `${copy(2)} to 1`])
  })

  it('asks for whom a copy is when something else was done before the card', async () => {
    await scan(page, copy(1))
    await lineOf(page, 'Livre numéro 1').getByText('Attend un lecteur').waitFor()
    await scan(page, copy(6))
    await lineOf(page, 'Livre numéro 6')
      .getByText(/^Rendu \(prêté à /)
      .waitFor()
    await scan(page, card(1))
    const line = lineOf(page, 'Livre numéro 1')
    await line.getByText('Prêter à Alice Martin\u202f?').waitFor()
    expect(await recorded()).toEqual([`${copy(6)} back`])
    await line.getByRole('button', { name: 'Prêter à Alice Martin' }).click()
    await line.getByText(/^Prêté à Alice Martin, retour le \d/).waitFor()
    await expect.poll(recorded).toEqual([`${copy(6)} back`, `${copy(1)} to 1`])
  })

  it('never lends to a stranger’s card a copy that waited ten minutes', async () => {
    await scan(page, card(1))
    await shownReader(page, 'Alice Martin').waitFor()
    await page.keyboard.press('Escape')
    await shownReader(page, 'Alice Martin').waitFor({ state: 'detached' })
    await scan(page, copy(1))
    await lineOf(page, 'Livre numéro 1').getByText('Attend un lecteur').waitFor()
    await scan(page, copy(6))
    await lineOf(page, 'Livre numéro 6')
      .getByText(/^Rendu \(prêté à /)
      .waitFor()
    await minutes(10)
    await lineOf(page, 'Livre numéro 1').getByText('Plus en attente').waitFor()
    await scan(page, card(4))
    await shownReader(page, 'Jean Sans-Courriel').waitFor()
    await scan(page, copy(3))
    await lentTo(page, 'Jean', 'Livre numéro 3').waitFor()
    expect(await recorded()).toEqual([`${copy(6)} back`, `${copy(3)} to 4`])
    const line = lineOf(page, 'Livre numéro 1')
    await line.getByRole('button', { name: 'Retirer' }).waitFor()
    await line.getByRole('button', { name: 'Attendre un lecteur' }).click()
    // Now somebody is chosen: it asks, and still lends nothing by itself.
    await line.getByText('Prêter à Jean Sans-Courriel\u202f?').waitFor()
    expect(await recorded()).toHaveLength(2)
  })

  it('greys a reader left alone, and asks for the card again after three minutes', async () => {
    const reader = page.getByRole('region', { name: 'Lecteur' })
    await scan(page, card(1))
    await shownReader(page, 'Alice Martin').waitFor()
    await seconds(100)
    await reader.getByText('Toujours Alice Martin\u202f?').waitFor()
    await scan(page, copy(1))
    await lentTo(page, 'Alice Martin', 'Livre numéro 1').waitFor()
    await reader.getByText('Toujours Alice Martin\u202f?').waitFor({ state: 'detached' })
    await leaveAlone()
    await scan(page, copy(2))
    const line = lineOf(page, 'Livre numéro 2')
    await line.getByText('Attend un lecteur').waitFor()
    expect(await recorded()).toEqual([`${copy(1)} to 1`])
    // The next person’s card: the copy is theirs.
    await scan(page, card(2))
    await lentTo(page, 'Éric Dupont', 'Livre numéro 2').waitFor()
    await leaveAlone()
    await scan(page, copy(3))
    const next = lineOf(page, 'Livre numéro 3')
    await next.getByRole('button', { name: 'Continuer avec Éric Dupont' }).click()
    await lentTo(page, 'Éric Dupont', 'Livre numéro 3').waitFor()
    await scan(page, copy(4))
    await lentTo(page, 'Éric Dupont', 'Livre numéro 4').waitFor()
    await expect
      .poll(recorded)
      .toEqual([`${copy(1)} to 1`, `${copy(2)} to 2`, `${copy(3)} to 2`, `${copy(4)} to 2`])
  })

  it('takes back a choice that a pause made when the person types on', async () => {
    await typeName(page, 'alice')
    await page.getByRole('region', { name: 'Lecteur' }).getByText('À confirmer').waitFor()
    expect(await scanBox(page).inputValue()).toBe('alice')
    await typeName(page, ' durand')
    await shownReader(page, 'Alice Martin').waitFor({ state: 'detached' })
    await page.keyboard.press('Enter')
    await lineOf(page, 'alice durand').waitFor()
    await scan(page, copy(1), copy(2))
    await lineOf(page, 'Livre numéro 2').getByText('Attend un lecteur').waitFor()
    expect(await recorded()).toEqual([])
    await scanBox(page).fill('dupont')
    await shownReader(page, 'Éric Dupont').waitFor()
    expect(await recorded()).toEqual([])
    await scanBox(page).press('Enter')
    for (const title of ['Livre numéro 1', 'Livre numéro 2'])
      await lentTo(page, 'Éric Dupont', title).waitFor()
    await expect.poll(recorded).toEqual([`${copy(1)} to 2`, `${copy(2)} to 2`])
    expect(await scanBox(page).inputValue()).toBe('')
  })

  it('takes the scan of a copy for a yes to the reader in sight, and says so on its line', async () => {
    await typeName(page, 'alice')
    await page.getByRole('region', { name: 'Lecteur' }).getByText('À confirmer').waitFor()
    // Into the very field that holds the name.
    await scan(page, copy(1))
    const line = lineOf(page, 'Livre numéro 1')
    await line.getByText(/^Prêté à Alice Martin, retour le \d/).waitFor()
    await line.getByText('Alice Martin\u202f: choix confirmé par ce scan.').waitFor()
    await page
      .getByRole('region', { name: 'Lecteur' })
      .getByText('À confirmer')
      .waitFor({ state: 'detached' })
    expect(await scanBox(page).inputValue()).toBe('')
    await expect.poll(recorded).toEqual([`${copy(1)} to 1`])
  })

  it('asks when the reader whom a pause chose is out of sight', async () => {
    await typeName(page, 'alice')
    await page.getByRole('region', { name: 'Lecteur' }).getByText('À confirmer').waitFor()
    // A sheet of its own holds however often the card is drawn again.
    await page.evaluate(() => {
      const sheet = new CSSStyleSheet()
      sheet.replaceSync('section[aria-label="Lecteur"] { translate: 0 -5000px }')
      document.adoptedStyleSheets = [sheet]
    })
    await scan(page, copy(1))
    const line = lineOf(page, 'Livre numéro 1')
    await line.getByText('Prêter à Alice Martin\u202f?').waitFor()
    expect(await recorded()).toEqual([])
  })
})

/** The page's clock goes forward at once; its timers and the times of its keys stay as they are. */
function shiftableDate(): void {
  const RealDate = Date
  globalThis.Date = class extends RealDate {
    constructor(...given: unknown[]) {
      if (given.length === 0) super(RealDate.now() + (globalThis.aheadMs ?? 0))
      else super(...(given as [number]))
    }
    static override now() {
      return RealDate.now() + (globalThis.aheadMs ?? 0)
    }
  } as DateConstructor
}

const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10)
