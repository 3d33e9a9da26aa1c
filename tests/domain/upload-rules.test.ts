import { describe, expect, it } from 'vitest'

import {
  extensionOf,
  fileProblem,
  imageProblem,
  shortFileName,
  uploadHelp,
} from '../../src/domain/upload-rules.ts'

const file = (name: string, size = 100, type = '') => ({ name, size, type })

describe('fileProblem', () => {
  it.each([
    ['logo.png', 'picture'],
    ['LOGO.JPG', 'picture'],
    ['vieux.bmp', 'picture'],
    ['notice.pdf', 'pdf'],
    ['liste.odt', 'any'],
    ['logo.svg', 'any'],
    ['photo.webp', 'image'],
    ['photo.webp', 'cover'],
    ['photo.jpeg', 'cover'],
    ['notices.mrc', 'catalogue'],
  ] as const)('takes %s where the place takes a %s', (name, kind) => {
    expect(fileProblem(file(name), { kind }, [])).toBeNull()
  })

  it.each([
    ['logo.svg', 'picture'],
    ['photo.webp', 'picture'],
    ['logo.svg', 'cover'],
    ['notice.doc', 'pdf'],
    ['notice.pdf', 'catalogue'],
    ['notice.pdf', 'image'],
    ['programme.exe', 'any'],
    ['sans-extension', 'any'],
    ['', 'any'],
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
    expect(fileProblem(file('b.pdf', 7_000_000), rules, chosen)).toBeNull()
    expect(fileProblem(file('b.pdf', 7_000_001), rules, chosen)).toContain(
      'est trop volumineux, la taille totale ne doit pas excéder 16Mo.',
    )
    expect(fileProblem(file('b.pdf', 2_000_001), { ...rules, mostInAll: 11_000_000 }, chosen)).toContain(
      'ne doit pas excéder 11Mo.',
    )
    expect(fileProblem(file('b.pdf', 2_500_000), { ...rules, mostInAll: 2_400_000 }, [])).toContain('2Mo.')
  })

  it('is not refused twice where its name or its type is another', () => {
    const chosen = [file('c.pdf', 1, 'application/pdf'), file('a.pdf', 1, 'application/pdf')]
    expect(fileProblem(file('b.pdf', 1, 'application/pdf'), { kind: 'pdf' }, chosen)).toBeNull()
    expect(fileProblem(file('a.pdf', 1, ''), { kind: 'pdf' }, chosen)).toBeNull()
    expect(fileProblem(file('a.pdf', 1, 'application/pdf'), { kind: 'pdf' }, chosen)).not.toBeNull()
  })

  it('adds up all that are chosen', () => {
    const chosen = [file('a.pdf', 5_000_000), file('b.pdf', 6_000_000)]
    expect(fileProblem(file('c.pdf', 5_000_000), { kind: 'pdf' }, chosen)).toBeNull()
    expect(fileProblem(file('c.pdf', 5_000_001), { kind: 'pdf' }, chosen)).not.toBeNull()
  })
})

describe('imageProblem', () => {
  const rules = { width: { min: 32, max: 100 }, height: { max: 200 }, ratio: { max: 2 } }

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
    expect(imageProblem('logo.png', size, rules)).toBe(`«\u00a0logo.png\u00a0»\u202f: ${said}.`)
  })

  it.each([
    [32, 16],
    [32, 200],
    [100, 50],
    [64, 64],
  ])('takes an image of %i by %i, on the bounds', (width, height) => {
    expect(imageProblem('logo.png', { width, height }, rules)).toBeNull()
  })

  it('has no bound that is not told', () => {
    expect(imageProblem('logo.png', { width: 1, height: 9000 }, {})).toBeNull()
    expect(imageProblem('logo.png', { width: 31, height: 1 }, { width: { min: 32 } })).toContain(
      'doit être au moins 32\u00a0px (ici',
    )
    expect(imageProblem('logo.png', { width: 2, height: 3 }, { ratio: { min: 1 } })).toContain(
      'doit être au moins 1 (ici 0,67).',
    )
  })
})

describe('extensionOf', () => {
  it.each([
    ['logo.png', 'png'],
    ['LOGO.PNG', 'png'],
    ['a.tar.gz', 'gz'],
    ['sans', ''],
    ['fin.', ''],
    ['.png', 'png'],
    ['', ''],
  ])('of %j is %j', (name, extension) => {
    expect(extensionOf(name)).toBe(extension)
  })
})

describe('shortFileName', () => {
  it('a long name is shown by its beginning and its extension', () => {
    expect(shortFileName('a'.repeat(21) + '.png')).toBe('a'.repeat(21) + '.png')
    expect(shortFileName('a'.repeat(22) + '.png')).toBe('a'.repeat(20) + '[...].png')
    expect(shortFileName('très-longue-photographie-de-famille.jpeg')).toBe('très-longue-photogra[...].jpeg')
    expect(shortFileName('é'.repeat(30))).toBe(`${'é'.repeat(20)}[...]`)
    expect(shortFileName('😀'.repeat(25))).toBe('😀'.repeat(25))
  })
})

describe('uploadHelp', () => {
  it('says what a place takes', () => {
    expect(uploadHelp({ kind: 'pdf', width: { min: 10 } })).toEqual([
      'Types\u202f: pdf.',
      'Taille\u202f: 16\u00a0Mo au plus par fichier, 16\u00a0Mo en tout.',
      'Largeur\u202f: 10\u00a0px au moins.',
    ])
    expect(
      uploadHelp({
        kind: 'picture',
        mostInAll: 2_500_000,
        width: { min: 10, max: 20 },
        height: { max: 30 },
        ratio: { min: 0.5, max: 2 },
      }),
    ).toEqual([
      'Types\u202f: png, jpg, jpeg, bmp.',
      'Taille\u202f: 16\u00a0Mo au plus par fichier, 2\u00a0Mo en tout.',
      'Largeur\u202f: 10\u00a0px au moins, 20\u00a0px au plus.',
      'Hauteur\u202f: 30\u00a0px au plus.',
      'Largeur divisée par hauteur\u202f: 0,5 au moins, 2 au plus.',
    ])
    expect(uploadHelp({ kind: 'pdf' })).toHaveLength(2)
  })
})
