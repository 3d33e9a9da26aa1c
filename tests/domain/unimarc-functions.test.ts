import { describe, expect, it } from 'vitest'

import { functionCode, functionName } from '../../src/domain/unimarc-functions.ts'

describe('functionName', () => {
  it.each([
    ['005', 'Acteur'],
    ['070', 'Auteur'],
    ['205', 'Collaborateur'],
    ['440', 'Illustrateur'],
    ['730', 'Traducteur'],
    ['755', 'Chanteur'],
    ['999', 'Collaborateur'],
    ['', 'Collaborateur'],
    // A word of every object.
    ['constructor', 'Collaborateur'],
  ])('of %j is %s', (code, name) => {
    expect(functionName(code)).toBe(name)
  })
})

describe('functionCode', () => {
  it.each([
    ['Auteur', '070'],
    ['Interprète', '590'],
    ['Chanteur', '721'],
    ['Balayeur', '205'],
    ['', '205'],
  ])('of %j is %s', (name, code) => {
    expect(functionCode(name)).toBe(code)
  })

  it('finds a code that functionName names so, for each that it names', () => {
    const names = Array.from({ length: 1000 }, (_, code) => functionName(String(code).padStart(3, '0')))
    expect(names.filter((name) => functionName(functionCode(name)) !== name)).toEqual([])
  })
})
