import { listReaderRows, type ReaderPart, readerParts, type ReaderStats } from '../../contract/stats.ts'
import { call } from '../api/call.ts'
import { CountedRowsSheet } from './counted-rows-sheet.tsx'
import { useStatAddress } from './use-stat-address.ts'

/** In the address: all who borrowed, or those of one part, by its key. */
const everyone = 'all'

/** Where the readers that a figure counts are listed. */
export function useReaderRowsLink(): (by?: ReaderPart, part?: string) => string {
  const { search } = useStatAddress()
  return (by, part = '') => {
    const to = new URLSearchParams(search)
    to.set('rows', by ?? everyone)
    if (by !== undefined) to.set('part', part)
    return `?${to.toString()}`
  }
}

type ReaderRowsSheetProps = Pick<ReaderStats, 'period'> & {
  title: string
  /** What a part is called. */
  nameOf: (by: ReaderPart, part: string) => string
}

/** The readers that the figure in the address counts; the back button closes them. */
export function ReaderRowsSheet({ period, title, nameOf }: ReaderRowsSheetProps) {
  const { search, change } = useStatAddress()
  const rows = search.get('rows')
  const by = readerParts.find((one) => one === rows)
  if (by === undefined && rows !== everyone) return null
  const part = search.get('part') ?? ''
  const query = { ...period, ...(by === undefined ? {} : { by, part }) }
  return (
    <CountedRowsSheet
      key={JSON.stringify(query)}
      title={by === undefined ? title : `${title} · ${nameOf(by, part)}`}
      kind="reader"
      onClose={() => change({ rows: '', part: '' })}
      asked={[listReaderRows.name, query]}
      read={(page, signal) => call(listReaderRows, { query: { ...query, page }, signal })}
    />
  )
}
