import { useCallbackRef } from '@mantine/hooks'
import { useState } from 'react'

/** Coded values by the name of their function, as the wire has them. */
export type Coded = Readonly<Record<string, readonly string[]>>
/** A line of the form; either of the two may still be empty. */
export type CodedRow = { key: number; type: string; value: string }

const isEmpty = ({ type }: CodedRow): boolean => type === ''

let lastKey = 0
const emptyRow = (): CodedRow => ({ key: (lastKey += 1), type: '', value: '' })

const rowsOf = (coded: Coded): CodedRow[] =>
  Object.entries(coded).flatMap(([type, values]) =>
    values.map((value) => ({ key: (lastKey += 1), type, value })),
  )

function codedOf(rows: readonly CodedRow[]): Coded {
  const coded: Record<string, string[]> = {}
  for (const { type, value } of rows) {
    if (type !== '' && value !== '') coded[type] = [...(coded[type] ?? []), value]
  }
  return coded
}

/** Empty lines go, where there is more than one line. */
function tidied(rows: readonly CodedRow[]): readonly CodedRow[] {
  const said = rows.filter((row) => !isEmpty(row))
  return said.length > 0 ? said : [rows.find(isEmpty) ?? emptyRow()]
}

const isSame = (one: Coded, other: Coded): boolean => JSON.stringify(one) === JSON.stringify(other)

/** The lines of a group, which lead: what is complete in them is written into the form. */
export function useCodedRows(written: Coded, onChange: (coded: Coded) => void) {
  const [rows, setRows] = useState(() => tidied(rowsOf(written)))
  // Put back, or brought again after the session ended.
  const isElsewhere = !isSame(codedOf(rows), codedOf(rowsOf(written)))
  const shown = isElsewhere ? tidied(rowsOf(written)) : rows
  if (isElsewhere) setRows(shown)
  const set = (next: readonly CodedRow[]) => {
    setRows(next)
    const coded = codedOf(next)
    if (!isSame(coded, codedOf(shown))) onChange(coded)
  }
  // A late answer changes its line among those that stand by then.
  const change = useCallbackRef((key: number, changed: (row: CodedRow) => CodedRow) =>
    set(tidied(shown.map((row) => (row.key === key ? changed(row) : row)))),
  )
  return {
    rows: shown,
    change,
    remove: ({ key }: CodedRow) => set(tidied(shown.filter((row) => row.key !== key))),
    add: () => set([...shown.filter((row) => !isEmpty(row)), emptyRow()]),
  }
}
