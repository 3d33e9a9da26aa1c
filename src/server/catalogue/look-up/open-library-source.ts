import * as v from 'valibot'

import { type Ask, filled, type FoundFields, type Source } from './look-up-source.ts'

const named = v.array(v.looseObject({ name: v.optional(v.string(), '') }))
const book = v.looseObject({
  key: v.optional(v.string(), ''),
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

const description = v.optional(v.union([v.string(), v.looseObject({ value: v.string() })]), '')
const keyed = v.looseObject({ key: v.string() })
const edition = v.looseObject({
  description,
  languages: v.optional(v.array(keyed), []),
  works: v.optional(v.array(keyed), []),
})
const work = v.looseObject({ description })

/** What a notice is completed by keeps nobody waiting for it. */
const summaryMs = 2000

/** Open Library, or what answers as its Books call does. */
export const openLibrarySource = (base: string): Source => ({
  name: 'openlibrary',
  host: new URL(base).host,
  // Its covers lie at the Internet Archive, to which it redirects.
  coverHosts: ['covers.openlibrary.org', 'archive.org', '.archive.org'],
  find: async (code, ask) => {
    const address = addressOf(base, '/api/books')
    address.search = String(new URLSearchParams({ bibkeys: `ISBN:${code}`, jscmd: 'data', format: 'json' }))
    const told = v.parse(answer, JSON.parse(await ask(address)))[`ISBN:${code}`]
    if (told === undefined) return null
    const found = v.parse(book, told)
    // A notice is one without its summary too.
    const summary = await summaryOf(base, found.key, ask).catch(() => '')
    return { ...fieldsOf(found), ...filled({ description: summary }) }
  },
})

const addressOf = (base: string, path: string) => new URL(base.replace(/\/$/, '') + path)

/** Of the edition, else of its work, which is mostly told in English: no French edition is given that. */
async function summaryOf(base: string, key: string, ask: Ask): Promise<string> {
  if (!/^\/books\/OL\d+M$/.test(key)) return ''
  const read = async (path: string): Promise<unknown> =>
    JSON.parse(await ask(addressOf(base, `${path}.json`), summaryMs))
  const { description: own, languages, works } = v.parse(edition, await read(key))
  if (textOf(own) !== '') return textOf(own)
  const workKey = works[0]?.key ?? ''
  if (languages.some(({ key: language }) => language === '/languages/fre')) return ''
  return /^\/works\/OL\d+W$/.test(workKey) ? textOf(v.parse(work, await read(workKey)).description) : ''
}

const textOf = (told: v.InferOutput<typeof description>): string =>
  typeof told === 'string' ? told : told.value

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
