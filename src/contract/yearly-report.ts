import * as v from 'valibot'

import { reportCodes } from '../domain/yearly-report.ts'
import { countedRows, pageOfRows, partKey } from './counted-rows.ts'
import { endpoint } from './endpoint.ts'
import { download } from './files.ts'
import { day, id } from './wire.ts'

// The yearly report of a public library (domain/yearly-report.ts says what it is made of).

const year = v.pipe(v.string(), v.regex(/^(19|20|21)\d\d$/, 'doit être une année'), v.transform(Number))
const siteInQuery = v.pipe(
  v.string(),
  v.regex(/^(0|[1-9]\d{0,8})$/, 'doit être un identifiant'),
  v.transform(Number),
)
const asked = {
  /** The year before this one unless said. */
  year: v.optional(year),
  /** The chosen one unless said; 0 for every site that is open to the person. */
  site: v.optional(siteInQuery),
}

const anyRight = ['STATISTIC_REFERENCE', 'STATISTIC_BENEFICIARIES', 'STATISTIC_LOANINGS'] as const

const count = v.pipe(v.number(), v.integer(), v.minValue(0))
const code = v.picklist(reportCodes, 'doit être un tableau du rapport')
const part = v.object({ key: v.string(), label: v.string() })

export const readYearlyReport = endpoint({
  name: 'stats.yearly',
  method: 'GET',
  path: '/api/stats/yearly',
  access: anyRight,
  summary: 'Le rapport annuel\u202f: collections, acquisitions, éliminations, emprunteurs, prêts, ouverture',
  query: v.strictObject(asked),
  answer: v.object({
    year: v.number(),
    period: v.object({ start_date: day, end_date: day }),
    /** Those that the person's rights open; a key that is empty is what is not known. */
    tables: v.array(
      v.object({
        code,
        rows: v.array(part),
        columns: v.array(part),
        cells: v.array(v.object({ row: v.string(), column: v.string(), count })),
      }),
    ),
    /** Of each site: hours are null where nobody wrote them. */
    openings: v.array(
      v.object({
        id,
        name: v.string(),
        days: count,
        weekly_hours: v.nullable(v.number()),
        hours: v.nullable(count),
      }),
    ),
    checks: v.array(v.object({ about: v.string(), isRight: v.boolean(), said: v.string() })),
  }),
})
export type YearlyReport = v.InferOutput<typeof readYearlyReport.answer>
export type FilledReportTable = YearlyReport['tables'][number]

export const listReportRows = endpoint({
  name: 'stats.yearly_rows',
  method: 'GET',
  path: '/api/stats/yearly/rows',
  access: anyRight,
  summary: 'Ce que compte un chiffre du rapport annuel, un par un',
  query: v.strictObject({
    ...asked,
    table: code,
    /** Left out: the total; empty: what is not known. */
    row: v.optional(partKey),
    column: v.optional(partKey),
    page: pageOfRows,
  }),
  answer: countedRows,
})

export const exportYearlyReport = endpoint({
  name: 'yearly_report.export',
  method: 'GET',
  path: '/api/export/yearly_report',
  access: anyRight,
  summary: 'Le rapport annuel dans un classeur, un chiffre par ligne',
  query: v.strictObject({
    ...asked,
    export_type: v.optional(v.picklist(['xlsx'], 'doit être xlsx'), 'xlsx'),
  }),
  files: ['xlsx'],
  answer: download,
})

export const yearlyReportEndpoints = [readYearlyReport, listReportRows, exportYearlyReport]
