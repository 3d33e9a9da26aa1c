import { expect, it } from 'vitest'

import { isSameTitle, plainVolume } from '../../src/domain/same-work.ts'

it.each([
  ['l’etranger', 'l’etranger', true],
  ['l’etranger', 'l’etranger : roman', true],
  ['l’etranger / albert camus', 'l’etranger', true],
  ['l’etranger', 'l’etranger [texte imprime]', true],
  ['l’etranger', 'la peste', false],
  ['l’etrangere', 'l’etranger', false],
  ['la grande traversee', 'la grande traversee. 2', false],
  ['la grande traversee', 'la grande traversee : 2', false],
  ['harry potter', 'harry potter et la chambre des secrets', false],
  ['', ' : roman', false],
])('isSameTitle of « %s » and « %s » is %j', (one, other, is) => {
  expect(isSameTitle(one, other)).toBe(is)
  expect(isSameTitle(other, one)).toBe(is)
})

it.each([
  ['1', '1'],
  ['01', '1'],
  ['tome 1', '1'],
  ['t. 2', '2'],
  ['vol. 03', '3'],
  ['trois', 'trois'],
  ['0', '0'],
  ['', ''],
])('plainVolume of « %s » is « %s »', (volume, plain) => expect(plainVolume(volume)).toBe(plain))
