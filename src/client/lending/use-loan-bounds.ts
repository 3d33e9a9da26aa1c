import { boundsOf, type LoanBounds } from '../../domain/loan-rules.ts'
import { useNumberParameter } from '../settings/parameter-data.ts'

/** How far the terms of a loan may go; a bound that is not known yet is left to the server. */
export function useLoanBounds(): LoanBounds {
  const known = {
    longest_loan_days: useNumberParameter('longest_loan_days'),
    earliest_start_days: useNumberParameter('earliest_start_days'),
    latest_start_days: useNumberParameter('latest_start_days'),
  }
  return boundsOf((code) => known[code])
}
