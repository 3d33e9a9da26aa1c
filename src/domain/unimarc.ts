import { bareCode, hasEanCheckDigit, isbnOf } from './bar-code.ts'
import type { ReferenceDataName } from './reference-data.ts'
import { functionName } from './unimarc-functions.ts'

/** A field of a notice, however it was written (ISO 2709, XML). */
export type UnimarcField = {
  readonly tag: string
  /** Of a field of control (00X) alone. */
  readonly value?: string
  readonly subfields: readonly { readonly code: string; readonly value: string }[]
}

type Tag = 'author' | 'publisher' | 'year' | 'collection'

/** A notice in the fields of a reference; what it does not say is left out. Amounts and days are as it writes them. */
export type UnimarcReference = {
  readonly name: string
  /** The 13 digits of an ISBN or an EAN; an ISSN as it is written. */
  readonly code?: string
  readonly description?: string
  readonly tags: Readonly<Partial<Record<Tag, string>>>
  readonly reference_data: Readonly<Partial<Record<ReferenceDataName, string>>>
  readonly keywords: readonly string[]
  /** By function, in words: `{ Illustrateur: ['Doré, Gustave'] }`. */
  readonly authors: Readonly<Record<string, readonly string[]>>
  /** « Livre », « DVD »…, by the first signs of the leader; null where they tell none. */
  readonly medium: string | null
  /** 205, « 2e édition ». */
  readonly edition?: string
  /** 215, « 83 p., ill., 18 cm ». */
  readonly extent?: string
  /** Number of the notice in the software that it comes from (001). */
  readonly notice_number?: string
}

type Fields = readonly UnimarcField[]

const tidy = (text: string) => text.replace(/\s+/g, ' ').trim()

const values = (fields: Fields, tag: string, code: string): string[] =>
  fields
    .filter((field) => field.tag === tag)
    .flatMap(({ subfields }) =>
      subfields.filter((part) => part.code === code).map(({ value }) => tidy(value)),
    )
    .filter((value) => value !== '')
/** The first that says something. */
export const firstOf = (fields: Fields, tag: string, code: string): string | undefined =>
  values(fields, tag, code)[0]

/** Without the names whose value says nothing. */
export const filled = <const Name extends string>(named: Record<Name, string | undefined>) =>
  Object.fromEntries(Object.entries(named).filter(([, value]) => value)) as Partial<Record<Name, string>>

/**
 * The one mapping of UNIMARC: a notice that is imported and one that is looked up say the same. `isIsbd` says whether a title that
 * looks like a whole line of ISBD is one.
 */
export function unimarcReference(given: Fields, leader = '', isIsbd = true): UnimarcReference {
  const fields = isIsbd ? given.map(partedTitle) : given
  const people = fields.filter(({ tag }) => /^7[01][0-2]$/.test(tag))
  const main = namesOf(people, ['700', '710'])[0] ?? namesOf(people, ['701', '711'])[0]
  const series = seriesOf(fields)
  return {
    name: [firstOf(fields, '200', 'a'), ...values(fields, '200', 'i')].filter(Boolean).join('. '),
    ...filled({
      code: codeOf(fields),
      description: firstOf(fields, '330', 'a'),
      edition: firstOf(fields, '205', 'a'),
      extent: ['a', 'c', 'd', 'e'].flatMap((code) => values(fields, '215', code)).join(', '),
      notice_number: tidy(fields.find(({ tag }) => tag === '001')?.value ?? ''),
    }),
    tags: filled({
      // What the title page says of its makers, where nobody has a field of their own.
      author: main ?? (people.length === 0 ? firstOf(fields, '200', 'f') : undefined),
      publisher: firstOf(fields, '210', 'c') ?? firstOf(fields, '214', 'c'),
      year: yearOf(firstOf(fields, '210', 'd') ?? firstOf(fields, '214', 'd')),
      collection: series.name,
    }),
    reference_data: filled({
      subhead: firstOf(fields, '200', 'e'),
      volume: firstOf(fields, '200', 'h') ?? series.number,
      language: firstOf(fields, '101', 'a'),
      linked_authors: namesOf(people, ['701', '702', '711', '712']).join(' ; '),
      book_number_dewey: firstOf(fields, '676', 'a'),
      buying_price: firstOf(fields, '010', 'd'),
    }),
    keywords: keywordsOf(fields),
    authors: authorsOf(people),
    medium: mediumOf(leader),
  }
}

/**
 * Of 200 that holds a whole line of ISBD in $a (« Titre : suite / auteur »), its parts in subfields of their own; any other field as
 * it is.
 */
export function partedTitle<F extends UnimarcField>(field: F): F {
  if (field.tag !== '200') return field
  const at = field.subfields.findIndex(({ code, value }) => code === 'a' && tidy(value) !== '')
  const whole = tidy(field.subfields[at]?.value ?? '')
  const hasParts = field.subfields.some(({ code, value }) => 'ef'.includes(code) && tidy(value) !== '')
  const [, statement = '', makers = ''] = /^(.+?) \/ (.+)$/.exec(whole) ?? []
  if (hasParts || statement === '') return field
  const [name = '', ...rest] = statement.replace(medium, '').split(' : ')
  const parts = [
    { code: 'a', value: name },
    { code: 'e', value: rest.join(' : ') },
    { code: 'f', value: makers },
  ].filter(({ value }) => value !== '')
  return { ...field, subfields: [...parts, ...field.subfields.toSpliced(at, 1)] }
}

/** What ISBD says of the medium between the title and what follows. */
const medium =
  /\s*\[(?:texte imprimé|images? animées?|enregistrement sonore|ressource électronique|multim[ée]dia[^\][]{0,80})\]/i

function codeOf(fields: Fields): string | undefined {
  const written = [...values(fields, '010', 'a'), ...values(fields, '073', 'a')]
  const isbn = written.map(isbnOf).find((code) => code !== null)
  const ean = [...values(fields, '073', 'a'), ...values(fields, '071', 'a'), ...values(fields, '072', 'a')]
    .map(bareCode)
    .find(hasEanCheckDigit)
  return isbn ?? ean ?? firstOf(fields, '011', 'a')
}

const yearOf = (date: string | undefined) => /(?<!\d)\d{4}(?!\d)/.exec(date ?? '')?.[0]

/** 461 holds what a volume is part of, 225 the collection as the title page says it. */
function seriesOf(fields: Fields): { name: string | undefined; number: string | undefined } {
  const [own, whole] = ['225', '461'].map((tag) => fields.find((field) => field.tag === tag))
  const field = own ?? whole
  if (!field) return { name: undefined, number: undefined }
  return {
    name: firstOf([field], field.tag, 'a') ?? firstOf([field], field.tag, 't'),
    number: firstOf(fields, '461', 'v') ?? firstOf([field], field.tag, 'v'),
  }
}

const namesOf = (people: Fields, tags: readonly string[]): string[] =>
  people.filter(({ tag }) => tags.includes(tag)).flatMap((field) => nameOf(field) ?? [])

/** « Petit, Dominique », in the order of the notice. */
const nameOf = (field: UnimarcField): string | undefined =>
  [firstOf([field], field.tag, 'a'), firstOf([field], field.tag, 'b')].filter(Boolean).join(', ') || undefined

/** Field by field 70X and 71X, under each of its functions ($4). */
function authorsOf(people: Fields): Record<string, string[]> {
  const authors = new Map<string, string[]>()
  for (const field of people) {
    const name = nameOf(field)
    if (name === undefined) continue
    const codes = values([field], field.tag, '4')
    const functions =
      codes.length > 0 ? codes.map(functionName) : [functionName(/[01]$/.test(field.tag) ? '070' : '205')]
    for (const word of new Set(functions)) {
      const names = authors.get(word) ?? []
      if (!names.includes(name)) authors.set(word, [...names, name])
    }
  }
  return Object.fromEntries(authors)
}

/** Subjects (600 to 608) with their parts, « Travail -- France », and free words (610), each once. */
function keywordsOf(fields: Fields): string[] {
  const words = fields.flatMap((field) => {
    if (field.tag === '610') return values([field], '610', 'a')
    if (!/^60[0-8]$/.test(field.tag)) return []
    const isPerson = field.tag === '600'
    const head = isPerson ? nameOf(field) : firstOf([field], field.tag, 'a')
    const parts = field.subfields
      .filter(({ code }) => ['x', 'y', 'z'].includes(code))
      .map(({ value }) => tidy(value))
    return [head, ...parts].filter(Boolean).join(' -- ')
  })
  return [...new Set(words)].filter((word) => word !== '')
}

/** Sign 6 of the leader tells the kind of document, sign 7 whether it is a periodical. */
export function mediumOf(leader: string): string | null {
  const [kind, level] = [leader[6] ?? '', leader[7] ?? '']
  if (kind === 'a') return level === 's' ? 'Revue' : 'Livre'
  return mediaByKind[kind] ?? null
}

const mediaByKind: Readonly<Record<string, string>> = {
  b: 'Livre',
  c: 'Partition',
  d: 'Partition',
  e: 'Carte',
  f: 'Carte',
  g: 'DVD',
  i: 'Livre audio',
  j: 'CD',
  k: 'Image',
  l: 'Ressource électronique',
  m: 'Ressource électronique',
  r: 'Objet',
}
