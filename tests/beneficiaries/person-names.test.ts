import { expect, it } from 'vitest'

import { accountName, fullName, nameAndNumber, ofName, readerName } from '../../src/domain/person-names.ts'

const alice = { firstname: 'Alice', lastname: 'Martin', matricule: 'M1' }

it('gives names in the order in which they are read, with the number that tells two apart', () => {
  expect(fullName(alice)).toBe('Alice Martin')
  expect(fullName({ firstname: '', lastname: 'Martin' })).toBe('Martin')
  expect(readerName(alice)).toBe('Alice Martin (M1)')
  expect(readerName({ firstname: 'Lecteur d’un autre site', lastname: '', matricule: '' })).toBe(
    'Lecteur d’un autre site',
  )
  expect(nameAndNumber('Alice Martin (M1)')).toEqual(['Alice Martin', 'M1'])
  expect(nameAndNumber('Lecteur d’un autre site')).toEqual(['Lecteur d’un autre site', null])
})

it('names a person rather than an account, where somebody gave a name', () => {
  expect(accountName({ username: 'cdurand', firstname: 'Camille', lastname: 'Durand' })).toBe(
    'Camille Durand',
  )
  expect(accountName({ username: 'admin', firstname: '', lastname: '' })).toBe('admin')
})

it.each([
  ['Alice', 'd’Alice'],
  ['Éric', 'd’Éric'],
  ['Hugo', 'd’Hugo'],
  ['Yves', 'd’Yves'],
  ['Yann', 'de Yann'],
  ['Martin', 'de Martin'],
])('says of %s « %s »', (name, said) => expect(ofName(name)).toBe(said))
