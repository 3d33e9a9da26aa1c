import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import type { Db } from '../../src/server/db/handles.ts'
import { faultsOf, isWiderThanScreen } from '../support/accessible.ts'
import { type Api, apiOf } from '../support/api-of.ts'
import { type Device, openDevice, signIn, typeAsScanner, viewports } from '../support/browser.ts'
import { openRunningServer, type RunningServer } from '../support/running-server.ts'
import { testPassword } from '../support/test-library.ts'
import { fileOf } from '../waiting/difficult-queue.ts'
import {
  becomeReadyForOffline,
  chooseSite,
  confirmImported,
  lineOf,
  openCounter,
  put,
  scanBox,
} from '../support/counter.ts'

/** As tests/support/prepare-databases.ts gives it. */
const adminPassword = 'mot-de-passe-admin'

// What stands on a screen only once something was done there; every screen as it comes is in every-screen.test.ts.
type Look = readonly [viewport: keyof typeof viewports, colorScheme: 'light' | 'dark']

/** `looks`: of what stands on some devices only. */
type Scene = { name: string; show: (page: Page, api: Api) => Promise<void>; looks?: readonly Look[] }

const at = (name: string, path: string, heading: string): Scene => ({
  name,
  show: async (page) => {
    await page.goto(path)
    await page.getByRole('heading', { name: heading }).first().waitFor()
  },
})

/** A person's loan to a reader whose membership is over, as another device exported it. */
const refusedQueueOf = (by: { user_id: number; username: string }): string =>
  fileOf([
    {
      by,
      agoMs: 60_000,
      copy: { id: 7, bar_code: '1007', name: 'Livre numéro 7' },
      to: { id: 3, matricule: 'M3', lastname: 'Expirée', firstname: 'Noémie' },
    },
  ])

async function importQueue(page: Page, file: string): Promise<void> {
  const [chooser] = await Promise.all([
    page.waitForEvent('filechooser'),
    page.getByRole('button', { name: 'Importer une file' }).click(),
  ])
  await chooser.setFiles({ name: 'file.json', mimeType: 'application/json', buffer: Buffer.from(file) })
}

const scenes: Scene[] = [
  {
    name: 'home',
    show: async (page) => {
      await page.goto('/home')
      await scanBox(page).waitFor()
      await page
        .getByText(/aujourd/i)
        .first()
        .waitFor()
    },
  },
  {
    name: 'home with a reader and refused scans',
    show: async (page) => {
      await page.setViewportSize(viewports.tablet)
      await put(page, 'R1')
      const card = page.getByRole('region', { name: 'Lecteur' })
      await card.getByRole('button', { name: /^(\d+|Aucun) prêts? en cours$/, expanded: false }).click()
      await put(page, '1005')
      await put(page, 'inconnu-1234')
      await lineOf(page, 'inconnu-1234').waitFor()
    },
  },
  {
    name: 'home with a copy looked up by its title',
    show: async (page) => {
      await scanBox(page).fill('Livre numéro 2')
      await page.getByRole('option', { name: /Livre numéro 2/ }).click()
      await page
        .getByRole('region', { name: 'Exemplaire cherché' })
        .getByRole('button', { name: 'Rendre' })
        .waitFor()
    },
  },
  {
    name: 'home with a reader whom a name proposes',
    show: async (page) => {
      await scanBox(page).fill('dupont')
      await page.getByRole('region', { name: 'Lecteur' }).getByText('À confirmer').waitFor()
    },
  },
  {
    name: 'home with a reader left alone',
    show: async (page) => {
      await scanBox(page).press('Enter')
      await page
        .getByRole('region', { name: 'Lecteur' })
        .getByText('À confirmer')
        .waitFor({ state: 'detached' })
      await page.evaluate(() => {
        const now = Date.now
        Date.now = () => now() + 4 * 60_000
      })
      await page.getByText('Carte à scanner de nouveau pour prêter').waitFor()
    },
  },
  {
    name: 'camera',
    show: async (page) => {
      await page.goto('/home?scanner=1')
      await page.getByRole('dialog').getByRole('button').first().waitFor()
    },
  },
  {
    name: 'add loan, with an amount being typed and the terms unfolded',
    show: async (page) => {
      await page.goto('/loaning/add?beneficiary=4&copy=9')
      await page.getByRole('button', { name: /^Conditions du prêt/ }).click()
      await page.getByRole('button', { name: /^Montant/ }).click()
      await page.getByRole('textbox', { name: /^Montant/ }).waitFor()
      page.once('dialog', (dialog) => void dialog.accept())
    },
  },
  {
    name: 'loans, in a view that was changed',
    show: async (page, api) => {
      const content = { filters: {}, order: null, hidden_columns: ['start'] }
      const view = { list: 'loanings', name: 'Tous les prêts de la maison', shared: true, content }
      const { id } = (await api.post('/api/views', view)).body as { id: number }
      await page.goto(`/loanings?view=${id}&status%7Cin=in_progress&sort=end_date%3Aasc`)
      await page.getByRole('button', { name: 'Enregistrer la vue' }).waitFor()
    },
  },
  {
    name: 'loans, a row’s actions',
    show: async (page) => {
      await page.goto('/loanings')
      await page
        .getByRole('button', { name: /^Actions\s: (?!Prêts)/ })
        .or(page.getByRole('button', { name: /^Prolonger/ }))
        .first()
        .click()
      await page.getByRole('menu').or(page.getByRole('dialog')).first().waitFor()
    },
  },
  {
    name: 'the calendar',
    show: async (page) => {
      await page.goto('/calendar?reference=livre')
      await page.getByRole('gridcell').first().waitFor()
    },
  },
  {
    name: 'what may be done with a bar of the calendar',
    show: async (page) => {
      await page.goto('/calendar?reference=livre')
      await page.getByRole('gridcell').first().click()
      await page.getByRole('dialog').getByRole('button').nth(1).waitFor()
    },
  },
  {
    name: 'an inventory that is counted',
    show: async (page, api) => {
      const { body } = await api.get('/api/inventories?limit=1')
      if (body['hydra:totalItems'] === 0) await api.post('/api/inventories', { name: 'Récolement', site: 1 })
      await page.goto('/inventories/count/1')
      await page.getByText('Utilisable hors ligne').waitFor()
      await typeAsScanner(page, 'INCONNU1')
      await page.getByLabel('Ce qui est écrit dessus').first().waitFor()
    },
  },
  {
    name: 'its shelves',
    show: async (page) => {
      await page.getByRole('button', { name: /^Rayon/ }).click()
      await page.getByRole('dialog', { name: 'Rayon' }).waitFor()
    },
  },
  {
    name: 'what is ticked',
    show: async (page) => {
      await page.keyboard.press('Escape')
      await page.getByRole('button', { name: 'Cocher' }).click()
      await page.getByRole('checkbox').first().waitFor()
    },
  },
  {
    name: 'what an inventory found',
    show: async (page) => {
      await page.goto('/inventories/review/1?group=missing')
      await page.getByText('Rendre indisponibles').click()
      await page.getByRole('checkbox').first().waitFor()
    },
  },
  {
    name: 'the cart of a weeding',
    show: async (page, api) => {
      const { body } = await api.get('/api/copies?limit=3&status.name=Disponible')
      const copies = (body['hydra:member'] as { id: number }[]).map(({ id }) => id)
      await api.post('/api/weeding/cart', { copies })
      await page.goto('/weeding/cart')
      await page.getByRole('button', { name: 'Retirer du fonds' }).first().waitFor()
      await typeAsScanner(page, 'INCONNU1')
      await page.getByRole('list', { name: 'Scans de cet appareil' }).getByText('Inconnu').waitFor()
    },
  },
  {
    name: 'what is asked before a withdrawal',
    show: async (page) => {
      await page.getByRole('button', { name: 'Retirer du fonds' }).first().click()
      await page.getByRole('dialog', { name: /^Retirer/ }).waitFor()
    },
  },
  {
    name: 'an import under way of being understood',
    show: async (page) => {
      await page.goto('/imports/add?subject=references')
      await page.getByRole('button', { name: 'Choisir un fichier' }).waitFor()
      await page.locator('input[type=file]').setInputFiles({
        name: 'catalogue.csv',
        mimeType: 'text/csv',
        buffer: Buffer.from('titre;auteur;machin\nGerminal;Émile Zola;x\n;Émile Zola;y\n'),
      })
      await page.getByRole('button', { name: 'Lire le fichier' }).click()
      await page.getByRole('button', { name: 'Essayer' }).click()
      await page
        .getByRole('region', { name: 'Lignes refusées' })
        .getByText(/^Ligne 3/)
        .waitFor()
    },
  },
  {
    name: 'a line of the counter that the server refused',
    show: async (page, api) => {
      await becomeReadyForOffline(page)
      await put(page, 'R1')
      await page.getByRole('region', { name: 'Lecteur' }).getByText('Alice Martin').waitFor()
      await page.context().setOffline(true)
      await page.getByText('Hors ligne', { exact: true }).first().waitFor()
      await put(page, '1006')
      await lineOf(page, 'Livre numéro 6').getByText('Enregistré').waitFor()
      // Another counter lends it before this one is heard.
      expect((await api.post('/api/loanings', { beneficiary: 4, copy: 6 })).status).toBe(201)
      await page.context().setOffline(false)
      await lineOf(page, 'Livre numéro 6')
        .getByRole('link', { name: /^Régler/ })
        .waitFor()
    },
  },
  {
    name: 'the conflict desk',
    show: async (page) => {
      await lineOf(page, 'Livre numéro 6')
        .getByRole('link', { name: /^Régler/ })
        .click()
      await page.getByRole('list', { name: 'Comment régler' }).waitFor()
    },
  },
  {
    name: 'a choice that asks for a motive',
    show: async (page) => {
      await importQueue(page, refusedQueueOf({ user_id: 2, username: 'biblio' }))
      await confirmImported(page)
      await page.getByRole('button', { name: 'Prêter malgré le refus' }).click()
      await page.getByRole('dialog', { name: 'Prêter malgré le refus' }).waitFor()
    },
  },
  {
    name: 'actions that are done',
    show: async (page) => {
      await page.keyboard.press('Escape')
      await page.getByRole('button', { name: 'Non remis au lecteur' }).first().click()
      await page.getByText(/terminées aujourd/).click()
    },
  },
  {
    name: 'the search of anything, what a hit leads to',
    show: async (page) => {
      await page.getByRole('button', { name: 'Rechercher partout' }).click()
      await page.getByRole('combobox', { name: 'Rechercher partout' }).fill('livre')
      await page
        .getByRole('option', { name: /Livre numéro/ })
        .first()
        .waitFor()
      await page.keyboard.press('ArrowRight')
      await page.getByRole('option', { name: /^Voir\s:/ }).waitFor()
    },
  },
  {
    name: 'help of a screen',
    show: async (page) => {
      await page.goto('/loanings#aide')
      await page.getByRole('dialog', { name: 'Aide' }).getByRole('heading', { name: 'Prêts' }).waitFor()
    },
  },
  {
    name: 'every screen, on a phone',
    show: async (page) => {
      await page.keyboard.press('Escape')
      await page.setViewportSize(viewports.phone)
      await page.getByRole('button', { name: 'Plus', exact: true }).click()
      await page.getByRole('dialog', { name: 'Tous les écrans' }).getByRole('link').first().waitFor()
    },
    looks: [
      ['phone', 'light'],
      ['phone', 'dark'],
    ],
  },
  {
    name: 'the places of a group, on a tablet',
    show: async (page) => {
      await page.setViewportSize(viewports.tablet)
      await page.goto('/account')
      await page.getByRole('button', { name: 'Suivi' }).click()
      await page.getByRole('menuitem', { name: 'Prêts' }).waitFor()
    },
    looks: [
      ['tablet', 'light'],
      ['tablet', 'dark'],
    ],
  },
  {
    name: 'sign-out menu',
    show: async (page) => {
      await page.getByRole('button', { name: /mon compte et déconnexion/ }).click()
      await page.getByRole('menuitem').first().waitFor()
    },
  },
]

/** A server and a device of its own; `check` looks at what the device shows in each of the looks. */
function stage(looks: readonly Look[], prepare?: (db: Db) => Promise<unknown>) {
  const staged = {} as { server: RunningServer; device: Device; api: Api }
  beforeAll(async () => {
    staged.server = await openRunningServer({ onPostgres: true, ...(prepare && { prepare }) })
    staged.api = await apiOf(staged.server.address, 'biblio', testPassword)
    const late = { start_date: '2026-01-05', override_reason: 'Reprise du cahier' }
    await staged.api.post('/api/loanings', { beneficiary: 2, copy: 1, ...late })
    await staged.api.post('/api/loanings', { beneficiary: 1, copy: 2 })
    staged.device = await openDevice(staged.server.address, { still: true })
  })
  afterAll(async () => {
    await staged.device?.close()
    await staged.server?.drop()
  })
  const check = async (these: readonly Look[] = looks) => {
    const { page } = staged.device
    for (const [viewport, colorScheme] of these) {
      await page.setViewportSize(viewports[viewport])
      await page.emulateMedia({ colorScheme })
      await page.locator(`html[data-mantine-color-scheme="${colorScheme}"]`).waitFor({ state: 'attached' })
      const found = { faults: await faultsOf(page), isWiderThanScreen: await isWiderThanScreen(page) }
      expect({ viewport, colorScheme, ...found }).toEqual({
        viewport,
        colorScheme,
        faults: [],
        isWiderThanScreen: false,
      })
    }
  }
  return { staged, check }
}

describe('what is done at the counter is readable by everyone', () => {
  const { staged, check } = stage([
    ['phone', 'light'],
    ['tablet', 'dark'],
    ['desktop', 'light'],
  ])

  it.each([
    ['sign-in', '/login', 'Connexion'],
    ['forgotten password', '/reset/password', 'Mot de passe oublié'],
    ['new password', '/reset/password/abcdefghijklmnopqrstuvwxyz012345', /mot de passe/i],
    ['statement of accessibility', '/accessibility', 'Déclaration d’accessibilité'],
  ])('%s', async (_, path, heading) => {
    const { page } = staged.device
    await page.goto(path)
    await page.getByRole('heading', { name: heading }).first().waitFor()
    await check()
  })

  it('choice of a site', async () => {
    const { page } = staged.device
    await signIn(page, 'biblio', testPassword)
    await page.getByRole('dialog', { name: 'Choisissez votre site' }).waitFor()
    await check()
    await chooseSite(page)
    await openCounter(page)
  })

  it.each(scenes.map((scene) => [scene.name, scene] as const))('%s', async (_, scene) => {
    await scene.show(staged.device.page, staged.api)
    await check(scene.looks)
  })
})

const administratorsScenes: Scene[] = [
  {
    name: 'devices, one of which is this one',
    show: async (page) => {
      await page.goto('/settings/devices')
      await page.getByText('Cet appareil').first().waitFor()
    },
  },
  {
    name: 'a device’s name',
    show: async (page) => {
      await page.getByRole('button', { name: /^Nommer/ }).click()
      await page.getByRole('dialog', { name: 'Nommer l’appareil' }).waitFor()
    },
  },
  {
    name: 'the conflict desk and what another person left',
    show: async (page) => {
      await page.goto('/waiting')
      await importQueue(page, refusedQueueOf({ user_id: 1, username: 'admin' }))
      await confirmImported(page)
      await importQueue(page, refusedQueueOf({ user_id: 2, username: 'biblio' }))
      await page.getByRole('list', { name: 'Comment régler' }).waitFor()
      await page.getByRole('button', { name: 'Reprendre les actions de biblio' }).waitFor()
    },
  },
  {
    name: 'a form of the settings with a fault',
    show: async (page) => {
      await page.goto('/settings/categories')
      await page.getByRole('button', { name: 'Ajouter une catégorie' }).click()
      await page.getByRole('button', { name: 'Valider' }).click()
      await page.getByRole('dialog').getByRole('alert').waitFor()
    },
  },
  {
    name: 'labels before they are printed',
    show: async (page) => {
      await page.goto('/bar_codes/print?ids=1')
      await page.getByRole('button', { name: 'Télécharger', disabled: false }).waitFor()
    },
  },
  at('codes that no copy has yet', '/bar_codes/print?type=next', 'Imprimer une plage de codes'),
  {
    name: 'a sheet of one’s own',
    show: async (page) => {
      await page.goto('/settings/label_sheets')
      await page.getByRole('button', { name: 'Ajouter une planche' }).first().click()
      await page.getByRole('dialog').getByRole('textbox').first().waitFor()
    },
  },
  {
    name: 'a printer of labels',
    show: async (page) => {
      await page.goto('/settings/label_printers')
      await page.getByRole('button', { name: 'Ajouter une imprimante' }).first().click()
      await page.getByRole('dialog').getByRole('textbox').first().waitFor()
    },
  },
  {
    name: 'an act that can be taken back',
    show: async (page) => {
      const api = await apiOf(new URL(page.url()).origin, 'admin', adminPassword)
      const { body: type } = await api.post('/api/list_types', { name: 'Auteur', group: 'author' })
      const values = []
      for (const name of ['Zola, E.', 'Zola, Émile'])
        values.push((await api.post('/api/list_values', { name, type: type.id })).body.id as number)
      await api.put('/api/references/1', { authors: { author: { Auteur: ['Zola, E.'] } } })
      await api.post(`/api/list_values/${values[0]}/merge/${values[1]}`)
      await page.goto('/settings/acts')
      await page.getByRole('link', { name: /Zola, E\./ }).click()
      await page.getByRole('button', { name: 'Annuler l’acte' }).first().waitFor()
    },
  },
  {
    name: 'a template with its chips and what may be put in',
    show: async (page) => {
      await page.goto('/settings/mail/late_1')
      await page.getByRole('textbox', { name: 'Corps' }).getByText('prénom du lecteur').waitFor()
      await page.getByRole('button', { name: 'Insérer dans\u202f: Corps' }).click()
      await page.getByRole('menuitem', { name: 'nombre de prêts' }).waitFor()
    },
  },
  {
    name: 'a mail as it will be read',
    show: async (page) => {
      await page.goto('/settings/mail/late_1')
      await page.getByRole('button', { name: 'Aperçu' }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'M’envoyer un essai' }).waitFor()
    },
  },
  {
    name: 'what is kept of readers, with the register open',
    show: async (page) => {
      await page.goto('/settings/personal_data')
      await page.getByRole('button', { name: 'Lire' }).first().click()
      await page.getByRole('heading', { name: 'Combien de temps' }).waitFor()
    },
  },
  at('what a reader may ask for', '/beneficiaries/view/1?part=data', 'Copie de ses données'),
  {
    name: 'a reservation that is asked for, and who waits for the title',
    show: async (page, api) => {
      await api.post('/api/reservations', { beneficiary_id: 2, reference_id: 3 })
      await page.goto('/reservations/add?beneficiary=1&reference=3')
      await page.getByText(/^Rang \d/).waitFor()
      await page.getByRole('list', { name: 'Qui attend' }).getByText('Éric Dupont').waitFor()
    },
  },
  {
    name: 'an address that leads nowhere',
    show: async (page) => {
      await page.goto('/nulle-part')
      await page.getByRole('heading', { name: 'Page introuvable' }).waitFor()
    },
  },
]

describe('what administrators look at is readable by everyone', () => {
  // The looks that the other scenes leave out.
  const { staged, check } = stage([
    ['phone', 'dark'],
    ['tablet', 'light'],
    ['desktop', 'dark'],
  ])

  beforeAll(async () => {
    await signIn(staged.device.page, 'admin', adminPassword)
    await openCounter(staged.device.page)
  })

  it.each(administratorsScenes.map((scene) => [scene.name, scene] as const))('%s', async (_, scene) => {
    await scene.show(staged.device.page, staged.api)
    await check(scene.looks)
  })
})

const lockScenes: Scene[] = [
  {
    name: 'the question for a code',
    show: async (page) => {
      await page.getByRole('heading', { name: 'Code de verrouillage' }).waitFor()
      await page.getByRole('button', { name: 'Enregistrer le code' }).click()
      await page.getByText('Le code compte quatre chiffres.').waitFor()
    },
  },
  {
    name: 'a locked screen and a wrong code',
    show: async (page) => {
      for (const label of ['Nouveau code', 'Le même code, une seconde fois'])
        await page.getByLabel(label).fill('2580')
      await page.getByRole('button', { name: 'Enregistrer le code' }).click()
      await chooseSite(page)
      await openCounter(page)
      await page.clock.fastForward('05:01')
      await page.getByLabel('Code de verrouillage').fill('1111')
      await page.keyboard.press('Enter')
      await page.getByText('Il reste 4 essais.').waitFor()
    },
  },
  {
    name: 'the password instead of the code, without a network',
    show: async (page) => {
      await page.getByRole('button', { name: 'Utiliser le mot de passe' }).click()
      await page.context().setOffline(true)
      await page.getByLabel('Mot de passe', { exact: true }).fill('un mot de passe')
      await page.keyboard.press('Enter')
      await page.getByText('Le mot de passe se vérifie en ligne').waitFor()
      await page.context().setOffline(false)
    },
  },
  {
    name: 'the account with its code',
    show: async (page) => {
      await page.reload()
      await page.getByLabel('Code de verrouillage').fill('2580')
      await page.keyboard.press('Enter')
      await openCounter(page)
      await page.goto('/account')
      await page.getByRole('region', { name: 'Code de verrouillage' }).waitFor()
    },
  },
]

describe('the lock is readable by everyone', () => {
  const { staged, check } = stage(
    [
      ['phone', 'light'],
      ['phone', 'dark'],
      ['tablet', 'dark'],
      ['desktop', 'light'],
    ],
    (db) =>
      db.updateTable('parameters').set({ value: '5' }).where('code', '=', 'idle_lock_minutes').execute(),
  )

  beforeAll(async () => {
    await staged.device.context.clock.install()
    await signIn(staged.device.page, 'biblio', testPassword)
  })

  it.each(lockScenes.map((scene) => [scene.name, scene] as const))('%s', async (_, scene) => {
    await scene.show(staged.device.page, staged.api)
    await check(scene.looks)
  })
})
