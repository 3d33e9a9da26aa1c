/** Group of each right. */
export const rights = {
  LIST_BENEFICIARIES: 'beneficiaries',
  BENEFICIARY_EDIT: 'beneficiaries',
  BENEFICIARY_HISTORY: 'beneficiaries',
  BENEFICIARY_CONTACT: 'beneficiaries',
  BENEFICIARY_ADDRESS: 'beneficiaries',
  LOANING_ADD: 'loans',
  LOANING_RETURN: 'loans',
  LIST_LOANINGS: 'loans',
  LOANING_EDIT: 'loans',
  LOANING_DELETE: 'loans',
  LOANING_OVERRIDE: 'loans',
  LOANING_SELL: 'loans',
  LIST_SELL: 'loans',
  QUEUE_ADOPT: 'loans',
  LIST_RESERVATIONS: 'reservations',
  RESERVATION_EDIT: 'reservations',
  SEND_MAIL: 'mail',
  LIST_REFERENCES: 'catalogue',
  REFERENCE_EDIT: 'catalogue',
  REFERENCE_DELETE: 'catalogue',
  REFERENCE_IMPORT: 'catalogue',
  COPY_CREATEREF: 'catalogue',
  COPY_CREATECOPY: 'catalogue',
  COPY_DELETE: 'catalogue',
  COPY_MODIFY: 'catalogue',
  COPY_TRANSFER: 'catalogue',
  LIST_TRANSFERS: 'catalogue',
  BARCODE_PRINT: 'catalogue',
  INVENTORY: 'catalogue',
  ACTIVITY_CALENDAR: 'statistics',
  STATISTIC_REFERENCE: 'statistics',
  STATISTIC_BENEFICIARIES: 'statistics',
  STATISTIC_LOANINGS: 'statistics',
  STATISTIC_LOANINGS_BENEFICIARY: 'statistics',
  STATISTIC_EXITSDAY: 'statistics',
  STATISTIC_RETURNSDAY: 'statistics',
  LIST_USERS: 'users',
  USER_EDIT: 'users',
  PARAMETER_CATEGORY: 'settings',
  PARAMETER_DELAY: 'settings',
  PARAMETER_FREE: 'settings',
  PARAMETER_GENERAL: 'settings',
  PARAMETER_KEYWORD: 'settings',
  PARAMETER_LAW: 'settings',
  PARAMETER_MAIL: 'settings',
  PARAMETER_MEDIUM: 'settings',
  PARAMETER_REFERENCE: 'settings',
  PARAMETER_SITE: 'settings',
  PARAMETER_SYNCRONIZE: 'settings',
  PARAMETER_TRANSLATIONS: 'settings',
  PARAMETER_IMAGES_SOURCES: 'settings',
  PARAMETER_LOCATIONS: 'settings',
  PARAMETER_COPIES: 'settings',
} as const satisfies Record<string, string>

export type Right = keyof typeof rights

export const rightGroups = {
  beneficiaries: 'Lecteurs',
  loans: 'Prêts et ventes',
  reservations: 'Réservations',
  mail: 'Courriels',
  catalogue: 'Catalogue',
  statistics: 'Statistiques et calendrier',
  users: 'Utilisateurs',
  settings: 'Paramètres',
} as const satisfies Record<(typeof rights)[Right], string>

export const rightCodes = Object.keys(rights) as Right[]

const inGroups = (...groups: string[]) => rightCodes.filter((code) => groups.includes(rights[code]))

/** Whoever holds both can give every right back: somebody must, and Admin always does. */
export const keeperRights: readonly Right[] = ['PARAMETER_LAW', 'USER_EDIT']

/** Keeps its name and `keeperRights`; new versions give it their new rights. */
export const adminProfile = 'Admin'

/** What each profile of a new environment may do. */
export const deliveredProfiles: Record<
  'Admin' | 'Bibliothécaire' | 'Bénévole' | 'Consultation',
  readonly Right[]
> = {
  Admin: rightCodes,
  // Lending against the rules is given by the library, never delivered (docs/decisions/0025-deviations.md).
  Bibliothécaire: inGroups(
    'beneficiaries',
    'loans',
    'reservations',
    'mail',
    'catalogue',
    'statistics',
  ).filter((code) => code !== 'LOANING_OVERRIDE'),
  Bénévole: [
    'LIST_BENEFICIARIES',
    'LOANING_ADD',
    'LOANING_RETURN',
    'LIST_LOANINGS',
    'LIST_REFERENCES',
    'LIST_RESERVATIONS',
    'LIST_SELL',
    'LIST_TRANSFERS',
    'ACTIVITY_CALENDAR',
  ],
  Consultation: [
    'LIST_BENEFICIARIES',
    'LIST_LOANINGS',
    'LIST_REFERENCES',
    'LIST_RESERVATIONS',
    'LIST_SELL',
    'LIST_TRANSFERS',
  ],
}
