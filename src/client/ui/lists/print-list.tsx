import { useQueryClient } from '@tanstack/react-query'
import { useContext, useEffect, useState } from 'react'

import { membersOf, totalOf, type Collection, limitsOf, type ListQuery } from '../../../contract/list.ts'
import { frenchDay } from '../../../domain/calendar-day.ts'
import { frenchNumber } from '../../../domain/french-number.ts'
import { listQuery } from '../../api/queries.ts'
import { inWords } from '../../page/house-words.ts'
import { sayError } from '../../page/messages.ts'
import { LibraryToday } from '../library-today.ts'
import { LoadingText } from '../loading-text.tsx'
import type { Noun } from '../nouns.ts'
import { PrintSheet } from '../print-sheet.tsx'
import { printOut } from '../printing.ts'
import { counted } from '../words.ts'
import { isSet, useWords } from './filter-chips.tsx'
import type { ListFilter } from './filters.tsx'
import type { RowKey } from './row-actions.ts'
import { type Column, written } from './table-row.tsx'
import type { ListAddress } from './use-list-address.ts'
import type { Listing, RowOf } from './use-ticked-rows.ts'

type PrintListProps<E extends Listing, Row> = {
  endpoint: E
  list: ListQuery
  title: string
  noun: Noun
  columns: readonly Column<Row>[]
  filters: readonly ListFilter[]
  values: ListAddress['values']
  rowsOf: (fetched: readonly RowOf<E>[], list: ListQuery) => readonly Row[]
  rowKey: (row: Row) => RowKey
}

/** A list may be endless, and paper is not. */
const mostPages = 4

export default function PrintList<E extends Listing, Row>(props: PrintListProps<E, Row>) {
  const { endpoint, list, title, noun, columns, filters, values, rowsOf, rowKey } = props
  const client = useQueryClient()
  const today = useContext(LibraryToday)
  const [printed, setPrinted] = useState<{ rows: readonly Row[]; total: number } | null>(null)
  useEffect(() => {
    let isOver = false
    const readAll = async () => {
      const { largest } = limitsOf(endpoint.list)
      const rows: Row[] = []
      for (let page = 1; page <= mostPages; page += 1) {
        const asked = { ...list, page, limit: largest }
        const answer = (await client.fetchQuery({
          ...listQuery(endpoint, asked),
          staleTime: 0,
        })) as Collection<RowOf<E>>
        rows.push(...rowsOf(membersOf(answer), asked))
        if (isOver) return
        const total = totalOf(answer)
        if (page * largest >= total || page === mostPages) setPrinted({ rows, total })
        if (page * largest >= total) return
      }
    }
    readAll().catch((error: unknown) => {
      if (isOver) return
      sayError(error)
      printOut(null)
    })
    return () => {
      isOver = true
    }
    // oxlint-disable-next-line react/exhaustive-deps -- prints what was asked for
  }, [])
  if (!printed) return <LoadingText />
  const { rows, total } = printed
  return (
    <PrintSheet paper="lying" title={title}>
      <h1>{title}</h1>
      <p>
        {frenchDay(today())} · {counted(Math.max(rows.length, total), noun.one, noun.many, noun.none)}
      </p>
      {filters
        .filter((filter) => isSet(filter, values))
        .map((filter) => (
          <FilterLine key={filter.code} filter={filter} values={values} />
        ))}
      {rows.length < total ? (
        <p>
          Les {frenchNumber(rows.length)} premières lignes sont imprimées&#8239;: «&nbsp;Exporter&nbsp;» les
          donne toutes.
        </p>
      ) : null}
      <table>
        <thead>
          <tr>
            {columns.map(({ key, title: name, align }) => (
              <th key={key} scope="col" data-align={align}>
                {inWords(name)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={rowKey(row)}>
              {columns.map(({ key, cell, align, role }) => (
                <td key={key} data-align={align} data-role={role}>
                  {written(cell(row))}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </PrintSheet>
  )
}

function FilterLine({ filter, values }: { filter: ListFilter; values: ListAddress['values'] }) {
  const words = useWords(filter, values)
  return (
    <p>
      {inWords(filter.label)}&#8239;: {words}
    </p>
  )
}
