import { is } from 'valibot'
import { describe, expect, it } from 'vitest'

import { addBeneficiary } from '../../src/contract/beneficiary-changes.ts'
import { addCopy } from '../../src/contract/copies.ts'
import { addReference } from '../../src/contract/references.ts'
import { importFieldsOf, importSubjects, importSubjectWords } from '../../src/domain/import-fields.ts'

const fields = importSubjects.flatMap((subject) =>
  importFieldsOf[subject].map((field) => ({ subject, ...field })),
)
const named = (wanted: (field: (typeof fields)[number]) => boolean) =>
  fields.filter(wanted).map(({ subject, name }) => `${subject} ${name}`)

describe('importFieldsOf', () => {
  it.each(importSubjects)('has each field of %s once, with a label of its own and some room', (subject) => {
    const of = importFieldsOf[subject]
    expect(of.length).toBeGreaterThan(1)
    expect(new Set(of.map(({ name }) => name)).size).toBe(of.length)
    expect(new Set(of.map(({ label }) => label)).size).toBe(of.length)
    expect(of.every(({ name, label }) => name !== '' && label !== '')).toBe(true)
    expect(importSubjectWords[subject]).not.toBe('')
  })

  it('demands a title, a last name, and of a loan its copy and its day', () => {
    expect(named(({ isRequired }) => isRequired)).toEqual([
      'references name',
      'readers lastname',
      'loans bar_code',
      'loans start_date',
    ])
  })

  it('keeps the zeros of what is numbered', () => {
    expect(named(({ kind }) => kind === 'number')).toEqual([
      'references copy.bar_code',
      'readers matricule',
      'readers reader_id',
      'readers phone',
      'loans bar_code',
      'loans matricule',
      'loans reader_id',
    ])
  })

  it.each([
    ['day', 10, ['references copy.buy_date', 'readers exit_date', 'loans start_date', 'loans end_date']],
    ['year', 4, ['references tags.year', 'readers birth_year']],
    ['money', 11, ['references price', 'references copy.price']],
  ])('reads as a %s, of %i characters, %j', (kind, most, names) => {
    expect(named((field) => field.kind === kind && field.most === most)).toEqual(names)
  })

  it.each([
    ['code', ['references code']],
    ['email', ['readers email']],
    ['flag', ['references deposit_check']],
    ['list', ['references keywords', 'readers dossiers']],
    ['audience', ['references audience']],
    ['copy_state', ['references copy.state']],
    ['copy_type', ['references copy.type']],
    ['reader_kind', ['readers kind']],
  ])('reads as a %s %j', (kind, names) => {
    expect(named((field) => field.kind === kind)).toEqual(names)
  })

  it.each(['bar_code', 'matricule', 'reader_id'])('gives %s the same room in every file', (number) => {
    const room = fields.filter(({ name }) => name.endsWith(number)).map(({ most }) => most)
    expect(room.length).toBeGreaterThan(0)
    expect(new Set(room).size).toBe(1)
  })

  const { bar_code } = addCopy.body.entries
  it.each(
    Object.entries({
      ...addReference.body.entries,
      ...addBeneficiary.body.entries,
      'copy.bar_code': bar_code,
    }).filter(
      // A form names these two by their number.
      ([name]) =>
        !['category', 'medium'].includes(name) &&
        fields.some((field) => field.name === name && ['text', 'code', 'number'].includes(field.kind)),
    ),
  )('leaves a file as much room for %s as the form does', (name, schema) => {
    const { most = 0 } = fields.find((field) => field.name === name) ?? {}
    expect([most, most + 1].map((length) => is(schema, 'a'.repeat(length)))).toEqual([true, false])
  })

  it('leaves a file as much room for each tag as the form does', () => {
    const tags = fields.filter(({ name }) => name.startsWith('tags.') && name !== 'tags.year')
    expect(tags).toHaveLength(4)
    for (const { most } of tags) {
      const sent = (length: number) => ({ name: 'A', tags: { author: 'a'.repeat(length) } })
      expect([most, most + 1].map((length) => is(addReference.body, sent(length)))).toEqual([true, false])
    }
  })

  it('leaves a file no more room for extra data than the form does', () => {
    const data = fields.filter(({ name }) => name.startsWith('reference_data.'))
    expect(data).toHaveLength(19)
    for (const { most } of data) {
      const sent = { name: 'A', reference_data: { summary: 'a'.repeat(most) } }
      expect(is(addReference.body, sent)).toBe(true)
    }
  })
})
