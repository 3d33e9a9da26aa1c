import { XMLParser } from 'fast-xml-parser'
import * as v from 'valibot'

import { filled, type FoundFields, type Source } from './look-up-source.ts'

const parser = new XMLParser({
  ignoreAttributes: false,
  attributeNamePrefix: '',
  removeNSPrefix: true,
  parseTagValue: false,
  parseAttributeValue: false,
  processEntities: true,
  isArray: (name) => name === 'datafield' || name === 'subfield' || name === 'record',
})

const subfield = v.object({ code: v.string(), '#text': v.optional(v.string(), '') })
const datafield = v.object({ tag: v.string(), subfield: v.optional(v.array(subfield), []) })
const record = v.looseObject({ id: v.optional(v.string()), datafield: v.optional(v.array(datafield), []) })
const answer = v.object({
  searchRetrieveResponse: v.looseObject({
    numberOfRecords: v.string(),
    records: v.optional(
      v.union([
        v.literal(''),
        v.object({ record: v.array(v.looseObject({ recordData: v.object({ record: v.array(record) }) })) }),
      ]),
    ),
  }),
})

type Fields = v.InferOutput<typeof datafield>[]

const values = (fields: Fields, tag: string, code: string): string[] =>
  fields
    .filter((field) => field.tag === tag)
    .flatMap(({ subfield: parts }) =>
      parts.filter((part) => part.code === code).map((part) => part['#text'].trim()),
    )
const first = (fields: Fields, tag: string, code: string) => values(fields, tag, code)[0]

/** A catalogue that answers SRU 1.2 in UNIMARC, as that of the BnF does. */
export const unimarcSource = (base: string): Source => ({
  name: 'bnf',
  host: new URL(base).host,
  coverHosts: [],
  blankCover: 4566,
  addressOf(code) {
    const address = new URL(base)
    const query = /^97[89]/.test(code) ? `bib.isbn adj "${code}"` : `bib.ean adj "${code}"`
    address.search = String(
      new URLSearchParams({
        version: '1.2',
        operation: 'searchRetrieve',
        query,
        recordSchema: 'unimarcxchange',
        maximumRecords: '1',
      }),
    )
    return address
  },
  read(body) {
    // A document type may name entities that make a text large.
    if (/<!DOCTYPE/i.test(body)) throw new Error('a document with a type of its own')
    const { searchRetrieveResponse } = v.parse(answer, parser.parse(body))
    const { records } = searchRetrieveResponse
    const found = records ? records.record[0]?.recordData.record[0] : undefined
    return found ? { ...fieldsOf(found.datafield), ...filled({ cover: coverOf(base, found.id) }) } : null
  },
})

/** Asked by the number of the notice, at the catalogue's own host. */
function coverOf(base: string, notice = ''): string | undefined {
  if (!/^ark:\/\d+\/\w+$/.test(notice)) return undefined
  const address = new URL('/couverture', base)
  address.search = String(new URLSearchParams({ appName: 'NE', idArk: notice, couverture: '1' }))
  return address.href
}

function fieldsOf(fields: Fields): FoundFields {
  const authors = people(fields, ['700', '710'])
  const [title = '', ...more] = [first(fields, '200', 'a'), ...values(fields, '200', 'i')]
  return {
    name: [title, ...more].filter(Boolean).join('. '),
    ...filled({ description: first(fields, '330', 'a') }),
    tags: filled({
      author: authors[0] ?? people(fields, ['701', '711'])[0],
      publisher: first(fields, '210', 'c') ?? first(fields, '214', 'c'),
      year: /\d{4}/.exec(first(fields, '210', 'd') ?? first(fields, '214', 'd') ?? '')?.[0],
      collection: first(fields, '225', 'a'),
    }),
    reference_data: filled({
      subhead: first(fields, '200', 'e'),
      volume: first(fields, '200', 'h') ?? first(fields, '225', 'v'),
      language: first(fields, '101', 'a'),
      linked_authors: people(fields, ['701', '702', '711', '712']).join(' ; '),
      book_number_dewey: first(fields, '676', 'a'),
      buying_price: first(fields, '010', 'd'),
    }),
  }
}

/** « Petit, Dominique », in the order of the notice. */
const people = (fields: Fields, tags: readonly string[]): string[] =>
  fields
    .filter(({ tag }) => tags.includes(tag))
    .map((field) =>
      [first([field], field.tag, 'a'), first([field], field.tag, 'b')].filter(Boolean).join(', '),
    )
    .filter((name) => name !== '')
