import { describe, expect, it } from 'vitest'

import { rowsOfWalk, shelvesOf } from '../../src/client/reservations/picking-rows.ts'
import type { Picked } from '../../src/contract/reservations.ts'

const centre = { id: 1, name: 'Centre' }
const picked = (reservation: number, more: Partial<Picked> = {}): Picked => ({
  reservation,
  beneficiary_info: '',
  beneficiary_name: '',
  queue_position: 1,
  start_date: null,
  pickup_site: null,
  copy: reservation,
  bar_code: `${reservation}`,
  site: centre,
  is_any_copy: true,
  returned_on: null,
  reference_id: reservation,
  reference_name: '',
  medium: null,
  image_path: null,
  location: null,
  call_number: null,
  ...more,
})
const named = (rows: readonly { reservation: number; is_done: boolean }[]) =>
  rows.map(({ reservation, is_done }) => `${reservation}${is_done ? ' pris' : ''}`)

describe('the walk along the shelves', () => {
  const all = [picked(1), picked(2), picked(3)]
  const walk = rowsOfWalk(all, new Map(), [])

  it('keeps what was set aside at its place, first, between and last', () => {
    const done = new Map([all[0]!, all[2]!].map((row) => [row.reservation, row]))
    expect(named(rowsOfWalk([all[1]!], done, walk))).toEqual(['1 pris', '2', '3 pris'])
    const between = new Map([[2, all[1]!]])
    expect(named(rowsOfWalk([all[0]!, all[2]!], between, walk))).toEqual(['1', '2 pris', '3'])
    const everything = new Map(all.map((row) => [row.reservation, row]))
    expect(named(rowsOfWalk([], everything, walk))).toEqual(['1 pris', '2 pris', '3 pris'])
  })

  it('asks again for what somebody put back, and takes what is new where the server puts it', () => {
    const done = new Map([[2, all[1]!]])
    expect(named(rowsOfWalk([picked(9), ...all], done, walk))).toEqual(['9', '1', '2', '3'])
  })

  it('is by shelf, and by site where there are several', () => {
    const rows = rowsOfWalk(
      [picked(1, { location: 'Adultes' }), picked(2, { location: 'Adultes' }), picked(3)],
      new Map(),
      [],
    )
    expect(shelvesOf(rows).map(({ name, rows: of }) => [name, of.length])).toEqual([
      ['Adultes', 2],
      ['Sans emplacement', 1],
    ])
    const both = rowsOfWalk([picked(1), picked(2, { site: { id: 2, name: 'Annexe' } })], new Map(), [])
    expect(shelvesOf(both).map(({ name }) => name)).toEqual([
      'Centre, Sans emplacement',
      'Annexe, Sans emplacement',
    ])
  })
})
