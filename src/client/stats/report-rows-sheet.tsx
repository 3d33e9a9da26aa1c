import { Text } from '@mantine/core'
import { keepPreviousData, useQuery, type UseQueryResult } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'react-router-dom'

import type { AnswerOf } from '../../contract/endpoint.ts'
import {
  listReportRows,
  type ReportRow,
  reportRowsAPage,
  type YearlyReport,
} from '../../contract/yearly-report.ts'
import { reportTable } from '../../domain/yearly-report.ts'
import { call } from '../api/call.ts'
import { useRights } from '../api/session.ts'
import { addressOfCopy, addressOfLoan } from '../find/finders.ts'
import { addressOfReader } from '../ui/address-of.ts'
import { LoadingText } from '../ui/loading-text.tsx'
import { PageTurner } from '../ui/page-turner.tsx'
import { Sheet } from '../ui/sheet.tsx'
import { EmptyState, ErrorState } from '../ui/states.tsx'
import { counted } from '../ui/words.ts'
import styles from './stats.module.css'
import { useStatAddress } from './use-stat-address.ts'

type Asked = { report: YearlyReport; year: string; site: string }

/** What the figure in the address counts, one by one; the back button closes it. */
export function ReportRowsSheet({ report, year, site }: Asked) {
  const { search, change } = useStatAddress()
  const table = report.tables.find(({ code }) => code === search.get('table'))
  if (!table) return null
  const [row, column] = [search.get('row'), search.get('column')]
  const nameOf = (parts: readonly { key: string; label: string }[], key: string | null) =>
    key === null ? null : (parts.find((part) => part.key === key)?.label ?? key)
  const words = [reportTable(table.code).title, nameOf(table.rows, row), nameOf(table.columns, column)]
  return (
    <OpenRows
      key={JSON.stringify([table.code, row, column, year, site])}
      title={words.filter((word) => word !== null).join(' · ')}
      onClose={() => change({ table: '', row: '', column: '' })}
      asked={{
        year,
        site,
        table: table.code,
        ...(row === null ? {} : { row }),
        ...(column === null ? {} : { column }),
      }}
    />
  )
}

type OpenRowsProps = {
  title: string
  onClose: () => void
  asked: Omit<NonNullable<Parameters<typeof call<typeof listReportRows>>[1]['query']>, 'page'>
}

/** On the right, as other details are, so that the figure that was pressed stays in sight. */
function OpenRows({ title, onClose, asked }: OpenRowsProps) {
  const [page, setPage] = useState(1)
  const told = useQuery({
    queryKey: ['stats', listReportRows.name, asked, page],
    queryFn: ({ signal }) => call(listReportRows, { query: { ...asked, page: String(page) }, signal }),
    placeholderData: keepPreviousData,
  })
  const total = told.data?.['hydra:totalItems']
  return (
    <Sheet
      position="right"
      title={total === undefined ? title : `${title} · ${counted(total, 'ligne', 'lignes')}`}
      onClose={onClose}
    >
      <Rows told={told} page={page} onTurn={setPage} />
    </Sheet>
  )
}

type Told = UseQueryResult<AnswerOf<typeof listReportRows>>

function Rows({ told, page, onTurn }: { told: Told; page: number; onTurn: (page: number) => void }) {
  const { data, error, refetch, isFetching } = told
  const rights = useRights()
  if (error) return <ErrorState error={error} onRetry={() => void refetch()} />
  if (!data) return <LoadingText />
  const { 'hydra:member': rows, 'hydra:totalItems': total } = data
  if (total === 0) return <EmptyState message="Ce chiffre ne compte rien." />
  return (
    <>
      <ul className={styles['counted']}>
        {rows.map((row, at) => {
          const to = addressOfRow(row, rights)
          return (
            // A reader who was forgotten has no number of their own.
            <li key={`${row.kind} ${row.id ?? at}`}>
              {to === null ? <span>{row.label}</span> : <Link to={to}>{row.label}</Link>}
              <Text span c="dimmed" size="sm">
                {row.detail}
              </Text>
            </li>
          )
        })}
      </ul>
      <PageTurner
        page={page}
        limit={reportRowsAPage}
        total={total}
        words={counted(total, 'ligne', 'lignes')}
        isFetching={isFetching}
        onTurn={onTurn}
      />
    </>
  )
}

function addressOfRow({ kind, id }: ReportRow, rights: readonly string[]): string | null {
  if (id === null) return null
  if (kind === 'reader') return rights.includes('LIST_BENEFICIARIES') ? addressOfReader(id) : null
  if (kind === 'loan') return rights.includes('LIST_LOANINGS') ? addressOfLoan(id) : null
  return addressOfCopy(id)
}
