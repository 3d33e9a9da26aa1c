import { describe, expect, it } from 'vitest'

import type { SnapshotBeneficiary, SnapshotReservation } from '../../src/contract/snapshot.ts'
import {
  findBeneficiary,
  findCard,
  findLabel,
  findCopy,
  findLentHere,
  findReader,
  libraryToday,
  openLoansOf,
  searchReaders,
} from '../../src/offline/counter.ts'
import { actionToReturn, actionToVerify } from '../../src/offline/counter-actions.ts'
import {
  biblio,
  change,
  copyRow,
  freshDevice,
  keepMeta,
  lending,
  loadSnapshot,
  loanRow,
  readerRow,
  record,
  reservationRow,
  returning,
} from './device.ts'

freshDevice()

const today = '2026-03-10'
const settings = { media: [], reasons: [], parameters: { timezone: 'Indian/Reunion' } }

describe('libraryToday', () => {
  // On Réunion it is 1 in the morning of the 11th.
  const now = new Date('2026-03-10T21:00:00Z')

  it('is the day in the library’s zone, Paris’s before that is known', async () => {
    expect(await libraryToday(now)).toBe('2026-03-10')
    await loadSnapshot({ settings })
    expect(await libraryToday(now)).toBe('2026-03-11')
  })

  it('is by the server’s clock where that was measured', async () => {
    await keepMeta('clock', { offset: 24 * 3600_000, measured_at: '' })
    expect(await libraryToday(now)).toBe('2026-03-09')
  })
})

describe('findCopy', () => {
  it('knows no copy without data, nor one of another library', async () => {
    expect(await findCopy('1001', today)).toBeNull()
    await loadSnapshot({ copies: [copyRow(1)] })
    expect(await findCopy('9999', today)).toBeNull()
  })

  it('tells the copy with its medium, its loan and its reader', async () => {
    const medium = { id: 5, name: 'Film' }
    await loadSnapshot({
      copies: [copyRow(1, { medium: 5 }), copyRow(2)],
      beneficiaries: [readerRow(1)],
      loanings: [loanRow(1, { id: 11 })],
      settings: { ...settings, media: [{ id: 4, name: 'Jeu' }, medium] as never },
    })
    expect(await findCopy('1001', '2026-03-11')).toMatchObject({
      copy: { id: 1, status: 'En Location', state: 'GOOD' },
      medium,
      loan: { loan_id: 11, late: true },
      borrower: { id: 1, lastname: 'Martin' },
      reservations: [],
    })
    expect(await findCopy('1002', today)).toMatchObject({
      copy: { status: 'Disponible' },
      medium: null,
      loan: null,
      borrower: null,
    })
  })

  it('tells no borrower that the device does not know', async () => {
    await loadSnapshot({ copies: [copyRow(1)], loanings: [loanRow(1, { beneficiary: null })] })
    expect(await findCopy('1001', today)).toMatchObject({ loan: { beneficiary_id: 0 }, borrower: null })
  })

  it('lays over it what was done here', async () => {
    await loadSnapshot({
      copies: [copyRow(1, { status: 'En Location', site: 3, medium: 7 }), copyRow(2)],
      loanings: [loanRow(1)],
    })
    await record(returning(1))
    expect(await findCopy('1001', today)).toMatchObject({
      copy: { status: 'Disponible', state: 'GOOD' },
      loan: null,
    })
    await record(lending(1, 1), { ...biblio, site: 0 })
    expect(await findCopy('1001', today)).toMatchObject({
      copy: { status: 'En Location' },
      loan: { waiting: true, site: 3, medium: 7 },
    })
  })

  it.each([
    ['UNUSABLE', 'Non Disponible'],
    ['DAMAGED', 'Disponible'],
  ])('of a copy that came back %s says « %s »', async (state, status) => {
    await loadSnapshot({ copies: [copyRow(1, { status: 'En Location' })] })
    await record({ ...returning(1), body: { bar_code: '1001', state } })
    expect((await findCopy('1001', today))?.copy).toMatchObject({ state, status })
  })

  it('keeps a status that nothing done here changed', async () => {
    await loadSnapshot({ copies: [copyRow(1, { status: 'En transfert', state: 'UNUSABLE' })] })
    expect((await findCopy('1001', today))?.copy).toMatchObject({ status: 'En transfert', state: 'UNUSABLE' })
  })

  it('finds the reservations of its title, in their order', async () => {
    const rows: [number, Partial<SnapshotReservation>][] = [
      [1, { start_date: '2026-04-01', queue_position: 1 }],
      [2, { start_date: null, queue_position: 2 }],
      [4, { start_date: null, queue_position: 1 }],
      [3, { start_date: null, queue_position: 1 }],
      [5, { copy_id: 1, queue_position: null }],
      [6, { copy_id: 2 }],
      [7, { copy_id: 2, set_aside_copy: 1, queue_position: 9 }],
      [8, { copy_id: 1, set_aside_copy: 2 }],
      [9, { reference_id: 99 }],
    ]
    await loadSnapshot({
      copies: [copyRow(1)],
      reservations: rows.map(([n, changes]) => reservationRow(n, changes)),
    })
    expect((await findCopy('1001', today))?.reservations.map(({ id }) => id)).toEqual([
      5, 3, 4, 2, 6, 8, 7, 1,
    ])
  })

  it('leaves out who leaves with another copy of the title, whatever was set aside for them', async () => {
    await loadSnapshot({
      copies: [copyRow(1), copyRow(2, { reference: 1 })],
      reservations: [
        reservationRow(1, { set_aside_copy: 1, queue_position: null }),
        reservationRow(2, { beneficiary_id: 2, queue_position: 1 }),
      ],
    })
    await record(lending(2))
    expect((await findCopy('1001', today))?.reservations.map(({ id }) => id)).toEqual([2])
  })

  it('tells what its title can give besides, where days of it are reserved', async () => {
    const copies = [
      copyRow(1),
      copyRow(2, { reference: 1 }),
      copyRow(3, { reference: 1 }),
      copyRow(4, { reference: 1, type: 'Vente' }),
      copyRow(5, { reference: 1, status: 'Non Disponible' }),
      copyRow(6),
    ]
    const reserved = reservationRow(1, { start_date: '2026-03-12', end_date: '2026-03-14' })
    await loadSnapshot({ copies, loanings: [loanRow(2)], reservations: [reserved] })
    await record(lending(3))
    const capacity = async () => (await findCopy('1001', today))?.capacity
    const lent = { start_date: '2026-02-17', end_date: '2026-03-10' }
    expect(await capacity()).toMatchObject({ copies: 3, loans: [lent, { end_date: '2026-03-31' }] })
    await record(returning(2))
    expect((await capacity())?.loans).toHaveLength(1)
    await loadSnapshot({ copies, reservations: [{ ...reserved, copy_id: 2 }] })
    expect(await capacity()).toBeNull()
  })

  it('goes by today where it is not told the day', async () => {
    await loadSnapshot({ copies: [copyRow(1)], loanings: [loanRow(1, { end_date: '2000-01-01' })] })
    expect((await findCopy('1001'))?.loan?.late).toBe(true)
  })
})

describe('findLentHere', () => {
  it('finds a loan that waits, of a copy that the snapshot lacks', async () => {
    const { id } = await record(lending(1))
    expect(await findLentHere('1001', today)).toMatchObject({ loan_key: id, bar_code: '1001', medium: null })
    expect(await findLentHere('1002', today)).toBeNull()
  })

  it('finds none once the copy came back, or the loan is done', async () => {
    const made = await record(lending(1))
    await change(await record(lending(2)), { state: 'done' })
    await record(returning(1, made))
    expect(await findLentHere('1001', today)).toBeNull()
    expect(await findLentHere('1002', today)).toBeNull()
  })

  it('finds a loan by the code that was read, whose return depends on it', async () => {
    const { id } = await record(actionToVerify({ copy: { code: '31555' }, beneficiary: { code: '21555' } }))
    const loan = await findLentHere('31555', today)
    expect(loan).toMatchObject({ loan_key: id, waiting: true, end_date: null, late: false })
    const back = actionToReturn({ bar_code: '31555', copy: null, loan, beneficiary: null })
    expect(back).toMatchObject({ depends_on: id, body: { loan_key: id } })
    await record(back)
    expect(await findLentHere('31555', today)).toBeNull()
  })

  it('is late by today where it is not told the day', async () => {
    await record({ ...lending(1), label: { ...lending(1).label, due: '2000-01-01' } })
    expect((await findLentHere('1001'))?.late).toBe(true)
  })
})

describe('findReader', () => {
  const relative = (reader_id: string) => ({ id: 5, name: 'Zoé Dupont', reader_id })

  it('goes by the reader’s own card, before a relative’s and before a number', async () => {
    await loadSnapshot({
      beneficiaries: [
        readerRow(1, { matricule: 'X' }),
        readerRow(2, { reader_id: 'A', relatives: [relative('Y'), relative('X')] }),
        readerRow(3, { reader_id: 'X' }),
      ],
    })
    expect(await findReader('X')).toMatchObject({ beneficiary: { id: 3 }, relative: null })
    expect(await findReader('Y')).toMatchObject({ beneficiary: { id: 2 }, relative: { reader_id: 'Y' } })
  })

  it('goes by a relative’s card before a number, and by a number last', async () => {
    await loadSnapshot({
      beneficiaries: [readerRow(1, { matricule: 'X' }), readerRow(2, { relatives: [relative('X')] })],
    })
    expect(await findReader('X')).toMatchObject({ beneficiary: { id: 2 }, relative: { name: 'Zoé Dupont' } })
    expect(await findReader('M2')).toMatchObject({ beneficiary: { id: 2 }, relative: null })
  })

  it('knows nobody without data, nor by another number', async () => {
    expect(await findReader('R1')).toBeNull()
    await loadSnapshot({ beneficiaries: [readerRow(1)] })
    expect(await findReader('R2')).toBeNull()
  })
})

it('findBeneficiary finds a reader by their number in the database', async () => {
  expect(await findBeneficiary(1)).toBeNull()
  await loadSnapshot({ beneficiaries: [readerRow(1)] })
  expect(await findBeneficiary(1)).toMatchObject({ id: 1, lastname: 'Martin' })
  expect(await findBeneficiary(2)).toBeNull()
})

describe('findLabel', () => {
  it('has the copy of the first form that is known, and whose card is so numbered as well', async () => {
    expect(await findLabel(['1001'])).toBeNull()
    await loadSnapshot({
      copies: [copyRow(1), copyRow(2)],
      beneficiaries: [readerRow(1), readerRow(2, { reader_id: '1002' })],
    })
    expect(await findLabel(['9999'])).toBeNull()
    expect(await findLabel(['9999', '1001', '1002'])).toMatchObject({
      known: { copy: { id: 1 } },
      card: null,
    })
    expect(await findLabel(['1002'])).toMatchObject({
      known: { copy: { id: 2 } },
      card: { beneficiary: { id: 2 }, relative: null },
    })
  })
})

describe('findCard', () => {
  it('goes by the matricule of who has no card, and of nobody else', async () => {
    await loadSnapshot({
      beneficiaries: [
        readerRow(1, { reader_id: null, matricule: '1001' }),
        readerRow(2, { matricule: '1002' }),
      ],
    })
    expect(await findCard('1001')).toMatchObject({ beneficiary: { id: 1 }, relative: null })
    expect(await findCard('1002')).toBeNull()
    expect(await findCard('R2')).toMatchObject({ beneficiary: { id: 2 } })
  })
})

describe('searchReaders', () => {
  const found = async (text: string, limit?: number, day: string | undefined = today) =>
    (await searchReaders(text, limit, day)).map(({ id }) => id)
  const named = (n: number, lastname: string, firstname: string, more: Partial<SnapshotBeneficiary> = {}) =>
    readerRow(n, { lastname, firstname, ...more })

  it('finds nobody without data', async () => {
    expect(await found('martin')).toEqual([])
  })

  it('finds those of whom a name or number begins with each word, by name', async () => {
    await loadSnapshot({
      beneficiaries: [
        named(1, 'Martin', 'Zoé'),
        named(2, 'Martin', 'Éric'),
        named(3, 'Émartin', 'Paul'),
        named(4, 'Durand', 'Martine', { relatives: [{ id: 5, name: 'Léo Petit', reader_id: 'K9' }] }),
      ],
    })
    expect(await found('martin')).toEqual([4, 2, 1])
    expect(await found('MART éri')).toEqual([2])
    expect(await found('petit')).toEqual([4])
    expect(await found('k9')).toEqual([4])
    expect(await found('martin durand')).toEqual([4])
    expect(await found('martin petit zoe')).toEqual([])
    expect(await found('tin')).toEqual([])
    expect(await found(' - ')).toEqual([])
    expect(await found('e')).toEqual([3, 2])
  })

  it('leaves out those who have left, from that day on', async () => {
    await loadSnapshot({
      beneficiaries: [
        named(1, 'Martin', 'A', { exit_date: '2026-03-09' }),
        named(2, 'Martin', 'B', { exit_date: today }),
        named(3, 'Martin', 'C', { exit_date: '2026-03-11' }),
      ],
    })
    expect(await found('martin')).toEqual([3])
    expect((await searchReaders('martin')).map(({ id }) => id)).toEqual([])
  })

  it('shows ten, or as many as it is asked for', async () => {
    await loadSnapshot({
      beneficiaries: Array.from({ length: 12 }, (_, n) =>
        named(n + 1, `Martin${String(n).padStart(2, '0')}`, ''),
      ),
    })
    expect(await found('martin')).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
    expect(await found('martin', 3)).toEqual([1, 2, 3])
  })
})

describe('openLoansOf', () => {
  it('has what nobody knows the day of last', async () => {
    await loadSnapshot({ copies: [copyRow(1)], beneficiaries: [readerRow(1)], loanings: [loanRow(1)] })
    await record(actionToVerify({ copy: { code: '31555' }, beneficiary: readerRow(1) }))
    expect(await openLoansOf(1, today)).toMatchObject([
      { bar_code: '1001' },
      { bar_code: '31555', end_date: null, late: false, waiting: true },
    ])
  })

  it('lists a reader’s loans, but for those out of sight', async () => {
    expect(await openLoansOf(1, today)).toEqual([])
    await loadSnapshot({
      loanings: [loanRow(1), loanRow(2, { copy_barcode: '' }), loanRow(3, { beneficiary: 2 })],
    })
    expect(await openLoansOf(1, today)).toMatchObject([{ bar_code: '1001', late: false }])
    expect(await openLoansOf(1)).toMatchObject([{ bar_code: '1001', late: true }])
  })
})
