import { readFileSync } from 'node:fs'

import { describe, expect, it } from 'vitest'

import { messageMs, uploadErrorMs } from '../../src/client/page/messages.ts'
import { pageSizes } from '../../src/client/ui/lists/use-list-address.ts'
import { longStillMs, stillMs } from '../../src/client/ui/use-debounced.ts'
import { autocompleteBeneficiaries, listBeneficiaries } from '../../src/contract/beneficiaries.ts'
import { copyList, referenceList } from '../../src/contract/catalogue.ts'
import { endpoints } from '../../src/contract/endpoints.ts'
import { loanList } from '../../src/contract/loans.ts'
import { reservations } from '../../src/contract/reservations.ts'
import { saleList } from '../../src/contract/sales.ts'
import { lockSeconds, resultsSeconds } from '../../src/contract/sync.ts'
import { weekdayOf } from '../../src/domain/calendar-day.ts'
import { firstDayShown, mostReferences, weeksShown } from '../../src/domain/calendar-weeks.ts'
import { linksWithoutWarning } from '../../src/domain/list-groups.ts'
import { defaultDuration, durationTypes } from '../../src/domain/loan-rules.ts'
import { frenchMoney } from '../../src/domain/money.ts'
import { deliveredParameters, parameterFault } from '../../src/domain/parameters.ts'
import { shortValue } from '../../src/domain/short-value.ts'
import { barCodeParts } from '../../src/domain/site-bar-code.ts'
import { monthOf } from '../../src/domain/stat-periods.ts'
import { fileProblem, largestFile, shortFileName } from '../../src/domain/upload-rules.ts'
import { newKey } from '../../src/offline/new-key.ts'
import { beneficiaryLabel } from '../../src/server/beneficiaries/beneficiary-queries.ts'
import { fileName } from '../../src/server/http/served-file.ts'

/** A value that a module keeps to itself, as it is written there. */
function written(path: string, where: RegExp): string {
  const value = where.exec(readFileSync(`src/${path}`, 'utf8'))?.[1]
  if (value === undefined) throw new Error(`${path} has nothing like ${where}`)
  return value
}
const cycleOf = (screen: string) => {
  const text = readFileSync(`src/client/${screen}.tsx`, 'utf8')
  return /cycle="(.+?)"/.exec(text)?.[1] ?? written('client/ui/lists/list-screen.tsx', /cycle = '(.+?)'/)
}
/** How long each typed filter of a screen waits. */
const waits = (screen: string) => [
  ...new Set(
    Array.from(
      readFileSync(`src/client/${screen}.tsx`, 'utf8').matchAll(
        /search\((?:[^(),]|\(.*?\))+,[^,()]+(?:, (\w+))?\)/g,
      ),
      ([, ms = 'stillMs']) => ms,
    ),
  ),
]
const fileOf = (size: number) => ({ name: 'a.pdf', size, type: 'application/pdf' })
/** A list says what its file holds; any other export names its file itself. */
const exportedAs = (path: string) => written(`server/${path}.ts`, /(?:fileName\(\s*|holds: )'(.+?)'/)
const ordersOf = (path: string) =>
  endpoints.find((endpoint) => endpoint.method === 'GET' && endpoint.path === path)?.list?.defaultOrder

/** Sections 9 of both files, and what only the two of them say. */
const constants: [what: string, actual: unknown, specified: unknown][] = [
  ['messages last 10 seconds', messageMs, 10_000],
  ['at the top right', written('client/ui/message-area.tsx', /position="(.+?)"/), 'top-right'],
  ['those of a refused file last 20', uploadErrorMs, 20_000],

  ['a page has 10, 25 or 50 lines', pageSizes, [10, 25, 50]],
  [
    'and 25 unless chosen',
    written('client/ui/lists/use-list-address.ts', /limit: defaultLimit = (\d+)/),
    '25',
  ],
  ['on the server too', written('contract/list.ts', /defaultLimit = (\d+)/), '25'],
  ['a table of the home has 100', written('client/home/due-lists.ts', /homeLimit = (\d+)/), '100'],
  ['the pager shows 10 pages', written('client/ui/lists/pager.tsx', /widest = (\d+)/), '10'],

  ['a search waits 500 ms', stillMs, 500],
  ['unless said', written('client/ui/lists/search-filter.tsx', /ms = (\w+)/), 'stillMs'],
  ['a long one 1000', longStillMs, 1000],
  ['that of references', waits('catalogue/reference-list-screen'), ['longStillMs']],
  ['of bar codes', waits('labels/label-list-screen'), ['longStillMs']],
  ['of keywords', written('client/catalogue/keyword-list-screen.tsx', /searchMs=\{(\w+)\}/), 'longStillMs'],
  ['and of lists not', waits('catalogue/list-value-screen'), ['stillMs']],
  [
    'references are read again after 500 ms',
    written('client/catalogue/reference-list-screen.tsx', /reloadMs=\{(\w+)\}/),
    'stillMs',
  ],
  [
    'statistics of readers wait 3000 ms',
    written('client/stats/reader-stats-screen.tsx', /stillMs = (\d+)/),
    '3000',
  ],

  ['20 copies are proposed', written('client/catalogue/copy-data.ts', /copyLimit = (\d+)/), '20'],
  ['10 references', written('client/catalogue/reference-picker.tsx', /limit = (\d+)/), '10'],
  ['10 readers', autocompleteBeneficiaries.list.largestLimit, 10],
  ['300 keywords', written('client/catalogue/reference-data.ts', /keywords\.list, \{\s*limit: (\d+)/), '300'],

  ['the calendar has 50 references', mostReferences, 50],
  ['12 weeks', weeksShown, 12],
  ['from two before the current one', firstDayShown('2026-03-12', 4, 0), '2026-02-26'],
  ['which begins on a Thursday', deliveredParameters.calendar_week_day.delivered, '4'],
  ['Monday is 1', weekdayOf('2026-03-09'), 1],
  ['Sunday is 7', weekdayOf('2026-03-15'), 7],

  [
    'a loan lasts days unless said',
    durationTypes[defaultDuration({ duration: null, duration_type: null }).duration_type],
    'Jour(s)',
  ],
  ['a reference costs 0.00', written('client/catalogue/reference-add-screen.tsx', /price: '(.+?)'/), '0.00'],
  ['is a Location', written('client/catalogue/reference-add-screen.tsx', /type: '(.+?)'/), 'Location'],
  ['a copy is as new', written('client/catalogue/copy-dialog.tsx', /state: '(\w+)'/), 'VERY_GOOD'],
  [
    'also where nobody says so',
    written('server/db/migrations/baseline/catalogue.ts', /state text not null default '(\w+)'/),
    'VERY_GOOD',
  ],

  ['loans are by start, the last first', loanList.defaultOrder, ['start_date', 'desc']],
  ['readers by name', listBeneficiaries.list.defaultOrder, ['lastname', 'asc']],
  ['references by age, the newest first', referenceList.defaultOrder, ['created_at', 'desc']],
  ['bar codes too', ordersOf('/api/bar_codes'), ['created_at', 'desc']],
  [
    'reservations by their day, the last first',
    reservations.list.list.defaultOrder,
    ['reservation_date', 'desc'],
  ],
  ['sales too', saleList.defaultOrder, ['date', 'desc']],
  ['copies by bar code', copyList.defaultOrder, ['bar_code', 'asc']],
  [
    'the home by name, from the end',
    written('client/home/due-lists.ts', /\[\{ (field: .+?) \}\]/),
    "field: 'beneficiary_lastname', direction: 'desc'",
  ],
  ...[
    'categories',
    'keywords',
    'media',
    'reasons',
    'sites',
    'list_types',
    'list_values',
    'users',
    'profiles',
  ].map((name): [string, unknown, unknown] => [`${name} by name`, ordersOf(`/api/${name}`), ['name', 'asc']]),
  ['locations by label', ordersOf('/api/locations'), ['label', 'asc']],

  ['references sort down first', cycleOf('catalogue/reference-list-screen'), 'desc-first'],
  ['the home too', written('client/home/due-lists.ts', /cycle: '(.+?)'/), 'desc-first'],
  ['readers up first', cycleOf('beneficiaries/reader-list-screen'), 'asc-first'],
  ['loans too', cycleOf('loans/loan-list-screen'), 'asc-first'],
  ['transfers too', cycleOf('transfers/transfer-list-screen'), 'asc-first'],

  [
    'a file is named by a word and an instant',
    fileName('prets', 'pdf', new Date('2026-03-10T08:00:05Z'), 'Europe/Paris'),
    'prets-20260310-090005.pdf',
  ],
  ['loans', exportedAs('loans/export-loans'), 'prets'],
  ['readers', exportedAs('beneficiaries/export-beneficiaries'), 'beneficiaires'],
  ['references', exportedAs('catalogue/export-references'), 'references'],
  ['copies', exportedAs('catalogue/export-copies'), 'exemplaires'],
  ['reservations', exportedAs('reservations/export-reservations'), 'reservations'],
  ['sales', exportedAs('sales/export-sales'), 'ventes'],
  ['statistics of references', exportedAs('stats/reference-stats'), 'stats-refs'],
  [
    'the address of a preview lives 100 ms',
    written('client/catalogue/reference-image-section.tsx', /revokeMs = (\d+)/),
    '100',
  ],

  ['a synchronisation locks for 3 minutes', lockSeconds, 3 * 60],
  ['and counts an hour down', resultsSeconds, 60 * 60],
  ['50 links need no warning', linksWithoutWarning, 50],
  ['40 characters of a value are shown', shortValue('a'.repeat(41)), `${'a'.repeat(40)}…`],
  ['and no fewer', shortValue('a'.repeat(40)), 'a'.repeat(40)],
  ['a file has 16,000,000 bytes at most', largestFile, 16_000_000],
  [
    'also all together',
    fileProblem(fileOf(1), { kind: 'pdf' }, [{ ...fileOf(16_000_000), name: 'b.pdf' }]),
    expect.stringContaining('ne doit pas excéder 16Mo.'),
  ],
  [
    'unless said',
    fileProblem(fileOf(2_000_000), { kind: 'pdf', mostInAll: 1_000_000 }, []),
    expect.stringContaining('ne doit pas excéder 1Mo.'),
  ],
  ['a name has 25 characters', shortFileName(`${'a'.repeat(21)}.pdf`), `${'a'.repeat(21)}.pdf`],
  ['or its first 20', shortFileName(`${'a'.repeat(22)}.pdf`), `${'a'.repeat(20)}[...].pdf`],
  [
    'statistics are of the month',
    monthOf('2026-03-10'),
    { start_date: '2026-03-01', end_date: '2026-03-31' },
  ],

  [
    'a reader is labelled so',
    beneficiaryLabel({ matricule: 'M1', lastname: 'Martin', firstname: 'Alice', reader_id: null }),
    'M1 - Martin Alice',
  ],
  [
    'with the number where there is one',
    beneficiaryLabel({ matricule: 'M1', lastname: 'Martin', firstname: 'Alice', reader_id: 'R1' }),
    expect.stringMatching(/^M1 - Martin Alice\b.*\bR1\b/),
  ],
  ['bar codes are numbered', deliveredParameters.barCodesIncrement.delivered, '1'],
  [
    'the code of the site first at START',
    barCodeParts({ siteCode: 'C', firstValue: '0001' }, 'START'),
    { before: 'C', after: '', width: 4, first: 1 },
  ],
  [
    'last otherwise',
    barCodeParts({ siteCode: 'C', firstValue: '0001' }, 'END'),
    { before: '', after: 'C', width: 4, first: 1 },
  ],
  ['money is in €, with a comma and two decimals', frenchMoney('1234.5'), '1\u202f234,50\u00a0€'],
  ['and 0,00 where there is none', frenchMoney(''), '0,00\u00a0€'],
  ['half of a half-donut is empty', written('client/stats/stat-panel.tsx', /inner = outer \/ (\d)/), '2'],
  [
    'a key is of version 4 and 36 characters',
    newKey(),
    expect.stringMatching(/^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/),
  ],
]

it.each(constants)('%s', (_, actual, specified) => {
  expect(actual).toEqual(specified)
})

/** File 2, section 9, « updatable global parameters », and file 1, section 1; each as an empty environment begins. */
const flags = {
  online_booking_enabled: '0',
  enable_reservations_amount: '0',
  multiple_reservations: '0',
  fast_input: '1',
  sync_relatives: '0',
  relative_search: '0',
  multisite: '0',
  by_site_beneficiaries: '0',
  cms_show_all_sites_copies: '0',
  reservations_without_dates: '1',
  recap_email: '0',
} as const

describe('the flag', () => {
  it.each(Object.entries(flags))('%s is delivered as %s, and 1 is true', (code, delivered) => {
    const row = deliveredParameters[code as keyof typeof flags]
    expect({ kind: row.kind, delivered: row.delivered }).toEqual({ kind: 'flag', delivered })
    expect(['1', '0', 'true', '2', ''].map((value) => parameterFault(code, value) === null)).toEqual([
      true,
      true,
      false,
      false,
      false,
    ])
  })
})

it('Comptoir delivers the other parameters that both files name', () => {
  const { work_council, timezone, delay_days_number_before_penalize, barCodesSiteCodePosition } =
    deliveredParameters
  expect(
    [work_council, timezone, delay_days_number_before_penalize, barCodesSiteCodePosition].map(
      ({ delivered }) => delivered,
    ),
  ).toEqual(['Comptoir', 'Europe/Paris', '0', 'START'])
})
