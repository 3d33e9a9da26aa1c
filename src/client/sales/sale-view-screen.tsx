import { Skeleton, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link, useLocation, useNavigate, useParams } from 'react-router-dom'

import { getSale, type Sale } from '../../contract/sales.ts'
import { frenchDay } from '../../domain/calendar-day.ts'
import { frenchMoney } from '../../domain/money.ts'
import { isNamed } from '../../domain/person-names.ts'
import { oneQuery } from '../api/queries.ts'
import { useRight } from '../api/session.ts'
import { addressOfReference } from '../catalogue/reference-data.ts'
import { useIsMultisite } from '../settings/multisite.ts'
import { addressOfReader } from '../ui/address-of.ts'
import { Cover } from '../ui/cover.tsx'
import { Detail } from '../ui/lists/detail.tsx'
import { Facts, FactsOf } from '../ui/facts.tsx'
import { LoadingText } from '../ui/loading-text.tsx'
import { ReaderName } from '../ui/reader-name.tsx'
import { ErrorState } from '../ui/states.tsx'
import { useJournal } from '../ui/lists/use-journal.tsx'
import { useSaleActions } from './use-sale-actions.ts'
import { inWords } from '../page/house-words.ts'

/** One sale, whole. */
export default function SaleViewScreen() {
  const id = Number(useParams()['id'])
  const { data: sale, error, refetch } = useQuery(oneQuery(getSale, id))
  const navigate = useNavigate()
  const { search } = useLocation()
  const actions = useSaleActions(() => void navigate(`/sales${search}`, { replace: true }))
  const { journalAction, journal } = useJournal<Sale>('sales', ({ reference_name }) => reference_name)
  return (
    <Detail
      of={sale}
      title={sale?.reference_name ?? inWords('Vente')}
      picture={<Cover title={sale?.reference_name ?? ''} medium={sale?.medium ?? null} isLarge />}
      actions={[...actions, ...journalAction]}
    >
      {sale ? (
        <SaleFacts sale={sale} />
      ) : error ? (
        <ErrorState
          error={error}
          onRetry={refetch}
          lead={{ to: `/sales${search}`, label: 'Voir les ventes' }}
        />
      ) : (
        <Stack className="panel">
          <LoadingText />
          <Skeleton height="8rem" />
        </Stack>
      )}
      {journal}
    </Detail>
  )
}

function SaleFacts({ sale }: { sale: Sale }) {
  const isMultisite = useIsMultisite()
  return (
    <FactsOf>
      <Facts
        title="Vente"
        facts={[
          ['Date', frenchDay(sale.date)],
          ['Lecteur', <Buyer key="buyer" sale={sale} />],
          ['Proche', sale.relative?.name],
          ['Exemplaire', <TitleLink key="title" sale={sale} />],
          ['Catégorie', sale.category],
          ['Support', sale.medium],
          ['Prix', sale.free ? 'Gratuit' : frenchMoney(sale.price)],
          ['Motif de gratuité', sale.free_reason?.name],
          ['Commentaire', sale.comment],
          ['Site', isMultisite ? sale.site_name : null],
          ['Vendu par', sale.sold_by],
        ]}
      />
    </FactsOf>
  )
}

function Buyer({ sale: { beneficiary, beneficiary_name } }: { sale: Sale }) {
  const mayRead = useRight('LIST_BENEFICIARIES')
  const name = <ReaderName name={beneficiary_name} />
  return mayRead && beneficiary !== null && isNamed(beneficiary_name) ? (
    <Link to={addressOfReader(beneficiary)}>{name}</Link>
  ) : (
    name
  )
}

function TitleLink({ sale: { reference, reference_name, copy_barcode } }: { sale: Sale }) {
  const title = `${reference_name} (${copy_barcode})`
  return useRight('LIST_REFERENCES') ? <Link to={addressOfReference(reference)}>{title}</Link> : title
}
