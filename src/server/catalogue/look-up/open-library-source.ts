import * as v from 'valibot'

import { filled, type FoundFields, type Source } from './look-up-source.ts'

const named = v.array(v.looseObject({ name: v.optional(v.string(), '') }))
const book = v.looseObject({
  title: v.string(),
  subtitle: v.optional(v.string()),
  authors: v.optional(named, []),
  publishers: v.optional(named, []),
  publish_date: v.optional(v.string()),
  cover: v.optional(v.looseObject({ large: v.optional(v.string()) }), {}),
  classifications: v.optional(
    v.looseObject({ dewey_decimal_class: v.optional(v.array(v.string()), []) }),
    {},
  ),
})
const answer = v.record(v.string(), v.unknown())

/** Open Library, or what answers as its Books call does. */
export const openLibrarySource = (base: string): Source => ({
  name: 'openlibrary',
  host: new URL(base).host,
  // Its covers lie at the Internet Archive, to which it redirects.
  coverHosts: ['covers.openlibrary.org', 'archive.org', '.archive.org'],
  addressOf(code) {
    const address = new URL(`${base.replace(/\/$/, '')}/api/books`)
    address.search = String(new URLSearchParams({ bibkeys: `ISBN:${code}`, jscmd: 'data', format: 'json' }))
    return address
  },
  read(body, code) {
    const found = v.parse(answer, JSON.parse(body))[`ISBN:${code}`]
    return found === undefined ? null : fieldsOf(v.parse(book, found))
  },
})

function fieldsOf({
  title,
  subtitle,
  authors,
  publishers,
  publish_date,
  cover,
  classifications,
}: Book): FoundFields {
  return {
    name: title,
    ...filled({ cover: cover.large }),
    tags: filled({
      author: authors[0]?.name,
      publisher: publishers[0]?.name,
      year: /\d{4}/.exec(publish_date ?? '')?.[0],
    }),
    reference_data: filled({
      subhead: subtitle,
      linked_authors: authors
        .slice(1)
        .map(({ name }) => name)
        .join(' ; '),
      book_number_dewey: classifications.dewey_decimal_class[0],
    }),
  }
}
type Book = v.InferOutput<typeof book>
