import { sql } from 'kysely'
import type { Locator, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'

import { type Api, apiOf } from '../support/api-of.ts'
import {
  type Device,
  openDevice,
  pressAfterScan,
  signIn,
  typeAsScanner,
  viewports,
} from '../support/browser.ts'
import { openRunningServer, type RunningServer } from '../support/running-server.ts'
import { fileOf } from '../waiting/difficult-queue.ts'
import { confirmImported, lineOf, openCounter, put, scan, scanBox } from './counter.ts'

// Scans under every dialog of every screen, typed by a scanner in a real browser: one row a dialog.

/** As tests/support/prepare-databases.ts gives it. */
const adminPassword = 'mot-de-passe-admin'
/** A copy on its shelf, as its label says it. */
const shelved = '31555510001007'
const ignored = /Code .+ lu, ignoré/

/** Whole days before now, as the page of calls writes them. */
const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10)

const dialogOf = (page: Page, name: string | RegExp) => page.getByRole('dialog', { name })
const press = (page: Page, name: string | RegExp) => page.getByRole('button', { name }).first().click()

async function fromRow(page: Page, title: string, item: string): Promise<void> {
  await press(page, `Actions\u202f: ${title}`)
  await page.getByRole('menuitem', { name: item }).click()
}

async function loansList(page: Page): Promise<void> {
  await page.goto('/loanings')
  await page.getByRole('link', { name: 'Livre numéro 1', exact: true }).waitFor()
}

async function tickTwoLoans(page: Page): Promise<void> {
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

type Row = {
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

const rows: Row[] = [
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
    name: 'home, penalty',
    open: async (page) => {
      await page.goto('/home')
      await press(page, 'Rendre\u202f: Livre numéro 2')
    },
    dialog: 'Pénalités de retard',
    begins: 'Annuler',
    back: 'Rendre\u202f: Livre numéro 2',
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
      await card.getByRole('button', { name: /prêts? en cours$/, expanded: false }).click()
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
    name: 'home, lending despite a refusal',
    open: async (page) => {
      await page.goto('/home')
      await put(page, 'R3')
      await page.getByRole('region', { name: 'Lecteur' }).getByText('Noémie Expirée').waitFor()
      await put(page, '31555510001005')
      await lineOf(page, 'Livre numéro 5').getByRole('button', { name: 'Prêter quand même' }).click()
    },
    dialog: 'Prêter quand même',
    begins: 'Motif',
    back: 'Prêter quand même',
  },
  {
    name: 'loan, a reader who is not eligible',
    open: (page) => page.goto('/loaning/add?beneficiary=3&copy=4'),
    dialog: "Le bénéficiaire n'est pas éligible.",
    begins: 'Ne pas prêter',
    back: 'Prêter',
  },
  {
    name: 'loan, a copy that others wait for',
    open: (page) => page.goto('/loaning/add?beneficiary=2&copy=6'),
    dialog: 'Cet exemplaire est sujet à réservations',
    begins: 'Valider',
    back: 'Prêter',
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
    name: 'return, penalty',
    open: async (page) => {
      await page.goto('/loaning/return?beneficiary=2&loan=2')
      await press(page, 'Enregistrer le retour')
    },
    dialog: 'Pénalités de retard',
    begins: 'Annuler',
    back: 'Enregistrer le retour',
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
    name: 'the keys',
    open: async (page) => {
      await page.goto('/account')
      await page.getByRole('heading', { level: 1 }).waitFor()
      await page.keyboard.press('?')
    },
    dialog: 'Raccourcis du clavier',
    begins: 'Fermer',
    back: /./,
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
      return page.getByLabel('Bénéficiaire').first()
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

describe('a scan confirms nothing', () => {
  let server: RunningServer
  let api: Api
  let device: Device
  let page: Page
  beforeAll(async () => {
    server = await openRunningServer({
      onPostgres: true,
      prepare: async (db) => {
        // Codes as long as real ones: by their keys alone a scanner is told from fingers.
        await sql`update copies set bar_code = '3155551000' || bar_code where id <= 10`.execute(db)
        await sql`insert into reservations (reference_id, beneficiary_id, queue_position) values (6, 1, 1)`.execute(
          db,
        )
      },
    })
    api = await apiOf(server.address, 'admin', adminPassword)
    for (const [copy, start_date] of [
      [1, daysAgo(0)],
      [2, daysAgo(29)],
    ] as const) {
      const { status } = await api.post('/api/loanings', { beneficiary: 2, copy, start_date })
      if (status !== 201) throw new Error(`loan of ${copy}: ${status}`)
    }
    device = await openDevice(server.address, { viewport: 'tablet' })
    page = device.page
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
    await device?.close()
    await server?.drop()
  })
  afterEach(() => page.setViewportSize(viewports.tablet))

  /** What must be as it was: the library, the outbox, the address, the session and the site. */
  const standing = async () => {
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
  const focused = (at = page) =>
    at.evaluate(() => {
      const active = document.activeElement
      if (active === null || active === document.body) return ''
      const { labels } = active as HTMLInputElement
      const name = active.getAttribute('aria-label') ?? labels?.[0]?.textContent ?? active.textContent
      return (name ?? '').replace(/\s*\*$/, '').trim()
    })
  const expectFocus = (name: string | RegExp, at = page) =>
    expect
      .poll(() => focused(at), { timeout: 10_000 })
      .toMatch(typeof name === 'string' ? new RegExp(`^${name.replaceAll(/[.?()]/g, '.')}`) : name)

  const saysIgnored = async () => {
    await page.locator('.mantine-Notification-root').getByText(ignored).first().waitFor()
  }

  it.each(rows)('under « $name »', async ({ open, dialog: name, begins, back, close, phone }) => {
    if (phone) await page.setViewportSize(viewports.phone)
    await open(page)
    const dialog = dialogOf(page, name)
    await dialog.waitFor()
    await expectFocus(begins)
    const before = await standing()

    await typeAsScanner(page, shelved)
    await page.getByText(ignored).first().waitFor()
    expect(await dialog.getByText(ignored).count()).toBeGreaterThanOrEqual(phone ? 0 : 1)
    expect(await standing()).toEqual(before)
    expect(await dialog.isVisible()).toBe(true)

    // The worst place to be: on what confirms, with a code that holds a space.
    const confirming = dialog.getByRole('button').last()
    if (await confirming.isEnabled()) await confirming.focus()
    await typeAsScanner(page, '3155 551000 1007')
    await typeAsScanner(page, shelved)
    expect(await dialog.isVisible()).toBe(true)
    expect(await standing()).toEqual(before)

    if (close === undefined) await page.keyboard.press('Escape')
    else await dialog.getByRole('button', { name: close }).click()
    await dialog.waitFor({ state: 'detached' })
    await expectFocus(back)
    // The page is left clean for the next row.
    await page.goto('about:blank')
  })

  it.each(places)('on $name', async ({ focus, isSaid }) => {
    const place = await focus(page)
    await place.focus()
    const before = await standing()
    const held = await place.evaluate((element) => (element as HTMLInputElement).value ?? null)
    await typeAsScanner(page, '3155 551000 1007')
    if (isSaid) await saysIgnored()
    await typeAsScanner(page, '31555599999999')
    expect(await place.evaluate((element) => (element as HTMLInputElement).value ?? null)).toBe(held)
    expect(await standing()).toEqual(before)
  })

  it('fills the bar code that settles a conflict, and leaves confirming to the person', async () => {
    await page.goto('/waiting')
    await press(page, 'Relier à un exemplaire')
    const dialog = dialogOf(page, 'Relier à un exemplaire')
    const field = dialog.getByLabel('Code-barres de l’exemplaire')
    await expect.poll(() => focused()).toBe('Code-barres de l’exemplaire')
    await typeAsScanner(page, shelved)
    await expect.poll(() => field.inputValue()).toBe(shelved)
    await typeAsScanner(page, '31555510001001')
    await expect.poll(() => field.inputValue()).toBe('31555510001001')
    expect(await dialog.isVisible()).toBe(true)
    await page.keyboard.press('Escape')
    await expectFocus('Relier à un exemplaire')
  })

  it('stays on its row once a loan was deleted, and the row in its place', async () => {
    await api.post('/api/loanings', { beneficiary: 1, copy: 3 })
    await loansList(page)
    await fromRow(page, 'Livre numéro 3', 'Supprimer')
    await dialogOf(page, 'Supprimer le prêt').getByRole('button', { name: 'Valider' }).click()
    await page
      .getByRole('row', { name: /Livre numéro 3/ })
      .getByText('Retiré')
      .waitFor()
    await expectFocus('Livre numéro 3')
    await press(page, 'Actualiser')
    await page.getByRole('link', { name: 'Livre numéro 3', exact: true }).waitFor({ state: 'detached' })
  })

  it.each([
    { viewport: 'desktop', next: 'Code-barres, carte ou nom du lecteur' },
    // A field would open the keyboard of fingers over the lane.
    { viewport: 'tablet', next: 'Livre numéro 4Prêt annulé' },
  ] as const)('goes on where work goes on once a line was taken back on a $viewport', async (scene) => {
    const own = scene.viewport === 'tablet' ? null : await openDevice(server.address, scene)
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
    await expectFocus(scene.next, at)
    await own?.close()
  })

  it('keeps a pending question, and gives each refused copy its line', async () => {
    await page.goto('/loaning/add?beneficiary=3')
    await page.getByText('Noémie').first().waitFor()
    await scan(page, '31555510001004', '31555510001005')
    const dialog = dialogOf(page, "Le bénéficiaire n'est pas éligible.")
    await dialog.getByText('Livre numéro 4').waitFor()
    await scan(page, shelved)
    await page.getByText(ignored).first().waitFor()
    await dialog.getByRole('button', { name: 'Ne pas prêter' }).click()
    const refused = page.getByRole('region', { name: 'Non prêtés' })
    await refused.getByText('Livre numéro 4').waitFor()
  })

  it('brings « Plus » of a phone back to its button', async () => {
    await page.setViewportSize(viewports.phone)
    await page.goto('/account')
    await press(page, 'Plus')
    await page.getByRole('link', { name: 'Prêts', exact: true }).waitFor()
    await page.keyboard.press('Escape')
    await expectFocus('Plus')
  })

  it('signs nobody out at the choice of a site, which begins on the last one', async () => {
    await page.evaluate(() => localStorage.removeItem('token'))
    await page.goto('/login')
    await page.getByLabel('Nom d’utilisateur').fill('admin')
    await page.getByLabel('Mot de passe', { exact: true }).fill(adminPassword)
    await typeAsScanner(page, shelved)
    await saysIgnored()
    expect(await page.getByLabel('Mot de passe', { exact: true }).inputValue()).toBe(adminPassword)
    expect(new URL(page.url()).pathname).toBe('/login')
    await page.evaluate(() => sessionStorage.clear())
    await pressAfterScan(page, 'Enter')

    const dialog = dialogOf(page, 'Choisissez votre site')
    await dialog.waitFor()
    await expectFocus(/^Centre/)
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
      await expectFocus('Annuler')
      await typeAsScanner(page, shelved)
      expect(await question.isVisible()).toBe(true)
      await page.keyboard.press('Escape')
      await question.waitFor({ state: 'detached' })
      expect(await dialog.isVisible()).toBe(true)
    }
    await dialog.getByRole('button', { name: /^Centre/ }).focus()
    await pressAfterScan(page, 'Shift+Tab')
    await pressAfterScan(page, 'Tab')
    await expectFocus(/^Centre/)
    await page.keyboard.press('Enter')
    await scanBox(page).waitFor()
    expect(await page.evaluate(() => sessionStorage.getItem('site_id'))).toBe('1')
  })

  it('signs out at the choice of a site once that was said twice', async () => {
    // Tried a second time, it begins as the first did.
    const isOut = await page.evaluate(() => localStorage.getItem('token') === null)
    if (isOut) await signIn(page, 'admin', adminPassword)
    await page.evaluate(() => sessionStorage.clear())
    await page.goto('/home')
    await dialogOf(page, 'Choisissez votre site').waitFor()
    await expectFocus(/^Centre/)
    await page.keyboard.press('Escape')
    await dialogOf(page, /Se déconnecter.\?/)
      .getByRole('button', { name: 'Valider' })
      .click()
    await page.getByRole('heading', { name: 'Connexion' }).waitFor()
    expect(await page.evaluate(() => localStorage.getItem('token'))).toBeNull()
    expect(device.errors).toEqual([])
  })
})
