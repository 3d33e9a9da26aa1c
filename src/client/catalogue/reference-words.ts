import { listGroupWords } from '../../domain/list-groups.ts'
import type { NewDuration } from '../../domain/new-durations.ts'
import { type ReferenceDataName, referenceDataLabels } from '../../domain/reference-data.ts'

const longData: readonly string[] = ['summary']

/** Extra data of a reference, in the order of the screen. */
export const referenceDataWords = Object.entries(referenceDataLabels).map(([name, label]) => ({
  name: name as ReferenceDataName,
  label,
  isLong: longData.includes(name),
}))

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
  image: 'Image',
  'authors.author': listGroupWords.author,
  'authors.editor': listGroupWords.editor,
  'authors.list': listGroupWords.list,
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
