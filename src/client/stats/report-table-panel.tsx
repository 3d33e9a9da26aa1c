import { Text } from '@mantine/core'

import type { ReportTableTold } from '../../contract/yearly-report.ts'
import { frenchNumber } from '../../domain/french-number.ts'
import { cellOf, reportDimensions, reportTable } from '../../domain/yearly-report.ts'
import { inWords } from '../page/house-words.ts'
import { FiguresTable } from './figures-table.tsx'
import { StatPanel } from './stat-panel.tsx'
import { useStatAddress } from './use-stat-address.ts'

const total = { key: null, label: 'Total' } as const

/** One table of the yearly report; each figure that counts something leads to it. */
export function ReportTablePanel({ table: { code, rows, columns, cells } }: { table: ReportTableTold }) {
  const { title, about, rows: by } = reportTable(code)
  const { search } = useStatAddress()
  const valueOf = (row: string | null, column: string | null) => {
    const value = cellOf(cells, { row, column })
    if (value === null) return 'NC'
    const words = frenchNumber(value)
    if (value === 0) return words
    const to = new URLSearchParams(search)
    to.set('table', code)
    if (row !== null) to.set('row', row)
    if (column !== null) to.set('column', column)
    return { words, to: `?${to.toString()}` }
  }
  return (
    <StatPanel title={title}>
      <Text c="dimmed" size="sm" mb="xs">
        {inWords(about)}
      </Text>
      <FiguresTable
        isWhole
        label={title}
        titles={[reportDimensions[by].title, ...columns.map(({ label }) => label), 'Total']}
        rows={[...rows, total].map(({ key, label }) => ({
          key: key ?? 'total',
          name: label,
          isTotal: key === null,
          values: [...columns, total].map((column) => valueOf(key, column.key)),
        }))}
      />
    </StatPanel>
  )
}
