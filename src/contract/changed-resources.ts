import type { Endpoint } from './endpoint.ts'

/** What else looks different once something of a resource changed. One that is not here changes itself alone. */
const alsoChanged: Record<string, readonly string[]> = {
  // A copy's status, a reader's count of loans, the queue that the loan served.
  loanings: ['copies', 'beneficiaries', 'reservations'],
  // Lists of loans show the reader's name.
  beneficiaries: ['loanings'],
  relatives: ['beneficiaries', 'loanings'],
  // Mails to many are written by a job.
  mail: ['jobs'],
}

/** The resources to be read again once something of this one changed. */
export const changedWith = (resource: string): readonly string[] => [
  resource,
  ...(alsoChanged[resource] ?? []),
]

/** What an endpoint is about, and the keys of its data begin with: `categories` of `categories.list`. */
export const resourceOf = ({ name }: Pick<Endpoint, 'name'>): string => name.split('.')[0] ?? name
