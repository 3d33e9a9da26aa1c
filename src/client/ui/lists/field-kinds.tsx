import { Select, SimpleGrid, TextInput } from '@mantine/core'
import { Fragment, type ReactNode } from 'react'

import type { Described } from '../../../contract/described.ts'
import type { Field } from '../../../contract/field-kinds.ts'
import { likelyCode } from '../../../domain/bar-code.ts'
import { inWords } from '../../page/house-words.ts'
import { choicesOf } from '../forms/as-choice.ts'
import { CountField } from '../forms/count-field.tsx'
import { activity, type ListFilter, search } from './filters.tsx'
import { LengthField } from '../forms/length-field.tsx'
import type { Column } from './resource-table.tsx'
import { ScanField } from '../forms/scan-field.tsx'
import type { Form } from '../forms/use-fields.ts'
import { frenchInstant } from '../words.ts'

type Fields = Described['description']['fields']
type Item = Record<string, unknown>

/** How a kind of field looks in a list, and in a form where it has an input. */
type Face<F> = Partial<Pick<Column<Item>, 'role' | 'align' | 'width' | 'sparse'>> & {
  cell?: (value: unknown, field: F) => ReactNode
  /** Two of these stand side by side. */
  isNarrow?: true
  input?: (form: Form, name: string, field: F & Asked) => ReactNode
}
type Asked = { hint?: string; isOptional?: true }

const hintOf = ({ hint }: Asked) => (hint === undefined ? {} : { description: inWords(hint) })

/** Millimetres, from tenths. */
export const millimetres = (tenths: number): string => (tenths / 10).toLocaleString('fr')

const faces: { [K in Field['kind']]: Face<Extract<Field, { kind: K }>> } = {
  text: {
    input: (form, name, field) => (
      <TextInput
        required={!field.isOptional}
        maxLength={field.max}
        {...hintOf(field)}
        {...form.text(name, field.label)}
      />
    ),
  },
  code: {
    sparse: true,
    input: (form, name, field) => (
      <TextInput maxLength={field.max} {...hintOf(field)} {...form.text(name, field.label)} />
    ),
  },
  barCode: {
    role: 'extra',
    sparse: true,
    width: 12,
    input: (form, name, field) => (
      <ScanField
        {...hintOf(field)}
        onScan={(code) => form.write(name, likelyCode(code))}
        {...form.text(name, field.label)}
      />
    ),
  },
  choice: {
    width: 14,
    cell: (value, { words }) => words[String(value)],
    input: (form, name, field) => (
      <Select
        required={!field.isOptional}
        allowDeselect={field.isOptional === true}
        data={choicesOf(field.words)}
        {...hintOf(field)}
        {...form.choice(name, field.label)}
      />
    ),
  },
  count: {
    align: 'end',
    isNarrow: true,
    input: (form, name, field) => (
      <CountField
        required={!field.isOptional}
        from={field.from}
        to={field.to}
        {...hintOf(field)}
        {...form.number(name, field.label)}
      />
    ),
  },
  length: {
    align: 'end',
    width: 10,
    isNarrow: true,
    cell: (value) => `${millimetres(Number(value))} mm`,
    input: (form, name, field) => (
      <LengthField required={!field.isOptional} {...hintOf(field)} {...form.number(name, field.label)} />
    ),
  },
  counted: { align: 'end' },
  stamped: { role: 'day', cell: (value) => frenchInstant(String(value)) },
  switched: {},
}

const faceOf = (field: Field) => faces[field.kind] as Face<Field>

/** The switch has a column of its own, and what all rows have in common none. */
export const columnsOf = (fields: Fields, fixed: object): readonly Column<Item>[] =>
  Object.entries(fields)
    .filter(([name, { kind }]) => kind !== 'switched' && !(name in fixed))
    .map(([name, field], at): Column<Item> => {
      const { cell, role, align, width, sparse } = faceOf(field)
      return {
        key: name,
        title: field.label,
        cell: (row) => (cell ? cell(row[name], field) : (row[name] as ReactNode)),
        ...('isOrder' in field ? { order: name } : {}),
        ...(at === 0 ? { role: 'main' } : role ? { role } : {}),
        ...(align ? { align } : {}),
        ...(width === undefined ? {} : { width }),
        ...(sparse ? { sparse } : {}),
      }
    })

export const filtersOf = ({ fields, noun }: Described['description'], searchMs?: number): ListFilter[] => {
  const [[name, { label }] = ['', { label: '' }]] = Object.entries(fields)
  const e = noun.gender === 'f' ? 'e' : ''
  return [
    search(`${name}|like`, label, searchMs),
    ...('enabled' in fields ? [activity(`Tou${e ? 'te' : ''}s`, `Activé${e}s`, `Désactivé${e}s`)] : []),
  ]
}

type FieldsOfProps = { fields: Fields; fixed: object; form: Form }

/** The inputs of a described form, those of numbers two in a row. */
export function FieldsOf({ fields, fixed, form }: FieldsOfProps) {
  const rows: { key: string; isNarrow: boolean; inputs: ReactNode[] }[] = []
  for (const [name, field] of Object.entries(fields)) {
    const { input, isNarrow = false } = faceOf(field)
    if (!input || name in fixed || !isAsked(field, form, fields)) continue
    const shown = <Fragment key={name}>{input(form, name, field)}</Fragment>
    const last = rows.at(-1)
    if (last?.isNarrow && isNarrow) last.inputs.push(shown)
    else rows.push({ key: name, isNarrow, inputs: [shown] })
  }
  return rows.map(({ key, isNarrow, inputs }) =>
    isNarrow ? (
      <SimpleGrid key={key} cols={2}>
        {inputs}
      </SimpleGrid>
    ) : (
      <Fragment key={key}>{inputs}</Fragment>
    ),
  )
}

/** Some fields mean something only where another has one of some values. */
function isAsked(field: Field, form: Form, fields: Fields): boolean {
  if (!('when' in field) || !field.when) return true
  const [other, values] = field.when
  const { value } = form.choice(other, fields[other]?.label ?? '')
  return value === null || values.includes(value)
}
