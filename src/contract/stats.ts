import * as v from 'valibot'

import { countedRows, pageOfRows, partKey } from './counted-rows.ts'
import { endpoint } from './endpoint.ts'
import { download } from './files.ts'
import { day, id, money } from './wire.ts'

// Figures of a period, beside those of the period before of the same length.

const idInQuery = v.pipe(
  v.string(),
  v.regex(/^(0|[1-9]\d{0,8})$/, 'doit être un identifiant'),
  v.transform(Number),
)
const idsInQuery = v.pipe(
  v.string(),
  v.regex(/^[1-9]\d{0,8}(,[1-9]\d{0,8}){0,99}$/, 'doit être des identifiants séparés par des virgules'),
  v.transform((written) => written.split(',').map(Number)),
)

const asked = {
  /** The first and the last day of the current month unless said. */
  start_date: v.optional(day),
  end_date: v.optional(day),
  /** The chosen one unless said; 0 for every site that is open to the person. */
  site: v.optional(idInQuery),
}

const figure = v.pipe(v.number(), v.integer(), v.minValue(0))

const period = v.object({ start_date: day, end_date: day })

/** How often in the period, and in as many days before it. */
const compared = v.object({ now: figure, before: figure })
export type Compared = v.InferOutput<typeof compared>

/** A part of a whole; `id` is null for what has none, such as references without a category. */
const part = v.object({ id: v.nullable(id), name: v.nullable(v.string()), count: figure })
export type Part = v.InferOutput<typeof part>

const spans = { period, before: period }

export const readActivity = endpoint({
  name: 'stats.activity',
  method: 'GET',
  path: '/api/stats/activity',
  access: ['STATISTIC_EXITSDAY', 'STATISTIC_RETURNSDAY'],
  summary: 'Les sorties et les retours de chaque jour',
  query: v.strictObject(asked),
  answer: v.object({
    ...spans,
    /** Every day of the period; a series is null without its right. */
    days: v.array(v.object({ day, exits: v.nullable(figure), returns: v.nullable(figure) })),
    exits: v.nullable(compared),
    returns: v.nullable(compared),
  }),
})
export type Activity = v.InferOutput<typeof readActivity.answer>

const ofReferences = {
  ...asked,
  category: v.optional(idsInQuery),
  medium: v.optional(idInQuery),
}

export const readReferenceStats = endpoint({
  name: 'stats.references',
  method: 'GET',
  path: '/api/stats/references',
  access: 'STATISTIC_REFERENCE',
  summary: 'Les références par catégorie et par support, et celles que l’on prête le plus',
  query: v.strictObject(ofReferences),
  answer: v.object({
    ...spans,
    /** Where what is counted has a copy; null where it is the whole catalogue. */
    sites: v.nullable(v.array(id)),
    total: figure,
    categories: v.array(part),
    media: v.array(part),
    /** The ten that were lent most in the period. */
    tops: v.array(v.object({ id, name: v.string(), loans: figure })),
  }),
})
export type ReferenceStats = v.InferOutput<typeof readReferenceStats.answer>

export const exportReferenceStats = endpoint({
  name: 'stats_references.export',
  method: 'GET',
  path: '/api/export/stats_references',
  access: 'STATISTIC_REFERENCE',
  summary: 'Les références et leurs prêts de la période, les plus prêtées d’abord, dans un classeur',
  query: v.strictObject({
    ...ofReferences,
    export_type: v.optional(v.picklist(['xlsx'], 'doit être xlsx'), 'xlsx'),
  }),
  files: ['xlsx'],
  answer: download,
})

export const readReaderStats = endpoint({
  name: 'stats.beneficiaries',
  method: 'GET',
  path: '/api/stats/beneficiaries',
  access: 'STATISTIC_BENEFICIARIES',
  summary: 'Qui emprunte\u202f: combien, d’où, depuis quand',
  query: v.strictObject(asked),
  answer: v.object({
    ...spans,
    /** Readers who borrowed, and readers who were registered, in the period. */
    active: compared,
    registered: compared,
    /** Of those who borrowed. */
    contracts: v.array(part),
    sites: v.array(part),
    /** By how many years they had been registered when the period ended, up to so many. */
    ages: v.array(v.object({ band: v.picklist(['1', '2', '5', '10', 'more']), count: figure })),
    /** The ten who borrowed most; null without the right to their names. */
    tops: v.nullable(v.array(v.object({ id, name: v.string(), loans: figure }))),
  }),
})
export type ReaderStats = v.InferOutput<typeof readReaderStats.answer>

/** What readers who borrowed are told apart by. */
export const readerParts = ['contract', 'seniority', 'site'] as const
export type ReaderPart = (typeof readerParts)[number]

export const listReaderRows = endpoint({
  name: 'stats.beneficiaries_rows',
  method: 'GET',
  path: '/api/stats/beneficiaries/rows',
  access: 'STATISTIC_BENEFICIARIES',
  summary: 'Qui compte un chiffre des lecteurs qui ont emprunté, un par un',
  query: v.strictObject({
    ...asked,
    /** Left out: all who borrowed. */
    by: v.optional(v.picklist(readerParts, 'doit être contract, seniority ou site')),
    part: v.optional(partKey, ''),
    page: pageOfRows,
  }),
  answer: countedRows,
})

export const loanDelays = ['all', 'notlate', 'late'] as const
export const loanProgresses = ['in_progress', 'finished', 'canceled'] as const

export const readLoanStats = endpoint({
  name: 'stats.loanings',
  method: 'GET',
  path: '/api/stats/loanings',
  access: 'STATISTIC_LOANINGS',
  summary: 'Les prêts commencés dans la période, par mois, support, catégorie et site',
  query: v.strictObject({
    ...asked,
    delay: v.optional(v.picklist(loanDelays, 'doit être all, notlate ou late')),
    progress: v.optional(
      v.pipe(
        v.picklist([...loanProgresses, 'cancelled'], 'doit être in_progress, finished ou canceled'),
        v.transform((word) => (word === 'cancelled' ? 'canceled' : word)),
      ),
    ),
  }),
  answer: v.object({
    ...spans,
    loans: compared,
    /** Of the loans of the period: returned after their day, or past it now. */
    late: compared,
    amount: v.object({ now: money, before: money }),
    months: v.array(v.object({ month: v.pipe(v.string(), v.regex(/^\d{4}-\d\d$/)), count: figure })),
    media: v.array(part),
    categories: v.array(part),
    sites: v.array(part),
  }),
})
export type LoanStats = v.InferOutput<typeof readLoanStats.answer>

export const readOutNow = endpoint({
  name: 'stats.active',
  method: 'GET',
  path: '/api/stats/active',
  access: ['STATISTIC_LOANINGS', 'STATISTIC_EXITSDAY', 'STATISTIC_RETURNSDAY'],
  summary: 'Ce qui est dehors en ce moment, par support, par site et par retard',
  query: v.strictObject({ site: asked.site }),
  answer: v.object({
    total: figure,
    late: figure,
    media: v.array(part),
    sites: v.array(part),
    /** Days since the expected return: not late, then up to 7, 30 and 90, then more. */
    delays: v.array(v.object({ band: v.picklist(['none', '7', '30', '90', 'more']), count: figure })),
  }),
})
export type OutNow = v.InferOutput<typeof readOutNow.answer>

export const statsEndpoints = [
  readActivity,
  readReferenceStats,
  exportReferenceStats,
  readReaderStats,
  listReaderRows,
  readLoanStats,
  readOutNow,
]
