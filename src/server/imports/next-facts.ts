import type { Words } from './find-words.ts'
import { type How, policyOf, takesPlace } from './outcome-of-row.ts'
import type { Facts, Values } from './work-row.ts'

const wordFields = { medium: 'media', category: 'categories' } as const

/** As words are told apart, whose ids facts do not tell. */
const plain = (word: string) => word.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase()

type Next = {
  after: Facts
  columns: Record<string, unknown> & { name: string }
  adds_keywords: boolean
}

/** What a work becomes by a row, or null where nothing of it changes. */
export function nextFacts(
  before: Facts,
  work: Values,
  { words, how }: { words: Words; how: How },
): Next | null {
  const after: Facts = { ...before }
  const columns: Record<string, unknown> = {}
  let adds_keywords = false
  for (const [field, value] of Object.entries(work)) {
    const policy = policyOf(how, field)
    const [group, part] = field.split('.') as [string, string?]
    if (part !== undefined) {
      const parts = { ...(after[group] as Record<string, string>) }
      if (parts[part] === String(value) || !takesPlace(policy, parts[part])) continue
      parts[part] = String(value)
      after[group] = parts
      columns[group] = JSON.stringify(parts)
    } else if (field === 'medium' || field === 'category') {
      const id = words[wordFields[field]].get(String(value)) ?? null
      const is = after[field] as { id: number } | null
      if (id === null || is?.id === id || !takesPlace(policy, is)) continue
      after[field] = { id, name: String(value) }
      columns[field] = id
    } else if (field === 'keywords') {
      const missing = (value as string[]).filter((word) => (words.keywords.get(word) ?? null) !== null)
      const had = after['keywords'] as string[]
      const known = new Set(had.map(plain))
      const more = missing.filter((word) => !known.has(plain(word)))
      if (more.length === 0 || !takesPlace(policy, had)) continue
      after['keywords'] = [...had, ...more]
      adds_keywords = true
    } else {
      if (after[field] === value || !takesPlace(policy, after[field])) continue
      after[field] = value
      columns[field] = value
    }
  }
  if (Object.keys(columns).length === 0 && !adds_keywords) return null
  return { after, columns: { name: String(after['name']), ...columns }, adds_keywords }
}
