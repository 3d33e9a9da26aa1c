import type { Reference } from '../../contract/catalogue.ts'
import type { exportReferences as exportReferencesCall } from '../../contract/catalogue-exports.ts'
import { audienceWords } from '../../domain/age-bands.ts'
import type { ReadInTurn } from '../db/lists/read-list.ts'
import { listFile } from '../files/list-file.ts'
import type { KeyedColumn } from '../files/table.ts'
import type { VerbInput } from '../http/binding.ts'
import type { Exchange } from '../http/exchange.ts'
import type { Outcome } from '../http/outcome.ts'
import type { ServedFile } from '../http/served-file.ts'
import { everyReference } from './reference-queries.ts'

/** All references of a list as a file, in its order. */
export function exportReferences(
  reads: ReadInTurn,
  { list, query }: VerbInput<typeof exportReferencesCall>,
  exchange: Exchange,
): Promise<Outcome<ServedFile>> {
  const { visibility, parameters } = exchange
  return listFile(reads, query, exchange, {
    holds: 'references',
    title: 'Références',
    columns,
    rows: () => everyReference(reads, list, { visibility, timezone: parameters.get('timezone') }),
  })
}

const columns: KeyedColumn<Reference>[] = [
  { key: 'name', title: 'Titre', width: 40, kind: 'text', isPrinted: true, value: 'name' },
  {
    key: 'author',
    title: 'Auteur',
    width: 24,
    kind: 'text',
    isPrinted: true,
    value: ({ tags }) => tags.author ?? null,
  },
  { key: 'code', title: 'Code', width: 16, kind: 'text', isPrinted: true, value: 'code' },
  {
    key: 'medium',
    title: 'Support',
    width: 14,
    kind: 'text',
    isPrinted: true,
    value: ({ medium }) => medium?.name ?? null,
  },
  {
    key: 'category',
    title: 'Catégorie',
    width: 18,
    kind: 'text',
    isPrinted: true,
    value: ({ category }) => category?.name ?? null,
  },
  {
    key: 'publisher',
    title: 'Éditeur',
    width: 20,
    kind: 'text',
    value: ({ tags }) => tags.publisher ?? null,
  },
  { key: 'year', title: 'Année', width: 8, kind: 'text', value: ({ tags }) => tags.year ?? null },
  {
    key: 'collection',
    title: 'Collection',
    width: 20,
    kind: 'text',
    value: ({ tags }) => tags.collection ?? null,
  },
  {
    key: 'audience',
    title: 'Public',
    width: 10,
    kind: 'text',
    value: ({ audience }) => audience && audienceWords[audience],
  },
  { key: 'copies', title: 'Exemplaires', width: 8, kind: 'count', isPrinted: true, value: 'copies_count' },
  {
    key: 'available',
    title: 'Disponibles',
    width: 8,
    kind: 'count',
    isPrinted: true,
    value: 'available_count',
  },
  { key: 'price', title: 'Prix', width: 10, kind: 'money', value: 'price' },
  { key: 'type', title: 'Type', width: 10, kind: 'text', value: 'type' },
  {
    key: 'keywords',
    title: 'Mots-clés',
    width: 30,
    kind: 'text',
    value: ({ keywords }) => keywords.join(', '),
  },
  { key: 'new_at', title: 'Nouveauté jusqu’au', width: 12, kind: 'day', value: 'new_at' },
  { key: 'description', title: 'Description', width: 40, kind: 'text', value: 'description' },
]
