import { beforeEach, describe, expect, it } from 'vitest'

import type { SnapshotPage } from '../../src/contract/snapshot.ts'
import type { LoadingMark } from '../../src/offline/device-meta.ts'
import { type Side, snapshotKinds, transact } from '../../src/offline/device-store.ts'
import { emptySide, emptyUnusedSide } from '../../src/offline/empty-side.ts'
import { requireRun, writePage } from '../../src/offline/snapshot-store.ts'
import {
  copyRow,
  freshDevice,
  keepMeta,
  loanRow,
  metaOf,
  pageOf,
  readerRow,
  reservationRow,
} from './device.ts'

freshDevice()

const loading = (side: Side): LoadingMark => ({
  run: 'le mien',
  mode: 'full',
  side,
  environment_id: 1,
  site: 1,
  cursor: null,
  began_at: '',
  rows: 0,
  total: 0,
})
beforeEach(() => keepMeta('loading', loading('a')))

const write = (page: Partial<SnapshotPage>, side: Side = 'a', run = 'le mien') =>
  writePage(pageOf(page), side, run)
const counts = (side: Side) =>
  Promise.all(
    snapshotKinds.map((kind) => transact([`${kind}_${side}`], 'readonly', (tx) => tx.store.count())),
  )
const settings = { media: [], reasons: [], parameters: {} }
const everything = {
  copies: [copyRow(1), copyRow(2)],
  beneficiaries: [readerRow(1)],
  loanings: [loanRow(1)],
  reservations: [reservationRow(1)],
  settings,
}

describe('writePage', () => {
  it('puts each kind of row on its side, with the settings, and counts them', async () => {
    expect(await write(everything)).toBe(5)
    expect([await counts('a'), await counts('b')]).toEqual([
      [2, 1, 1, 1],
      [0, 0, 0, 0],
    ])
    expect([await metaOf('settings_a'), await metaOf('settings_b')]).toEqual([settings, null])
  })

  it('keeps the settings where a page has none', async () => {
    await write({ settings })
    await write({})
    expect(await metaOf('settings_a')).toEqual(settings)
  })

  it('takes out what has gone, and counts it', async () => {
    await write(everything)
    expect(
      await write({
        copies: [copyRow(1, { deleted: true })],
        beneficiaries: [readerRow(1, { deleted: true })],
        loanings: [loanRow(1, { closed: true })],
        reservations: [reservationRow(1, { closed: true })],
      }),
    ).toBe(4)
    expect(await counts('a')).toEqual([1, 0, 0, 0])
  })

  it('writes more rows than fit in one transaction', async () => {
    const copies = Array.from({ length: 501 }, (_, n) => copyRow(n + 1))
    expect(await write({ copies })).toBe(501)
    expect((await counts('a'))[0]).toBe(501)
  })

  it('makes a reader findable by every number and name of the family, each once', async () => {
    const relatives = [
      { id: 5, name: 'Zoé Martin', reader_id: 'R1' },
      { id: 6, name: 'Léo', reader_id: null },
    ]
    await write({
      beneficiaries: [readerRow(1, { relatives }), readerRow(2, { reader_id: null, matricule: '' })],
    })
    const rows = await transact(['beneficiaries_a'], 'readonly', (tx) => tx.store.getAll())
    expect(rows.map(({ codes, words }) => ({ codes, words }))).toEqual([
      { codes: ['R1', 'M1'], words: ['martin', 'alice', 'zoe', 'leo', 'r1', 'm1'] },
      { codes: [], words: ['martin', 'alice'] },
    ])
  })

  it.each<[string, Partial<SnapshotPage>]>([
    ['row', { copies: [copyRow(1)] }],
    ['setting', { settings }],
  ])('writes no %s once another load has taken over', async (_, page) => {
    await expect(write(page, 'a', 'un autre')).rejects.toMatchObject({ name: 'SupersededError' })
    await transact(['meta'], 'readwrite', (tx) => tx.store.delete('loading'))
    await expect(write(page)).rejects.toMatchObject({ name: 'SupersededError' })
    expect([await counts('a'), await metaOf('settings_a')]).toEqual([[0, 0, 0, 0], null])
  })
})

it('requireRun answers the mark of the load that may write', async () => {
  expect(await transact(['meta'], 'readonly', (tx) => requireRun(tx.store, 'le mien'))).toEqual(loading('a'))
})

describe('emptySide', () => {
  it('empties one side, however many rows, and forgets its settings', async () => {
    await keepMeta('loading', loading('b'))
    await write(everything, 'b')
    await keepMeta('loading', loading('a'))
    const copies = Array.from({ length: 2001 }, (_, n) => copyRow(n + 1))
    await write({ ...everything, copies })
    await emptySide('a')
    expect([await counts('a'), await counts('b')]).toEqual([
      [0, 0, 0, 0],
      [2, 1, 1, 1],
    ])
    expect([await metaOf('settings_a'), await metaOf('settings_b')]).toEqual([null, settings])
  })

  it('stops where it may not go on', async () => {
    await write({ ...everything, copies: Array.from({ length: 2001 }, (_, n) => copyRow(n + 1)) })
    let looks = 0
    await emptySide('a', () => Promise.resolve((looks += 1) <= 1))
    expect(await counts('a')).toEqual([1, 1, 1, 1])
    expect(await metaOf('settings_a')).toEqual(settings)
  })
})

describe('emptyUnusedSide', () => {
  const mark = (side: Side) => ({ side, environment_id: 1, site: 1, cursor: 'c', asked_at: '' })
  const drop = () => transact(['meta'], 'readwrite', (tx) => tx.store.delete('loading'))

  it('empties a side that is neither read nor loaded', async () => {
    await write(everything)
    await keepMeta('loading', loading('b'))
    await keepMeta('snapshot', mark('b'))
    await emptyUnusedSide('a')
    expect([await counts('a'), await metaOf('settings_a')]).toEqual([[0, 0, 0, 0], null])
  })

  it('empties both where there is no mark at all', async () => {
    await write(everything)
    await drop()
    await emptyUnusedSide('a')
    expect(await counts('a')).toEqual([0, 0, 0, 0])
  })

  it('leaves the side that is being loaded', async () => {
    await write(everything)
    await keepMeta('snapshot', mark('b'))
    await emptyUnusedSide('a')
    expect([await counts('a'), await metaOf('settings_a')]).toEqual([[2, 1, 1, 1], settings])
  })

  it('leaves the side that is read', async () => {
    await write(everything)
    await drop()
    await keepMeta('snapshot', mark('a'))
    await emptyUnusedSide('a')
    expect(await counts('a')).toEqual([2, 1, 1, 1])
  })
})

it('writePage learns labels and cards apart, relatives’ cards among them, and no matricule', async () => {
  await write({
    copies: [copyRow(1)],
    beneficiaries: [
      readerRow(1, { reader_id: 'R0001', relatives: [{ id: 2, name: 'Zoé', reader_id: 'Z0001' }] }),
      readerRow(2, { reader_id: null, matricule: '123456' }),
    ],
  })
  expect((await metaOf('shapes_a'))?.map(({ kind, mask, count }) => [kind, mask, count])).toEqual([
    ['copy', '0000', 1],
    ['beneficiary', 'A0000', 2],
  ])
})

it('writePage learns a code once, however often its row is delivered', async () => {
  const cards = (n: number) => readerRow(n, { reader_id: `R000${n}`, matricule: '' })
  await write({ copies: [copyRow(1), copyRow(1)], beneficiaries: [cards(1)] })
  await write({ copies: [copyRow(1, { name: 'Autre' }), copyRow(2)], beneficiaries: [cards(1), cards(2)] })
  expect((await metaOf('shapes_a'))?.map(({ kind, mask, count }) => [kind, mask, count])).toEqual([
    ['copy', '0000', 2],
    ['beneficiary', 'A0000', 2],
  ])
})
