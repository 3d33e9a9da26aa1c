import { describe, expect, it } from 'vitest'

import { readLibrary } from '../../src/offline/known-library.ts'
import { isShown, loanOfEntry, loansInLibrary, openLoanOn, zoneOf } from '../../src/offline/open-loans.ts'
import {
  biblio,
  change,
  copyRow,
  freshDevice,
  lending,
  loadSnapshot,
  loanRow,
  record,
  returning,
} from './device.ts'

freshDevice()

const day = '2026-03-10'
const context = { day, zone: 'Europe/Paris', medium: 1 }
/** Half past eleven at night in Paris, still the day before in UTC. */
const late = new Date('2026-03-08T23:30:00Z')
const lent = (n: number, more = {}) => record({ ...lending(n), ...more }, biblio, late)

describe('loanOfEntry', () => {
  it('is the loan as it was made here, on the day of the library', async () => {
    const entry = await lent(1)
    expect(loanOfEntry(entry, context)).toEqual({
      loan_id: null,
      loan_key: entry.id,
      copy_id: 1,
      bar_code: '1001',
      title: 'Livre numéro 1',
      medium: 1,
      site: 1,
      beneficiary_id: 1,
      start_date: '2026-03-09',
      end_date: '2026-03-31',
      late: false,
      waiting: true,
    })
    expect(loanOfEntry(entry, { ...context, zone: 'UTC' }).start_date).toBe('2026-03-08')
  })

  it('begins when the clock was right, or on the day that was chosen', async () => {
    const entry = await lent(1)
    expect(loanOfEntry({ ...entry, clock_offset: 24 * 3600_000 }, context).start_date).toBe('2026-03-08')
    const chosen = await lent(2, { body: { copy: 2, beneficiary: 1, start_date: '2026-03-02' } })
    expect(loanOfEntry(chosen, context).start_date).toBe('2026-03-02')
    const settling = {
      ...entry,
      endpoint: 'conflicts.settle',
      body: { action: { endpoint: 'loanings.lend', body: { start_date: '2026-03-04' } } },
    } as const
    expect(loanOfEntry(settling, context).start_date).toBe('2026-03-04')
  })

  it('ends as the server says, else as the reader was told, else on no day that is known', async () => {
    const entry = await lent(1)
    const done = { ...entry, state: 'done', receipt: { id: 12, end_date: '2026-04-02' } } as const
    expect(loanOfEntry(done, context)).toMatchObject({ loan_id: 12, end_date: '2026-04-02', waiting: false })
    expect(loanOfEntry({ ...done, receipt: { id: 12 } }, context)).toMatchObject({ end_date: '2026-03-31' })
    const untold = { ...entry, label: { ...entry.label, due: null } }
    expect(loanOfEntry(untold, { ...context, day: '2026-12-31' })).toMatchObject({
      end_date: null,
      late: false,
    })
  })

  it('is of the lender’s site, or the copy’s where they work for none in particular', async () => {
    const entry = { ...(await lent(1)), site: 0 }
    expect(loanOfEntry(entry, { ...context, copy_site: 4 }).site).toBe(4)
    expect(loanOfEntry(entry, context).site).toBeNull()
    expect(loanOfEntry({ ...entry, site: 2 }, { ...context, copy_site: 4 }).site).toBe(2)
  })

  it('tells nobody and nothing where it knows neither', async () => {
    const entry = { ...(await lent(1)), beneficiary_id: null, bar_code: null }
    expect(loanOfEntry(entry, context)).toMatchObject({ beneficiary_id: 0, bar_code: '' })
  })
})

describe('openLoanOn', () => {
  const row = loanRow(1, { id: 12 })

  it('is the snapshot’s loan where nothing was done here', () => {
    expect(openLoanOn(row, null, context)).toEqual({
      loan_id: 12,
      loan_key: null,
      copy_id: 1,
      bar_code: '1001',
      title: 'Livre numéro 1',
      medium: 1,
      site: 1,
      beneficiary_id: 1,
      start_date: '2026-02-17',
      end_date: '2026-03-10',
      late: false,
      waiting: false,
    })
    expect(openLoanOn(row, null, { ...context, day: '2026-03-11' })?.late).toBe(true)
    expect(openLoanOn(null, null, context)).toBeNull()
  })

  it('tells a loan out of sight by neither its reader nor its site', () => {
    const { site: _, ...before } = loanRow(1, { beneficiary: null })
    expect(openLoanOn(before, null, context)).toMatchObject({ beneficiary_id: 0, site: null })
  })

  it('is none once the copy came back here', async () => {
    expect(openLoanOn(row, await record(returning(1)), context)).toBeNull()
  })

  it('is the loan made here, unless the snapshot has that very loan', async () => {
    const entry = await lent(1)
    expect(openLoanOn(null, entry, context)).toMatchObject({ loan_key: entry.id })
    expect(openLoanOn(row, entry, context)).toMatchObject({ loan_id: null, loan_key: entry.id })
    const done = { ...entry, state: 'done', receipt: { id: 12 } } as const
    expect(openLoanOn(row, done, context)).toMatchObject({ loan_id: 12, loan_key: null })
  })
})

it('isShown leaves out a loan without a bar code', () => {
  expect([isShown({ copy_barcode: '1001' }), isShown({ copy_barcode: '' })]).toEqual([true, false])
})

describe('loansInLibrary', () => {
  const loansOf = (reader: number) =>
    readLibrary(async (library) =>
      library
        ? (await loansInLibrary(library, reader, day)).map(({ bar_code, loan_id }) => [bar_code, loan_id])
        : null,
    )

  it('lays what was done here over the snapshot, the first due first', async () => {
    await loadSnapshot({
      copies: [1, 2, 3, 4].map((n) => copyRow(n)),
      loanings: [
        loanRow(1, { id: 11, end_date: '2026-04-30' }),
        loanRow(2, { id: 12 }),
        loanRow(3, { id: 13, end_date: '2026-03-12' }),
        loanRow(9, { id: 19, beneficiary: 2 }),
      ],
    })
    expect(await loansOf(1)).toEqual([
      ['1002', 12],
      ['1003', 13],
      ['1001', 11],
    ])
    await record(returning(2))
    await record(lending(4))
    await record(lending(7, 2))
    expect(await loansOf(1)).toEqual([
      ['1003', 13],
      ['1004', null],
      ['1001', 11],
    ])
    expect(await loansOf(2)).toEqual([
      ['1009', 19],
      ['1007', null],
    ])
  })

  it('counts once what both know, by its number or its key', async () => {
    const [byNumber, byKey] = [await record(lending(1)), await record(lending(2))]
    const settled = { state: 'done', settled_at: '2026-03-10T10:00:00.000Z' } as const
    await change(byNumber, { ...settled, receipt: { id: 11 } })
    await change(byKey, { ...settled, receipt: null })
    await loadSnapshot({ loanings: [loanRow(1, { id: 11 }), loanRow(2, { id: 12, loan_key: byKey.id })] })
    expect(await loansOf(1)).toEqual([
      ['1001', 11],
      ['1002', 12],
    ])
  })

  it('counts the copy for whoever had it last here', async () => {
    await record(lending(1, 1))
    await record(lending(1, 2))
    await loadSnapshot({ loanings: [loanRow(1, { beneficiary: 1 })] })
    expect(await loansOf(1)).toEqual([])
    expect(await loansOf(2)).toEqual([['1001', null]])
  })

  it('has the medium and the site of the copy, where it knows it', async () => {
    await loadSnapshot({ copies: [copyRow(1, { medium: 5, site: 3 })] })
    await record(lending(1), { ...biblio, site: 0 })
    await record(lending(8), { ...biblio, site: 0 })
    await record({ ...lending(9), copy_id: null }, { ...biblio, site: 0 })
    const loans = await readLibrary(async (library) => (library ? loansInLibrary(library, 1, day) : []))
    expect(loans.map(({ bar_code, medium, site }) => [bar_code, medium, site])).toEqual([
      ['1001', 5, 3],
      ['1008', null, null],
      ['1009', null, null],
    ])
  })
})

it('zoneOf is the library’s, and Paris’s where that is not known', async () => {
  const settings = { media: [], reasons: [], parameters: {} }
  expect(zoneOf(null)).toBe('Europe/Paris')
  await loadSnapshot({ settings })
  expect(await readLibrary((library) => Promise.resolve(zoneOf(library)))).toBe('Europe/Paris')
  await loadSnapshot({ settings: { ...settings, parameters: { timezone: 'Indian/Reunion' } } })
  expect(await readLibrary((library) => Promise.resolve(zoneOf(library)))).toBe('Indian/Reunion')
})
