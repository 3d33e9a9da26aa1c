import type { ReferenceTags, referenceDataNames } from '../../contract/catalogue.ts'

export type ReferenceDataName = (typeof referenceDataNames)[number]

/** One line of a file as a reference, its medium and category still by name. */
export type ImportedReference = {
  name: string
  code: string | null
  description: string
  short_description: string
  medium: string | null
  category: string | null
  price: string
  keywords: string[]
  tags: ReferenceTags
  reference_data: Partial<Record<ReferenceDataName, string>>
}

type OwnField = Exclude<keyof ImportedReference, 'tags' | 'reference_data'>

type Field = {
  label: string
  /** In characters. */
  max: number
  /** Headers of libraries' exports, without accents or capitals. */
  headers: readonly string[]
}

const field = (label: string, headers: string, max = 500): Field => ({
  label,
  max,
  headers: headers.split(' | '),
})
const longText = 10_000

/** The fields of a column (file 1, section 3); `library` only tells its code from a call number. */
export const importFields = {
  name: field('Titre', 'titre | title | name | nom'),
  code: field('Code', 'code | isbn | ean | isbn13 | issn', 100),
  author: field('Auteur', 'auteur | auteurs | author | authors'),
  performer: field('Interprète', 'interprete | performer'),
  publisher: field('Éditeur', 'editeur | publisher | edition'),
  year: field('Année', 'annee | year | original_publication_year', 40),
  collection: field('Collection', 'collection | serie'),
  medium: field('Support', 'support | medium | type de document', 100),
  category: field('Catégorie', 'categorie | category | genre', 100),
  price: field('Prix', 'prix | price', 20),
  keywords: field('Mots-clés', 'mots-cles | mots cles | keywords', longText),
  description: field('Description', 'description', longText),
  short_description: field('Description courte', 'description courte | short_description', 1000),
  book_number: field('Cote', 'cote | book_number', 100),
  book_number_dewey: field('Cote Dewey', 'dewey | cote dewey | book_number_dewey', 100),
  level: field('Public', 'public | niveau | level | audience', 100),
  language: field('Langue', 'langue | language | language_code', 100),
  publication_date: field('Date de parution', 'date de parution | publication_date', 100),
  summary: field('Résumé', 'resume | summary', longText),
  title_inside: field('Titre intérieur', 'titre interieur | title_inside'),
  subhead: field('Sous-titre', 'sous-titre | sous titre | subhead', 1000),
  volume: field('Volume', 'volume | tome', 100),
  subcollection: field('Sous-collection', 'sous-collection | subcollection'),
  linked_authors: field('Auteurs secondaires', 'auteurs secondaires | linked_authors', 1000),
  linked_ref: field('Références liées', 'references liees | linked_ref'),
  person_in_charge: field('Mention de responsabilité', 'mention de responsabilite | person_in_charge', 1000),
  documentary_background: field('Fonds documentaire', 'fonds | documentary_background'),
  subject: field('Sujet', 'sujet | sujets | subject', 1000),
  section: field('Section', 'section'),
  origin: field('Origine', 'origine | origin'),
  provider: field('Fournisseur', 'fournisseur | provider'),
  buying_price: field('Prix d’achat', 'prix d’achat | buying_price', 20),
  library: field('Bibliothèque', 'bibliotheque | library', 100),
} as const satisfies Record<ReferenceDataName | keyof ReferenceTags | OwnField | 'library', Field>

export type ImportField = keyof typeof importFields

export const isImportField = (name: string): name is ImportField => Object.hasOwn(importFields, name)

/** Headers compare without capitals, accents, kinds of dashes or spaces around. */
const comparable = (header: string) =>
  header.normalize('NFD').replace(/\p{M}/gu, '').replaceAll("'", '’').trim().toLowerCase()

export function fieldOfHeader(header: string): ImportField | null {
  const wanted = comparable(header)
  const found = Object.entries(importFields).find(
    ([name, { headers }]) => name === wanted || headers.includes(wanted),
  )
  return found ? (found[0] as ImportField) : null
}
