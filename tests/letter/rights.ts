import { settingsLists } from '../../src/contract/settings-lists.ts'
import type { Right } from '../../src/domain/rights.ts'

/** What a right opens by itself, or with what it needs to stand: where it is seen on the page, and one of its calls. */
export type Opened = {
  right: Right
  needs?: readonly Right[]
  page:
    | { menu: string; title: string }
    | { setting: string; title: string }
    | { at: string; deed: string }
    | { at: string; text: string }
  call: { method: 'GET' | 'POST' | 'PUT' | 'DELETE'; path: string; headers?: Record<string, string> }
  /** A field that the answer has by this right alone. */
  tells?: string
}

const get = (path: string) => ({ method: 'GET', path }) as const
const post = (path: string) => ({ method: 'POST', path }) as const
const put = (path: string) => ({ method: 'PUT', path }) as const
const remove = (path: string) => ({ method: 'DELETE', path }) as const

const reader = '/api/beneficiaries/1'
const reads = ['LIST_REFERENCES'] as const
const title = '/references/view/1'

/** Sections 6 of files 1 and 2, in the codes of file 2 and of the page of calls. */
const ofSpecification: readonly Opened[] = [
  {
    right: 'LIST_BENEFICIARIES',
    page: { menu: '/beneficiaries', title: 'Lecteurs' },
    call: get('/api/beneficiaries'),
  },
  {
    right: 'BENEFICIARY_EDIT',
    needs: ['LIST_BENEFICIARIES'],
    page: { at: '/beneficiaries', deed: 'Inscrire un lecteur' },
    call: post('/api/beneficiaries'),
  },
  {
    right: 'BENEFICIARY_CONTACT',
    needs: ['LIST_BENEFICIARIES'],
    page: { at: '/beneficiaries/view/1', text: 'alice@exemple.fr' },
    call: get(reader),
    tells: 'email',
  },
  {
    right: 'BENEFICIARY_ADDRESS',
    needs: ['LIST_BENEFICIARIES'],
    page: { at: '/beneficiaries/view/1', text: '3 rue des Lilas' },
    call: get(reader),
    tells: 'address',
  },
  { right: 'LOANING_ADD', page: { menu: '/loaning/add', title: 'Prêter' }, call: post('/api/loanings') },
  {
    right: 'LOANING_RETURN',
    page: { menu: '/loaning/return', title: 'Rendre' },
    call: post('/api/loanings/1/return'),
  },
  { right: 'LIST_LOANINGS', page: { menu: '/loanings', title: 'Prêts' }, call: get('/api/loanings') },
  {
    right: 'LOANING_EDIT',
    needs: ['LIST_LOANINGS'],
    page: { at: '/loanings/view/1', deed: 'Annuler le prêt' },
    call: put('/api/loanings/1'),
  },
  {
    right: 'LOANING_DELETE',
    needs: ['LIST_LOANINGS'],
    page: { at: '/loanings/view/1', deed: 'Supprimer' },
    call: remove('/api/loanings/999999'),
  },
  { right: 'LIST_SELL', page: { menu: '/sales', title: 'Ventes' }, call: get('/api/sales') },
  {
    right: 'LOANING_SELL',
    needs: ['LIST_SELL'],
    page: { at: '/sales/view/1', deed: 'Supprimer la vente' },
    call: post('/api/sales'),
  },
  {
    right: 'QUEUE_ADOPT',
    needs: ['LOANING_RETURN'],
    page: { at: '/waiting', deed: 'Reprendre les actions de benevole' },
    call: { ...post('/api/loanings/return'), headers: { 'x-on-behalf-of': '3' } },
  },
  {
    right: 'LIST_RESERVATIONS',
    page: { menu: '/reservations', title: 'Réservations' },
    call: get('/api/reservations'),
  },
  {
    right: 'RESERVATION_EDIT',
    needs: ['LIST_RESERVATIONS'],
    page: { at: '/reservations', deed: 'Ajouter une réservation' },
    call: post('/api/reservations'),
  },
  { right: 'SEND_MAIL', page: { menu: '/mails', title: 'Courriels' }, call: post('/api/mail') },
  {
    right: 'LIST_REFERENCES',
    page: { menu: '/references', title: 'Références' },
    call: get('/api/references'),
  },
  {
    right: 'REFERENCE_EDIT',
    needs: reads,
    page: { at: title, deed: 'Modifier' },
    call: put('/api/references/1'),
  },
  {
    right: 'REFERENCE_DELETE',
    needs: reads,
    page: { at: title, deed: 'Supprimer' },
    call: remove('/api/references/999999'),
  },
  {
    right: 'REFERENCE_IMPORT',
    page: { menu: '/imports', title: 'Imports' },
    call: post('/api/references/upload'),
  },
  {
    right: 'COPY_CREATEREF',
    needs: reads,
    page: { at: '/references', deed: 'Ajouter une référence' },
    call: post('/api/references'),
  },
  {
    right: 'COPY_CREATECOPY',
    needs: reads,
    page: { at: title, deed: 'Ajouter un exemplaire' },
    call: post('/api/copies'),
  },
  {
    right: 'COPY_DELETE',
    page: { menu: '/weeding', title: 'Désherbage' },
    call: remove('/api/copies/999999'),
  },
  {
    right: 'COPY_MODIFY',
    needs: reads,
    page: { at: title, deed: 'Rendre indisponible' },
    call: put('/api/copies/1'),
  },
  {
    right: 'COPY_TRANSFER',
    needs: reads,
    page: { at: title, deed: 'Transférer…' },
    call: put('/api/copies/1'),
  },
  { right: 'LIST_TRANSFERS', page: { menu: '/transfers', title: 'Transferts' }, call: get('/api/copies') },
  {
    right: 'BARCODE_PRINT',
    page: { menu: '/bar_codes', title: 'Codes-barres' },
    call: get('/api/export/bar_codes'),
  },
  { right: 'INVENTORY', page: { menu: '/inventories', title: 'Inventaires' }, call: get('/api/inventories') },
  {
    right: 'ACTIVITY_CALENDAR',
    page: { menu: '/calendar', title: 'Calendrier' },
    call: get('/api/calendar'),
  },
  {
    right: 'STATISTIC_REFERENCE',
    page: { menu: '/statistics', title: 'Statistiques' },
    call: get('/api/stats/references'),
  },
  {
    right: 'STATISTIC_BENEFICIARIES',
    page: { menu: '/statistics', title: 'Statistiques' },
    call: get('/api/stats/beneficiaries'),
  },
  {
    right: 'STATISTIC_LOANINGS',
    page: { menu: '/statistics', title: 'Statistiques' },
    call: get('/api/stats/loanings'),
  },
  {
    right: 'STATISTIC_EXITSDAY',
    page: { menu: '/statistics', title: 'Statistiques' },
    call: get('/api/stats/activity'),
  },
  {
    right: 'STATISTIC_RETURNSDAY',
    page: { menu: '/statistics', title: 'Statistiques' },
    call: get('/api/stats/activity'),
  },
  { right: 'LIST_USERS', page: { setting: '/users', title: 'Utilisateurs' }, call: get('/api/users') },
  {
    right: 'USER_EDIT',
    needs: ['LIST_USERS'],
    page: { at: '/users', deed: 'Ajouter un utilisateur' },
    call: post('/api/users'),
  },
  {
    right: 'PARAMETER_DELAY',
    page: { setting: '/settings/delay', title: 'Motifs de retard' },
    call: post('/api/reasons'),
  },
  {
    right: 'PARAMETER_FREE',
    page: { setting: '/settings/free', title: 'Motifs de gratuité' },
    call: post('/api/reasons'),
  },
  {
    right: 'PARAMETER_GENERAL',
    page: { setting: '/settings/global', title: 'Paramètres généraux' },
    call: post('/api/parameters/update'),
  },
  {
    right: 'PARAMETER_LAW',
    page: { setting: '/settings/permissions', title: 'Profils et droits' },
    call: put('/api/profiles/1'),
  },
  {
    right: 'PARAMETER_MAIL',
    page: { at: '/settings/mail/loaning_creation', deed: 'Enregistrer' },
    call: put('/api/mail_templates/1'),
  },
  {
    right: 'PARAMETER_MEDIUM',
    page: { setting: '/settings/supports', title: 'Supports' },
    call: post('/api/media'),
  },
  {
    right: 'PARAMETER_REFERENCE',
    page: { at: '/settings/lists', deed: 'Ajouter une valeur' },
    call: post('/api/list_values'),
  },
  {
    right: 'PARAMETER_SITE',
    page: { setting: '/settings/sites', title: 'Sites' },
    call: put('/api/sites/1'),
  },
  {
    right: 'PARAMETER_SYNCRONIZE',
    page: { setting: '/settings/sync', title: 'Synchronisation' },
    call: post('/api/sync'),
  },
  {
    right: 'PARAMETER_TRANSLATIONS',
    page: { setting: '/settings/translations', title: 'Mots de l’organisation' },
    call: put('/api/translations/1'),
  },
  {
    right: 'PARAMETER_IMAGES_SOURCES',
    page: { setting: '/settings/images_sources', title: 'Sources d’images' },
    call: remove('/api/media/999999/images_sources'),
  },
  {
    right: 'PARAMETER_COPIES',
    page: { setting: '/settings/copies', title: 'Exemplaires' },
    call: get('/api/copies'),
  },
]

/** A right that opens a list of the settings and nothing else. */
const ofLists = settingsLists.flatMap(({ name, path, description: { changedBy: right, title } }): Opened[] =>
  typeof right === 'string'
    ? [{ right, page: { setting: `/settings/${name}`, title }, call: post(path) }]
    : [],
)

export const openedByRights: readonly Opened[] = [
  ...ofLists.filter(({ right }) => ofSpecification.every((one) => one.right !== right)),
  ...ofSpecification,
]

/** What is no button nor one call, and where both halves are shown. */
export const shownElsewhere: Partial<Record<Right, readonly (readonly [file: string, title: string])[]>> = {
  BENEFICIARY_HISTORY: [
    ['tests/visibility/history.db.test.ts', 'is not opened by a right to change loans'],
    [
      'tests/beneficiaries/reader-view-screen.db.test.tsx',
      'lists loans at every site with what may be done, and the open ones alone without the right',
    ],
  ],
  LOANING_OVERRIDE: [
    ['tests/loans/bounds.db.test.ts', 'asking the right of who gives a motive'],
    ['tests/loans/add-loan-screen.db.test.tsx', 'does not offer to pass over a refusal without the right'],
  ],
  STATISTIC_LOANINGS_BENEFICIARY: [
    [
      'tests/stats/stats.db.test.ts',
      'of readers count each once, by contract, site and years, and name the first ten to whoever may know them',
    ],
    [
      'tests/stats/stat-screens.db.test.tsx',
      'tell of readers by contract, years and site, and name them to whoever may know',
    ],
  ],
}
