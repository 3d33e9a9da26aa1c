import { Text } from '@mantine/core'
import { keepPreviousData, useQuery, type UseQueryResult } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'react-router-dom'

import { type CountedRow, rowsAPage } from '../../contract/counted-rows.ts'
import { membersOf, totalOf, type Collection } from '../../contract/list.ts'
import { useRights } from '../api/session.ts'
import { addressOfCopy, addressOfLoan } from '../find/hits.ts'
import { addressOfReader } from '../ui/address-of.ts'
import { Sheet } from '../ui/dialogs/sheet.tsx'
import { LoadingText } from '../ui/loading-text.tsx'
import { type Noun, nounOf } from '../ui/nouns.ts'
import { PageTurner } from '../ui/page-turner.tsx'
import { EmptyState, ErrorState } from '../ui/states.tsx'
import { counted } from '../ui/words.ts'
import styles from './stats.module.css'

const nouns: Record<CountedRow['kind'], Noun> = {
  copy: nounOf('exemplaire', 'm'),
  loan: nounOf('prêt', 'm'),
  reader: nounOf('lecteur', 'm'),
}

const countWords = (total: number, { one, many, none }: Noun) => counted(total, one, many, none)

type CountedRowsSheetProps = {
  title: string
  kind: CountedRow['kind']
  onClose: () => void
  /** What is asked for, and how a page of it is read. */
  asked: readonly unknown[]
  read: (page: string, signal: AbortSignal) => Promise<Collection<CountedRow>>
}

/** What a figure counts, one by one; on the right, as other details are, so that the figure that was pressed stays in sight. */
export function CountedRowsSheet({ title, kind, onClose, asked, read }: CountedRowsSheetProps) {
  const [page, setPage] = useState(1)
  const told = useQuery({
    queryKey: ['stats', ...asked, page],
    queryFn: ({ signal }) => read(String(page), signal),
    placeholderData: keepPreviousData,
  })
  const total = totalOf(told.data)
  return (
    <Sheet
      position="right"
      title={total === undefined ? title : `${title} · ${countWords(total, nouns[kind])}`}
      onClose={onClose}
    >
      <Rows told={told} noun={nouns[kind]} page={page} onTurn={setPage} />
    </Sheet>
  )
}

type RowsProps = {
  told: UseQueryResult<Collection<CountedRow>>
  noun: Noun
  page: number
  onTurn: (page: number) => void
}

function Rows({ told, noun, page, onTurn }: RowsProps) {
  const { data, error, refetch, isFetching } = told
  const rights = useRights()
  if (error) return <ErrorState error={error} onRetry={refetch} />
  if (!data) return <LoadingText />
  const [rows, total] = [membersOf(data), totalOf(data)]
  if (total === 0) return <EmptyState message={`${noun.none} dans ce chiffre.`} />
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
        limit={rowsAPage}
        total={total}
        words={countWords(total, noun)}
        isFetching={isFetching}
        onTurn={onTurn}
      />
    </>
  )
}

function addressOfRow({ kind, id }: CountedRow, rights: readonly string[]): string | null {
  if (id === null) return null
  if (kind === 'reader') return rights.includes('LIST_BENEFICIARIES') ? addressOfReader(id) : null
  if (kind === 'loan') return rights.includes('LIST_LOANINGS') ? addressOfLoan(id) : null
  return addressOfCopy(id)
}
