import { sql } from 'kysely'
import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'

import { type Api, apiOf } from '../support/api-of.ts'
import { type Device, openDevice, signIn, typeAsScanner, viewports } from '../support/browser.ts'
import { openRunningServer, type RunningServer } from '../support/running-server.ts'
import { fileOf } from '../waiting/difficult-queue.ts'
import { confirmImported, openCounter } from '../support/counter.ts'

// Scans while something else has the hands of a person, typed by a scanner in a real browser.

/** As tests/support/prepare-databases.ts gives it. */
export const adminPassword = 'mot-de-passe-admin'
/** A copy on its shelf, as its label says it. */
export const shelved = '31555510001007'
export const ignored = /Code .+ gardé, à reprendre en haut/

/** Whole days before now, as the wire writes them. */
const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10)

export const dialogOf = (page: Page, name: string | RegExp) => page.getByRole('dialog', { name })
export const press = (page: Page, name: string | RegExp) => page.getByRole('button', { name }).first().click()

export async function fromRow(page: Page, title: string, item: string): Promise<void> {
  await press(page, `Actions\u202f: ${title}`)
  await page.getByRole('menuitem', { name: item }).click()
}

export async function loansList(page: Page): Promise<void> {
  await page.goto('/loanings')
  await page.getByRole('link', { name: 'Livre numéro 1', exact: true }).waitFor()
}

export async function tickTwoLoans(page: Page): Promise<void> {
  await loansList(page)
  for (const number of [1, 2]) await page.getByLabel(`Choisir\u202f: Livre numéro ${number}`).check()
}

async function importQueue(page: Page, made: Parameters<typeof fileOf>[0], shown: string): Promise<void> {
  await page.goto('/waiting')
  const [chooser] = await Promise.all([page.waitForEvent('filechooser'), press(page, 'Importer une file')])
  await chooser.setFiles({
    name: 'file.json',
    mimeType: 'application/json',
    buffer: Buffer.from(fileOf(made)),
  })
  await confirmImported(page)
  await page.getByText(shown).first().waitFor()
}

const admin = { user_id: 1, username: 'admin' }
const gone = { id: 3, matricule: 'M3', lastname: 'Expirée', firstname: 'Noémie' }
const eric = { id: 2, matricule: 'M2', lastname: 'Dupont', firstname: 'Éric' }
const title = (n: number) => ({ id: n, bar_code: `3155551000${1000 + n}`, name: `Livre numéro ${n}` })

export type DialogRow = {
  name: string
  /** Opens the dialog, on a page left anywhere. */
  open: (page: Page) => Promise<unknown>
  dialog: string | RegExp
  /** What has the focus once it is open. */
  begins: string | RegExp
  /** What has it once it is closed again. */
  back: string | RegExp
  /** The button that closes it; Escape unless said. */
  close?: string
  phone?: boolean
}

export type Hands = { server: RunningServer; api: Api; device: Device; page: Page }

/** One server and one tablet with two loans and a difficult queue, for the tests of a `describe`. */
export function atHands(): Hands {
  const hands = {} as Hands
  beforeAll(async () => {
    hands.server = await openRunningServer({
      onPostgres: true,
      prepare: async (db) => {
        // Codes as long as real ones: by their keys alone a scanner is told from fingers.
        await sql`update copies set bar_code = '3155551000' || bar_code where id <= 10`.execute(db)
        await sql`insert into reservations (reference_id, beneficiary_id, queue_position) values (6, 1, 1)`.execute(
          db,
        )
      },
    })
    hands.api = await apiOf(hands.server.address, 'admin', adminPassword)
    for (const [copy, start_date] of [
      [1, daysAgo(0)],
      [2, daysAgo(29)],
    ] as const) {
      const { status } = await hands.api.post('/api/loanings', { beneficiary: 2, copy, start_date })
      if (status !== 201) throw new Error(`loan of ${copy}: ${status}`)
    }
    hands.device = await openDevice(hands.server.address, { viewport: 'tablet', keepsShell: false })
    const { page } = hands.device
    hands.page = page
    await signIn(page, 'admin', adminPassword)
    await openCounter(page, 'Centre')
    await importQueue(
      page,
      [
        { by: admin, agoMs: 60_000, copy: title(8), to: gone },
        { by: admin, agoMs: 50_000, copy: title(9), to: eric, more: { clock_offset: 3 * 86_400_000 } },
        {
          by: admin,
          agoMs: 40_000,
          copy: title(10),
          to: eric,
          more: {
            state: 'quarantined',
            attempts: 1,
            problem: { code: 0, reason: 'ENDPOINT_UNKNOWN', message: 'Action inconnue.', facts: null },
          },
        },
        { by: admin, agoMs: 30_000, copy: { id: null, bar_code: '999999', name: '999999' }, to: null },
        { by: { user_id: 2, username: 'biblio' }, agoMs: 20_000, copy: title(7), to: eric },
      ],
      'Prêter malgré le refus',
    )
    await page.getByRole('button', { name: 'Choisir la date' }).waitFor()
  })
  afterAll(async () => {
    const errors = hands.device?.errors ?? []
    await hands.device?.close()
    await hands.server?.drop()
    expect(errors).toEqual([])
  })
  afterEach(() => hands.page.setViewportSize(viewports.tablet))
  return hands
}

/** What must be as it was: the library, the outbox, the address, the session and the site. */
export async function standing({ api, page }: Hands) {
  const [loans, mails, devices] = await Promise.all(
    ['/api/loanings?limit=500', '/api/mail', '/api/devices'].map((path) => api.get(path)),
  )
  const members = (answer: typeof loans) =>
    (answer?.body?.['hydra:member'] ?? []) as Record<string, unknown>[]
  const { pathname, search } = new URL(page.url())
  return {
    loans: members(loans).map(({ id, status, end_date, delay_comment }) => [
      id,
      status,
      end_date,
      delay_comment,
    ]),
    mails: members(mails).length,
    devices: members(devices).map(({ device_id, name }) => [device_id, name]),
    address: pathname + search,
    device: await page.evaluate(async () => ({
      token: localStorage.getItem('token'),
      site: sessionStorage.getItem('site_id'),
      databases: (await indexedDB.databases()).map(({ name }) => name).toSorted(),
    })),
  }
}

/** The name of what has the focus, as it is read; empty for the page itself. */
export const focused = (at: Page) =>
  at.evaluate(() => {
    const active = document.activeElement
    if (active === null || active === document.body) return ''
    const { labels } = active as HTMLInputElement
    const name = active.getAttribute('aria-label') ?? labels?.[0]?.textContent ?? active.textContent
    return (name ?? '').replace(/\s*\*$/, '').trim()
  })
export const expectFocus = (at: Page, name: string | RegExp) =>
  expect
    .poll(() => focused(at))
    .toMatch(typeof name === 'string' ? new RegExp(`^${name.replaceAll(/[.?()]/g, '.')}`) : name)

/** In front of the door nobody could take it up again. */
export const ignoredAtDoor = /Code .+ lu, ignoré/

export const saysIgnored = async (page: Page, words = ignored) => {
  await page.locator('.mantine-Notification-root').getByText(words).first().waitFor()
}

/** Under each dialog a scan changes nothing, and the focus goes back where it was. */
export function underDialogs(hands: Hands, rows: readonly DialogRow[]): void {
  it.each(rows)('under « $name »', async ({ open, dialog: name, begins, back, close, phone }) => {
    const { page } = hands
    if (phone) await page.setViewportSize(viewports.phone)
    await open(page)
    const dialog = dialogOf(page, name)
    await dialog.waitFor()
    await expectFocus(page, begins)
    const before = await standing(hands)

    await typeAsScanner(page, shelved)
    await page.getByText(ignored).first().waitFor()
    expect(await dialog.getByText(ignored).count()).toBeGreaterThanOrEqual(phone ? 0 : 1)
    expect(await standing(hands)).toEqual(before)
    expect(await dialog.isVisible()).toBe(true)

    // The worst place to be: on what confirms, with a code that holds a space.
    const confirming = dialog.getByRole('button').last()
    if (await confirming.isEnabled()) await confirming.focus()
    await typeAsScanner(page, '3155 551000 1007')
    await typeAsScanner(page, shelved)
    expect(await dialog.isVisible()).toBe(true)
    expect(await standing(hands)).toEqual(before)

    if (close === undefined) await page.keyboard.press('Escape')
    else await dialog.getByRole('button', { name: close }).click()
    await dialog.waitFor({ state: 'detached' })
    await expectFocus(page, back)
    // The page is left clean for the next row.
    await page.goto('about:blank')
  })
}
