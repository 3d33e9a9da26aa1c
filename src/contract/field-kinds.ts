import * as v from 'valibot'

import { filterBy } from './list.ts'
import { count, instant, noneOr, someText } from './wire.ts'

/** What an archive says of a field. */
type Archived = {
  about: string
  /** Its column there, where it differs from the label: it never changes, archives of before have it. */
  title?: string
  /** The first version of an archive that has it. */
  since?: number
}

type FieldOptions = {
  archived: Archived
  /** What helps whoever fills it in. */
  hint?: string
  /** Asked only where another field has one of these values, or none yet. */
  when?: readonly [field: string, values: readonly string[]]
}

// A kind says here what travels, how an archive keeps it (`stored`), and whether the journal leaves it out (`isUntold`):
// how often one serves is no change of it. client/ui/lists/field-kinds.tsx draws it.

/** What one is called by: sorted as words are, and no two have the same. */
export const text = (label: string, max: number, options: FieldOptions & { taken?: string }) => ({
  kind: 'text' as const,
  label,
  max,
  ...options,
  written: someText(max),
  // What came in a file may be longer.
  shown: v.string(),
  stored: 'text' as const,
  filter: filterBy.text,
  isOrder: true as const,
  isName: true as const,
})

/** A short text that may be left out and is no name, such as an accounting code or a telephone number. */
export const code = (label: string, max: number, options: FieldOptions) => ({
  kind: 'code' as const,
  label,
  max,
  ...options,
  // What is emptied is none, as what was never filled in.
  written: v.optional(v.nullable(noneOr(someText(max))), null),
  shown: v.nullable(v.string()),
  stored: 'text' as const,
  filter: filterBy.code,
  isOrder: true as const,
})

/** What a label says, scanned or typed. */
export const barCode = (label: string, options: FieldOptions) => ({
  kind: 'barCode' as const,
  label,
  max: 64,
  ...options,
  written: v.optional(v.nullable(noneOr(someText(64)))),
  shown: v.nullable(v.string()),
  stored: 'text' as const,
  filter: filterBy.code,
})

/** One of a few codes, each in words. */
export const choice = <const Words extends Record<string, string>>(
  label: string,
  words: Words,
  options: FieldOptions,
) => {
  const codes = Object.keys(words) as (keyof Words & string)[]
  const schema = v.picklist(codes, `doit être ${codes.join(', ')}`)
  return {
    kind: 'choice' as const,
    label,
    words,
    ...options,
    written: schema,
    shown: schema,
    stored: 'text' as const,
    filter: filterBy.choice(codes),
    isOrder: true as const,
  }
}

const number =
  <const Kind extends { kind: 'count' | 'length' }>(kind: Kind) =>
  (label: string, from: number, to: number, options: FieldOptions) => ({
    ...kind,
    label,
    from,
    to,
    ...options,
    written: count(from, to),
    shown: v.number(),
    stored: 'number' as const,
  })

export const wholeNumber = number({ kind: 'count' })
/** In tenths of a millimetre; typed and shown in millimetres. */
export const length = number({ kind: 'length', isUntold: true })

/** May be left out. */
export const optional = <const F extends { written: v.GenericSchema }>(field: F) => ({
  ...field,
  written: v.optional(field.written as F['written']),
  isOptional: true as const,
})

/** How many of a table it serves: those that name it by a column, or by a row of a table between. */
export const counted = (
  label: string,
  of: { table: string; by: string; through?: { table: string; of: string } },
) => ({
  kind: 'counted' as const,
  label,
  of,
  shown: v.number(),
  isOrder: true as const,
  isUntold: true as const,
})

/** When it was last changed. */
export const stamped = (label: string) => ({
  kind: 'stamped' as const,
  label,
  archived: { title: 'Modifié le', about: 'Son dernier changement.' } as Archived,
  shown: instant,
  stored: 'instant' as const,
  isOrder: true as const,
  isUntold: true as const,
})

/** What is switched off is no longer offered, and stays where it is used. */
export const switched = () => ({
  kind: 'switched' as const,
  label: 'Activé',
  archived: {
    title: 'En service',
    about: 'Non\u202f: plus proposé, mais gardé là où il sert.',
  } as Archived,
  shown: v.boolean(),
  stored: 'flag' as const,
  filter: filterBy.flag,
  isOrder: true as const,
})

export type Field =
  | ReturnType<typeof text>
  | ReturnType<typeof code>
  | ReturnType<typeof barCode>
  | ReturnType<typeof choice<Record<string, string>>>
  | ReturnType<typeof wholeNumber>
  | ReturnType<typeof length>
  | ReturnType<typeof counted>
  | ReturnType<typeof stamped>
  | ReturnType<typeof switched>
