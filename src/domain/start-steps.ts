/** Of the site that every new environment has. */
export const firstSiteName = 'Site principal'

/** The guided start, in its order. */
export const startSteps = ['organisation', 'preset', 'numbering', 'users'] as const
export type StartStep = (typeof startSteps)[number]

/** What there is to do before the first loan, in the order in which it is done. */
export const startTasks = [
  'organisation',
  'site',
  'media',
  'categories',
  'numbering',
  'users',
  'reference',
  'reader',
  'loan',
  'forgetting',
] as const
export type StartTask = (typeof startTasks)[number]

/** A step is done once all of its tasks are. */
export const tasksOfStep: Record<StartStep, readonly StartTask[]> = {
  organisation: ['organisation', 'site'],
  preset: ['media', 'categories'],
  numbering: ['numbering'],
  users: ['users'],
}
