/** Group and French label of each right (file 2, section 6 and the page of calls). */
export const rights = {
  LIST_BENEFICIARIES: ['beneficiaries', 'Voir les bénéficiaires'],
  BENEFICIARY_EDIT: ['beneficiaries', 'Ajouter et modifier un bénéficiaire'],
  BENEFICIARY_HISTORY: ['beneficiaries', 'Voir l’historique des prêts d’un bénéficiaire'],
  BENEFICIARY_CONTACT: ['beneficiaries', 'Voir le courriel et le téléphone'],
  BENEFICIARY_ADDRESS: ['beneficiaries', 'Voir l’adresse postale'],
  LOANING_ADD: ['loans', 'Prêter'],
  LOANING_RETURN: ['loans', 'Enregistrer un retour'],
  LIST_LOANINGS: ['loans', 'Voir les prêts'],
  LOANING_EDIT: ['loans', 'Modifier, prolonger et annuler un prêt'],
  LOANING_DELETE: ['loans', 'Supprimer un prêt'],
  LOANING_OVERRIDE: ['loans', 'Prêter malgré un refus, avec un motif'],
  LOANING_SELL: ['loans', 'Vendre'],
  LIST_SELL: ['loans', 'Voir les ventes'],
  QUEUE_ADOPT: ['loans', 'Reprendre les actions en attente d’un autre'],
  LIST_RESERVATIONS: ['reservations', 'Voir les réservations'],
  RESERVATION_EDIT: ['reservations', 'Ajouter et modifier une réservation'],
  SEND_MAIL: ['mail', 'Envoyer des courriels'],
  LIST_REFERENCES: ['catalogue', 'Voir le catalogue'],
  REFERENCE_EDIT: ['catalogue', 'Modifier une référence'],
  REFERENCE_DELETE: ['catalogue', 'Supprimer une référence'],
  REFERENCE_IMPORT: ['catalogue', 'Importer des références'],
  COPY_CREATEREF: ['catalogue', 'Ajouter une référence'],
  COPY_CREATECOPY: ['catalogue', 'Ajouter un exemplaire'],
  COPY_DELETE: ['catalogue', 'Supprimer un exemplaire'],
  COPY_MODIFY: ['catalogue', 'Modifier un exemplaire'],
  COPY_TRANSFER: ['catalogue', 'Transférer un exemplaire'],
  LIST_TRANSFERS: ['catalogue', 'Voir les transferts'],
  BARCODE_PRINT: ['catalogue', 'Imprimer des étiquettes'],
  INVENTORY: ['catalogue', 'Faire l’inventaire'],
  ACTIVITY_CALENDAR: ['statistics', 'Voir le calendrier'],
  STATISTIC_REFERENCE: ['statistics', 'Statistiques des références'],
  STATISTIC_BENEFICIARIES: ['statistics', 'Statistiques des bénéficiaires'],
  STATISTIC_LOANINGS: ['statistics', 'Statistiques des prêts'],
  STATISTIC_LOANINGS_BENEFICIARY: ['statistics', 'Statistiques des prêts par bénéficiaire'],
  STATISTIC_EXITSDAY: ['statistics', 'Sorties du jour'],
  STATISTIC_RETURNSDAY: ['statistics', 'Retours du jour'],
  LIST_USERS: ['users', 'Voir les utilisateurs'],
  USER_EDIT: ['users', 'Ajouter et modifier un utilisateur'],
  PARAMETER_CATEGORY: ['settings', 'Catégories'],
  PARAMETER_DELAY: ['settings', 'Motifs de retard'],
  PARAMETER_FREE: ['settings', 'Motifs de gratuité'],
  PARAMETER_GENERAL: ['settings', 'Paramètres généraux'],
  PARAMETER_KEYWORD: ['settings', 'Mots-clés'],
  PARAMETER_LAW: ['settings', 'Droits des profils'],
  PARAMETER_MAIL: ['settings', 'Modèles de courriel'],
  PARAMETER_MEDIUM: ['settings', 'Supports'],
  PARAMETER_REFERENCE: ['settings', 'Champs des références'],
  PARAMETER_SITE: ['settings', 'Sites'],
  PARAMETER_SYNCRONIZE: ['settings', 'Synchronisation'],
  PARAMETER_TRANSLATIONS: ['settings', 'Traductions'],
  PARAMETER_IMAGES_SOURCES: ['settings', 'Sources d’images'],
  PARAMETER_LOCATIONS: ['settings', 'Emplacements'],
  PARAMETER_COPIES: ['settings', 'Exemplaires'],
} as const satisfies Record<string, readonly [group: string, label: string]>

export type Right = keyof typeof rights

export const rightGroups = {
  beneficiaries: 'Bénéficiaires',
  loans: 'Prêts et ventes',
  reservations: 'Réservations',
  mail: 'Courriels',
  catalogue: 'Catalogue',
  statistics: 'Statistiques et calendrier',
  users: 'Utilisateurs',
  settings: 'Paramètres',
} as const satisfies Record<(typeof rights)[Right][0], string>

export const rightCodes = Object.keys(rights) as Right[]

const inGroups = (...groups: string[]) => rightCodes.filter((code) => groups.includes(rights[code][0]))

/** What each profile of a new environment may do (page of calls, « Profiles delivered »). */
export const deliveredProfiles: Record<
  'Admin' | 'Bibliothécaire' | 'Bénévole' | 'Consultation',
  readonly Right[]
> = {
  Admin: rightCodes,
  Bibliothécaire: inGroups('beneficiaries', 'loans', 'reservations', 'mail', 'catalogue', 'statistics'),
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
