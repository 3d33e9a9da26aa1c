import { exportSales } from '../../contract/sale-exports.ts'
import { listSales, type Sale } from '../../contract/sales.ts'
import { frenchDay } from '../../domain/calendar-day.ts'
import { frenchMoney } from '../../domain/money.ts'
import { Cover } from '../ui/cover.tsx'
import { acts, useMayBegin } from '../ui/acts.ts'
import { DetailLink } from '../ui/lists/detail-link.tsx'
import { days, search } from '../ui/lists/filters.tsx'
import { ListScreen } from '../ui/lists/list-screen.tsx'
import { nounOf } from '../ui/nouns.ts'
import { ReaderName } from '../ui/reader-name.tsx'
import type { Column } from '../ui/lists/resource-table.tsx'
import { useSaleActions } from './use-sale-actions.ts'

/** Sales, the last first. */
export default function SaleListScreen() {
  const maySell = useMayBegin(acts.sell)
  return (
    <ListScreen
      endpoint={listSales}
      title="Ventes"
      noun={nounOf('vente', 'f')}
      whenEmpty={maySell ? [acts.sell] : []}
      exported={exportSales}
      filters={filters}
      columns={columns}
      rowKey={({ id }) => id}
      rowName={({ reference_name }) => reference_name}
      rowActions={useSaleActions()}
      detailOf={detailOf}
    />
  )
}

const detailOf = ({ id }: Sale) => `/sales/view/${id}`

const filters = [
  search('benefsearchname|like', 'Lecteur'),
  search('copysearchname|like', 'Exemplaire'),
  days('date', 'Date', 'one'),
]

const columns: readonly Column<Sale>[] = [
  {
    key: 'beneficiary',
    title: 'Lecteur',
    phone: 'who',
    order: 'beneficiary_lastname',
    role: 'lasting',
    width: 12.5,
    cell: ({ beneficiary_name }) => <ReaderName name={beneficiary_name} />,
  },
  {
    key: 'reference',
    title: 'Référence',
    order: 'reference_name',
    role: 'main',
    face: ({ reference_name, medium }) => <Cover title={reference_name} medium={medium} />,
    cell: (sale) => <DetailLink to={detailOf(sale)}>{sale.reference_name}</DetailLink>,
  },
  {
    key: 'category',
    title: 'Catégorie',
    order: 'category',
    role: 'extra',
    width: 10,
    cell: ({ category }) => category ?? '',
  },
  {
    key: 'date',
    title: 'Date',
    phone: 'when',
    order: 'date',
    width: 6.75,
    cell: ({ date }) => frenchDay(date),
  },
  {
    key: 'price',
    title: 'Prix',
    phone: 'state',
    order: 'price',
    align: 'end',
    role: 'lasting',
    width: 6,
    cell: ({ price, free }) => (free ? 'Gratuit' : frenchMoney(price)),
  },
]
