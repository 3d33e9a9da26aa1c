import { describe, expect, it } from 'vitest'

import { groundOf, monogramOf } from '../../src/client/ui/drawn-cover.ts'
import { initialsOf } from '../../src/domain/person-names.ts'

describe('the letters of a drawn cover', () => {
  it.each([
    ['Le petit prince', 'PP'],
    ['L’Étranger', 'Ét'],
    ['Dune', 'Du'],
    ['Les arènes', 'Ar'],
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
