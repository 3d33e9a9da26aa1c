import { XMLParser } from 'fast-xml-parser'
import * as v from 'valibot'

import { unimarcReference } from '../../../domain/unimarc.ts'
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

/** A catalogue that answers SRU 1.2 in UNIMARC, as that of the BnF does. */
export const unimarcSource = (base: string): Source => ({
  name: 'bnf',
  host: new URL(base).host,
  coverHosts: [],
  blankCover: 4566,
  find: async (code, ask) => {
    const body = await ask(addressOf(base, code))
    // A document type may name entities that make a text large.
    if (/<!DOCTYPE/i.test(body)) throw new Error('a document with a type of its own')
    const { searchRetrieveResponse } = v.parse(answer, parser.parse(body))
    const { records } = searchRetrieveResponse
    const found = records ? records.record[0]?.recordData.record[0] : undefined
    return found ? { ...fieldsOf(found.datafield), ...filled({ cover: coverOf(base, found.id) }) } : null
  },
})

function addressOf(base: string, code: string): URL {
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
}

/** Asked by the number of the notice, at the catalogue's own host. */
function coverOf(base: string, notice = ''): string | undefined {
  if (!/^ark:\/\d+\/\w+$/.test(notice)) return undefined
  const address = new URL('/couverture', base)
  address.search = String(new URLSearchParams({ appName: 'NE', idArk: notice, couverture: '1' }))
  return address.href
}

/** Of the one mapping, what a look-up proposes. */
function fieldsOf(fields: Fields): FoundFields {
  const { name, description, tags, reference_data } = unimarcReference(
    fields.map(({ tag, subfield: parts }) => ({
      tag,
      subfields: parts.map((part) => ({ code: part.code, value: part['#text'] })),
    })),
  )
  return { name, ...filled({ description }), tags, reference_data }
}
