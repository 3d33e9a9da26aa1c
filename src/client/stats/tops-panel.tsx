import { frenchNumber } from '../../domain/french-number.ts'
import { EmptyState } from '../ui/states.tsx'
import { FiguresTable } from './figures-table.tsx'
import { StatPanel } from './stat-panel.tsx'

type TopsPanelProps = {
  title: string
  by: string
  tops: readonly { id: number; name: string; loans: number }[]
  linkOf: (id: number) => string | undefined
}

/** The first ten, each leading to its record. */
export const TopsPanel = ({ title, by, tops, linkOf }: TopsPanelProps) => (
  <StatPanel title={title}>
    {tops.length === 0 ? (
      <EmptyState message="Aucun prêt dans cette période." />
    ) : (
      <FiguresTable
        label={title}
        titles={[by, 'Prêts']}
        rows={tops.map(({ id, name, loans }) => ({
          key: String(id),
          name,
          to: linkOf(id),
          values: [frenchNumber(loans)],
        }))}
      />
    )}
  </StatPanel>
)
