import { referenceDataNames } from '../../contract/catalogue.ts'
import { authorName, priceOf, publisherName, splitTitle, tidy, yearOf } from './import-cleaning.ts'
import { type ImportedReference, type ImportField, importFields } from './import-fields.ts'

type Fields = readonly (ImportField | null)[]

/** The libraries' codes, each found in one row of twenty; files also put them in the call number. */
export function libraryCodes(fields: Fields, rows: readonly { cells: string[] }[]): ReadonlySet<string> {
  const at = fields.indexOf('library')
  const counts = new Map<string, number>()
  if (at >= 0)
    for (const { cells } of rows) counts.set(cells[at] ?? '', (counts.get(cells[at] ?? '') ?? 0) + 1)
  return new Set(
    [...counts].filter(([code, count]) => code !== '' && count * 20 >= rows.length).map(([code]) => code),
  )
}

export function readRow(
  fields: Fields,
  cells: string[],
  codes: ReadonlySet<string>,
): { ok: true; reference: ImportedReference } | { ok: false; message: string } {
  if (cells.length !== fields.length) {
    return wrong(`${cells.length} colonne${cells.length > 1 ? 's' : ''} au lieu de ${fields.length}.`)
  }
  const values: Partial<Record<ImportField, string>> = {}
  for (const [at, field] of fields.entries()) {
    const value = field === null ? '' : tidy(cells[at] ?? '')
    if (field === null || value === '') continue
    const { label, max } = importFields[field]
    // A title is measured without its makers.
    if (value.length > (field === 'name' ? 2000 : max)) {
      return wrong(
        `Le champ «\u00a0${label}\u00a0» est trop long (${value.length} caractères, au plus ${max}).`,
      )
    }
    values[field] = value
  }

  const title = splitTitle(values.name ?? '')
  if (title.name === '') return wrong('Le titre est vide.')
  if (title.name.length > importFields.name.max) {
    return wrong(
      `Le champ «\u00a0Titre\u00a0» est trop long (${title.name.length} caractères, au plus ${importFields.name.max}).`,
    )
  }
  const year = values.year === undefined ? undefined : yearOf(values.year)
  if (year === null) return wrong(`«\u00a0${values.year}\u00a0» n’est pas une année.`)
  const price = priceOf(values.price ?? '0')
  if (price === null) return wrong(`«\u00a0${values.price}\u00a0» n’est pas un prix.`)

  const { book_number, library } = values
  const isLibraryCode = book_number !== undefined && (book_number === library || codes.has(book_number))
  const data = {
    ...Object.fromEntries(referenceDataNames.map((name) => [name, values[name]])),
    book_number: isLibraryCode ? undefined : book_number,
    subhead: values.subhead ?? title.subhead,
    volume: values.volume ?? title.volume,
    person_in_charge: values.person_in_charge ?? title.person_in_charge,
  }
  return {
    ok: true,
    reference: {
      name: title.name,
      code: values.code ?? null,
      description: values.description ?? '',
      short_description: values.short_description ?? '',
      medium: values.medium ?? null,
      category: values.category ?? null,
      price,
      keywords: (values.keywords ?? '').split(/[,;|]/).map(tidy).filter(Boolean),
      tags: known({
        author: values.author && authorName(values.author),
        performer: values.performer && authorName(values.performer),
        publisher: values.publisher && publisherName(values.publisher),
        year,
        collection: values.collection,
      }),
      reference_data: known(data),
    },
  }
}

const wrong = (message: string) => ({ ok: false as const, message })

function known<Key extends string>(
  values: Record<Key, string | null | undefined>,
): Partial<Record<Key, string>> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value)) as Partial<
    Record<Key, string>
  >
}
