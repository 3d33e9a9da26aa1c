import type { JournalLine } from '../../contract/journal.ts'
import { frenchDay, isCalendarDay } from '../../domain/calendar-day.ts'
import type { JournalField } from '../../contract/journal-words.ts'
import { frenchMoney } from '../../domain/money.ts'
import { codedWords } from '../../domain/list-groups.ts'
import type { Right } from '../../domain/rights.ts'

type Facts = Record<string, unknown> | null
type Told = {
  before: Facts
  after: Facts
  rights: ReadonlySet<Right>
  /** What the library calls a field, where it gave it a name. */
  names: ReadonlyMap<string, string>
}

/** The fields that differ, in words; a field without words, or whose right is missing, is left out. */
export function changesInWords(
  fields: Record<string, JournalField>,
  { before, after, rights, names }: Told,
): JournalLine['changes'] {
  return Object.entries(fields).flatMap(([key, field]) => {
    if (field.right && !rights.has(field.right)) return []
    const [was, is] = valuesOf(field, valueAt(before, key), valueAt(after, key)).map((value) =>
      inWords(field, value),
    ) as [string | null, string | null]
    return was === is ? [] : [{ field: names.get(key) ?? field.name, before: was, after: is }]
  })
}

/** What a set lost and won; of any other field, what it was and what it is. */
function valuesOf({ kind }: JournalField, before: unknown, after: unknown): [unknown, unknown] {
  if (kind !== 'set') return [before, after]
  const [was, is] = [listIn(before), listIn(after)]
  return [was.filter((one) => !is.includes(one)), is.filter((one) => !was.includes(one))]
}

const listIn = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

/** `tags.author` stands within `tags`. */
function valueAt(facts: Facts, key: string): unknown {
  const [name = key, part] = key.split('.')
  const value = facts?.[name]
  return part === undefined ? value : (value as Facts | undefined)?.[part]
}

/** A relation is told by its name. */
function nameOf(value: object): string | null {
  const { name, label } = value as { name?: unknown; label?: unknown }
  return [name, label].find((one) => typeof one === 'string') ?? null
}

function inWords({ kind, values }: JournalField, value: unknown): string | null {
  if (Array.isArray(value))
    return value.length === 0 ? null : value.map((one) => values?.[String(one)] ?? one).join(', ')
  if (typeof value === 'boolean') return value ? 'Oui' : 'Non'
  if (typeof value === 'number') return String(value)
  if (kind === 'coded') return codedWords((value ?? {}) as Record<string, string[]>) || null
  if (typeof value === 'object' && value !== null) return nameOf(value)
  if (typeof value !== 'string' || value === '') return null
  if (kind === 'day') return isCalendarDay(value) ? frenchDay(value) : value
  if (kind === 'money') return frenchMoney(value)
  return values?.[value] ?? value
}
