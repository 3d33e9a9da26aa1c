import { describe, expect, it } from 'vitest'

import { transact } from '../../src/offline/device-store.ts'
import {
  type KnownLibrary,
  knownCalendarOf,
  numberKnown,
  openingsKnown,
  readLibrary,
} from '../../src/offline/known-library.ts'
import {
  copyRow,
  freshDevice,
  keepMeta,
  lending,
  loadSnapshot,
  loanRow,
  metaOf,
  readerRow,
  record,
  reservationRow,
} from './device.ts'

freshDevice()

const read = <T>(work: (library: KnownLibrary) => T | Promise<T>) =>
  readLibrary(async (library) => (library ? await work(library) : null))
const settings = { media: [], reasons: [], parameters: { longest_loan_days: '366' } }
const openings = {
  weeks: [{ site: 1, weekdays: [2, 3] }],
  closures: [{ site: null, first_day: '2026-07-14', last_day: '2026-07-14' }],
}

describe('readLibrary', () => {
  it('knows nothing before a snapshot is complete', async () => {
    expect(await readLibrary((library) => Promise.resolve(library))).toBeNull()
  })

  it('finds every kind of row by what the counter has in hand', async () => {
    await loadSnapshot({
      copies: [copyRow(1), copyRow(2)],
      beneficiaries: [
        readerRow(1, { relatives: [{ id: 5, name: 'Zoé Dupont', reader_id: 'R1A' }] }),
        readerRow(2, { lastname: 'Marty' }),
      ],
      loanings: [loanRow(1), loanRow(2, { beneficiary: 2 })],
      reservations: [reservationRow(1), reservationRow(2, { reference_id: 9 })],
      settings,
    })
    const ids = (rows: readonly { id: number }[]) => rows.map(({ id }) => id)
    await read(async (library) => {
      expect(await library.copyById(2)).toMatchObject({ bar_code: '1002' })
      expect(await library.copyByBarCode('1001')).toMatchObject({ id: 1 })
      expect(await library.beneficiaryById(1)).toMatchObject({ matricule: 'M1' })
      for (const code of ['M1', 'R1', 'R1A'])
        expect(ids(await library.beneficiariesByCode(code))).toEqual([1])
      expect(await library.beneficiaryIdsByWord('mart')).toEqual([1, 2])
      expect(await library.beneficiaryIdsByWord('marti')).toEqual([1])
      expect(await library.beneficiaryIdsByWord('dupont')).toEqual([1])
      expect(ids(await library.loansOfCopy(1))).toEqual([1])
      expect(await library.loanById(2)).toMatchObject({ beneficiary: 2 })
      expect(ids(await library.loansOfBeneficiary(2))).toEqual([2])
      expect(ids(await library.reservationsOf(1))).toEqual([1])
      expect(library).toMatchObject({
        mark: { site: 1, environment_id: 1, asked_at: '2026-03-10T09:00:00.000Z' },
        settings,
        clock: null,
      })
    })
  })

  it('lays over it what was done here', async () => {
    await loadSnapshot({ copies: [copyRow(1)] })
    const { id } = await record(lending(1))
    const copy = { copy_id: 1, bar_code: '1001' }
    expect(await read(async (library) => (await library.overlay()).lastOn(copy)?.id)).toBe(id)
    expect(await read(async (library) => (await library.overlayOn([copy])).lastOn(copy)?.id)).toBe(id)
  })

  it('reads the other side once the sides were swapped', async () => {
    await loadSnapshot({ copies: [copyRow(1)] })
    const mark = await metaOf('snapshot')
    if (!mark) throw new Error('no snapshot')
    const other = mark.side === 'a' ? 'b' : 'a'
    const both = () => read((library) => Promise.all([1, 2].map((id) => library.copyById(id))))
    expect(await both()).toMatchObject([{ id: 1 }, undefined])
    await transact(['meta', `copies_${other}`], 'readwrite', async (tx) => {
      await tx.objectStore(`copies_${other}`).put(copyRow(2))
      await tx.objectStore('meta').put({ ...mark, side: other }, 'snapshot')
    })
    expect(await both()).toMatchObject([undefined, { id: 2 }])
  })
})

describe('what is known of the rules', () => {
  it('numberKnown reads a parameter, and knows none that was not told', async () => {
    await loadSnapshot({ settings })
    expect(await read((library) => numberKnown(library, 'longest_loan_days'))).toBe(366)
    expect(await read((library) => numberKnown(library, 'earliest_start_days'))).toBeUndefined()
    expect(numberKnown(null, 'longest_loan_days')).toBeUndefined()
  })

  it('openingsKnown and knownCalendarOf are always open before a device is told', async () => {
    expect(openingsKnown(null)).toEqual({ weeks: [], closures: [] })
    expect(await knownCalendarOf(1)).toEqual({ weekdays: [1, 2, 3, 4, 5, 6, 7], closures: [] })
    await loadSnapshot({ settings })
    expect(await read(openingsKnown)).toEqual({ weeks: [], closures: [] })
    await loadSnapshot({ settings: { ...settings, openings } })
    expect(await read(openingsKnown)).toEqual(openings)
    expect(await knownCalendarOf(1)).toEqual({ weekdays: [2, 3], closures: openings.closures })
  })
})

it('readLibrary shows the clock as it was last measured', async () => {
  await loadSnapshot({})
  await keepMeta('clock', { offset: 7, measured_at: '' })
  expect(await read(({ clock }) => clock?.offset)).toBe(7)
})
