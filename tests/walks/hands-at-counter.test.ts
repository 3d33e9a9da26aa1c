import type { Locator } from 'playwright-core'
import { describe, it, expect } from 'vitest'

import { openDevice, signIn, viewports } from '../support/browser.ts'
import { lineOf, openCounter, put, scan } from '../support/counter.ts'
import {
  adminPassword,
  atHands,
  dialogOf,
  type DialogRow,
  expectFocus,
  fromRow,
  press,
  shelved,
  underDialogs,
} from './hands.ts'

/** What is to be done comes first, and what is cut is the rest. */
const isFirstClauseSeen = (line: Locator): Promise<boolean> =>
  line.locator('[data-fold]').evaluate((told) => {
    const words = document.createTreeWalker(told, NodeFilter.SHOW_TEXT).nextNode() as Text
    const clause = document.createRange()
    clause.setStart(words, 0)
    clause.setEnd(words, /[.:?]/.exec(words.data)?.index ?? words.length)
    return clause.getBoundingClientRect().bottom <= told.getBoundingClientRect().bottom + 1
  })

const rows: DialogRow[] = [
  {
    name: 'home, extension',
    open: async (page) => {
      await page.goto('/home')
      await fromRow(page, 'Livre numéro 2', 'Prolonger')
    },
    dialog: 'Prolonger le prêt',
    begins: /^Prolonger de/,
    back: /^Actions.*Livre numéro 2$/,
  },
  {
    name: 'home, delay',
    open: async (page) => {
      await page.goto('/home')
      await fromRow(page, 'Livre numéro 2', 'Commenter le retard')
    },
    dialog: 'Commenter le retard',
    begins: 'Motif du retard',
    back: /^Actions.*Livre numéro 2$/,
  },
  {
    name: 'home, reminders',
    open: async (page) => {
      await page.goto('/home')
      await press(page, 'Relancer tous les retards')
    },
    dialog: 'Relancer les retards',
    begins: 'Annuler',
    back: 'Relancer tous les retards',
  },
  {
    name: 'home, extension from the reader’s card',
    open: async (page) => {
      await page.goto('/home')
      await put(page, 'R2')
      const card = page.getByRole('region', { name: 'Lecteur' })
      await card.getByRole('button', { name: /^(\d+|Aucun) prêts? en cours$/, expanded: false }).click()
      await card
        .getByRole('button', { name: /^Prolonger/ })
        .first()
        .click()
    },
    dialog: 'Prolonger le prêt',
    begins: /^Prolonger de/,
    back: /^Prolonger/,
  },
  {
    name: 'loan, leaving',
    open: async (page) => {
      await page.goto('/loaning/add?beneficiary=2&copy=4')
      await page.getByRole('list', { name: 'Exemplaires du prêt' }).waitFor()
      await page.getByRole('link', { name: /, accueil$/ }).click()
    },
    dialog: /^Quitter sans enregistrer le prêt.\?$/,
    begins: 'Annuler',
    back: /, accueil$/,
  },
  {
    name: 'loan, another site',
    open: async (page) => {
      await page.goto('/loaning/add?beneficiary=2&copy=4')
      await page.getByRole('list', { name: 'Exemplaires du prêt' }).waitFor()
      await page.getByTitle('Changer de site').click()
      await dialogOf(page, 'Changer de site').getByRole('button', { name: 'Annexe' }).click()
    },
    dialog: /Changer de site.\?/,
    begins: 'Annuler',
    back: 'Centre',
  },
  {
    name: 'return, leaving',
    open: async (page) => {
      await page.goto('/loaning/return')
      await page.getByRole('heading', { name: 'Rendre' }).waitFor()
      await scan(page, '31555510001001')
      await page.getByRole('button', { name: 'Enregistrer le retour' }).waitFor()
      await page.getByRole('link', { name: /, accueil$/ }).click()
    },
    dialog: /^Quitter sans enregistrer les retours.\?$/,
    begins: 'Annuler',
    back: /, accueil$/,
  },
]

describe('a scan confirms nothing at the counter', () => {
  const hands = atHands()
  underDialogs(hands, rows)

  it.each([
    { viewport: 'desktop', next: 'Code-barres, carte ou nom du lecteur' },
    // A field would open the keyboard of fingers over the lane, and what undoes must not be pressed by the next scan.
    { viewport: 'tablet', next: /^$/ },
  ] as const)('goes on where work goes on once a line was taken back on a $viewport', async (scene) => {
    const { page, server } = hands
    const own =
      scene.viewport === 'tablet' ? null : await openDevice(server.address, { ...scene, keepsShell: false })
    const at = own?.page ?? page
    if (own) {
      await signIn(at, 'admin', adminPassword)
      await openCounter(at, 'Centre')
    } else await at.goto('/home')
    await put(at, 'R1')
    await at.getByRole('region', { name: 'Lecteur' }).getByText('Alice Martin').waitFor()
    await put(at, '31555510001004')
    // Half-way to the server it cannot be taken back.
    await lineOf(at, 'Livre numéro 4').getByText('Confirmé').waitFor()
    const undo = lineOf(at, 'Livre numéro 4').getByRole('button', { name: /^Annuler/ })
    await undo.focus()
    await at.keyboard.press('Enter')
    await lineOf(at, 'Livre numéro 4').getByText('Prêt annulé').waitFor()
    await expectFocus(at, scene.next)
    await own?.close()
  })

  it('has a refusal on two rows of 56 px at most on a tablet, with what may be done about it', async () => {
    const { page } = hands
    await page.setViewportSize(viewports.tablet)
    await page.goto('/home')
    for (const [card, code, title, act] of [
      ['R3', '31555510001005', 'Livre numéro 5', 'Prêter quand même'],
      ['R2', '31555510001006', 'Livre numéro 6', 'Prêter quand même'],
      ['R2', '31555510009999', '31555510009999', /^Ajouter/],
    ] as const) {
      await put(page, card)
      await put(page, code)
      const line = lineOf(page, title)
      await line.getByRole('button', { name: act }).waitFor()
      expect((await line.boundingBox())?.height).toBeLessThanOrEqual(112)
      expect(await isFirstClauseSeen(line)).toBe(true)
    }
    await page.setViewportSize(viewports.desktop)
  })

  it('asks about a penalty on the row of the late loan, and lends what is scanned meanwhile', async () => {
    const { page } = hands
    await page.goto('/home')
    await press(page, 'Rendre\u202f: Livre numéro 2')
    const asked = page.getByRole('group', { name: 'Pénalité de retard\u202f: Livre numéro 2' })
    await asked.getByText(/jours de retard/).waitFor()
    await scan(page, 'R3', '31555510001004')
    await lineOf(page, 'Livre numéro 4').waitFor()
    await asked.getByRole('button', { name: 'Annuler' }).click()
    await asked.waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Rendre\u202f: Livre numéro 2' }).waitFor()
  })

  it('gives each refused copy its line, and goes on with what is scanned while a motive is written', async () => {
    const { page } = hands
    await page.goto('/loaning/add?beneficiary=3')
    await page.getByText('Noémie').first().waitFor()
    await scan(page, '31555510001004', '31555510001005')
    const refused = page.getByRole('region', { name: 'Non prêtés' })
    await refused.getByText('Livre numéro 5').waitFor()
    await refused.getByRole('button', { name: /^Prêter quand même.*Livre numéro 4$/ }).click()
    const motive = refused.getByLabel(/^Motif pour prêter/)
    await motive.fill('Renouvelle demain')
    await scan(page, shelved)
    await refused.getByText('Livre numéro 7').waitFor()
    expect(await motive.inputValue()).toBe('Renouvelle demain')
    await refused.getByRole('button', { name: 'Ne pas prêter' }).click()
    await refused.getByText('Livre numéro 4').waitFor()
    // Folded on a phone, where they would push the work out of sight.
    await page.setViewportSize(viewports.phone)
    await refused.getByText('Non prêtés (3)').click()
    await refused.getByText('Livre numéro 4').waitFor()
  })
})
