import type { Endpoint } from './endpoint.ts'

/** What must also be read again when something of a resource changed. */
const alsoChanged: Record<string, readonly string[]> = {
  loanings: ['copies', 'beneficiaries', 'reservations', 'calendar', 'start', 'weeding'],
  reservations: ['copies', 'calendar', 'weeding'],
  // What is sold leaves the stock.
  sales: ['copies', 'references', 'reservations', 'calendar', 'start'],
  beneficiaries: ['loanings', 'sales', 'reservations', 'calendar', 'inactive_readers'],
  // Whoever is signed in learns of their own rights and sites.
  users: ['me', 'profiles'],
  profiles: ['me', 'users'],
  second_factor: ['sessions'],
  relatives: ['beneficiaries', 'loanings', 'sales'],
  // A keyword that nobody had is made by the first reference that has it.
  references: ['copies', 'keywords', 'bar_codes', 'sales', 'reservations', 'calendar'],
  copies: ['references', 'bar_codes', 'reservations', 'calendar', 'weeding', 'weedings'],
  media: ['references', 'copies', 'loanings', 'analytic'],
  categories: ['references', 'copies', 'loanings'],
  locations: ['copies', 'references'],
  // Renamed or merged, they are so in every reference.
  list_types: ['list_values', 'references'],
  list_values: ['list_types', 'references'],
  // A site out of service is no longer the person's.
  sites: ['agencies', 'analytic', 'me', 'closures'],
  // Renamed everywhere at once.
  eligibility: ['beneficiaries', 'media'],
  // Mails to many are written by a job.
  mail: ['jobs', 'letters'],
  mail_outbox: ['mail', 'letters'],
  imports: [
    'jobs',
    'acts',
    'references',
    'copies',
    'bar_codes',
    'beneficiaries',
    'loanings',
    'media',
    'categories',
    'keywords',
  ],
  // A job brings readers in, and tells of each as it does.
  sync: ['jobs', 'acts', 'imports'],
  // Applied by a job, whose changes of copies and loans are told as they are made.
  inventories: ['jobs', 'acts'],
  inventory_scans: ['inventories'],
  // Withdrawn by a job, whose removals are told as they are made.
  weeding: ['weedings', 'jobs', 'acts'],
  // What was due is moved by a job, which tells of each as it is.
  closures: ['jobs', 'acts', 'loanings', 'calendar'],
  personal_data: ['start'],
  // Erased by a job, which tells of each as it is.
  inactive_readers: ['jobs', 'acts', 'beneficiaries', 'loanings'],
  // Whatever it had touched.
  acts: [
    'jobs',
    'references',
    'copies',
    'bar_codes',
    'keywords',
    'list_types',
    'list_values',
    'locations',
    'inventories',
    'weeding',
    'weedings',
  ],
}

export const changedWith = (resource: string): readonly string[] => [
  resource,
  ...(alsoChanged[resource] ?? []),
]

/** The part of the name that keys of its data begin with: `categories` of `categories.list`. */
export const resourceOf = ({ name }: Pick<Endpoint, 'name'>): string => name.split('.')[0] ?? name
