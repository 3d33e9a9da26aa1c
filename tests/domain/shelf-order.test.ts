import { describe, expect, it } from 'vitest'

import { compareShelfMarks, findMisplaced, isWithin, runOf } from '../../src/domain/shelf-order.ts'
import { randomOf } from '../faults/random.ts'

/** Along the shelf, from left to right. */
const shelves: readonly (readonly string[])[] = [
  ['R AST', 'R CAM', 'R MAR', 'R MARC', 'R ZOL'],
  ['843', '843 CAM', '843 CAM 1', '843 CAM 2', '843 CAM 10', '843 CAN', '844 BAR'],
  ['BD AST 2', 'BD AST 12', 'BD ASTE 1', 'BD TIN 1'],
  ['796', '796.3', '796.33', '796.334 MAR', '796.34', '796.4', '797'],
  ['843.914 CAM', '843.92 BER', '843.92 CAM T. 2', '843.92 CAM T. 11'],
  ['004 PER', '005', '100 ARI', 'A AST', 'BD AST', 'R AST'],
  ['E BRA', 'É BRE', 'e bri', 'Ê BRO'],
  ['DVD F ALM', 'DVD F BER', 'DVD-F-CAR', 'DVD F DEM'],
]

describe('the order of shelf marks', () => {
  it.each(shelves)('%s … stand as they are written here', (...marks) => {
    expect(marks.toReversed().sort(compareShelfMarks)).toEqual(marks)
  })

  it('of two that differ by case, accents and signs alone is none', () => {
    expect(compareShelfMarks('BD-AST.12', 'bd ast 12')).toBe(0)
    expect(compareShelfMarks('É CAM', 'e cam')).toBe(0)
    expect(compareShelfMarks('R LÉV', 'R LÉV'.normalize('NFD'))).toBe(0)
  })
})

describe('what is misplaced', () => {
  const names = (marks: (string | null)[]) =>
    findMisplaced([marks], (mark) => mark).map(({ item, after, before }) => [item, after, before])

  it('is nothing on a shelf in order, with two of one mark', () => {
    expect(names(['R AST', 'R CAM', 'R CAM', 'R ZOL'])).toEqual([])
    expect(names([])).toEqual([])
  })
  it('is the one that stands too far to the right, with the two it belongs between', () => {
    expect(names(['R AST', 'R CAM', 'R MAR', 'R ZOL', 'R BAL'])).toEqual([['R BAL', 'R AST', 'R CAM']])
  })
  it('goes first or last where nothing stands before or after it', () => {
    expect(names(['R CAM', 'R MAR', 'R ZOL', 'R AST'])).toEqual([['R AST', null, 'R CAM']])
    expect(names(['R ZOL', 'R AST', 'R CAM', 'R MAR'])).toEqual([['R ZOL', 'R MAR', null]])
  })
  it('is never what has no mark', () => {
    expect(names(['R CAM', null, 'R ZOL', ' – ', 'R AST'])).toEqual([['R AST', null, 'R CAM']])
  })
  it('belongs between what stands on another stretch of the same shelf', () => {
    const stretches = [
      ['R AST', 'R CAM', 'R DUR'],
      ['R MAR', 'R ZOL', 'R BAL'],
    ]
    const [stray, ...others] = findMisplaced(stretches, (mark) => mark)
    expect([stray, others]).toEqual([{ item: 'R BAL', after: 'R AST', before: 'R CAM' }, []])
  })
  it('is the fewest, of any shelf: the rest is in order, and no other choice leaves more', () => {
    for (let seed = 1; seed <= 50; seed += 1) {
      const random = randomOf(seed)
      const shelf = Array.from({ length: 8 }, (_, place) => ({ place, mark: `R ${random.between(0, 5)}` }))
      const moved = new Set(findMisplaced([shelf], ({ mark }) => mark).map(({ item }) => item))
      const rest = shelf.filter((one) => !moved.has(one))
      expect(isInOrder(rest)).toBe(true)
      for (let choice = 0; choice < 2 ** shelf.length; choice += 1) {
        const left = shelf.filter(({ place }) => (choice >> place) & 1)
        if (left.length > rest.length) expect(isInOrder(left)).toBe(false)
      }
    }
  })

  const isInOrder = (shelf: readonly { mark: string }[]): boolean =>
    shelf.every(({ mark }, at) => at === 0 || compareShelfMarks(shelf[at - 1]?.mark ?? '', mark) <= 0)
})

describe('the run of a shelf', () => {
  it('goes from its first mark to its last, without what is misplaced', () => {
    expect(runOf(['Z 1', 'R AST', 'R CAM', 'R BAL', 'R MAR'])).toEqual({ first: 'R AST', last: 'R MAR' })
    expect(runOf(['R AST'])).toBeNull()
  })
  it('holds its ends', () => {
    expect(isWithin('R AST', 'R AST', 'R MAR')).toBe(true)
    expect(isWithin('r mar', 'R AST', 'R MAR')).toBe(true)
    expect(isWithin('R MARC', 'R AST', 'R MAR')).toBe(false)
  })
})
