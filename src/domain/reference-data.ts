/** Extra data of a reference as it is delivered, in the order of the screens. */
export const referenceDataLabels = {
  subhead: 'Sous-titre',
  title_inside: 'Titre intérieur',
  volume: 'Tome',
  publication_date: 'Date de publication',
  language: 'Langue',
  level: 'Niveau',
  section: 'Section',
  subcollection: 'Sous-collection',
  book_number: 'Cote',
  book_number_dewey: 'Cote Dewey',
  subject: 'Sujet',
  linked_authors: 'Auteurs secondaires',
  person_in_charge: 'Responsable',
  linked_ref: 'Références liées',
  origin: 'Origine',
  provider: 'Fournisseur',
  buying_price: 'Prix d’achat',
  documentary_background: 'Fonds documentaire',
  summary: 'Résumé',
} as const
export type ReferenceDataName = keyof typeof referenceDataLabels
