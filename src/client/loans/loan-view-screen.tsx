import { Button, Skeleton, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useParams } from 'react-router-dom'

import type { Loan } from '../../contract/loans.ts'
import { CallError } from '../api/call-error.ts'
import { LoadingText } from '../ui/loading-text.tsx'
import { Page } from '../ui/page.tsx'
import { mayRun, useRunOnce } from '../ui/row-actions.ts'
import { EmptyState, ErrorState } from '../ui/states.tsx'
import { LoanFacts } from './loan-facts.tsx'
import { loanQuery } from './loan-data.ts'
import { useLoanActions } from './use-loan-actions.tsx'

/** One loan, whole (file 1, « Loan view/edit »). */
export default function LoanViewScreen() {
  const id = Number(useParams()['loaning_id'])
  const { data: loan, error, refetch } = useQuery(loanQuery(id))

  if (loan) return <ShownLoan loan={loan} />
  return (
    <Page title="Prêt">
      {error instanceof CallError && error.status === 404 ? (
        <EmptyState message="Ce prêt n’existe pas, ou a été supprimé." />
      ) : error ? (
        <ErrorState error={error} onRetry={() => void refetch()} />
      ) : (
        <Stack className="panel">
          <LoadingText />
          {Array.from({ length: 6 }, (_, index) => (
            // oxlint-disable-next-line react/no-array-index-key -- placeholders have nothing else
            <Skeleton key={index} height="1.5rem" />
          ))}
        </Stack>
      )}
    </Page>
  )
}

function ShownLoan({ loan }: { loan: Loan }) {
  const navigate = useNavigate()
  const { actions, dialog } = useLoanActions({
    onDeleted: () => void navigate('/loanings', { replace: true }),
  })
  const runOnce = useRunOnce()
  return (
    <Page
      title={loan.reference_name}
      actions={actions
        .filter((action) => action.key !== 'view' && mayRun(action, loan))
        .map(({ key, label, Icon, tone, run }) => (
          <Button
            key={key}
            variant={key === 'return' ? 'filled' : 'default'}
            leftSection={<Icon size="1.2em" aria-hidden />}
            onClick={() => runOnce(key, () => run(loan))}
            {...(tone === 'bad' ? { c: 'var(--bad-ink)' } : {})}
          >
            {label}
          </Button>
        ))}
    >
      <LoanFacts loan={loan} />
      {dialog}
    </Page>
  )
}
