import { referenceDataLabels } from './reference-data.ts'

/** What one file brings; references may have a copy on the same line. */
export const importSubjects = ['references', 'readers', 'loans'] as const
export type ImportSubject = (typeof importSubjects)[number]

/** How a value of the field is read (domain/import-values.ts). */
type ImportValueKind =
  | 'text'
  /** An ISBN, an EAN or another code of the work. */
  | 'code'
  /** A bar code or another number: its digits stay as they are. */
  | 'number'
  | 'day'
  /** Of a full date, its year alone. */
  | 'year'
  | 'money'
  | 'flag'
  | 'email'
  /** Several, between « ; », « | » or commas. */
  | 'list'
  | 'audience'
  | 'copy_state'
  | 'copy_type'
  | 'reader_kind'

export type ImportField = {
  /** As the wire calls it, with its group: `tags.author`, `copy.bar_code`. */
  readonly name: string
  /** As the mapping dialog shows it. */
  readonly label: string
  readonly kind: ImportValueKind
  /** In characters, once read. */
  readonly most: number
  /** A row without it is invalid. */
  readonly isRequired: boolean
}

const field = (
  name: string,
  label: string,
  {
    kind = 'text',
    most = 300,
    isRequired = false,
  }: Partial<Pick<ImportField, 'kind' | 'most' | 'isRequired'>> = {},
): ImportField => ({ name, label, kind, most, isRequired })

const long = { most: 5000 }
const day = { kind: 'day', most: 10 } as const
const money = { kind: 'money', most: 11 } as const

/** Extra data of a reference, under the labels of the screens. */
const data = (
  name: keyof typeof referenceDataLabels,
  options: Parameters<typeof field>[2] = long,
): ImportField => field(`reference_data.${name}`, referenceDataLabels[name], options)

const ofReferences: readonly ImportField[] = [
  field('name', 'Titre', {
    most: 500,
    isRequired: true,
  }),
  field('code', 'Code (ISBN, EAN)', { kind: 'code', most: 40 }),
  field('tags.author', 'Auteur'),
  field('tags.performer', 'Interprète'),
  field('tags.publisher', 'Éditeur'),
  field('tags.year', 'Année', { kind: 'year', most: 4 }),
  field('tags.collection', 'Collection'),
  field('description', 'Description', { most: 10_000 }),
  field('short_description', 'Description courte', { most: 1000 }),
  field('category', 'Catégorie', { most: 100 }),
  field('medium', 'Support', { most: 100 }),
  field('price', 'Prix', money),
  field('deposit_check', 'Chèque de caution', {
    kind: 'flag',
    most: 5,
  }),
  field('audience', 'Public (adulte, jeunesse)', {
    kind: 'audience',
    most: 40,
  }),
  field('keywords', 'Mots-clés', {
    kind: 'list',
    most: 5000,
  }),
  data('subhead'),
  data('title_inside'),
  data('volume'),
  data('publication_date', {
    most: 100,
  }),
  data('language', { most: 100 }),
  data('level', { most: 100 }),
  data('section'),
  data('subcollection'),
  data('book_number', { most: 100 }),
  data('book_number_dewey', {
    most: 100,
  }),
  data('subject'),
  data('linked_authors'),
  data('person_in_charge'),
  data('linked_ref'),
  data('origin'),
  data('provider'),
  data('buying_price', { most: 40 }),
  data('documentary_background'),
  data('summary'),
  field('copy.bar_code', 'Exemplaire\u202f: code-barres', { kind: 'number', most: 64 }),
  field('copy.site', 'Exemplaire\u202f: site', { most: 100 }),
  field('copy.location', 'Exemplaire\u202f: emplacement', { most: 100 }),
  field('copy.state', 'Exemplaire\u202f: état', {
    kind: 'copy_state',
    most: 40,
  }),
  field('copy.type', 'Exemplaire\u202f: type (location, vente)', {
    kind: 'copy_type',
    most: 40,
  }),
  field('copy.buy_date', 'Exemplaire\u202f: date d’achat', day),
  field('copy.price', 'Exemplaire\u202f: prix', money),
]

const ofReaders: readonly ImportField[] = [
  field('matricule', 'Matricule', { kind: 'number', most: 40 }),
  field('lastname', 'Nom', { most: 100, isRequired: true }),
  field('firstname', 'Prénom', { most: 100 }),
  field('reader_id', 'Numéro de lecteur (carte)', { kind: 'number', most: 64 }),
  field('kind', 'Personne ou collectivité', {
    kind: 'reader_kind',
    most: 20,
  }),
  field('birth_year', 'Année de naissance', { kind: 'year', most: 4 }),
  field('contract_type', 'Type de contrat', { most: 100 }),
  field('beneficiary_status', 'Statut', { most: 100 }),
  field('dossiers', 'Dossiers', { kind: 'list', most: 5000 }),
  field('agency', 'Site de rattachement', { most: 100 }),
  field('exit_date', 'Date de sortie', day),
  field('email', 'Courriel', { kind: 'email', most: 200 }),
  field('phone', 'Téléphone', { kind: 'number', most: 40 }),
  field('address', 'Adresse', {
    most: 500,
  }),
  field('commune', 'Commune', { most: 100 }),
  field('message', 'Message', { most: 1000 }),
]

const ofLoans: readonly ImportField[] = [
  field('bar_code', 'Code-barres de l’exemplaire', { kind: 'number', most: 64, isRequired: true }),
  field('matricule', 'Matricule du lecteur', { kind: 'number', most: 40 }),
  field('reader_id', 'Numéro de lecteur (carte)', { kind: 'number', most: 64 }),
  field('start_date', 'Date de prêt', { ...day, isRequired: true }),
  field('end_date', 'Retour prévu', day),
  field('comment', 'Commentaire', { most: 1000 }),
]

/** Fields of each kind of import, in the order of the mapping dialog. */
export const importFieldsOf: Readonly<Record<ImportSubject, readonly ImportField[]>> = {
  references: ofReferences,
  readers: ofReaders,
  loans: ofLoans,
}

export const importSubjectWords: Readonly<Record<ImportSubject, string>> = {
  references: 'Références et exemplaires',
  readers: 'Lecteurs',
  loans: 'Prêts en cours',
}
