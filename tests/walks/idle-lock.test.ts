import type { Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'

import type { Db } from '../../src/server/db/handles.ts'
import { type Api, apiOf } from '../support/api-of.ts'
import { type Device, openDevice, pressAfterScan, signIn, typeAsScanner } from '../support/browser.ts'
import { readMeta, readOutbox } from '../support/page-store.ts'
import { openRunningServer, type RunningServer } from '../support/running-server.ts'
import { testPassword } from '../support/test-library.ts'
import {
  becomeReadyForOffline,
  chooseSite,
  lineOf,
  openCounter,
  put,
  scanBox,
  waitingTag,
} from '../support/counter.ts'

const code = '2580'

const lockAfterFiveMinutes = (db: Db) =>
  db.updateTable('parameters').set({ value: '5' }).where('code', '=', 'idle_lock_minutes').execute()

const lockScreen = (page: Page) => page.getByRole('heading', { name: 'Écran verrouillé' })
const codeField = (page: Page) => page.getByLabel('Code de verrouillage')

/** Types as a hand does, and not as a scanner. */
async function enter(page: Page, text: string): Promise<void> {
  await codeField(page).fill(text)
  await page.keyboard.press('Enter')
}

async function waitUntilIdle(page: Page): Promise<void> {
  await page.clock.fastForward('05:01')
  await lockScreen(page).waitFor()
}

/** Whatever of the library is in the document: seen or not, and read aloud or not. */
async function whatIsThere(page: Page): Promise<string> {
  const html = await page.evaluate(() => document.documentElement.outerHTML)
  return `${html} ${await page.locator('body').ariaSnapshot()}`
}
const ofTheLibrary = /Alice|Martin|Livre numéro|Derniers passages|Lecteur/

describe('a screen that stands alone', () => {
  let server: RunningServer
  let device: Device
  let api: Api
  beforeAll(async () => {
    server = await openRunningServer({ prepare: lockAfterFiveMinutes, onPostgres: true })
    api = await apiOf(server.address, 'biblio', testPassword)
    device = await openDevice(server.address, { viewport: 'phone' })
    await device.context.clock.install()
  })
  afterAll(async () => {
    await device?.close()
    await server?.drop()
  })

  it('asks for a code at the first sign-in, before anything else', async () => {
    const { page } = device
    await signIn(page, 'biblio', testPassword)
    await page.getByRole('heading', { name: 'Code de verrouillage' }).waitFor()
    expect(await page.getByRole('dialog').count()).toBe(0)
    const save = page.getByRole('button', { name: 'Enregistrer le code' })
    await page.getByLabel('Nouveau code').fill('25')
    await save.click()
    await page.getByText('Le code compte quatre chiffres.').waitFor()
    await page.getByLabel('Nouveau code').fill(code)
    await page.getByLabel('Le même code, une seconde fois').fill('2581')
    await save.click()
    await page.getByText('Les deux saisies sont différentes.').waitFor()
    await page.getByLabel('Le même code, une seconde fois').fill(code)
    await save.click()
    await chooseSite(page)
    await openCounter(page)
    await becomeReadyForOffline(page)
  })

  it('hides all of it after the time without a gesture, and nothing a hand goes on with', async () => {
    const { page } = device
    await put(page, 'R1')
    await page
      .getByRole('region', { name: 'Lecteur' })
      .getByRole('heading', { name: 'Alice Martin' })
      .waitFor()
    await put(page, '1001')
    await lineOf(page, 'Livre numéro 1').getByText('Confirmé').waitFor()
    await page.clock.fastForward('04:30')
    await page.mouse.move(100, 300)
    await page.clock.fastForward('04:30')
    expect(await lockScreen(page).count()).toBe(0)
    await scanBox(page).fill('à moitié tapé')
    await waitUntilIdle(page)
    expect(await whatIsThere(page)).not.toMatch(ofTheLibrary)
    expect(await page.title()).toBe('Écran verrouillé · Comptoir')
    expect(await codeField(page).evaluate((field) => field === document.activeElement)).toBe(true)
  })

  it('is as it was behind the right code, by the big keys', async () => {
    const { page } = device
    for (const figure of code) await page.getByRole('button', { name: figure, exact: true }).click()
    expect(await codeField(page).evaluate((field) => field === document.activeElement)).toBe(true)
    await page.getByRole('button', { name: 'Déverrouiller' }).click()
    await lockScreen(page).waitFor({ state: 'detached' })
    await lineOf(page, 'Livre numéro 1').getByText('Confirmé').waitFor()
    await page
      .getByRole('region', { name: 'Lecteur' })
      .getByRole('heading', { name: 'Alice Martin' })
      .waitFor()
    expect(await scanBox(page).inputValue()).toBe('à moitié tapé')
    expect(await page.title()).toBe('Accueil · Comptoir')
    await scanBox(page).fill('')
  })

  it('keeps a half-made basket, an open menu and the keys of the page', async () => {
    const { page } = device
    await page.goto('/loaning/add')
    await page.getByRole('combobox', { name: 'Lecteur' }).fill('alice')
    await page
      .getByText(/prêts? en cours/)
      .first()
      .waitFor()
    const basket = page.getByRole('list', { name: 'Exemplaires du prêt' })
    await page.getByRole('combobox', { name: 'Exemplaire' }).fill('1004')
    await page.keyboard.press('Enter')
    await basket.getByText('1004').waitFor()
    await page.getByRole('button', { name: /mon compte et déconnexion/ }).click()
    await page.getByRole('menuitem', { name: 'Mon compte' }).waitFor()
    await waitUntilIdle(page)
    expect(await whatIsThere(page)).not.toMatch(ofTheLibrary)
    // Keys of the page: home, and closing what is open.
    for (const key of ['Escape', 'r', '?', 'Tab']) await page.keyboard.press(key)
    await enter(page, code)
    await basket.getByText('1004').waitFor()
    await page.getByRole('menuitem', { name: 'Mon compte' }).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('menuitem', { name: 'Mon compte' }).waitFor({ state: 'detached' })
    await page.goto('/home')
    await scanBox(page).waitFor()
  })

  it('stays locked in a page that is loaded again, and in a new one', async () => {
    const { page, context } = device
    await waitUntilIdle(page)
    await page.reload()
    await lockScreen(page).waitFor()
    expect(await whatIsThere(page)).not.toMatch(ofTheLibrary)
    const other = await context.newPage()
    await other.goto('/loanings')
    await lockScreen(other).waitFor()
    expect(await whatIsThere(other)).not.toMatch(ofTheLibrary)
    await enter(other, code)
    await lockScreen(other).waitFor({ state: 'detached' })
    await lockScreen(page).waitFor({ state: 'detached' })
    await scanBox(page).waitFor()
    // A page made under the lock has its menus all the same.
    await page.getByRole('button', { name: /mon compte et déconnexion/ }).click()
    await page.getByRole('menuitem', { name: 'Mon compte' }).waitFor()
    await page.keyboard.press('Escape')
    await other.close()
  })

  it('locks when it is opened long after it was closed', async () => {
    const { page } = device
    await page.goto('about:blank')
    await page.clock.fastForward('06:00')
    await page.goto('/home')
    await lockScreen(page).waitFor()
    await enter(page, code)
    await scanBox(page).waitFor()
  })

  it('locks and unlocks without a network, and sends what waits while it is locked', async () => {
    const { page, context } = device
    await put(page, 'R1')
    await page
      .getByRole('region', { name: 'Lecteur' })
      .getByRole('heading', { name: 'Alice Martin' })
      .waitFor()
    // Its answer also tells how far the moved clock is off.
    await put(page, '1007')
    await lineOf(page, 'Livre numéro 7').getByText('Confirmé').waitFor()
    await context.setOffline(true)
    await page.getByText('Hors ligne', { exact: true }).first().waitFor()
    await put(page, '1005')
    await lineOf(page, 'Livre numéro 5').getByText('Enregistré').first().waitFor()
    await waitUntilIdle(page)
    await enter(page, code)
    await lineOf(page, 'Livre numéro 5').getByText('Enregistré').first().waitFor()
    await waitUntilIdle(page)
    await page.reload()
    await lockScreen(page).waitFor()
    await context.setOffline(false)
    await expect.poll(() => api.lent()).toEqual(['1001', '1005', '1007'])
    expect(await lockScreen(page).count()).toBe(1)
    await enter(page, code)
    await scanBox(page).waitFor()
    await waitingTag(page).waitFor({ state: 'detached' })
  })

  it('takes five wrong codes, whatever is loaded again or set back between; then the password, on line', async () => {
    const { page, context } = device
    await waitUntilIdle(page)
    for (const [wrong, said] of [
      ['1111', 'Il reste 4 essais.'],
      ['2222', 'Il reste 3 essais.'],
      ['3333', 'Il reste 2 essais.'],
    ] as const) {
      await enter(page, wrong)
      await page.getByText(said).waitFor()
    }
    await page.reload()
    // By less than a day: of what is done later nobody has to say when it was.
    await page.clock.setSystemTime(new Date(Date.now() - 12 * 3_600_000))
    await enter(page, '4444')
    await page.getByText('Il reste 1 essai.').waitFor()
    await enter(page, '5555')
    const password = page.getByLabel('Mot de passe', { exact: true })
    await password.waitFor()
    await page.getByText('Code erroné 5 fois').waitFor()
    await page.reload()
    await password.waitFor()
    expect(await codeField(page).count()).toBe(0)
    expect(await page.getByRole('button', { name: 'Utiliser le mot de passe' }).count()).toBe(0)

    await context.setOffline(true)
    await password.fill(testPassword)
    // It is asked for, and gets no answer: what is said of the network was there before.
    await Promise.all([page.waitForEvent('requestfailed'), page.keyboard.press('Enter')])
    await page.getByText('Le mot de passe se vérifie en ligne').waitFor()
    await context.setOffline(false)
    await password.fill('pas-celui-la')
    await page.getByRole('button', { name: 'Déverrouiller' }).click()
    await page.getByText('Identifiants incorrects').waitFor()
    await password.fill(testPassword)
    await page.getByRole('button', { name: 'Déverrouiller' }).click()
    await scanBox(page).waitFor()

    await waitUntilIdle(page)
    await enter(page, '1111')
    await page.getByText('Il reste 4 essais.').waitFor()
    await enter(page, code)
    await scanBox(page).waitFor()
  })

  it('has nothing of the password on the device, nor the code as it is typed', async () => {
    const kept = JSON.stringify(await readMeta(device.page, 'lock_code'), (_, value: unknown) =>
      value instanceof Uint8Array ? [...value] : value,
    )
    expect(kept).toContain('"rounds"')
    const local = await device.page.evaluate(() => JSON.stringify(Object.values(localStorage)))
    // By whole words: some hour of the day has these figures within its milliseconds.
    expect([...(kept.match(/\w+/g) ?? []), ...(local.match(/\w+/g) ?? [])]).not.toContain(code)
  })

  it('lets somebody else sign in, with what waits kept; the code is forgotten', async () => {
    const { page, context } = device
    await context.setOffline(true)
    await page.getByText('Hors ligne', { exact: true }).first().waitFor()
    await put(page, 'R1')
    await page
      .getByRole('region', { name: 'Lecteur' })
      .getByRole('heading', { name: 'Alice Martin' })
      .waitFor()
    await put(page, '1006')
    await lineOf(page, 'Livre numéro 6').getByText('Enregistré').first().waitFor()
    await waitUntilIdle(page)
    await page.getByRole('button', { name: 'Quelqu’un d’autre' }).click()
    await page.getByText('1 action attend sur cet appareil.').waitFor()
    await page.getByRole('button', { name: 'Annuler' }).click()
    await page.getByRole('button', { name: 'Se déconnecter' }).click()
    await page.getByRole('button', { name: 'Valider' }).click()
    await page.getByRole('heading', { name: 'Connexion' }).waitFor()
    expect(new URL(page.url()).pathname).toBe('/login')
    expect(await readMeta(page, 'lock_code')).toBeUndefined()
    expect((await readOutbox(page)).find(({ bar_code }) => bar_code === '1006')).toMatchObject({
      settled_at: null,
      label: { beneficiary: 'Alice Martin (M1)' },
    })
    expect(await whatIsThere(page)).not.toMatch(ofTheLibrary)
    await context.setOffline(false)
  })

  it('breaks no policy and throws nothing on the way', () => {
    expect(device.errors).toEqual([])
  })
})

describe('a scanner at a locked screen', () => {
  let server: RunningServer
  let device: Device
  let api: Api
  beforeAll(async () => {
    server = await openRunningServer({ prepare: lockAfterFiveMinutes, onPostgres: true })
    api = await apiOf(server.address, 'biblio', testPassword)
    // Its keys have their own times, which a moved clock would hide.
    device = await openDevice(server.address, { viewport: 'tablet', keepsShell: false })
    const { page } = device
    await signIn(page, 'biblio', testPassword)
    for (const label of ['Nouveau code', 'Le même code, une seconde fois'])
      await page.getByLabel(label).fill(code)
    await page.getByRole('button', { name: 'Enregistrer le code' }).click()
    await openCounter(page)
  })
  // Locked with a reader behind and all its tries left, wherever a try before this one stopped.
  beforeEach(async () => {
    const { page } = device
    await page.goto('/home')
    await scanBox(page).or(lockScreen(page)).first().waitFor()
    if (await lockScreen(page).isVisible()) await enter(page, code)
    await scanBox(page).waitFor()
    await put(page, 'R1')
    await page
      .getByRole('region', { name: 'Lecteur' })
      .getByRole('heading', { name: 'Alice Martin' })
      .waitFor()
    await page.evaluate(() => {
      const kept = JSON.parse(localStorage.getItem('comptoir.lock') ?? '{}') as object
      localStorage.setItem('comptoir.lock', JSON.stringify({ ...kept, locked: true }))
      dispatchEvent(new StorageEvent('storage', { key: 'comptoir.lock' }))
    })
    await lockScreen(page).waitFor()
  })
  afterAll(async () => {
    await device?.close()
    await server?.drop()
  })

  it('is told so, and neither lends, nor unlocks, nor uses up a try', async () => {
    const { page } = device
    for (const scanned of ['1002', code, '9782070368228']) {
      await codeField(page).fill('1')
      await typeAsScanner(page, scanned)
      await page
        .getByRole('alert')
        .getByText(/^Écran verrouillé/)
        .waitFor()
      await expect.poll(() => codeField(page).inputValue()).toBe('')
    }
    await codeField(page).fill('0000')
    await pressAfterScan(page, 'Enter')
    await page.getByText('Code erroné. Il reste 4 essais.').waitFor()
    await page.getByRole('button', { name: 'Utiliser le mot de passe' }).click()
    const password = page.getByLabel('Mot de passe', { exact: true })
    // The words are there since the scans before: that it is heard empties the field, which a password must come after.
    await password.fill('1')
    await typeAsScanner(page, '9782070368228')
    await page.getByText(/^Écran verrouillé\u202f:/).waitFor()
    await expect.poll(() => password.inputValue()).toBe('')
    await password.fill(testPassword)
    await pressAfterScan(page, 'Enter')
    await page
      .getByRole('region', { name: 'Lecteur' })
      .getByRole('heading', { name: 'Alice Martin' })
      .waitFor()
    expect(await api.lent()).toEqual([])
    expect(device.errors).toEqual([])
  })

  it('is heard again once it is unlocked', async () => {
    const { page } = device
    await enter(page, code)
    await scanBox(page).waitFor()
    await typeAsScanner(page, '978-1002')
    await page.getByText('978-1002').first().waitFor()
  })
})
