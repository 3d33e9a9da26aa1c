import { describe, expect, it } from 'vitest'

import { createShelfWalk } from '../../src/client/shelf/shelf-walk.ts'
import type { Sighting } from '../../src/client/scanner/sightings.ts'

const size = { width: 1600, height: 1200 }

/** A square label of 40 pixels (or bars of 200 by 40) whose middle is there, in pixels of a picture. */
function label(text: string, x: number, y: number, { isBars = false, zoom = 1 } = {}): Sighting {
  const [wide, tall] = [20 * zoom, (isBars ? 100 : 20) * zoom]
  const at = (dx: number, dy: number) => ({ x: (x + dx) / size.width, y: (y + dy) / size.height })
  return {
    text,
    symbology: isBars ? 'code_128' : 'data_matrix',
    corners: [at(-wide, -tall), at(wide, -tall), at(wide, tall), at(-wide, tall)],
  }
}
const texts = (walk: ReturnType<typeof createShelfWalk>) =>
  walk.stretches().map((stretch) => stretch.map(({ text }) => text).join(' '))

describe('the codes of shelf pictures', () => {
  it('stand from left to right, row by row, whatever the order they were read in', () => {
    const walk = createShelfWalk()
    walk.add(
      [
        label('F', 900, 1000),
        label('A', 100, 300),
        label('C', 500, 350),
        label('D', 100, 1010),
        label('B', 300, 260),
      ],
      size,
    )
    walk.add([], size)
    expect(texts(walk)).toEqual(['A B C D F'])
  })

  it('stand in one row where the picture is tilted, and where bars stand beside squares', () => {
    const walk = createShelfWalk()
    const row = [0, 1, 2, 3, 4, 5, 6, 7].map((place) =>
      label(`${place}`, 100 + 200 * place, 200 + 100 * place, { isBars: place === 3 }),
    )
    walk.add(row, size)
    expect(texts(walk)).toEqual(['0 1 2 3 4 5 6 7'])
  })

  it('are news once, in however many frames they are', () => {
    const walk = createShelfWalk()
    expect(walk.add([label('A', 100, 300)], size)).toBe(true)
    expect(walk.add([label('A', 110, 300)], size)).toBe(false)
    expect(walk.add([label('A', 90, 300), label('B', 400, 300)], size)).toBe(true)
    expect(walk.stretches()).toEqual([
      [
        { text: 'A', symbology: 'data_matrix' },
        { text: 'B', symbology: 'data_matrix' },
      ],
    ])
  })

  it('of a pass stand in the order of the shelf, passed to the right, to the left, and from nearer', () => {
    const shelf = 'ABCDEFGHIJ'
    for (const [isBack, zoom] of [
      [false, 1],
      [true, 1],
      [false, 1.5],
    ] as const) {
      const walk = createShelfWalk()
      const views = [0, 1, 2, 3, 4, 5, 6, 7].map((from) => {
        const near = from > 3 ? zoom : 1
        return [0, 1, 2].map((at) =>
          label(shelf.charAt(from + at), (200 + 300 * at) * near, 400 * near, { zoom: near }),
        )
      })
      for (const view of isBack ? views.toReversed() : views) walk.add(view, size)
      expect(texts(walk)).toEqual(['A B C D E F G H I J'])
    }
  })

  it('are joined where a picture shows two stretches, and none is there twice', () => {
    const walk = createShelfWalk()
    walk.add([label('A', 100, 300), label('B', 400, 300)], size)
    walk.add([label('D', 100, 300), label('E', 400, 300)], size)
    walk.add([label('B', 100, 300), label('C', 400, 300), label('D', 700, 300)], size)
    expect(texts(walk)).toEqual(['A B C D E'])
    walk.add([label('F', 900, 300), label('F', 1200, 300)], size)
    expect(texts(walk)).toEqual(['A B C D E', 'F'])
  })

  it('of two pictures that share none are two stretches, and a later picture goes on where it shares', () => {
    const walk = createShelfWalk()
    walk.add([label('A', 100, 300), label('B', 400, 300)], size)
    walk.add([label('X', 100, 300), label('Y', 400, 300)], size)
    walk.add([label('B', 100, 300), label('C', 400, 300)], size)
    expect(texts(walk)).toEqual(['A B C', 'X Y'])
  })
})
