import { Skeleton, Stack } from '@mantine/core'
import { useLocation, useNavigate, useParams } from 'react-router-dom'

import type { Loan } from '../../contract/loans.ts'
import { Cover } from '../ui/cover.tsx'
import { Detail } from '../ui/lists/detail.tsx'
import { LoadingText } from '../ui/loading-text.tsx'
import { ErrorState } from '../ui/states.tsx'
import { useJournal } from '../ui/lists/use-journal.tsx'
import { toLoans, useLoan } from './loan-data.ts'
import { LoanFacts } from './loan-facts.tsx'
import { LoanTag } from './loan-tags.tsx'
import { useLoanActions } from './use-loan-actions.tsx'
import { inWords } from '../page/house-words.ts'

/** One loan, whole. */
export default function LoanViewScreen() {
  const id = Number(useParams()['loaning_id'])
  const { data: loan, error, refetch } = useLoan(id)
  const navigate = useNavigate()
  const { search } = useLocation()
  const { actions, dialog } = useLoanActions({
    onDeleted: () => void navigate(`/loanings${search}`, { replace: true }),
  })
  const { journalAction, journal } = useJournal<Loan>('loanings', ({ reference_name }) => reference_name)
  return (
    <Detail
      of={loan}
      title={loan?.reference_name ?? inWords('Prêt')}
      picture={
        <Cover
          title={loan?.reference_name ?? ''}
          medium={loan?.medium ?? null}
          image={loan?.image_path}
          isLarge
        />
      }
      state={loan ? <LoanTag loan={loan} /> : null}
      actions={[...actions.filter(({ key }) => key !== 'view'), ...journalAction]}
      primary="return"
    >
      {loan ? (
        <LoanFacts loan={loan} />
      ) : error ? (
        <ErrorState error={error} onRetry={refetch} lead={{ ...toLoans, to: toLoans.to + search }} />
      ) : (
        <Stack className="panel">
          <LoadingText />
          {Array.from({ length: 6 }, (_, index) => (
            // oxlint-disable-next-line react/no-array-index-key -- placeholders have nothing else
            <Skeleton key={index} height="1.5rem" />
          ))}
        </Stack>
      )}
      {dialog}
      {journal}
    </Detail>
  )
}
