import { describe, expect, it } from 'vitest'

import { fileProblem, imageProblem, shortFileName, uploadHelp } from '../../src/domain/upload-rules.ts'

const file = (name: string, size = 100, type = '') => ({ name, size, type })

describe('a file that is offered', () => {
  it.each([
    ['logo.png', 'picture'],
    ['LOGO.JPG', 'picture'],
    ['vieux.bmp', 'picture'],
    ['notice.pdf', 'pdf'],
    ['liste.odt', 'any'],
    ['photo.webp', 'image'],
  ] as const)('takes %s where the place takes a %s', (name, kind) => {
    expect(fileProblem(file(name), { kind }, [])).toBeNull()
  })

  it.each([
    ['logo.svg', 'picture'],
    ['notice.doc', 'pdf'],
    ['programme.exe', 'any'],
    ['sans-extension', 'any'],
  ] as const)('refuses %s where it takes a %s', (name, kind) => {
    expect(fileProblem(file(name), { kind }, [])).toBe(
      `«\u00a0${name}\u00a0» est invalide ou non pris en charge.`,
    )
  })

  it('is refused twice, when it is too large, and when all are together', () => {
    const chosen = [file('a.pdf', 9_000_000, 'application/pdf')]
    const rules = { kind: 'pdf' } as const
    expect(fileProblem(file('a.pdf', 1, 'application/pdf'), rules, chosen)).toContain('est déjà importé.')
    expect(fileProblem(file('b.pdf', 16_000_001), rules, [])).toContain(
      'la taille maximale ne doit pas excéder 16Mo.',
    )
    expect(fileProblem(file('b.pdf', 16_000_000), rules, [])).toBeNull()
    expect(fileProblem(file('b.pdf', 7_000_001), rules, chosen)).toContain(
      'est trop volumineux, la taille totale ne doit pas excéder 16Mo.',
    )
    expect(fileProblem(file('b.pdf', 2_000_001), { ...rules, mostInAll: 11_000_000 }, chosen)).toContain(
      'ne doit pas excéder 11Mo.',
    )
  })
})

it.each([
  [
    { width: 31, height: 40 },
    'la largeur doit être au moins 32\u00a0px et au plus 100\u00a0px (ici 31\u00a0px)',
  ],
  [
    { width: 101, height: 90 },
    'la largeur doit être au moins 32\u00a0px et au plus 100\u00a0px (ici 101\u00a0px)',
  ],
  [{ width: 90, height: 20 }, 'le rapport entre largeur et hauteur doit être au plus 2 (ici 4,5)'],
  [{ width: 90, height: 201 }, 'la hauteur doit être au plus 200\u00a0px (ici 201\u00a0px)'],
])('an image of %o is refused with the bounds and what it measures', (size, said) => {
  const rules = { width: { min: 32, max: 100 }, height: { max: 200 }, ratio: { max: 2 } }
  expect(imageProblem('logo.png', size, rules)).toContain(said)
  expect(imageProblem('logo.png', { width: 64, height: 64 }, rules)).toBeNull()
})

it('a long name is shown by its beginning and its extension', () => {
  expect(shortFileName('a'.repeat(21) + '.png')).toBe('a'.repeat(21) + '.png')
  expect(shortFileName('très-longue-photographie-de-famille.jpeg')).toBe('très-longue-photogra[...].jpeg')
  expect(shortFileName('é'.repeat(30))).toBe(`${'é'.repeat(20)}[...]`)
})

it('says what a place takes', () => {
  expect(uploadHelp({ kind: 'pdf', width: { min: 10 } })).toEqual([
    'Types\u202f: pdf.',
    'Taille\u202f: 16\u00a0Mo au plus par fichier, 16\u00a0Mo en tout.',
    'Largeur\u202f: 10\u00a0px au moins.',
  ])
})
