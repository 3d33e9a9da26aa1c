import type { Endpoint } from './endpoint.ts'

/** What must also be read again when something of a resource changed. */
const alsoChanged: Record<string, readonly string[]> = {
  loanings: ['copies', 'beneficiaries', 'reservations'],
  beneficiaries: ['loanings'],
  relatives: ['beneficiaries', 'loanings'],
  // Mails to many are written by a job.
  mail: ['jobs'],
}

export const changedWith = (resource: string): readonly string[] => [
  resource,
  ...(alsoChanged[resource] ?? []),
]

/** The part of the name that keys of its data begin with: `categories` of `categories.list`. */
export const resourceOf = ({ name }: Pick<Endpoint, 'name'>): string => name.split('.')[0] ?? name
