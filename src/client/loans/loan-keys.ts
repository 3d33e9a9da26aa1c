import { queryClient } from '../api/query-client.ts'

/** Keys of loan data: a change of any loan makes every list of loans, and what counts them, be fetched again. */
export const loanKeys = { all: ['loanings'] as const }

/** Fetches again what is shown and what a change of loans may have touched. */
export const refreshLoans = (): Promise<unknown> =>
  Promise.all(
    [loanKeys.all, ['beneficiaries'], ['copies']].map((queryKey) =>
      queryClient.invalidateQueries({ queryKey }),
    ),
  )
