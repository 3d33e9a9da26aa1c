import { expect, it } from 'vitest'

import { moneyTyped } from '../../src/domain/typed-money.ts'

it.each([
  ['12', '12.00'],
  ['12,5', '12.50'],
  ['12.50', '12.50'],
  ['$1,234.50', '1234.50'],
  ['1.234,5', '1234.50'],
  ['1 234,56', '1234.56'],
  ['1,234,567', '1234567.00'],
  ['1.234.567,89', '1234567.89'],
  ['007', '7.00'],
  ['', '0.00'],
])('reads %s as %s', (typed, amount) => expect(moneyTyped(typed)).toEqual({ amount }))

it.each(['12,345', '1.234'])('asks what %s means, which each convention reads otherwise', (typed) => {
  const asked = `«\u00a0${typed}\u00a0» se lit de deux façons\u202f: écrivez ${typed.replace(/\D/, '')} ou deux décimales au plus.`
  expect(moneyTyped(typed)).toEqual({ fault: asked })
})

it.each(['1.234,567', '1,23,456', '1234,567', '0,345', '1.234.56', 'douze', '-3', '123456789'])(
  'takes %s for no amount',
  (typed) => expect(moneyTyped(typed)).toEqual({ fault: 'Montant inconnu\u202f: écrivez-le comme 12,50.' }),
)
