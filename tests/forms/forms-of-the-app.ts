import { sql } from 'kysely'

import { settingsLists } from '../../src/contract/settings-lists.ts'
import { aNoun } from '../../src/domain/noun.ts'
import { setParameter } from '../settings/set-parameter.ts'
import type { TestServer } from '../support/test-server.ts'

/** What is typed or chosen: the label of a field, and its text, or the option of a choice. */
export type Written = readonly [label: RegExp, text: string] | readonly ['choose', RegExp, RegExp]

export type FormCase = {
  /** Whose form it is, and which, where the file has several. */
  file: string
  what: string
  at: string
  as?: string
  before?: (server: TestServer) => Promise<unknown>
  /** Buttons, items of menus, ticks and choices that lead to it. */
  open?: readonly (RegExp | Written)[]
  /** It opens within its page, or is one. */
  inPage?: true
  write: readonly Written[]
  save: RegExp
  /** What asks once more. */
  asked?: RegExp
  /** How it is opened where what was typed has changed its name. */
  reopen?: FormCase['open']
  /** The field that is refused; without it the server cannot be reached, and the form says so. */
  refused?: readonly [label: RegExp, says: RegExp]
  /** What is found again; null where nothing may be kept, such as a password. */
  kept: readonly [label: RegExp, text: string | RegExp] | null
}

const long = (length: number) => 'x'.repeat(length)
const tooLong = /ne doit pas dépasser/
const valider = /^Valider$/
const keep = /^Enregistrer$/
const actionsOf = (row: string) => new RegExp(`^(Plus d’actions|Actions)\\s: ${row}`)
const item = (verb: string, row: string) => [actionsOf(row), new RegExp(`^${verb}$`)]
const button = (verb: string, row: string) => [new RegExp(`^${verb}\\s: ${row}`)]

/** A list of the settings that people keep by hand. */
const kept = (at: string, add: string, label = /^Nom\s?\*?$/): FormCase => ({
  file: 'ui/lists/resource-screen.tsx',
  what: add,
  at,
  open: [new RegExp(`^${add}$`)],
  write: [[label, long(101)]],
  save: valider,
  refused: [label, tooLong],
  kept: [label, long(101)],
})

const named = (
  file: string,
  what: string,
  at: string,
  open: NonNullable<FormCase['open']>,
  length: number,
): FormCase => ({
  file,
  what,
  at,
  open,
  write: [[/^Nom\s?\*?$/, long(length + 1)]],
  save: valider,
  refused: [/^Nom\s?\*?$/, tooLong],
  kept: [/^Nom\s?\*?$/, long(length + 1)],
})

/** A late loan. */
const lend = async (server: TestServer) => {
  const admin = await server.as('admin')
  await admin.post('/api/loanings', { beneficiary: 1, copy: 1 })
  await sql`update loanings set start_date = '2026-01-05', end_date = '2026-01-26'`.execute(server.db)
}
const thirdProfile = ['choose', /^Profil$/, /^Bénévole$/] as const
const fillCart = async (server: TestServer) => {
  const admin = await server.as('admin')
  await admin.post('/api/weeding/cart', { copies: [1] })
}
const bare = (server: TestServer) =>
  server.db.updateTable('start_progress').set({ dismissed_at: null }).execute()

export const formsOfTheApp: readonly FormCase[] = [
  ...settingsLists
    .filter(({ description }) => description.help)
    .map(({ name, description: { noun, fields } }) =>
      kept(`/settings/${name}`, `Ajouter ${aNoun(noun)}`, new RegExp(`^${Object.values(fields)[0]!.label}`)),
    ),
  kept('/settings/delay', 'Ajouter un motif de retard'),
  kept('/settings/free', 'Ajouter un motif de gratuité'),

  {
    file: 'inventories/inventory-add-screen.tsx',
    what: 'an inventory',
    at: '/inventories/add',
    write: [[/^Nom/, long(101)]],
    save: keep,
    refused: [/^Nom/, tooLong],
    kept: [/^Nom/, long(101)],
  },
  {
    file: 'beneficiaries/reader-add-screen.tsx',
    what: 'a reader',
    at: '/beneficiaries/add',
    write: [
      [/^Nom/, 'Petit'],
      [/^Numéro de lecteur/, 'R1'],
    ],
    save: keep,
    refused: [/^Numéro de lecteur/, /déjà celui d’Alice Martin/],
    kept: [/^Nom/, 'Petit'],
  },
  {
    file: 'beneficiaries/reader-edit-screen.tsx',
    what: 'a reader’s record',
    at: '/beneficiaries/edit/2',
    write: [[/^Nom/, long(300)]],
    save: keep,
    refused: [/^Nom/, tooLong],
    kept: [/^Nom/, long(300)],
  },
  {
    file: 'beneficiaries/reader-identity.tsx',
    what: 'a card’s number',
    at: '/beneficiaries/view/2',
    write: [[/^Numéro de lecteur/, 'R1']],
    save: keep,
    refused: [/^Numéro de lecteur/, /déjà celui d’Alice Martin/],
    kept: [/^Numéro de lecteur/, 'R1'],
  },
  {
    file: 'beneficiaries/relatives-dialog.tsx',
    what: 'a relative’s number',
    at: '/beneficiaries/view/2?part=relatives',
    open: [/^Gérer les proches$/],
    write: [[/^Zoé/, 'R1']],
    save: keep,
    refused: [/^Zoé/, /déjà celui d’Alice Martin/],
    kept: [/^Zoé/, 'R1'],
  },
  {
    file: 'beneficiaries/relatives-dialog.tsx',
    what: 'a new relative',
    at: '/beneficiaries/view/2?part=relatives',
    open: [/^Gérer les proches$/],
    write: [[/^Prénom/, long(101)]],
    save: /^Ajouter$/,
    refused: [/^Prénom/, tooLong],
    kept: [/^Prénom/, long(101)],
  },
  {
    file: 'beneficiaries/end-dialog.tsx',
    what: 'the end of an inscription',
    at: '/beneficiaries/view/2',
    open: [/^Autres actions$/, /^Mettre fin à l’inscription$/],
    write: [[/^Date de sortie/, '31/02/2026']],
    save: valider,
    refused: [/^Date de sortie/, /./],
    kept: [/^Date de sortie/, '09/03/2026'],
  },
  {
    ...named(
      'beneficiaries/reader-values-screen.tsx',
      'a contract',
      '/settings/readers',
      button('Renommer', 'Annuel'),
      100,
    ),
    before: async (server) =>
      (await server.as('admin')).put('/api/beneficiaries/1', { contract_type: 'Annuel' }),
  },

  {
    file: 'catalogue/reference-add-screen.tsx',
    what: 'a title',
    at: '/references/add',
    write: [[/^Titre/, long(501)]],
    save: keep,
    refused: [/^Titre/, tooLong],
    kept: [/^Titre/, long(501)],
  },
  {
    file: 'catalogue/reference-edit-screen.tsx',
    what: 'a title’s record',
    at: '/references/edit/2',
    write: [[/^Titre/, long(501)]],
    save: keep,
    refused: [/^Titre/, tooLong],
    kept: [/^Titre/, long(501)],
  },
  {
    file: 'catalogue/copy-dialog.tsx',
    what: 'a copy',
    at: '/references/view/2?copy=',
    write: [[/^Code-barres/, '1001']],
    save: valider,
    refused: [/^Code-barres/, /déjà celui d’un exemplaire/],
    kept: [/^Code-barres/, '1001'],
  },
  {
    file: 'catalogue/copy-dialog.tsx',
    what: 'several copies',
    at: '/references/view/2?copy=',
    write: [
      [/^Code-barres/, 'H-1'],
      [/^Combien d’exemplaires/, '51'],
    ],
    save: valider,
    refused: [/^Combien d’exemplaires/, /de 1 à 50/],
    kept: [/^Code-barres/, 'H-1'],
  },
  {
    file: 'catalogue/copy-dialog.tsx',
    what: 'a copy’s record',
    at: '/settings/copies',
    open: item('Modifier', '1003'),
    write: [[/^Code-barres/, '1001']],
    save: valider,
    refused: [/^Code-barres/, /déjà celui/],
    kept: [/^Code-barres/, '1001'],
  },
  {
    file: 'catalogue/withdraw-dialog.tsx',
    what: 'a withdrawal',
    at: '/settings/copies',
    open: item('Retirer du fonds', '1003'),
    write: [[/^Motif/, long(201)]],
    save: /^Retirer$/,
    refused: [/^Motif/, tooLong],
    kept: [/^Motif/, long(201)],
  },
  {
    file: 'catalogue/transfer-dialog.tsx',
    what: 'a transfer',
    at: '/settings/copies',
    open: item('Transférer…', '1003'),
    write: [],
    save: /^Transférer$/,
    refused: [/^Site de destination/, /^Choisissez le site où il est envoyé\.$/],
    kept: null,
  },
  {
    file: 'catalogue/copies-change-dialog.tsx',
    what: 'the state of several copies',
    at: '/settings/copies',
    open: [/^Choisir\s: 1003/, /^Changer l’état$/],
    write: [],
    save: valider,
    refused: [/^État/, /^Choisissez un état\.$/],
    kept: null,
  },
  {
    file: 'catalogue/list-type-screen.tsx',
    what: 'a function of a list',
    at: '/settings/lists/types',
    open: [/^Ajouter une fonction$/],
    write: [[/^Nom/, long(101)]],
    save: valider,
    refused: [/^Nom/, tooLong],
    kept: [/^Nom/, long(101)],
  },
  {
    file: 'catalogue/list-value-screen.tsx',
    what: 'a value of a list',
    at: '/settings/lists',
    open: [/^Ajouter une valeur$/],
    write: [[/^Nom/, 'Gallimard']],
    save: valider,
    refused: [/^Fonction/, /obligatoire|Choisissez/],
    kept: [/^Nom/, 'Gallimard'],
  },
  {
    file: 'catalogue/list-value-screen.tsx',
    what: 'a merge',
    at: '/settings/lists',
    before: async (server) => {
      await sql`insert into list_types (name, "group") values ('Auteur', 'author')`.execute(server.db)
      await sql`insert into list_values (name, "group", type) values ('Zola', 'author', 1)`.execute(server.db)
    },
    open: item('Fusionner', 'Zola'),
    write: [[/^Valeur qui reste/, 'Emile']],
    save: valider,
    refused: [/^Valeur qui reste/, /^Choisissez la valeur qui reste\.$/],
    kept: [/^Valeur qui reste/, 'Emile'],
  },
  {
    ...named(
      'catalogue/reference-field-screen.tsx',
      'a field’s name',
      '/settings/fields',
      [/^Renommer\s: Auteur$/],
      100,
    ),
    write: [[/^Nom donné/, long(101)]],
    refused: [/^Nom donné/, tooLong],
    kept: [/^Nom donné/, long(101)],
  },
  {
    ...named(
      'settings/translation-list-screen.tsx',
      'a word',
      '/settings/translations',
      [/^Changer\s: lecteur$/],
      100,
    ),
    write: [[/^Mot/, long(101)]],
    refused: [/^Mot/, tooLong],
    kept: [/^Mot/, long(101)],
  },
  named('catalogue/medium-dialog.tsx', 'a medium', '/settings/supports', [/^Ajouter un support$/], 100),
  {
    file: 'ui/lists/use-row-changes.tsx',
    what: 'what becomes of a medium’s titles',
    at: '/settings/supports',
    open: [...item('Supprimer', 'Livre'), valider],
    write: [['choose', /^Que faire/, /^Donner un autre support/]],
    save: valider,
    refused: [/^Autre support/, /^Choisissez le support/],
    kept: [/^Que faire/, /^Donner un autre support/],
  },
  {
    file: 'ui/lists/use-row-changes.tsx',
    what: 'what becomes of a category’s titles',
    at: '/settings/categories',
    before: (server) => sql`update "references" set category = 1 where id = 1`.execute(server.db),
    open: [...item('Supprimer', 'Roman'), valider],
    write: [],
    save: /^Déplacer, puis supprimer$/,
    refused: [/^Autre catégorie/, /^Choisissez leur catégorie\.$/],
    kept: null,
  },
  {
    file: 'catalogue/image-source-screen.tsx',
    what: 'where images are sought',
    at: '/settings/images_sources',
    open: button('Modifier', 'Livre'),
    write: [['choose', /^Sans image/, /^Open Library$/]],
    save: valider,
    kept: [/^Sans image/, /^Open Library$/],
  },

  {
    file: 'settings/site-dialog.tsx',
    what: 'a site',
    at: '/settings/sites',
    open: [/^Ajouter un site$/],
    write: [[/^Nom/, long(101)]],
    save: valider,
    refused: [/^Nom/, tooLong],
    kept: [/^Nom/, long(101)],
  },
  {
    file: 'weeding/withdraw-cart-dialog.tsx',
    what: 'the withdrawal of the cart',
    at: '/weeding/cart',
    before: fillCart,
    open: [/^Retirer du fonds$/],
    write: [['choose', /^Destination/, /^Donné$/]],
    save: /^Retirer du fonds$/,
    kept: [/^Destination/, 'Donné'],
  },
  {
    file: 'weeding/cart-screen.tsx',
    what: 'where a copy of the cart goes',
    at: '/weeding/cart',
    before: fillCart,
    open: item('Donner sa destination', 'Livre numéro 1'),
    write: [['choose', /^Destination/, /^Vendu$/]],
    save: valider,
    kept: [/^Destination/, 'Vendu'],
  },
  {
    file: 'weeding/council-dialog.tsx',
    what: 'the list for the council',
    at: '/weeding/cart',
    before: fillCart,
    open: [/^Liste pour le conseil$/],
    write: [[/^Numéro de la délibération/, long(61)]],
    save: /^Faire le fichier$/,
    refused: [/^Numéro de la délibération/, /ne doit pas dépasser/],
    kept: [/^Numéro de la délibération/, long(61)],
  },
  {
    file: 'closures/close-dialog.tsx',
    what: 'closing for some days',
    at: '/settings/closures',
    open: [/^Fermer…$/],
    write: [[/^Motif/, 'Congés']],
    save: /^Fermer ces jours$/,
    refused: [/^Premier jour/, /^Écrivez le premier jour/],
    kept: [/^Motif/, 'Congés'],
  },
  {
    file: 'closures/holidays-dialog.tsx',
    what: 'public holidays',
    at: '/settings/closures',
    open: [/^Jours fériés 2026$/],
    write: [['choose', /^Site$/, /^Annexe$/]],
    save: /^Fermer \d+ jours?$/,
    kept: [/^Site$/, 'Annexe'],
  },
  {
    file: 'closures/closure-list-screen.tsx',
    what: 'a closure',
    at: '/settings/closures',
    before: (server) =>
      sql`insert into closures (first_day, last_day, label) values ('2026-05-01', '2026-05-01', 'Mai')`.execute(
        server.db,
      ),
    open: button('Modifier', 'Mai'),
    write: [[/^Motif/, long(101)]],
    save: valider,
    refused: [/^Motif/, tooLong],
    kept: [/^Motif/, long(101)],
  },
  {
    file: 'settings/parameters-screen.tsx',
    what: 'the parameters',
    at: '/settings/global',
    write: [
      [/^Nom de l’organisation/, 'Médiathèque'],
      [/^Fuseau horaire/, 'Paris'],
    ],
    save: keep,
    refused: [/^Fuseau horaire/, /^Ce fuseau horaire n’existe pas/],
    kept: [/^Nom de l’organisation/, 'Médiathèque'],
  },

  {
    file: 'users/add-user-dialog.tsx',
    what: 'a user',
    at: '/users',
    open: [/^Ajouter un utilisateur$/],
    write: [
      [/^Nom d’utilisateur/, 'marie'],
      [/^Courriel/, 'pas un courriel'],
    ],
    save: valider,
    refused: [/^Courriel/, /./],
    kept: [/^Nom d’utilisateur/, 'marie'],
  },
  {
    file: 'users/edit-user-dialog.tsx',
    what: 'a user’s record',
    at: '/users',
    open: button('Modifier', 'benevole Test'),
    write: [[/^Courriel/, 'pas un courriel']],
    save: valider,
    refused: [/^Courriel/, /./],
    kept: [/^Courriel/, 'pas un courriel'],
  },
  named('users/profile-rights.tsx', 'a profile', '/settings/permissions', [/^Ajouter un profil$/], 60),
  {
    ...named(
      'users/profile-rights.tsx',
      'a profile’s name',
      '/settings/permissions',
      [thirdProfile, /^Renommer$/],
      60,
    ),
  },
  {
    file: 'mail/template-edit-screen.tsx',
    what: 'a mail template',
    at: '/settings/mail/late_1',
    inPage: true,
    write: [[/^Jours après l’échéance/, '12']],
    save: keep,
    kept: [/^Jours après l’échéance/, '12'],
  },
  {
    file: 'users/profile-rights.tsx',
    what: 'the rights of a profile',
    at: '/settings/permissions',
    inPage: true,
    open: [thirdProfile],
    write: [[/^Deuxième facteur obligatoire/, 'on']],
    save: keep,
    asked: valider,
    kept: [/^Deuxième facteur obligatoire/, 'on'],
  },

  {
    file: 'devices/rename-dialog.tsx',
    what: 'a device’s name',
    at: '/settings/devices',
    before: (server) => server.as('biblio', '0f8fad5b-d9cb-469f-a165-70867728950e'),
    open: [/^Nommer\s: /],
    write: [[/^Nom/, long(61)]],
    save: valider,
    refused: [/^Nom/, tooLong],
    kept: [/^Nom/, long(61)],
  },

  {
    file: 'loans/loan-edit-screen.tsx',
    what: 'a loan',
    at: '/loanings/edit/1',
    before: lend,
    write: [[/^Commentaire/, long(2001)]],
    save: keep,
    refused: [/^Commentaire/, tooLong],
    kept: [/^Commentaire/, long(2001)],
  },
  {
    file: 'loans/delay-dialog.tsx',
    what: 'why a loan is late',
    at: '/loanings/view/1',
    open: [/^Commenter le retard$/],
    write: [[/^Commentaire/, long(2001)]],
    save: valider,
    refused: [/^Commentaire/, tooLong],
    kept: [/^Commentaire/, long(2001)],
  },
  {
    file: 'loans/extend-dialog.tsx',
    what: 'an extension',
    at: '/loanings/view/1',
    open: [/^Prolonger$/],
    write: [[/^Prolonger de/, '5000']],
    save: valider,
    refused: [/^Prolonger de/, /nombre entier de/],
    kept: [/^Prolonger de/, '4'],
  },
  {
    file: 'loans/extend-several-dialog.tsx',
    what: 'an extension of several loans',
    at: '/loanings',
    open: [/^Choisir\s: Livre numéro 1/, /^Prolonger$/],
    write: [[/^Prolonger de/, '5000']],
    save: valider,
    refused: [/^Prolonger de/, /nombre entier de/],
    kept: [/^Prolonger de/, '4'],
  },
  {
    file: 'reservations/refuse-dialog.tsx',
    what: 'the refusal of a reservation',
    at: '/reservations',
    before: async (server) =>
      (await server.as('admin')).post('/api/reservations', { beneficiary_id: 1, reference_id: 1 }),
    open: item('Refuser', 'Livre numéro 1'),
    write: [[/^Commentaire/, long(2001)]],
    save: valider,
    refused: [/^Commentaire/, tooLong],
    kept: [/^Commentaire/, long(2001)],
  },
  {
    file: 'reservations/reservation-mail-dialog.tsx',
    what: 'the mail of a reservation',
    at: '/reservations',
    before: async (server) =>
      (await server.as('admin')).post('/api/reservations', { beneficiary_id: 2, reference_id: 2 }),
    open: item('Écrire au lecteur', 'Livre numéro 2'),
    write: [[/^Objet/, long(201)]],
    save: /^Envoyer$/,
    refused: [/^Objet/, tooLong],
    kept: [/^Objet/, long(201)],
  },
  {
    file: 'reservations/reservation-add-screen.tsx',
    what: 'a reservation',
    at: '/reservations/add?beneficiary=2&reference=3&copy=3',
    before: (server) => setParameter(server, 'reservations_without_dates', '1'),
    write: [[/^Commentaire/, long(2001)]],
    save: keep,
    refused: [/^Commentaire/, tooLong],
    kept: [/^Commentaire/, long(2001)],
  },
  {
    file: 'reservations/reservation-edit-screen.tsx',
    what: 'a reservation that was made',
    at: '/reservations/edit/7003',
    before: async (server) => {
      await setParameter(server, 'reservations_without_dates', '1')
      await sql`insert into reservations (id, beneficiary_id, reference_id) overriding system value
        values (7003, 2, 3)`.execute(server.db)
    },
    write: [[/^Commentaire/, long(2001)]],
    save: keep,
    refused: [/^Commentaire/, tooLong],
    kept: [/^Commentaire/, long(2001)],
  },
  {
    file: 'ui/lists/choose-filters.tsx',
    what: 'the filters shown',
    at: '/loanings',
    open: [/^Choisir les filtres affichés$|^Filtres affichés$/, /^Support/],
    write: [],
    save: valider,
    kept: null,
  },
  {
    ...named('ui/lists/view-dialogs.tsx', 'a view', '/loanings', [/^Ajouter une vue$/], 60),
    save: keep,
  },
  {
    ...named(
      'ui/lists/view-dialogs.tsx',
      'a view’s name',
      '/loanings',
      [/^Tout$/, /^Vue «\sTout\s»/, /^Renommer$/],
      60,
    ),
    before: async (server) => {
      const content = { filters: {}, order: null, hidden_columns: [] }
      return (await server.as('admin')).post('/api/views', { list: 'loanings', name: 'Tout', content })
    },
  },

  {
    file: 'start/organisation-step.tsx',
    what: 'the organisation, at first',
    at: '/start?step=organisation',
    before: bare,
    write: [
      [/^Nom de l’organisation/, 'Médiathèque'],
      [/^Nom du premier site/, ' '],
    ],
    save: /^Continuer$/,
    refused: [/^Nom du premier site/, /^Donnez un nom à ce site\./],
    kept: [/^Nom de l’organisation/, 'Médiathèque'],
  },
  {
    file: 'start/numbering-step.tsx',
    what: 'the numbering, at first',
    at: '/start?step=numbering',
    write: [[/^Premier numéro/, 'abc']],
    save: /^Continuer$/,
    refused: [/^Premier numéro/, /./],
    kept: [/^Premier numéro/, 'abc'],
  },
  {
    file: 'start/users-step.tsx',
    what: 'a user, at first',
    at: '/start?step=users',
    write: [
      [/^Nom d’utilisateur/, 'marie'],
      [/^Courriel/, 'pas un courriel'],
    ],
    save: /^Continuer$/,
    refused: [/^Courriel/, /./],
    kept: [/^Nom d’utilisateur/, 'marie'],
  },
  {
    file: 'start/preset-step.tsx',
    what: 'a preset, at first',
    at: '/start?step=preset',
    inPage: true,
    open: [/^Ludothèque/, /^Retoucher\s: Jeu de société$/],
    write: [[/^Nom/, '']],
    save: /^Continuer$/,
    refused: [/^Nom/, /^Donnez un nom à ce support/],
    kept: [/^Nom/, 'Jeu de plateau'],
    reopen: [/^Retoucher\s: Jeu de plateau$/],
  },

  {
    file: 'account/account-screen.tsx',
    what: 'a password',
    at: '/account',
    write: [
      [/^Mot de passe actuel/, 'a'],
      [/^Nouveau mot de passe/, 'trop court'.slice(0, 6)],
    ],
    save: /^Changer le mot de passe$/,
    refused: [/^Nouveau mot de passe/, /au moins 10 caractères/],
    kept: null,
  },
  {
    file: 'session/set-up-factor.tsx',
    what: 'a second factor',
    at: '/account',
    open: [/^Choisir un deuxième facteur$/],
    write: [[/^Mot de passe actuel/, 'a']],
    save: /^(Valider|Activer|Confirmer)/,
    refused: [/^Code de l’application/, /^Saisissez le code à six chiffres\./],
    kept: null,
  },
]

/** Forms of people who are not signed in, of one secret, or of what waits on the device: their files are tried there. */
export const triedElsewhere: Record<string, string> = {
  'account/second-factor-dialog.tsx': 'tests/session/second-factor-screen.db.test.tsx',
  'labels/range-panel.tsx': 'tests/labels/label-screens.db.test.tsx',
  'lock/choose-code-form.tsx': 'tests/lock/lock-gate.db.test.tsx',
  'lock/code-entry.tsx': 'tests/lock/lock-gate.db.test.tsx',
  'lock/lock-screen.tsx': 'tests/lock/lock-gate.db.test.tsx',
  'scanner/camera-panel.tsx': 'tests/scanner/scanned-label.db.test.tsx',
  'session/ask-reset-screen.tsx': 'tests/session/reset-screens.db.test.tsx',
  'session/due-screen.tsx': 'tests/session/second-factor-screen.db.test.tsx',
  'session/login-screen.tsx': 'tests/session/login-screen.db.test.tsx',
  'session/reset-password-screen.tsx': 'tests/session/reset-screens.db.test.tsx',
  'session/second-step.tsx': 'tests/session/second-factor-screen.db.test.tsx',
  'ui/forms/motive-dialog.tsx': 'tests/waiting/waiting-screen.db.test.tsx',
  'ui/forms/motive-field.tsx': 'tests/home/lane-troubles.db.test.tsx',
  'waiting/waiting-screen.tsx': 'tests/waiting/waiting-screen.db.test.tsx',
  'waiting/settle-dialog.tsx': 'tests/waiting/waiting-screen.db.test.tsx',
}
