import { describe, expect, it } from 'vitest'

import {
  alreadyLent,
  notAvailable,
  notForLoan,
  notOnLoan,
  obstacleToLend,
  standingOf,
} from '../../src/domain/copy-obstacles.ts'

const onShelf = { status: 'Disponible', type: 'Location' } as const
const away = { status: 'En transfert', type: 'Vente' } as const
const loan = { id: 12 }

describe('what stands against lending a copy', () => {
  it.each([
    ['on the shelf', onShelf, null, null],
    ['on the shelf, by one who knows that it is in stock', { ...onShelf, deleted: false }, null, null],
    ['for sale', { ...onShelf, type: 'Vente' } as const, null, { is: 'for-sale' }],
    ['away, and for sale', away, null, { is: 'unavailable', status: 'En transfert' }],
    [
      'out, of whose loan nothing is known',
      { ...onShelf, status: 'En Location' } as const,
      null,
      { is: 'unavailable', status: 'En Location' },
    ],
    ['lent, whatever its row says', onShelf, loan, { is: 'lent', loan }],
    ['lent, away and for sale', away, loan, { is: 'lent', loan }],
    ['withdrawn, lent, away and for sale', { ...away, deleted: true }, loan, { is: 'withdrawn' }],
  ])('is told of one that is %s', (_, copy, open, obstacle) => {
    expect(obstacleToLend(copy, open)).toEqual(obstacle)
  })
})

it('a copy is said by its title not to be lent or taken back', () => {
  expect([
    notAvailable('Momo', 'En transfert'),
    alreadyLent('Momo', 'Alice Martin (M1), depuis le 10/03/2026'),
    notOnLoan('Momo', 'Disponible'),
    notForLoan('Momo'),
  ]).toEqual([
    '«\u00a0Momo\u00a0» n’est pas disponible (En transfert).',
    '«\u00a0Momo\u00a0» est déjà prêté à Alice Martin (M1), depuis le 10/03/2026.',
    '«\u00a0Momo\u00a0» n’est pas en prêt (Disponible).',
    '«\u00a0Momo\u00a0» se vend et ne se prête pas.',
  ])
})

it('a copy that nobody has is kept for whoever it was set aside for, and otherwise what its status says', () => {
  const waiting = [
    { set_aside_copy: null, who: 'Paul Roy' },
    { set_aside_copy: 4, who: 'Camille Roy' },
  ]
  const standing = (id: number, status = 'Disponible') =>
    standingOf({ id, status }, waiting, ({ who }) => who)
  expect([standing(4), standing(5), standing(5, 'En transfert')]).toEqual([
    'Mis de côté pour Camille Roy',
    'Disponible',
    'En transfert',
  ])
})
