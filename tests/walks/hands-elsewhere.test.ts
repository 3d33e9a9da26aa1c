import { describe, expect, it } from 'vitest'

import { pressAfterScan, signIn, typeAsScanner, viewports } from '../support/browser.ts'
import { scanBox } from '../support/counter.ts'
import {
  adminPassword,
  atHands,
  dialogOf,
  type DialogRow,
  expectFocus,
  focused,
  ignored,
  ignoredAtDoor,
  press,
  saysIgnored,
  shelved,
  underDialogs,
} from './hands.ts'

const rows: DialogRow[] = [
  {
    name: 'waiting actions, a motive',
    open: async (page) => {
      await page.goto('/waiting')
      await press(page, 'Prêter malgré le refus')
    },
    dialog: 'Prêter malgré le refus',
    begins: 'Motif',
    back: 'Prêter malgré le refus',
  },
  {
    name: 'waiting actions, a date',
    open: async (page) => {
      await page.goto('/waiting')
      await press(page, 'Choisir la date')
    },
    dialog: 'Choisir la date',
    begins: 'Date et heure',
    back: 'Choisir la date',
  },
  {
    name: 'waiting actions, set aside',
    open: async (page) => {
      await page.goto('/waiting')
      await press(page, 'Mettre de côté')
    },
    dialog: 'Mettre de côté',
    begins: 'Motif',
    back: 'Mettre de côté',
  },
  {
    name: 'waiting actions, somebody else’s',
    open: async (page) => {
      await page.goto('/waiting')
      await press(page, 'Reprendre les actions de biblio')
    },
    dialog: 'Reprendre les actions de biblio',
    begins: 'Annuler',
    back: 'Reprendre les actions de biblio',
  },
  {
    name: 'signing out with actions that wait',
    open: async (page) => {
      await page.goto('/account')
      await press(page, /mon compte et déconnexion$/)
      await page.getByRole('menuitem', { name: 'Se déconnecter' }).click()
    },
    dialog: /Se déconnecter.\?/,
    begins: 'Annuler',
    back: /mon compte et déconnexion$/,
  },
  {
    name: 'devices, a name',
    open: async (page) => {
      await page.goto('/settings/devices')
      await press(page, /^Nommer/)
    },
    dialog: 'Nommer l’appareil',
    begins: 'Nom',
    back: /^Nommer/,
  },
  {
    name: 'settings, a new category',
    open: async (page) => {
      await page.goto('/settings/categories')
      await press(page, 'Ajouter une catégorie')
    },
    dialog: 'Ajouter une catégorie',
    begins: /^Nom/,
    back: 'Ajouter une catégorie',
  },
  {
    name: 'settings, a category removed',
    open: async (page) => {
      await page.goto('/settings/categories')
      await press(page, /^Actions\s: (?!Catégories)/)
      await page.getByRole('menuitem', { name: 'Supprimer' }).click()
    },
    dialog: /^Supprimer la catégorie/,
    begins: 'Annuler',
    back: /^Actions\s: (?!Catégories)/,
  },
  {
    name: 'the choice of another site',
    open: async (page) => {
      await page.goto('/account')
      await page.getByTitle('Changer de site').click()
    },
    dialog: 'Changer de site',
    begins: /^Centre/,
    back: 'Centre',
  },
  {
    name: 'the help',
    open: async (page) => {
      await page.goto('/account')
      await page.getByRole('heading', { level: 1 }).waitFor()
      await page.keyboard.press('?')
      await dialogOf(page, 'Aide').waitFor()
    },
    dialog: 'Aide',
    begins: 'Fermer',
    back: /./,
  },
]

describe('a scan confirms nothing among waiting actions, in the settings or at the door', () => {
  const hands = atHands()
  underDialogs(hands, rows)

  it('fills the bar code that settles a conflict, and leaves confirming to the person', async () => {
    const { page } = hands
    await page.goto('/waiting')
    await press(page, 'Relier à un exemplaire')
    const dialog = dialogOf(page, 'Relier à un exemplaire')
    const field = dialog.getByLabel('Code-barres de l’exemplaire')
    await expect.poll(() => focused(page)).toBe('Code-barres de l’exemplaire')
    await typeAsScanner(page, shelved)
    await expect.poll(() => field.inputValue()).toBe(shelved)
    await typeAsScanner(page, '31555510001001')
    await expect.poll(() => field.inputValue()).toBe('31555510001001')
    expect(await dialog.isVisible()).toBe(true)
    await page.keyboard.press('Escape')
    await expectFocus(page, 'Relier à un exemplaire')
  })

  it('brings « Plus » of a phone back to its button', async () => {
    const { page } = hands
    await page.setViewportSize(viewports.phone)
    await page.goto('/account')
    await press(page, 'Plus')
    await page.getByRole('link', { name: 'Prêts', exact: true }).waitFor()
    await page.keyboard.press('Escape')
    await expectFocus(page, 'Plus')
  })

  it('opens the help under a finger, which « back » and a hurried Escape close alone', async () => {
    const { page } = hands
    await page.setViewportSize(viewports.phone)
    await page.goto('/waiting')
    await page.goto('/account')
    const help = dialogOf(page, 'Aide')
    const openHelp = async () => {
      await press(page, 'Plus')
      await press(page, 'Aide de cet écran')
      await help.getByRole('heading', { name: 'Mon compte' }).waitFor()
    }
    await openHelp()
    await page.goBack()
    await help.waitFor({ state: 'detached' })
    await expectFocus(page, 'Plus')
    await openHelp()
    // Both before the address changes.
    await page.evaluate(() => {
      for (const _ of [1, 2])
        document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true }))
    })
    await help.waitFor({ state: 'detached' })
    await expectFocus(page, 'Plus')
    expect(new URL(page.url()).pathname).toBe('/account')
  })

  it('signs nobody out at the choice of a site, which begins on the last one', async () => {
    const { page } = hands
    await page.evaluate(() => localStorage.removeItem('token'))
    await page.goto('/login')
    await page.getByLabel('Nom d’utilisateur').fill('admin')
    await page.getByLabel('Mot de passe', { exact: true }).fill(adminPassword)
    await typeAsScanner(page, shelved)
    await saysIgnored(page, ignoredAtDoor)
    expect(await page.getByLabel('Mot de passe', { exact: true }).inputValue()).toBe(adminPassword)
    expect(new URL(page.url()).pathname).toBe('/login')
    await page.evaluate(() => sessionStorage.clear())
    await pressAfterScan(page, 'Enter')

    const dialog = dialogOf(page, 'Choisissez votre site')
    await dialog.waitFor()
    await expectFocus(page, /^Centre/)
    expect(await dialog.getByRole('button', { name: 'Fermer' }).count()).toBe(0)
    await typeAsScanner(page, shelved)
    await page.getByText(ignored).first().waitFor()
    expect(await dialog.isVisible()).toBe(true)

    const question = dialogOf(page, /Se déconnecter.\?/)
    for (const dismiss of [
      () => page.keyboard.press('Escape'),
      () => dialog.getByRole('button', { name: 'Se déconnecter' }).click(),
    ]) {
      await dismiss()
      await question.waitFor()
      await expectFocus(page, 'Annuler')
      await typeAsScanner(page, shelved)
      expect(await question.isVisible()).toBe(true)
      await page.keyboard.press('Escape')
      await question.waitFor({ state: 'detached' })
      expect(await dialog.isVisible()).toBe(true)
    }
    await dialog.getByRole('button', { name: /^Centre/ }).focus()
    await pressAfterScan(page, 'Shift+Tab')
    await pressAfterScan(page, 'Tab')
    await expectFocus(page, /^Centre/)
    await page.keyboard.press('Enter')
    await scanBox(page).waitFor()
    expect(await page.evaluate(() => sessionStorage.getItem('site_id'))).toBe('1')
  })

  it('signs out at the choice of a site once that was said twice', async () => {
    const { page } = hands
    // Tried a second time, it begins as the first did.
    const isOut = await page.evaluate(() => localStorage.getItem('token') === null)
    if (isOut) await signIn(page, 'admin', adminPassword)
    await page.evaluate(() => sessionStorage.clear())
    await page.goto('/home')
    await dialogOf(page, 'Choisissez votre site').waitFor()
    await expectFocus(page, /^Centre/)
    await page.keyboard.press('Escape')
    await dialogOf(page, /Se déconnecter.\?/)
      .getByRole('button', { name: 'Valider' })
      .click()
    await page.getByRole('heading', { name: 'Connexion' }).waitFor()
    expect(await page.evaluate(() => localStorage.getItem('token'))).toBeNull()
  })
})
