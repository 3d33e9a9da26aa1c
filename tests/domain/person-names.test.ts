import { describe, expect, it } from 'vitest'

import {
  accountName,
  fullName,
  isNamed,
  nameAndNumber,
  ofName,
  readerName,
} from '../../src/domain/person-names.ts'

const alice = { firstname: 'Alice', lastname: 'Martin', matricule: 'M1' }
const elsewhere = 'Lecteur d’un autre site'

describe('fullName', () => {
  it.each([
    ['Alice', 'Martin', 'Alice Martin'],
    ['', 'Martin', 'Martin'],
    ['Alice', '', 'Alice'],
    ['', '', ''],
  ])('of %j and %j', (firstname, lastname, name) => {
    expect(fullName({ firstname, lastname })).toBe(name)
  })
})

describe('readerName', () => {
  it('has the number that tells two apart, where there is one', () => {
    expect(readerName(alice)).toBe('Alice Martin (M1)')
    expect(readerName({ firstname: elsewhere, lastname: '', matricule: '' })).toBe(elsewhere)
  })
})

describe('nameAndNumber', () => {
  it.each([
    ['Alice Martin (M1)', 'Alice Martin', 'M1'],
    ['Alice (Lili) Martin (M1)', 'Alice (Lili) Martin', 'M1'],
    [elsewhere, elsewhere, null],
    ['Alice (Lili) Martin', 'Alice (Lili) Martin', null],
    ['Alice ()', 'Alice ()', null],
    ['(M1)', '(M1)', null],
  ])('splits %j', (name, own, number) => {
    expect(nameAndNumber(name)).toEqual([own, number])
  })

  it('undoes readerName', () => {
    expect(nameAndNumber(readerName(alice))).toEqual([fullName(alice), 'M1'])
  })
})

describe('isNamed', () => {
  it('is of a reader who is told with a number', () => {
    expect(isNamed('Alice Martin (M1)')).toBe(true)
    expect(isNamed(elsewhere)).toBe(false)
    expect(isNamed('Alice (Lili) Martin')).toBe(false)
  })
})

describe('accountName', () => {
  it('names a person rather than an account, where somebody gave a name', () => {
    expect(accountName({ username: 'cdurand', firstname: 'Camille', lastname: 'Durand' })).toBe(
      'Camille Durand',
    )
    expect(accountName({ username: 'admin', firstname: '', lastname: '' })).toBe('admin')
  })
})

describe('ofName', () => {
  it.each([
    ['Alice', 'd’Alice'],
    ['alice', 'd’alice'],
    ['Éric', 'd’Éric'],
    ['Hugo', 'd’Hugo'],
    ['Œdipe', 'd’Œdipe'],
    ['Yves', 'd’Yves'],
    ['Yann', 'de Yann'],
    ['Martin', 'de Martin'],
    ['Baya', 'de Baya'],
  ])('of %s is « %s »', (name, said) => {
    expect(ofName(name)).toBe(said)
  })
})
