import { Anchor } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router-dom'

import type { Reference } from '../../contract/catalogue.ts'
import { membersOf, totalOf } from '../../contract/list.ts'
import { listLoans } from '../../contract/loans.ts'
import { frenchDay } from '../../domain/calendar-day.ts'
import { isNamed } from '../../domain/person-names.ts'
import { call } from '../api/call.ts'
import { inWords } from '../page/house-words.ts'
import { Initials } from '../ui/cover.tsx'
import { ShortRows } from '../ui/lists/short-rows.tsx'
import { ReaderName } from '../ui/reader-name.tsx'
import { UnreadState } from '../ui/states.tsx'
import { addressOfHistory } from './reference-data.ts'

const mostShown = 5

/** Who had a title at any site, the last return first; who has it now stands with its copies. */
export function TitleHistory({ reference: { id, name } }: { reference: Pick<Reference, 'id' | 'name'> }) {
  const { data, error, refetch } = useQuery({
    queryKey: ['loanings', 'of-title', id],
    queryFn: ({ signal }) =>
      call(listLoans, {
        list: {
          limit: mostShown,
          order: [{ field: 'return_date', direction: 'desc' }],
          filters: [
            { field: 'reference', operator: 'eq', value: id },
            { field: 'status', operator: 'eq', value: 'finished' },
          ],
        },
        signal,
        site: 0,
      }),
  })
  if (!data) {
    return (
      <section className="panel">
        <UnreadState error={error} onRetry={refetch} height="4.75rem" />
      </section>
    )
  }
  return (
    <ShortRows
      title="Historique des prêts"
      rows={membersOf(data)}
      empty="Aucun prêt rendu pour l’instant."
      face={({ beneficiary_name }) => <Initials name={isNamed(beneficiary_name) ? beneficiary_name : ''} />}
      what={(loan) => (
        <Link to={`/loanings/view/${loan.id}`}>
          <ReaderName name={loan.beneficiary_name} />
        </Link>
      )}
      when={({ start_date, return_date }) =>
        `du ${frenchDay(start_date)} au ${frenchDay(return_date ?? start_date)}`
      }
      nameOf={({ beneficiary_name }) => beneficiary_name}
    >
      {totalOf(data) > mostShown ? (
        <Anchor component={Link} to={addressOfHistory(name)}>
          {inWords('Voir tous les prêts')}
        </Anchor>
      ) : null}
    </ShortRows>
  )
}
