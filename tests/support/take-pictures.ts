import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'

import type { Page } from 'playwright-core'

import { busyReader, knownCopies, knownReader } from '../../src/server/demonstration/known-codes.ts'
import { becomeReadyForOffline } from './counter.ts'
import { oldQueue, refusedQueue } from '../waiting/difficult-queue.ts'
import { apiOf } from './api-of.ts'
import { type Device, openDevice, signIn, typeAsScanner, viewports } from './browser.ts'

// Takes pictures of every screen of `npm run demo`, at four widths, light and dark: node --import tsx
// tests/support/take-pictures.ts [address] [folder] [names…]; LOOKS=phone-light,tablet-dark for some only.

const [address = 'http://localhost:3000', folder = '.screenshots', ...only] = process.argv.slice(2)
const looks = process.env['LOOKS']?.split(',')
const password = 'comptoir-demo'

type Scene = {
  name: string
  show: (page: Page) => Promise<void>
  /** Who looks: « biblio » unless said, null is nobody yet. */
  as?: string | null
  /** The whole page rather than what the screen holds. */
  isWhole?: boolean
}

const api = await apiOf(address, 'biblio', password)

const personOf = async (username: string) => {
  const { body } = await (await apiOf(address, username, password)).get('/api/users/me')
  return { user_id: (body as { id: number }).id, username }
}

const scan = async (page: Page, code: string) => {
  await page
    .getByRole('heading', { level: 1 })
    .or(page.getByLabel('Code-barres, carte ou nom du lecteur'))
    .first()
    .waitFor()
  await typeAsScanner(page, code)
  await page.waitForTimeout(300)
}

/** Puts a queue into the device's, as people do, and waits until the screen shows it. */
async function importQueue(page: Page, file: string, shown: string): Promise<void> {
  const [chooser] = await Promise.all([
    page.waitForEvent('filechooser'),
    page.getByRole('button', { name: 'Importer une file' }).click(),
  ])
  await chooser.setFiles({ name: 'file.json', mimeType: 'application/json', buffer: Buffer.from(file) })
  await page.getByText(shown).first().waitFor()
  // What was imported is said over the top bar.
  await page.getByRole('button', { name: 'Fermer' }).first().click()
}

/** Opens the dialog of a choice before a conflict, and closes what was open before. */
const settling = (name: string, choice: string): Scene => ({
  name,
  show: async (page) => {
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await page.getByRole('button', { name: choice }).first().click()
    await page.getByRole('dialog').waitFor()
  },
})

/** Devices that report what they hold: one well, one whose actions are old, one with conflicts. */
async function reportDevices(page: Page): Promise<void> {
  const well = {
    app_version: '0.1.0',
    browser: 'Chrome sur Android',
    waiting: 0,
    conflicts: 0,
    quarantined: 0,
    oldest_age: null,
    snapshot_age: 60,
    storage_used: 48_300_000,
  }
  const reports = [
    ['a', 'Tablette de l’accueil', well],
    ['b', '', { ...well, waiting: 12, oldest_age: 9 * 3600, browser: 'Safari sur iPad' }],
    [
      'c',
      'Téléphone du bibliobus, tournée du mercredi après-midi',
      { ...well, waiting: 1, conflicts: 2, quarantined: 1, oldest_age: 26 * 3600, storage_used: null },
    ],
  ] as const
  const calls = reports.flatMap(([end, name, report]) => [
    { path: end, body: report },
    ...(name === '' ? [] : [{ path: `${end}/name`, body: { name } }]),
  ])
  for (const call of calls) {
    await page.evaluate(
      ({ path, body }) =>
        fetch(`/api/devices/6f1c1f0e-0000-4000-8000-00000000000${path}`, {
          method: 'PUT',
          headers: {
            Authorization: `Bearer ${localStorage.getItem('token')}`,
            'Content-Type': 'application/json',
          },
          body: JSON.stringify(body),
        }).then(({ ok }) => ok),
      call,
    )
  }
}

const recapUnderWay = {
  '@id': '/api/jobs/1',
  '@type': 'Job',
  id: 1,
  kind: 'mail.recap',
  status: 'running',
  total: 683,
  done: 214,
  problem: null,
  created_at: '2026-11-22T10:00:00Z',
  ended_at: null,
}

const scenes: Scene[] = [
  { name: 'login', as: null, show: async (page) => void (await page.goto('/login')) },
  { name: 'ask-reset', as: null, show: async (page) => void (await page.goto('/reset/password')) },
  {
    name: 'reset',
    as: null,
    show: async (page) => void (await page.goto('/reset/password/abcdefghijklmnopqrstuvwxyz0123456789')),
  },
  { name: 'home', show: async (page) => void (await page.goto('/home')) },
  {
    name: 'home-busy',
    show: async (page) => {
      await page.goto('/home')
      await scan(page, busyReader.reader_id)
      await scan(page, knownCopies[10] ?? '')
      await scan(page, '9782070368228')
    },
  },
  { name: 'add-loan', show: async (page) => void (await page.goto('/loaning/add')) },
  {
    name: 'add-loan-basket',
    show: async (page) => {
      await page.goto('/loaning/add')
      await scan(page, knownReader.reader_id)
      for (const code of knownCopies.slice(0, 3)) await scan(page, code)
    },
  },
  {
    name: 'add-loan-typed',
    isWhole: true,
    show: async (page) => {
      await page.getByRole('button', { name: /^Conditions du prêt/ }).click()
      await page.getByLabel('Prêt gratuit').scrollIntoViewIfNeeded()
      await page
        .getByRole('button', { name: /^Montant/ })
        .nth(1)
        .click()
      await page.getByRole('textbox', { name: /^Montant/ }).fill('douze')
      await page.keyboard.press('Tab')
    },
  },
  { name: 'return', show: async (page) => void (await page.goto('/loaning/return')) },
  {
    name: 'return-reader',
    show: async (page) => {
      await page.goto('/loaning/return')
      await scan(page, busyReader.reader_id)
    },
  },
  {
    name: 'reader-refused',
    show: async (page) => {
      await page.goto('/home')
      const { body } = await api.get('/api/beneficiaries?is_active=0&limit=1')
      const [left] = body['hydra:member'] as { reader_id: string }[]
      await scan(page, left?.reader_id ?? '')
      await scan(page, knownCopies[9] ?? '')
    },
  },
  {
    name: 'offline-verdict',
    show: async (page) => {
      await page.goto('/home')
      await becomeReadyForOffline(page)
      await page.context().setOffline(true)
      await scan(page, knownReader.reader_id)
      await scan(page, knownCopies[11] ?? '')
    },
  },
  {
    name: 'unexpected-error',
    show: async (page) => {
      await page.route('**/api/loanings?*', (route) =>
        route.fulfill({
          status: 500,
          headers: { 'content-type': 'application/problem+json', 'x-request-id': '8d7f3c1e-5b2a' },
          body: JSON.stringify({ status: 500, message: 'Une erreur inattendue est survenue.' }),
        }),
      )
      await page.goto('/loanings')
      await page.getByText(/Référence/).waitFor()
    },
  },
  { name: 'loans', show: async (page) => void (await page.goto('/loanings')) },
  {
    name: 'search',
    show: async (page) => {
      await page.goto('/loanings')
      await page.getByRole('button', { name: 'Rechercher partout' }).click()
      await page.getByRole('combobox', { name: 'Rechercher partout' }).fill('julie')
      await page.getByRole('listbox', { name: 'Résultats' }).getByRole('option').nth(2).waitFor()
      await page.keyboard.press('ArrowDown')
      await page.keyboard.press('ArrowRight')
    },
  },
  {
    name: 'search-none-yet',
    show: async (page) => {
      await page.goto('/loanings')
      await page.getByRole('button', { name: 'Rechercher partout' }).click()
      await page.getByRole('combobox', { name: 'Rechercher partout' }).waitFor()
    },
  },
  {
    name: 'menu',
    as: 'admin',
    show: async (page) => {
      await page.goto('/loanings')
      const navigation = page.getByRole('navigation', { name: /^(Écrans|Places)$/ })
      await navigation.getByRole('button').last().click()
    },
  },
  {
    name: 'settings',
    as: 'admin',
    show: async (page) => {
      await page.goto('/settings')
      const { width = 0 } = page.viewportSize() ?? {}
      const fold = page.getByRole('button', { name: 'Déplier le menu' })
      if (width >= 1200 && (await fold.isVisible())) await fold.click()
    },
  },
  { name: 'media', as: 'admin', show: async (page) => void (await page.goto('/settings/supports')) },
  {
    name: 'medium',
    as: 'admin',
    show: async (page) => {
      await page.goto('/settings/supports')
      await page
        .getByRole('button', { name: /^Modifier/ })
        .first()
        .click()
      await page.getByRole('dialog').waitFor()
    },
  },
  { name: 'sites', as: 'admin', show: async (page) => void (await page.goto('/settings/sites')) },
  {
    name: 'site',
    as: 'admin',
    show: async (page) => {
      await page.goto('/settings/sites')
      await page
        .getByRole('button', { name: /^Modifier/ })
        .first()
        .click()
      await page.getByText(/^Prochains codes/).waitFor()
    },
  },
  // The demonstration is past it: a new environment has the same steps with other words in them.
  ...(['organisation', 'preset', 'numbering', 'users', 'doors'] as const).map((step): Scene => ({
    name: `start-${step}`,
    as: 'admin',
    isWhole: true,
    show: async (page) => void (await page.goto(`/start?step=${step}`)),
  })),
  {
    name: 'start-preset-chosen',
    as: 'admin',
    isWhole: true,
    show: async (page) => {
      await page.goto('/start?step=preset')
      await page.getByText('Parc de matériel').click()
      await page
        .getByRole('button', { name: /^Retoucher/ })
        .first()
        .click()
    },
  },
  ...['lists', 'lists/types', 'fields', 'copies', 'permissions'].map((setting): Scene => ({
    name: `settings-${setting.replace('/', '-')}`,
    as: 'admin',
    show: async (page) => void (await page.goto(`/settings/${setting}`)),
  })),
  {
    name: 'journal',
    as: 'admin',
    show: async (page) => {
      await page.goto('/references/view/1')
      // Beside its list the page has most of its actions in a menu.
      await page
        .getByRole('button', { name: /^(Journal|Autres actions)$/ })
        .first()
        .click()
      const inMenu = page.getByRole('menuitem', { name: 'Journal' })
      await page.getByRole('dialog').or(inMenu).waitFor()
      if (await inMenu.isVisible()) await inMenu.click()
      await page.getByRole('dialog').waitFor()
    },
  },
  { name: 'parameters', as: 'admin', show: async (page) => void (await page.goto('/settings/global')) },
  { name: 'categories', as: 'admin', show: async (page) => void (await page.goto('/settings/categories')) },
  { name: 'users', as: 'admin', show: async (page) => void (await page.goto('/users')) },
  {
    name: 'user-added',
    as: 'admin',
    show: async (page) => {
      await page.goto('/users')
      await page.getByRole('button', { name: 'Ajouter un utilisateur' }).first().click()
      await page.getByLabel('Prénom').fill('Lise')
      await page.getByRole('button', { name: 'Valider' }).click()
      await page.getByRole('alert').waitFor()
    },
  },
  {
    name: 'user-edited',
    as: 'admin',
    show: async (page) => {
      await page.goto('/users')
      await page.getByRole('button', { name: /^Modifier\s: Hélène Castaing/ }).click()
      await page.getByRole('switch').waitFor()
    },
  },
  {
    name: 'permissions',
    as: 'admin',
    isWhole: true,
    show: async (page) => void (await page.goto('/settings/permissions')),
  },
  {
    name: 'permissions-changed',
    as: 'admin',
    show: async (page) => {
      await page.goto('/settings/permissions')
      await page.getByRole('combobox', { name: 'Profil' }).click()
      await page.getByRole('option', { name: 'Bénévole' }).click()
      for (const name of ['Voir les prêts', 'Vendre un exemplaire', 'Supprimer un prêt']) {
        await page.getByRole('checkbox', { name }).click()
      }
    },
  },
  {
    name: 'permissions-asked',
    as: 'admin',
    show: async (page) => {
      await page.getByRole('button', { name: 'Enregistrer' }).click()
      await page.getByRole('dialog').waitFor()
    },
  },
  {
    name: 'seen-as',
    as: 'admin',
    show: async (page) => {
      await page.goto('/settings/permissions')
      await page.getByRole('combobox', { name: 'Profil' }).click()
      await page.getByRole('option', { name: 'Bénévole' }).click()
      await page.getByRole('button', { name: 'Voir comme ce profil' }).click()
      await page.getByRole('button', { name: 'Revenir à mon profil' }).waitFor()
    },
  },
  {
    name: 'export-menu',
    show: async (page) => {
      await page.goto('/loanings')
      await page.getByRole('button', { name: 'Exporter' }).click()
      await page.getByRole('menu').waitFor()
    },
  },
  {
    name: 'job-progress',
    show: async (page) => {
      await page.route('**/api/jobs?*', (route) =>
        route.fulfill({ json: { 'hydra:member': [recapUnderWay], 'hydra:totalItems': 1 } }),
      )
      await page.goto('/loanings')
      await page.getByRole('progressbar').waitFor()
    },
  },
  {
    name: 'settings-image',
    as: 'admin',
    isWhole: true,
    show: async (page) => void (await page.goto('/settings/image')),
  },
  {
    name: 'settings-image-chosen',
    as: 'admin',
    isWhole: true,
    show: async (page) => {
      await page.goto('/settings/image')
      await page.locator('input[type=file]').setInputFiles('public/icons/icon-512.png')
      await page.getByRole('button', { name: 'Ce qui est accepté' }).click()
    },
  },
  {
    name: 'menu-folded',
    show: async (page) => {
      await page.goto('/loanings')
      const { width = 0 } = page.viewportSize() ?? {}
      if (width >= 1200) await page.getByRole('button', { name: 'Replier le menu' }).click()
    },
  },
  {
    name: 'dialog-filters',
    show: async (page) => {
      const unfold = page.getByRole('button', { name: 'Déplier le menu' })
      if (await unfold.isVisible()) await unfold.click()
      await page.goto('/loanings')
      await page.getByRole('button', { name: /^Filtres/ }).click()
      await page.getByRole('dialog').waitFor()
    },
  },
  {
    name: 'print-list',
    isWhole: true,
    show: async (page) => {
      await page.goto('/loanings')
      await page.evaluate('window.print = () => undefined')
      await page.getByRole('button', { name: /^Actions.*Prêts/ }).click()
      await page.getByRole('menuitem', { name: 'Imprimer la liste' }).click()
      await page.emulateMedia({ media: 'print' })
    },
  },
  { name: 'loans-late', show: async (page) => void (await page.goto('/loanings?islate|eq=1')) },
  {
    name: 'loans-none',
    show: async (page) => void (await page.goto('/loanings?benefsearchname|like=zzzzzz')),
  },
  { name: 'loan', show: async (page) => void (await page.goto('/loanings/view/35285')) },
  { name: 'loan-edit', show: async (page) => void (await page.goto('/loanings/edit/35285')) },
  {
    name: 'dialog-delete',
    show: async (page) => {
      await page.goto('/loanings/view/35285')
      await page.getByRole('button', { name: 'Supprimer' }).click()
      await page.getByRole('dialog').waitFor()
      await typeAsScanner(page, knownCopies[0] ?? '')
    },
  },
  {
    name: 'dialog-recap',
    show: async (page) => {
      await page.goto('/loanings')
      await page.getByRole('button', { name: 'Envoyer un récapitulatif' }).click()
      await page.getByRole('dialog').waitFor()
    },
  },
  {
    name: 'dialog-extend',
    show: async (page) => {
      await page.goto('/loanings/view/35285')
      await page.getByRole('button', { name: 'Prolonger' }).click()
      await page.getByRole('dialog').waitFor()
    },
  },
  {
    name: 'dialog-unsaved',
    show: async (page) => {
      await page.goto('/loanings/edit/35285')
      await page.getByLabel('Commentaire').fill('Couverture à recoller')
      await page.getByRole('link', { name: /, accueil$/ }).click()
      await page.getByRole('dialog').waitFor()
    },
  },
  {
    name: 'dialog-ineligible',
    show: async (page) => {
      const { body } = await api.get('/api/beneficiaries?is_active=0&limit=1')
      const [left] = body['hydra:member'] as { id: number }[]
      await page.goto(`/loaning/add?beneficiary=${left?.id}`)
      await page.getByRole('button', { name: 'Changer de lecteur' }).waitFor()
      await scan(page, knownCopies[9] ?? '')
      await page.getByRole('dialog').waitFor()
    },
  },
  {
    name: 'add-loan-refused',
    show: async (page) => {
      await page.getByRole('button', { name: 'Ne pas prêter' }).click()
      await page.getByRole('dialog').waitFor({ state: 'detached' })
      await scan(page, '9782070368228')
    },
  },
  { name: 'inventories', as: 'admin', show: async (page) => void (await page.goto('/inventories')) },
  { name: 'inventory-add', as: 'admin', show: async (page) => void (await page.goto('/inventories/add')) },
  {
    name: 'inventory-count',
    as: 'admin',
    show: async (page) => {
      const admin = await apiOf(address, 'admin', password)
      const { body } = await admin.get('/api/inventories?limit=1')
      if (body['hydra:totalItems'] === 0) {
        const sites = (await admin.get('/api/users/me')).body as { sites: { id: number }[] }
        await admin.post('/api/inventories', { name: 'Récolement', site: sites.sites[0]?.id })
      }
      await page.goto('/inventories/count/1')
      await page.getByText('Utilisable hors ligne').waitFor()
      for (const code of [...knownCopies.slice(0, 3), 'INCONNU1']) {
        await typeAsScanner(page, code)
        await page.waitForTimeout(300)
      }
    },
  },
  { name: 'inventory', as: 'admin', show: async (page) => void (await page.goto('/inventories/view/1')) },
  {
    name: 'inventory-review',
    as: 'admin',
    show: async (page) => {
      await page.goto('/inventories/review/1')
      await page.getByText('Rendre indisponibles').click()
    },
  },
  { name: 'weeding', as: 'admin', show: async (page) => void (await page.goto('/weeding')) },
  { name: 'weeding-cart', as: 'admin', show: async (page) => void (await page.goto('/weeding/cart')) },
  { name: 'labels', as: 'admin', show: async (page) => void (await page.goto('/bar_codes')) },
  {
    name: 'labels-wanted',
    as: 'admin',
    show: async (page) => {
      await page.goto('/bar_codes')
      await page.getByText('À étiqueter').first().click()
    },
  },
  {
    name: 'labels-print',
    as: 'admin',
    isWhole: true,
    show: async (page) => {
      await page.goto('/bar_codes/print?ids=12')
      await page.getByText(/étiquettes?, 1 feuille/).waitFor()
      await page.getByRole('button', { name: 'Télécharger', disabled: false }).waitFor()
    },
  },
  {
    name: 'labels-range',
    as: 'admin',
    show: async (page) => {
      await page.goto('/bar_codes/print?type=next')
      await page.getByRole('spinbutton').or(page.getByRole('textbox')).last().waitFor()
    },
  },
  {
    name: 'label-sheets',
    as: 'admin',
    show: async (page) => void (await page.goto('/settings/label_sheets')),
  },
  {
    name: 'label-printers',
    as: 'admin',
    show: async (page) => void (await page.goto('/settings/label_printers')),
  },
  { name: 'acts', as: 'admin', show: async (page) => void (await page.goto('/settings/acts')) },
  { name: 'leaving', as: 'admin', show: async (page) => void (await page.goto('/settings/leaving')) },
  { name: 'imports', as: 'admin', show: async (page) => void (await page.goto('/imports')) },
  { name: 'import-add', as: 'admin', show: async (page) => void (await page.goto('/imports/add')) },
  {
    name: 'import',
    as: 'admin',
    isWhole: true,
    show: async (page) => {
      await page.goto('/imports/add?subject=references')
      const [chooser] = await Promise.all([
        page.waitForEvent('filechooser'),
        page.getByRole('button', { name: 'Choisir un fichier' }).click(),
      ])
      await chooser.setFiles(process.env['IMPORTED'] ?? 'tests/imports/catalogue.csv')
      await page.getByRole('button', { name: 'Lire le fichier' }).click()
      await page.getByRole('button', { name: 'Essayer' }).waitFor()
    },
  },
  {
    name: 'import-tried',
    as: 'admin',
    isWhole: true,
    show: async (page) => {
      await page.getByRole('button', { name: 'Essayer' }).click()
      await page.getByRole('button', { name: 'Importer', exact: true }).waitFor({ timeout: 120_000 })
    },
  },
  { name: 'references', show: async (page) => void (await page.goto('/references')) },
  { name: 'reference', show: async (page) => void (await page.goto('/references/view/12')) },
  {
    name: 'reference-edit',
    isWhole: true,
    show: async (page) => void (await page.goto('/references/edit/12')),
  },
  {
    name: 'image-sources',
    as: 'admin',
    show: async (page) => void (await page.goto('/settings/images_sources')),
  },
  {
    name: 'dialog-image-sources',
    as: 'admin',
    show: async (page) => {
      await page.goto('/settings/images_sources')
      await page
        .getByRole('button', { name: /^Modifier/ })
        .first()
        .click()
      await page.getByRole('dialog').waitFor()
    },
  },
  {
    name: 'dialog-copy',
    show: async (page) => {
      await page.goto('/references/view/12?copy=')
      await page.getByRole('dialog', { name: /^Ajouter un exemplaire/ }).waitFor()
    },
  },
  { name: 'readers', show: async (page) => void (await page.goto('/beneficiaries')) },
  {
    name: 'reader',
    show: async (page) => {
      await page.goto(`/beneficiaries/view/${await busyReaderId()}`)
      await page.getByRole('tab', { name: 'Prêts' }).waitFor()
    },
  },
  {
    name: 'reader-loans',
    isWhole: true,
    show: async (page) => {
      await page.goto(`/beneficiaries/view/${await busyReaderId()}?part=loans`)
      await page.getByRole('table', { name: 'Prêts du lecteur' }).waitFor()
    },
  },
  {
    name: 'reader-relatives',
    show: async (page) => {
      await page.goto(`/beneficiaries/view/${await busyReaderId()}?part=relatives`)
      await page.getByRole('button', { name: /proche/ }).click()
      await page.getByRole('dialog').waitFor()
    },
  },
  {
    name: 'reader-journal',
    show: async (page) => {
      const id = await busyReaderId()
      await api.put(`/api/beneficiaries/${id}`, { message: 'Rappeler pour le dossier', birth_year: 1971 })
      await api.put(`/api/beneficiaries/${id}`, { message: '', commune: 'Blagnac' })
      await page.goto(`/beneficiaries/view/${id}?part=journal`)
      await page.getByText('Modification').first().waitFor()
    },
  },
  {
    name: 'reader-add',
    isWhole: true,
    show: async (page) => {
      await page.goto('/beneficiaries/add')
      await page.getByRole('textbox', { name: 'Nom', exact: true }).fill(busyReader.lastname)
      await page.getByRole('textbox', { name: 'Prénom' }).fill(busyReader.firstname)
      await page.getByText(/^Déjà inscrit/).waitFor()
    },
  },
  {
    name: 'dialog-end',
    show: async (page) => {
      await page.goto(`/beneficiaries/view/${await busyReaderId()}`)
      await page
        .getByRole('button', { name: 'Autres actions' })
        .or(page.getByRole('button', { name: /^Mettre fin/ }))
        .first()
        .click()
      const item = page.getByRole('menuitem', { name: /^Mettre fin/ })
      if (await item.isVisible()) await item.click()
      await page.getByRole('dialog').waitFor()
    },
  },
  { name: 'waiting', show: async (page) => void (await page.goto('/waiting')) },
  { name: 'account', show: async (page) => void (await page.goto('/account')) },
  {
    name: 'conflicts',
    isWhole: true,
    show: async (page) => {
      await page.goto('/waiting')
      await importQueue(page, await refusedQueue(api, await personOf('biblio')), 'À régler')
      await page.getByRole('button', { name: 'Tout envoyer maintenant', disabled: true }).waitFor()
    },
  },
  settling('settle-motive', 'Prêter malgré le refus'),
  settling('settle-bar-code', 'Relier à un exemplaire'),
  settling('settle-date', 'Choisir la date'),
  {
    name: 'conflicts-settled',
    isWhole: true,
    show: async (page) => {
      await page.goto('/waiting')
      await page.getByRole('button', { name: 'Non remis au lecteur' }).first().click()
      await page.locator('summary').click()
    },
  },
  {
    name: 'queue-old',
    as: 'benevole',
    isWhole: true,
    show: async (page) => {
      await becomeReadyForOffline(page)
      await page.goto('/waiting')
      await page.context().setOffline(true)
      await importQueue(
        page,
        await oldQueue(api, await personOf('benevole'), await personOf('biblio')),
        'À envoyer',
      )
    },
  },
  {
    name: 'devices',
    as: 'admin',
    isWhole: true,
    show: async (page) => {
      await reportDevices(page)
      await page.goto('/settings/devices')
    },
  },
  {
    name: 'device-name',
    as: 'admin',
    show: async (page) => {
      await page
        .getByRole('button', { name: /^Nommer/ })
        .first()
        .click()
      await page.getByRole('dialog').waitFor()
    },
  },
  // The last of this person: no site is chosen after them.
  {
    name: 'dialog-site',
    show: async (page) => {
      await page.goto('/home')
      await page.evaluate(() => sessionStorage.clear())
      await page.reload()
      await page.getByRole('dialog').waitFor()
    },
  },
  {
    name: 'dialog-sign-out',
    show: async (page) => {
      await page.keyboard.press('Escape')
      await page.getByRole('dialog', { name: /Se déconnecter/ }).waitFor()
    },
  },
]

async function busyReaderId(): Promise<number> {
  const { body } = await api.get(`/api/beneficiaries?filters[reader_id|eq]=${busyReader.reader_id}`)
  return (body['hydra:member'] as { id: number }[])[0]?.id ?? 0
}

async function chooseSite(page: Page): Promise<void> {
  const site = page.getByRole('button', { name: /Cabanis/ })
  await Promise.race([
    site.click().catch(() => undefined),
    page
      .getByRole('heading', { name: 'Accueil' })
      .waitFor()
      .catch(() => undefined),
  ])
  await page.waitForTimeout(1500)
}

async function take(device: Device, label: string, scene: Scene): Promise<void> {
  await scene.show(device.page)
  await device.page.waitForTimeout(900)
  await device.page.screenshot({
    path: join(folder, `${scene.name}-${label}.png`),
    fullPage: scene.isWhole ?? false,
  })
  await device.page.unrouteAll()
  await device.page.emulateMedia({ media: null })
  await device.context.setOffline(false)
}

await mkdir(folder, { recursive: true })
for (const viewport of Object.keys(viewports) as (keyof typeof viewports)[]) {
  for (const colorScheme of ['light', 'dark'] as const) {
    const label = `${viewport}-${colorScheme}`
    if (looks?.includes(label) === false) continue
    const wanted = scenes.filter(({ name }) => only.length === 0 || only.includes(name))
    // Each person has a device of their own, so that what one leaves is not in the other's pictures.
    for (const username of [null, 'biblio', 'benevole', 'admin']) {
      const theirs = wanted.filter((scene) => (scene.as === undefined ? 'biblio' : scene.as) === username)
      if (theirs.length === 0) continue
      const device = await openDevice(address, { viewport, colorScheme })
      if (username !== null) {
        await signIn(device.page, username, password)
        await chooseSite(device.page)
      }
      for (const scene of theirs) await take(device, label, scene)
      for (const error of device.errors) process.stdout.write(`${label}: ${error}\n`)
      await device.close()
    }
  }
}
