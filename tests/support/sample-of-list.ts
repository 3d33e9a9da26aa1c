import type { Described } from '../../src/contract/described.ts'
import type { Field } from '../../src/contract/field-kinds.ts'

const sampleOf = (field: Field, bound: 'from' | 'to'): unknown => {
  if ('words' in field) return Object.keys(field.words).at(-1)
  if ('from' in field) return field[bound]
  return field.kind === 'code' ? 'AO' : undefined
}

/** One of a list, as it is described; its numbers are the least that they may be, or the most. */
export function sampleOfList(
  { description: { fields } }: Described,
  named: string,
  bound: 'from' | 'to' = 'from',
): Record<string, unknown> {
  const [[unique] = ['name'], ...others] = Object.entries(fields)
  const more = others.flatMap(([name, field]) => {
    const sample = sampleOf(field, bound)
    return sample === undefined ? [] : [[name, sample] as const]
  })
  return { [unique]: named, ...Object.fromEntries(more) }
}
