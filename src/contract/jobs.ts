import * as v from 'valibot'

import { filterBy } from './list.ts'
import { type ItemOf, listed } from './resource.ts'
import { instant } from './wire.ts'

const jobKinds = [
  'mail.reminders',
  'mail.recap',
  'acts.undo',
  'imports.check',
  'imports.run',
  'sync.run',
  'inventories.apply',
  'closures.close',
  'weeding.withdraw',
  'readers.erase',
] as const
export const jobStatuses = ['queued', 'running', 'done', 'failed'] as const

/** `done` of about `total`; `problem` says why a job failed. */
export const jobs = listed('jobs', 'Job', {
  words: ['un travail', 'ses travaux de fond'],
  shown: {
    kind: v.picklist(jobKinds),
    status: v.picklist(jobStatuses),
    total: v.number(),
    done: v.number(),
    problem: v.nullable(v.string()),
    created_at: instant,
    ended_at: v.nullable(instant),
  },
  filters: { id: filterBy.id, kind: filterBy.choice(jobKinds), status: filterBy.choice(jobStatuses) },
  orders: ['created_at', 'id'],
  defaultDirection: 'desc',
})
export type Job = ItemOf<typeof jobs>
export type JobKind = (typeof jobKinds)[number]
