import type { Locator, Page } from 'playwright-core'

import { typeAsScanner } from './browser.ts'

// The counter as a person finds it.

export const scanBox = (page: Page): Locator => page.getByLabel('Code-barres, carte ou nom du lecteur')

/** The lane's line of a copy, by its title. */
export const lineOf = (page: Page, title: string): Locator =>
  page
    .getByRole('list', { name: 'Derniers passages' })
    .getByRole('listitem')
    .filter({ hasText: title })
    .first()

/** The lane's line of what was lent, by its title, under the heading of who borrows it. */
export const lentTo = (page: Page, name: string, title: string): Locator =>
  page
    .getByRole('list', { name: 'Derniers passages' })
    .locator(`xpath=li[preceding-sibling::li[@data-heading][1][contains(., "${name}")]]`)
    .filter({ hasText: title })
    .filter({ hasText: /Retour le \d/ })
    .first()

export const waitingTag = (page: Page): Locator => page.getByRole('link', { name: /actions? en attente/ })

/** Chooses a site in the dialog that asks for one after signing in with several. */
export async function chooseSite(page: Page, name = 'Centre'): Promise<void> {
  const dialog = page.getByRole('dialog', { name: 'Choisissez votre site' })
  await dialog.getByRole('button', { name }).click()
  await dialog.waitFor({ state: 'detached' })
}

/** Waits until the counter is ready to be scanned at, choosing a site where one is asked for. */
export async function openCounter(page: Page, site?: string): Promise<void> {
  const dialog = page.getByRole('dialog', { name: 'Choisissez votre site' })
  await scanBox(page).or(dialog).first().waitFor()
  if (await dialog.isVisible()) await chooseSite(page, site)
  await scanBox(page).waitFor()
}

/** Waits until the device holds what it needs off line: the shell, by its worker, and the library's data. */
export async function becomeReadyForOffline(page: Page): Promise<void> {
  await page.evaluate(async () => {
    await navigator.serviceWorker.ready
  })
  await page.goto('/account')
  await page
    .getByText(/^\d.*exemplaires?,/)
    .first()
    .waitFor()
  await page.goto('/home')
  await scanBox(page).waitFor()
}

/** Confirms the actions that came in a file: nothing proves whose they are. */
export async function confirmImported(page: Page): Promise<void> {
  const section = page.getByRole('region', { name: 'À confirmer' })
  const all = section.getByRole('button', { name: /^Confirmer les \d+ actions$/ })
  const one = section.getByRole('button', { name: /^Confirmer\s: / })
  await one.first().waitFor()
  // A queue comes in pieces: whoever confirms its first action finds the next.
  while ((await section.count()) > 0) {
    const id = await section.locator('[data-entry]').first().getAttribute('data-entry')
    const row = section.locator(`[data-entry="${id}"]`)
    if (await all.isVisible()) {
      await all.click()
      await page.getByRole('dialog').getByRole('button', { name: 'Valider' }).click()
    } else await row.getByRole('button', { name: /^Confirmer/ }).click()
    await row.waitFor({ state: 'detached' })
  }
}

/** Types a code into the scan box with fingers. */
export async function put(page: Page, code: string): Promise<void> {
  await scanBox(page).fill(code)
  await page.keyboard.press('Enter')
}

/** Codes as a hand-held scanner types them, one after the other, wherever the focus is. */
export async function scan(page: Page, ...codes: string[]): Promise<void> {
  for (const code of codes) await typeAsScanner(page, code)
}
