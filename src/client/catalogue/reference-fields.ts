import { type Reference, referenceDataNames, tagNames } from '../../contract/catalogue.ts'
import { audienceWords } from '../../domain/age-bands.ts'
import { frenchDay } from '../../domain/calendar-day.ts'
import { codedWords, type ListGroup, listGroups } from '../../domain/list-groups.ts'
import { becameWords } from '../ui/forms/changed-since.tsx'
import type { Coded } from './coded-rows.ts'

type Tag = `tags.${(typeof tagNames)[number]}`
type Datum = `reference_data.${(typeof referenceDataNames)[number]}`
type Own =
  | 'name'
  | 'code'
  | 'description'
  | 'short_description'
  | 'category'
  | 'medium'
  | 'price'
  | 'type'
  | 'deposit_check'
  | 'new_duration'
  | 'audience'
  | 'keywords'
  | 'image'
  | 'file'
type Group = `authors.${ListGroup}`
export type ReferenceField = Own | Tag | Datum | Group

/** What the form begins with, field by field. */
export function fieldsOf(reference: Reference) {
  const { tags, reference_data: data, authors } = reference
  return {
    name: reference.name,
    code: reference.code ?? '',
    description: reference.description,
    short_description: reference.short_description,
    category: reference.category?.id ?? null,
    medium: reference.medium?.id ?? null,
    price: reference.price,
    type: reference.type,
    deposit_check: reference.deposit_check,
    new_duration: reference.new_at === null ? ('none' as const) : ('same' as const),
    audience: reference.audience,
    keywords: reference.keywords,
    image: reference.image_path,
    ...(Object.fromEntries(tagNames.map((name) => [`tags.${name}`, tags[name] ?? ''])) as Record<
      Tag,
      string
    >),
    ...(Object.fromEntries(
      referenceDataNames.map((name) => [`reference_data.${name}`, data[name] ?? '']),
    ) as Record<Datum, string>),
    ...(Object.fromEntries(listGroups.map((group) => [`authors.${group}`, authors[group] ?? {}])) as Record<
      Group,
      Record<string, string[]>
    >),
  }
}

/** As a person reads it. */
function shown(value: string | number | boolean | readonly string[] | Coded | null | undefined): string {
  if (value === null || value === undefined) return ''
  if (typeof value === 'boolean') return value ? 'oui' : 'non'
  if (typeof value !== 'object') return String(value)
  return isSeveral(value) ? value.join(', ') : codedWords(value)
}

const isSeveral = (value: readonly string[] | Coded): value is readonly string[] => Array.isArray(value)

/** `words` say what became of a field, after its name. */
type Differing = { field: string; words: string }

/** The fields that somebody else changed between two readings of a reference. */
export function differencesOf(before: Reference, now: Reference): Differing[] {
  const after = readableOf(now)
  return Object.entries(readableOf(before)).flatMap(([field, value]) => {
    const [was, then] = [shown(value), shown(after[field])]
    if (was === then) return []
    return [{ field, words: field === 'image' ? imageWords(was, then) : becameWords(was, then) }]
  })
}

const imageWords = (was: string, now: string): string =>
  was === '' ? 'ajoutée' : now === '' ? 'retirée' : 'remplacée'

const readableOf = (reference: Reference): Record<string, Parameters<typeof shown>[0]> => ({
  ...fieldsOf(reference),
  category: reference.category?.name,
  medium: reference.medium?.name,
  audience: reference.audience && audienceWords[reference.audience],
  new_duration: reference.new_at === null ? 'non' : `jusqu’au ${frenchDay(reference.new_at)}`,
})
