import fc from 'fast-check'
import * as v from 'valibot'

import { anyOf } from './hostile-values.ts'

/** What the calls' fields are made of; each schema picks what it accepts. */
const candidates: readonly unknown[] = [
  null,
  true,
  false,
  0,
  1,
  2,
  3,
  7,
  999,
  1.25,
  '',
  '0',
  '1',
  '2',
  '7',
  '1001',
  '2001',
  'R1',
  'R2A',
  'Zola',
  'Martin',
  'Un mot d’excuse, à garder',
  'mot-de-passe-hostile',
  'biblio',
  'biblio@1',
  'personne@exemple.fr',
  '0123456789abcdef',
  '2026-03-10',
  '2026-03-31',
  '2025-12-01',
  '2026-03-10T08:55:00.000Z',
  '2026-03-09T18:00:00+01:00',
  '12.50',
  '3',
  '2f1e4a52-6d0d-4a3c-9b59-0f7a4a1f9c11',
  'b8a1f6c0-95f5-4e0b-8b8e-3f4cf3f1c0de',
  'f'.repeat(32),
  '/api/copies/3',
  '/api/beneficiaries/2',
  '/api/reasons/1',
  [],
  ['CDI'],
  ['own', 'bnf'],
  {},
]

type Entries = Record<string, v.GenericSchema>

const part = (schema: v.GenericSchema, name: string): unknown =>
  (schema as unknown as Record<string, unknown>)[name]

/** The fields of an object's schema, also behind a pipe; null where it is none. */
export const entriesOf = (schema: v.GenericSchema): Entries | null =>
  (part(schema, 'entries') as Entries | undefined) ?? null

/**
 * Values that fit a schema, so that some requests pass the first check; throws for a new kind of schema,
 * which needs its generator.
 */
function valuesFor(schema: v.GenericSchema): fc.Arbitrary<unknown> {
  const wrapped = part(schema, 'wrapped') as v.GenericSchema | undefined
  if (wrapped) {
    const absent = schema.type === 'nullable' ? null : undefined
    return fc.oneof(
      { weight: 1, arbitrary: valuesFor(wrapped) },
      { weight: 3, arbitrary: fc.constant(absent) },
    )
  }
  const entries = entriesOf(schema)
  if (entries) return objectsFor(entries)
  if (schema.type === 'array') {
    return fc.array(valuesFor(part(schema, 'item') as v.GenericSchema), { maxLength: 3 })
  }
  const options = part(schema, 'options') as readonly unknown[] | undefined
  if (options && (schema.type === 'union' || schema.type === 'variant')) {
    return fc.oneof(...leavesOf(schema, options))
  }
  if (options) return anyOf(options)
  if (schema.type === 'literal') return fc.constant(part(schema, 'literal'))
  if (schema.type === 'record') return fc.dictionary(anyOf(['a', 'b']), anyOf(candidates), { maxKeys: 3 })
  const accepted = candidates.filter((candidate) => v.is(schema, candidate))
  if (accepted.length === 0) throw new Error(`no value is known for a schema of type ${schema.type}`)
  return anyOf(accepted)
}

/** A union with a pipe of its own (an id or a link) is a leaf; one of objects is each of them. */
function leavesOf(schema: v.GenericSchema, options: readonly unknown[]): fc.Arbitrary<unknown>[] {
  const accepted = candidates.filter((candidate) => v.is(schema, candidate))
  if (accepted.length > 0) return [anyOf(accepted)]
  return options.map((option) => valuesFor(option as v.GenericSchema))
}

export const objectsFor = (entries: Entries): fc.Arbitrary<Record<string, unknown>> =>
  fc.record(Object.fromEntries(Object.entries(entries).map(([name, schema]) => [name, valuesFor(schema)])))
