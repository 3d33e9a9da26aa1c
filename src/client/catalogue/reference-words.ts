import type { referenceDataNames } from '../../contract/catalogue.ts'
import type { NewDuration } from '../../domain/new-durations.ts'

type Word = { name: (typeof referenceDataNames)[number]; label: string; isLong?: true }

/** Extra data of a reference, in the order of the screen (file 1, section 3). */
export const referenceDataWords: readonly Word[] = [
  { name: 'subhead', label: 'Sous-titre' },
  { name: 'title_inside', label: 'Titre intérieur' },
  { name: 'volume', label: 'Tome' },
  { name: 'publication_date', label: 'Date de publication' },
  { name: 'language', label: 'Langue' },
  { name: 'level', label: 'Niveau' },
  { name: 'section', label: 'Section' },
  { name: 'subcollection', label: 'Sous-collection' },
  { name: 'book_number', label: 'Cote' },
  { name: 'book_number_dewey', label: 'Cote Dewey' },
  { name: 'subject', label: 'Sujet' },
  { name: 'linked_authors', label: 'Auteurs secondaires' },
  { name: 'person_in_charge', label: 'Responsable' },
  { name: 'linked_ref', label: 'Références liées' },
  { name: 'origin', label: 'Origine' },
  { name: 'provider', label: 'Fournisseur' },
  { name: 'buying_price', label: 'Prix d’achat' },
  { name: 'documentary_background', label: 'Fonds documentaire' },
  { name: 'summary', label: 'Résumé', isLong: true },
]

/** What the form offers for a title that is, or is not, new already. */
export const newDurationChoices = (isNew: boolean): { value: NewDuration; label: string }[] => [
  { value: 'none', label: 'Aucune' },
  ...(isNew ? [{ value: 'same' as const, label: 'Inchangée' }] : []),
  { value: '1', label: '1 mois' },
  { value: '3', label: '3 mois' },
  { value: '6', label: '6 mois' },
  { value: '12', label: '12 mois' },
]

const ownLabels: Record<string, string> = {
  name: 'Titre',
  code: 'Code',
  description: 'Description',
  short_description: 'Description courte',
  category: 'Catégorie',
  medium: 'Support',
  price: 'Prix',
  type: 'Type',
  deposit_check: 'Chèque de caution',
  new_duration: 'Nouveauté',
  audience: 'Public',
  keywords: 'Mots-clés',
  'authors.author': 'Auteurs',
  'authors.editor': 'Éditeurs',
  'authors.list': 'Listes',
  'tags.author': 'Auteur',
  'tags.performer': 'Interprète',
  'tags.publisher': 'Éditeur',
  'tags.year': 'Année',
  'tags.collection': 'Collection',
}

export const labelOfField = (field: string): string =>
  ownLabels[field] ??
  referenceDataWords.find(({ name }) => field === `reference_data.${name}`)?.label ??
  field
