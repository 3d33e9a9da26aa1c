import type { Locator, Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'

import { typeAsScanner } from '../support/browser.ts'
import {
  atHands,
  dialogOf,
  type DialogRow,
  expectFocus,
  fromRow,
  loansList,
  press,
  saysIgnored,
  standing,
  tickTwoLoans,
  underDialogs,
} from './hands.ts'

const rows: DialogRow[] = [
  {
    name: 'loans, deletion',
    open: async (page) => {
      await loansList(page)
      await fromRow(page, 'Livre numéro 1', 'Supprimer')
    },
    dialog: 'Supprimer le prêt',
    begins: 'Annuler',
    back: /^Actions.*Livre numéro 1$/,
  },
  {
    name: 'loans, deletion, given up by its button',
    open: async (page) => {
      await loansList(page)
      await fromRow(page, 'Livre numéro 1', 'Supprimer')
    },
    dialog: 'Supprimer le prêt',
    begins: 'Annuler',
    close: 'Annuler',
    back: /^Actions.*Livre numéro 1$/,
  },
  {
    name: 'loans, cancellation',
    open: async (page) => {
      await loansList(page)
      await fromRow(page, 'Livre numéro 1', 'Annuler le prêt')
    },
    dialog: 'Annuler le prêt',
    begins: 'Annuler',
    back: /^Actions.*Livre numéro 1$/,
  },
  {
    name: 'loans, extension',
    open: async (page) => {
      await loansList(page)
      await fromRow(page, 'Livre numéro 1', 'Prolonger')
    },
    dialog: 'Prolonger le prêt',
    begins: /^Prolonger de/,
    back: /^Actions.*Livre numéro 1$/,
  },
  {
    name: 'loans, delay',
    open: async (page) => {
      await loansList(page)
      await fromRow(page, 'Livre numéro 2', 'Commenter le retard')
    },
    dialog: 'Commenter le retard',
    begins: 'Motif du retard',
    back: /^Actions.*Livre numéro 2$/,
  },
  {
    name: 'loans, recap',
    open: async (page) => {
      await loansList(page)
      await press(page, 'Envoyer un récapitulatif')
    },
    dialog: 'Récapitulatif des prêts',
    begins: 'Annuler',
    back: 'Envoyer un récapitulatif',
  },
  {
    name: 'loans, filters of a phone',
    phone: true,
    open: async (page) => {
      await page.goto('/loanings')
      await press(page, /^Filtres/)
    },
    dialog: 'Filtres',
    begins: 'Fermer',
    back: /^Filtres/,
  },
  {
    name: 'loans, extension of several',
    open: async (page) => {
      await tickTwoLoans(page)
      await press(page, 'Prolonger')
    },
    dialog: /^Prolonger 2.prêts$/,
    begins: /^Prolonger de/,
    back: 'Prolonger',
  },
  {
    name: 'loans, deletion of several',
    open: async (page) => {
      await tickTwoLoans(page)
      await press(page, 'Autres actions sur le choix')
      await page.getByRole('menuitem', { name: 'Supprimer' }).click()
    },
    dialog: /^Supprimer 2.prêts$/,
    begins: 'Annuler',
    back: 'Autres actions sur le choix',
  },
  {
    name: 'loans, a reminder to the readers of several',
    open: async (page) => {
      await tickTwoLoans(page)
      await press(page, /^Relancer/)
    },
    dialog: /^Relancer 1.lecteur$/,
    begins: 'Annuler',
    back: /^Relancer/,
  },
  {
    name: 'a loan, deletion',
    open: async (page) => {
      await page.goto('/loanings/view/1')
      await press(page, 'Autres actions')
      await page.getByRole('menuitem', { name: 'Supprimer' }).click()
    },
    dialog: 'Supprimer le prêt',
    begins: 'Annuler',
    back: 'Autres actions',
  },
  {
    name: 'a loan under change, leaving',
    open: async (page) => {
      await page.goto('/loanings/edit/1')
      await page.getByLabel('Commentaire').fill('Couverture à recoller')
      await page.getByRole('link', { name: /, accueil$/ }).click()
    },
    dialog: /^Quitter sans enregistrer.\?$/,
    begins: 'Annuler',
    back: /, accueil$/,
  },
]

/** Where a scan may come while no dialog is open: what has the focus, and what it must keep. */
const places: { name: string; focus: (page: Page) => Promise<Locator>; isSaid: boolean }[] = [
  {
    name: 'a row’s menu',
    isSaid: true,
    focus: async (page) => {
      await loansList(page)
      await press(page, 'Actions\u202f: Livre numéro 1')
      return page.getByRole('menuitem', { name: 'Supprimer' })
    },
  },
  {
    name: 'the reminder of one person',
    isSaid: false,
    focus: async (page) => {
      await page.goto('/home')
      await press(page, 'Actions\u202f: Livre numéro 2')
      return page.getByRole('menuitem', { name: 'Relancer' })
    },
  },
  {
    name: 'a filter of choices',
    isSaid: true,
    focus: async (page) => {
      await loansList(page)
      return page.getByRole('combobox', { name: 'Statut' })
    },
  },
  {
    name: 'the box of a row',
    isSaid: true,
    focus: async (page) => {
      await loansList(page)
      return page.getByLabel('Choisir\u202f: Livre numéro 1')
    },
  },
  {
    name: 'what can be done with the rows that are ticked',
    isSaid: true,
    focus: async (page) => {
      await tickTwoLoans(page)
      return page.getByRole('button', { name: 'Prolonger', exact: true })
    },
  },
  {
    name: 'a filter that is typed',
    isSaid: true,
    focus: async (page) => {
      await loansList(page)
      return page.getByLabel('Lecteur').first()
    },
  },
  {
    name: 'the button that sends all that waits',
    isSaid: true,
    focus: async (page) => {
      await page.goto('/waiting')
      return page.getByRole('button', { name: 'Importer une file' })
    },
  },
  {
    name: 'the password of the account',
    isSaid: false,
    focus: async (page) => {
      await page.goto('/account')
      return page.getByLabel(/mot de passe actuel/i).first()
    },
  },
  {
    name: 'the prefix of the scanner',
    isSaid: false,
    focus: async (page) => {
      await page.goto('/account')
      return page.getByLabel('Préfixe du lecteur')
    },
  },
]

describe('a scan confirms nothing in a list, a form or a field', () => {
  const hands = atHands()
  underDialogs(hands, rows)

  it.each(places)('on $name', async ({ focus, isSaid }) => {
    const { page } = hands
    const place = await focus(page)
    await place.focus()
    const before = await standing(hands)
    const held = await place.evaluate((element) => (element as HTMLInputElement).value ?? null)
    await typeAsScanner(page, '3155 551000 1007')
    if (isSaid) await saysIgnored(page)
    await typeAsScanner(page, '31555599999999')
    expect(await place.evaluate((element) => (element as HTMLInputElement).value ?? null)).toBe(held)
    expect(await standing(hands)).toEqual(before)
  })

  it('stays on its row once a loan was deleted, and the row in its place', async () => {
    const { api, page } = hands
    await api.post('/api/loanings', { beneficiary: 1, copy: 3 })
    await loansList(page)
    await fromRow(page, 'Livre numéro 3', 'Supprimer')
    await dialogOf(page, 'Supprimer le prêt').getByRole('button', { name: 'Valider' }).click()
    await page
      .getByRole('row', { name: /Livre numéro 3/ })
      .getByText('Plus dans la liste')
      .waitFor()
    await expectFocus(page, 'Livre numéro 3')
    await press(page, 'Actualiser')
    await page.getByRole('link', { name: 'Livre numéro 3', exact: true }).waitFor({ state: 'detached' })
  })
})
