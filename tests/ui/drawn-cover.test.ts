import { describe, expect, it } from 'vitest'

import { fitted, groundOf, monogramOf } from '../../src/client/ui/drawn-cover.ts'
import { initialsOf } from '../../src/domain/person-names.ts'

describe('the letters of a drawn cover', () => {
  it.each([
    ['Le petit prince', 'PP'],
    ['L’Étranger', 'Ét'],
    ['Dune', 'Du'],
    ['1984', '1984'],
    ['20 000 lieues sous les mers', '20'],
    ['Les', 'Le'],
    ['À la recherche du temps perdu', 'RT'],
    ['千と千尋の神隠し', '千と'],
    ['« Ça »', 'Ça'],
    ['', ''],
    ['…', ''],
  ])('are those of the words that tell: %s', (title, letters) => {
    expect(monogramOf(title)).toBe(letters)
  })
})

describe('the words of a large drawn cover', () => {
  const sizes = [7, 6, 5, 4]

  it('stand in the largest letters that hold them', () => {
    expect(fitted('Le petit prince', sizes, 34)).toEqual({ size: 7, lines: ['Le petit', 'prince'] })
    expect(fitted('Anticonstitutionnel', sizes, 34)).toEqual({ size: 4, lines: ['Anticonstitutionnel'] })
  })

  it('are cut between two words where even the smallest letters are too many', () => {
    const { size, lines } = fitted('histoire naturelle '.repeat(20), sizes, 34)
    expect(size).toBe(4)
    expect(lines).toHaveLength(7)
    expect(lines.at(-1)).toMatch(/^(histoire|naturelle)…$/)
  })

  it('are none of an unknown author', () => {
    expect(fitted('', [4], 10).lines).toEqual([])
  })
})

describe('the colour of a drawn cover', () => {
  it('is its medium’s, whoever wrote the word, and grey where there is none', () => {
    const hueOf = (medium: string | null) => groundOf(medium, 'Dune').split(' ')[0]
    expect(hueOf('Bande dessinée')).toBe(hueOf('BANDE DESSINEE'))
    expect(hueOf('Bande dessinée')).not.toBe(hueOf('DVD'))
    expect(groundOf(null, 'Dune')).toContain(' 10% ')
  })
})

describe('the initials of a reader', () => {
  it.each([
    ['Alice Martin', 'AM'],
    ['Alice Martin (M1)', 'AM'],
    ['Jean-Paul de la Tour', 'JT'],
    ['Médiathèque', 'M'],
    ['', ''],
  ])('are of the first name and the last: %s', (name, initials) => {
    expect(initialsOf(name)).toBe(initials)
  })
})
