import type { StartStep, StartTask } from '../../domain/start-steps.ts'

export type StartPlace = StartStep | 'doors'

export const places: readonly { place: StartPlace; label: string }[] = [
  { place: 'organisation', label: 'Organisation' },
  { place: 'preset', label: 'Modèle' },
  { place: 'numbering', label: 'Codes-barres' },
  { place: 'users', label: 'Utilisateurs' },
  { place: 'doors', label: 'Premier prêt' },
]

export const addressOfPlace = (place: StartPlace): string => `/start?step=${place}`

/** With its code field ready for what is in hand. */
export const firstReferenceAddress = '/references/add?code='

/** What is to be done, and where. */
export const taskWords: Record<StartTask, { label: string; to: string }> = {
  organisation: { label: 'Nommer l’organisation', to: addressOfPlace('organisation') },
  site: { label: 'Nommer le premier site', to: addressOfPlace('organisation') },
  media: { label: 'Choisir les supports et leurs durées', to: addressOfPlace('preset') },
  categories: { label: 'Choisir les catégories', to: addressOfPlace('preset') },
  numbering: { label: 'Numéroter les codes-barres', to: addressOfPlace('numbering') },
  users: { label: 'Ajouter un collègue', to: addressOfPlace('users') },
  reference: { label: 'Ajouter une première référence', to: firstReferenceAddress },
  reader: { label: 'Inscrire un premier lecteur', to: '/beneficiaries/add' },
  loan: { label: 'Faire un premier prêt', to: '/loaning/add' },
  forgetting: { label: 'Accorder l’oubli des prêts', to: '/settings/personal_data' },
}
