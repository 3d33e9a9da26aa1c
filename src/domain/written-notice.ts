import { findIsbn13, hasEanCheckDigit } from './bar-code.ts'
import { functionCode } from './unimarc-functions.ts'
import { partedTitle, unimarcReference, type UnimarcField } from './unimarc.ts'

/** A field that is written; `indicators` are two signs, none for a field of control (00X). */
export type WrittenField = UnimarcField & { readonly indicators: string }

/** A reference as its notice tells it; empty texts are none. */
export type NoticeReference = {
  id: number
  name: string
  code: string | null
  description: string
  medium: string | null
  tags: Readonly<Record<string, string>>
  reference_data: Readonly<Record<string, string>>
  keywords: readonly string[]
  /** Of lists of authors: by the name of the list, which is a function. */
  authors: readonly { type: string; name: string }[]
  /** AAAA-MM-JJ */
  created_on: string
  library: string
}

/** A copy as field 995 has it. */
export type NoticeCopy = {
  bar_code: string
  site: string
  location: string | null
  buy_date: string | null
  status: string
  state: string
  audience: 'adult' | 'youth' | null
}

export type WrittenNotice = { leader: string; fields: WrittenField[] }

type Said = ReturnType<typeof unimarcReference>
type Subfield = UnimarcField['subfields'][number]

/** What a group of fields says, whether it says it already, and how it is written where it does not. */
type Group = {
  tags: RegExp
  says(said: Said): boolean
  write(before: readonly WrittenField[]): WrittenField[]
}

/**
 * The notice of a reference. Of the one it came from, a field stays as it was while it says what the reference does; those of which
 * nothing is known stay whatever they say. The same again for a notice that was written so.
 */
export function writtenNotice(
  reference: NoticeReference,
  copies: readonly NoticeCopy[],
  original: WrittenNotice | null,
): WrittenNotice {
  let notice = written(reference, copies, original)
  // What one field says may hang on another: a second writing settles it.
  for (let again = 0; again < 2; again += 1) notice = written(reference, copies, notice)
  return notice
}

function written(
  reference: NoticeReference,
  copies: readonly NoticeCopy[],
  original: WrittenNotice | null,
): WrittenNotice {
  const before = original?.fields ?? []
  // « AC / DC » that was kept whole is no line of ISBD.
  const asWhole = unimarcReference(before, original?.leader, false)
  const isIsbd = asWhole.name !== reference.name
  const said = isIsbd ? unimarcReference(before, original?.leader) : asWhole
  const groups = groupsOf(reference, isIsbd)
  const kept = before.filter(
    ({ tag }) => !['001', '100', '995'].includes(tag) && !groups.some(({ tags }) => tags.test(tag)),
  )
  const told = groups.flatMap(({ tags, says, write }) => {
    const own = before.filter(({ tag }) => tags.test(tag))
    return says(said) ? own : write(own)
  })
  const fields = [
    ...numbersOf(reference, before),
    codedData(reference, before),
    ...kept,
    ...told,
    ...copies.map((copy) => copyField(reference, copy)),
  ]
  return {
    leader: leaderOf(reference, said, original?.leader),
    fields: fields.toSorted((one, other) => (one.tag < other.tag ? -1 : Number(one.tag > other.tag))),
  }
}

const control = (tag: string, value: string): WrittenField => ({ tag, indicators: '', value, subfields: [] })

/** Without the subfields that say nothing. */
function field(
  tag: string,
  indicators: string,
  ...parts: (readonly [string, string | null | undefined])[]
): WrittenField {
  const subfields = parts.flatMap(([code, value]): Subfield[] => (value ? [{ code, value }] : []))
  return { tag, indicators, subfields }
}

const present = (written: WrittenField) => (written.subfields.length > 0 ? [written] : [])

/** Its own number, and that of the software it came from. */
function numbersOf({ id, library }: NoticeReference, before: readonly WrittenField[]): WrittenField[] {
  const former = before.find(({ tag }) => tag === '001')?.value
  return [
    control('001', String(id)),
    ...(former && former !== String(id) ? [field('035', '  ', ['a', former])] : []),
    ...(before.some(({ tag }) => tag === '801') ? [] : [field('801', ' 0', ['a', 'FR'], ['b', library])]),
  ]
}

/** 100: the day it was recorded, in French, and that its signs are UTF-8 (50 at 26). */
function codedData({ created_on, tags }: NoticeReference, before: readonly WrittenField[]): WrittenField {
  const own = before.find(({ tag }) => tag === '100')?.subfields.find(({ code }) => code === 'a')?.value
  const year = /^\d{4}$/.test(tags['year'] ?? '') ? tags['year'] : '    '
  const data = own?.length === 36 ? own : `${created_on.replaceAll('-', '')}d${year}    |||y0frey50      ba`
  return field('100', '  ', ['a', `${data.slice(0, 26)}50  ${data.slice(30)}`])
}

const same = (one: string | null | undefined, other: string | null | undefined) =>
  (one ?? '') === (other ?? '')

function groupsOf(reference: NoticeReference, isIsbd: boolean): Group[] {
  const { name, code, description, tags, reference_data: data, keywords, authors } = reference
  return [
    {
      tags: /^200$/,
      says: (said) => same(said.name, name) && same(said.reference_data.subhead, data['subhead']),
      write: (own) => [
        field(
          '200',
          '1 ',
          ['a', name],
          ['e', data['subhead']],
          ['h', own.length === 0 ? data['volume'] : undefined],
          ...((isIsbd && own[0] ? partedTitle(own[0]) : own[0])?.subfields ?? [])
            .filter((part) => !['a', 'e', 'i'].includes(part.code))
            .map((part) => [part.code, part.value] as const),
        ),
      ],
    },
    {
      tags: /^(?:010|011|07[123])$/,
      says: (said) => same(said.code, code),
      write: () => codeField(code, data['buying_price']),
    },
    {
      tags: /^101$/,
      says: (said) => same(said.reference_data.language, data['language']),
      write: () => present(field('101', '0 ', ['a', data['language']])),
    },
    {
      tags: /^21[04]$/,
      says: (said) => same(said.tags.publisher, tags['publisher']) && same(said.tags.year, tags['year']),
      write: () => present(field('210', '  ', ['c', tags['publisher']], ['d', tags['year']])),
    },
    {
      tags: /^(?:225|461)$/,
      says: (said) => same(said.tags.collection, tags['collection']),
      write: () => present(field('225', '| ', ['a', tags['collection']])),
    },
    {
      tags: /^330$/,
      says: (said) => same(said.description, description),
      write: () => present(field('330', '  ', ['a', description])),
    },
    {
      tags: /^(?:60[0-8]|610)$/,
      says: (said) =>
        said.keywords.length === keywords.length && said.keywords.every((word) => keywords.includes(word)),
      write: () => keywords.map((word) => field('610', '0 ', ['a', word])),
    },
    {
      tags: /^676$/,
      says: (said) => same(said.reference_data.book_number_dewey, data['book_number_dewey']),
      write: () => present(field('676', '  ', ['a', data['book_number_dewey']])),
    },
    {
      tags: /^7[01][0-2]$/,
      says: (said) => saysPeople(said, reference),
      write: () => [
        ...(tags['author'] ? [person('700', tags['author'], '070')] : []),
        ...peopleOf(reference, authors),
      ],
    },
  ]
}

function codeField(code: string | null, price: string | undefined): WrittenField[] {
  if (code === null) return []
  if (findIsbn13(code) !== null) return [field('010', '  ', ['a', code], ['d', price])]
  if (hasEanCheckDigit(code)) return [field('073', ' 0', ['a', code])]
  return [field('011', '  ', ['a', code])]
}

const saysPeople = (said: Said, { tags, reference_data, authors }: NoticeReference): boolean =>
  same(said.tags.author, tags['author']) &&
  same(said.reference_data.linked_authors, reference_data['linked_authors']) &&
  authors.every(({ name }) => Object.values(said.authors).some((names) => names.includes(name)))

/** Those of the lists under their function, then those of whom nothing else is known. */
function peopleOf(
  { tags, reference_data }: NoticeReference,
  authors: NoticeReference['authors'],
): WrittenField[] {
  const named = new Set([tags['author']])
  const fields: WrittenField[] = []
  const add = (name: string, code: string) => {
    if (name === '' || named.has(name)) return
    named.add(name)
    fields.push(person('702', name, code))
  }
  for (const { type, name } of authors) add(name, functionCode(type))
  for (const name of (tags['performer'] ?? '').split(' ; ')) add(name, functionCode('Interprète'))
  for (const name of (reference_data['linked_authors'] ?? '').split(' ; ')) add(name, '205')
  return fields
}

function person(tag: string, name: string, code: string): WrittenField {
  const [last = '', ...first] = name.split(', ')
  return field(tag, ' 1', ['a', last], ['b', first.join(', ')], ['4', code])
}

/** Signs 5 to 8: a new record, its kind and level, its place in a hierarchy. */
function leaderOf({ medium }: NoticeReference, said: Said, before = ''): string {
  // Of a leader that was cut short, its end is blank.
  const own = before.padEnd(24)
  const isSaid = before.length >= 8 && same(said.medium, medium)
  const kind = isSaid ? own.slice(6, 8) : (kindOf(medium) ?? 'am')
  return `00000n${kind}${own[8]} 2200000${own.slice(17, 20)}4500`
}

const kinds: Readonly<Record<string, string>> = {
  Livre: 'am',
  Revue: 'as',
  Partition: 'cm',
  Carte: 'em',
  DVD: 'gm',
  'Livre audio': 'im',
  CD: 'jm',
  Image: 'km',
  'Ressource électronique': 'lm',
  Objet: 'rm',
}

/** A medium may be called « constructor », a word of every object. */
const kindOf = (medium: string | null): string | undefined =>
  medium !== null && Object.hasOwn(kinds, medium) ? kinds[medium] : undefined

const copyField = ({ medium, reference_data }: NoticeReference, copy: NoticeCopy): WrittenField =>
  field(
    '995',
    '  ',
    // As Koha has it; $m of the recommendation is the day of a loan.
    ['5', copy.buy_date],
    ['b', copy.site],
    ['c', copy.site],
    ['e', copy.location],
    ['f', copy.bar_code],
    ['k', reference_data['book_number']],
    ['o', copy.status],
    ['q', copy.audience && { adult: 'a', youth: 'j' }[copy.audience]],
    ['r', kindOf(medium) ?? 'zz'],
    ['u', copy.state],
  )
