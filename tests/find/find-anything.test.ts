// @vitest-environment happy-dom
import { describe, expect, it } from 'vitest'

import {
  bestOf,
  exactlyOf,
  hasMore,
  isFitting,
  mostHits,
  stillFitting,
  withoutDoubles,
} from '../../src/client/find/best-hits.ts'
import type { Hit } from '../../src/client/find/hit.ts'

const hit = (key: string, title = key, detail = ''): Hit => ({
  key,
  kind: 'loan',
  title,
  detail,
  to: `/${key}`,
  actions: [],
})
const many = (name: string, count: number) =>
  Array.from({ length: count }, (_, index) => hit(`${name}${index + 1}`))
const keys = (hits: readonly Hit[]) => hits.map(({ key }) => key).join(' ')

describe('the search of anything', () => {
  it('shares the room among those who found something, each list in its own order', () => {
    expect(keys(bestOf([many('a', 9), many('b', 9), many('c', 9)]))).toBe('a1 a2 a3 b1 b2 b3 c1 c2')
    expect(keys(bestOf([many('a', 1), [], many('b', 20)]))).toBe('a1 b1 b2 b3 b4 b5 b6 b7')
    expect(bestOf([many('a', 2)])).toHaveLength(2)
    expect(bestOf([])).toEqual([])
    expect(bestOf([many('a', 50)])).toHaveLength(mostHits)
  })

  it('knows when more was found than is shown, or may have been', () => {
    const more = (...found: Hit[][]) => hasMore(found, found)
    expect(more(many('a', 4), many('b', 4))).toBe(false)
    expect(more(many('a', 4), many('b', 5))).toBe(true)
    expect(more(many('a', 7), many('a', 7))).toBe(false)
    // The server was asked for no more.
    expect(more(many('a', 8))).toBe(true)
    expect(hasMore([many('screen', 8)], [])).toBe(false)
  })

  it('shows what was found twice once, where it was found first', () => {
    expect(
      keys(
        bestOf([
          [hit('a'), hit('b')],
          [hit('b'), hit('c')],
        ]),
      ),
    ).toBe('a b c')
  })

  it('has no loan of its own where its title or its reader is found', () => {
    const loan = (key: string, of: string[]) => ({ ...hit(key), of })
    const found = [
      [hit('reader 1')],
      [hit('reference 7')],
      [loan('a', ['reference 9', 'reader 1']), loan('b', ['reference 7', 'reader 2'])],
      [loan('c', ['reference 9', 'reader 2'])],
    ]
    expect(keys(withoutDoubles(found).flat())).toBe('reader 1 reference 7 c')
  })

  it('keeps of earlier answers what answers to the text of now', () => {
    const found = [[hit('1', 'Germinal', 'Zola'), hit('2', 'Nana', 'Zola')], [hit('3', 'Gens de Dublin')]]
    expect(keys(stillFitting(found, 'zola ger').flat())).toBe('1')
    expect(keys(stillFitting(found, 'ge').flat())).toBe('1 3')
  })

  it.each([
    ['noemie', 'Noémie Expirée', true],
    ['EXPIREE noé', 'Noémie Expirée', true],
    ['coeur', 'Un cœur simple', true],
    ['cœur', 'UN COEUR SIMPLE', true],
    ['noémie dupont', 'Noémie Expirée', false],
  ])('« %s » finds « %s »: %s', (typed, title, isFound) => {
    expect(isFitting(hit('1', title), typed)).toBe(isFound)
  })

  it('puts first what carries the very code that was typed', () => {
    const found = [
      [hit('loan', 'Livre', 'Alice · retour')],
      [hit('copy', 'Livre', '1001 · Disponible')],
      [hit('other', '1001')],
    ]
    expect(keys(exactlyOf(found, '1001'))).toBe('copy')
    expect(exactlyOf(found, '100')).toEqual([])
  })
})
