import { describe, expect, it } from 'vitest'

import { moneyTyped } from '../../src/domain/typed-money.ts'

const noAmounts = [
  '1.234,567 1,23,456 1234,567 0,345 1.234.56 douze -3 123456789 12, ,5 12a a12 5$ $$5',
  '0.345,67 1234.567,89 12,5€5 12€500 8europes 8neur 123.456.789 x1.234,56 1.234,56x x1,234.56 1,234.56x',
]
  .flatMap((line) => line.split(' '))
  .concat('1234 567', '1 23 456', '12 34 56', '80 F', '12 euros et 50')

describe('moneyTyped', () => {
  it.each([
    ['12', '12.00'],
    ['12,5', '12.50'],
    ['12.50', '12.50'],
    ['$1,234.50', '1234.50'],
    [' $12 ', '12.00'],
    ['1.234,5', '1234.50'],
    ['1 234,56', '1234.56'],
    ['1\u202f234\u00a0567', '1234567.00'],
    ['12.345,67', '12345.67'],
    ['123,456.78', '123456.78'],
    ['1,234,567', '1234567.00'],
    ['1.234.567,89', '1234567.89'],
    ['12345678', '12345678.00'],
    ['12.345.678', '12345678.00'],
    ['007', '7.00'],
    ['12€50', '12.50'],
    ['12 € 50', '12.50'],
    ['12 euros 50', '12.50'],
    ['12 EUR 50', '12.50'],
    ['12EUR50', '12.50'],
    ['12€05', '12.05'],
    ['1.234€50', '1234.50'],
    ['1 234 euros 50', '1234.50'],
    ['12,50 €', '12.50'],
    ['€ 12.5', '12.50'],
    ['12 , 50 euro', '12.50'],
    ['', '0.00'],
    ['  ', '0.00'],
    ['$', '0.00'],
  ])('reads %s as %s', (typed, amount) => expect(moneyTyped(typed)).toEqual({ amount }))

  it.each(['12,345', '1.234', '123.456', '$1.234'])(
    'asks what %s means, which each convention reads otherwise',
    (typed) => {
      const shown = typed.replace('$', '')
      const asked = `«\u00a0${shown}\u00a0» se lit de deux façons\u202f: écrivez ${shown.replace(/\D/, '')} ou deux décimales au plus.`
      expect(moneyTyped(typed)).toEqual({ fault: asked })
    },
  )

  it.each([
    ['12 50', '1250 ou 12,50'],
    ['12\u00a05', '125 ou 12,5'],
    ['12€5', '12,05 ou 12,50'],
    ['12 euros 5', '12,05 ou 12,50'],
  ])('asks whether %s is the one or the other', (typed, ways) => {
    const asked = `«\u00a0${typed.replace('\u00a0', ' ')}\u00a0» se lit de deux façons\u202f: écrivez ${ways}.`
    expect(moneyTyped(typed)).toEqual({ fault: asked })
  })

  it.each(noAmounts)('takes %s for no amount', (typed) =>
    expect(moneyTyped(typed)).toEqual({ fault: 'Montant inconnu\u202f: écrivez-le comme 12,50.' }),
  )
})
