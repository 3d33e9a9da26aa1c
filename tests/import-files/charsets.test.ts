import { describe, expect, it } from 'vitest'

import { decode, decodingOf } from '../../src/server/import-files/charsets.ts'
import { aNotice, allRows, inShort, latin1, openBytes, rowsOf } from './make-files.ts'

const hex = (text: string) => Buffer.from(text.replaceAll(' ', ''), 'hex')

describe('decode', () => {
  it.each([
    ['é à ê ü ç š å', 'c265 20 c161 20 c365 20 c875 20 d063 20 cf73 20 ca61'],
    ['Œuvre', 'ea 75767265'],
    ['cœur, ß, Ø, ł, Þ', '63fa7572 2c20 fb 2c20 e9 2c20 f8 2c20 ec'],
    ['« n° »', 'ab 20 6eb0 20 bb'],
    ['Le Horla', '88 4c6520 89 486f726c61'],
    // Two accents on one letter: Vietnamese.
    ['ế', 'c3c265'],
    ['î', 'c3f5'],
  ])('reads %s in ISO 5426', (text, bytes) => {
    expect(decode(hex(bytes), 'iso-5426')).toBe(text)
  })

  it('puts an accent that ends a piece on the letter that begins the next', () => {
    const decoding = decodingOf('iso-5426')
    expect(decoding.write(hex('52c2')) + decoding.write(hex('65ea')) + decoding.end()).toBe('RéŒ')
  })

  it.each([
    ['an accent without a letter', 'c2'],
    ['an accent before a sign', 'c2 2c'],
    ['a sign that is none', 'ff'],
  ])('reads %s as a sign that is none', (_, bytes) => {
    expect(decode(hex(bytes), 'iso-5426')).toContain('\ufffd')
  })

  it('reads Windows-1252 and Mac Roman by tables of its own', () => {
    expect(decode(hex('80 9c 92 e9 81'), 'windows-1252')).toBe('€œ’é\ufffd')
    expect(decode(hex('8e 8f ca cf d5'), 'macintosh')).toBe('éè\u00a0œ’')
  })
})

const text =
  'Titre;Auteur\nL’été à Nîmes;Zoé Lefèvre\nOù vas-tu ainsi, ma belle\u00a0?;François Noël\nŒuvres complètes;Âge d’or\n'
const encoded = inEach(text)

function inEach(written: string) {
  return {
    'utf-8': Buffer.from(written),
    'windows-1252': byByte(written, 'windows-1252'),
    macintosh: byByte(written, 'macintosh'),
    cp850: byByte(dos(written), 'cp850'),
    'iso-5426': Buffer.concat(Array.from(written.replaceAll('\u00a0', ' '), in5426)),
  }
}

/** Without what DOS has no sign for. */
function dos(written: string) {
  return written.replaceAll('’', "'").replaceAll('Œ', 'OE')
}

function byByte(written: string, charset: 'windows-1252' | 'macintosh' | 'cp850'): Buffer {
  const all = decode(Buffer.from(Array.from({ length: 256 }, (_, byte) => byte)), charset)
  return Buffer.from(Array.from(written, (sign) => all.indexOf(sign)))
}

function in5426(sign: string): Buffer {
  const [letter = '', accent] = sign.normalize('NFD')
  const number = { '\u0301': 0xc2, '\u0300': 0xc1, '\u0302': 0xc3, '\u0308': 0xc8, '\u0327': 0xd0 }[
    accent ?? ''
  ]
  if (number !== undefined) return Buffer.concat([Buffer.from([number]), Buffer.from(letter)])
  return sign === '’' ? Buffer.from([0xb9]) : sign === 'Œ' ? Buffer.from([0xea]) : Buffer.from(sign)
}

describe('the reading of a file', () => {
  it.each(Object.entries(encoded))('finds %s by its bytes', async (name, bytes) => {
    const file = await openBytes(bytes)
    expect(file.charset).toMatchObject({ name, how: name === 'utf-8' ? 'valid' : 'bytes' })
    const apostrophe = name === 'cp850' ? "'" : '’'
    expect(inShort(await allRows(file))[0]).toBe(`2: L${apostrophe}été à Nîmes | Zoé Lefèvre`)
  })

  it('finds the charset of a single word', async () => {
    const words =
      'Chloé Noël Agnès Médiathèque ÉLOÏSE BIBLIOTHÈQUE garçon forêt où déjà naïf Ça À Être août Lefèvre Zoé FRANÇOIS Hélène'
    for (const word of words.split(' ')) {
      for (const [name, bytes] of Object.entries(inEach(word))) {
        const { charset } = await openBytes(bytes, { header: false })
        expect([word, charset?.name]).toEqual([word, name])
      }
    }
  })

  it('shows three lines in each charset, so that the person sees the right one', async () => {
    const { charset } = await openBytes(encoded['windows-1252'])
    expect(charset?.samples['windows-1252']).toEqual([
      'L’été à Nîmes;Zoé Lefèvre',
      'Où vas-tu ainsi, ma belle ?;François Noël',
      'Œuvres complètes;Âge d’or',
    ])
    expect(charset?.samples.macintosh?.[1]).toBe('O˘ vas-tu ainsi, ma belle†?;FranÁois NoÎl')
    expect(Object.keys(charset?.samples ?? {})).toEqual([
      'utf-8',
      'windows-1252',
      'macintosh',
      'iso-5426',
      'cp850',
      'cp437',
    ])
  })

  it('reads DOS in either of its tables', () => {
    expect(decode(hex('82 8a 85 80 90 d4 b7'), 'cp850')).toBe('éèàÇÉÈÀ')
    expect(decode(hex('82 8a 85 80 90 9b e3'), 'cp437')).toBe('éèàÇÉ¢π')
  })

  it('stays with UTF-8 where it is that of most lines, and refuses the others', async () => {
    const bytes = Buffer.concat([
      Buffer.from('Titre;Auteur\nÀ;Zoé\n'),
      latin1('Déjà;été\n'),
      Buffer.from('Où;là\n'),
    ])
    const file = await openBytes(bytes)
    expect(file.charset).toMatchObject({ name: 'utf-8', how: 'valid' })
    expect(inShort(await allRows(file))).toEqual([
      '2: À | Zoé',
      '3! La colonne « Titre » a des signes illisibles dans ce jeu de caractères.',
      '4: Où | là',
    ])
  })

  it('takes the charset that the person chooses', async () => {
    const file = await openBytes(encoded.macintosh, { charset: 'windows-1252' })
    expect(file.charset).toMatchObject({ name: 'windows-1252', how: 'chosen' })
    expect(file.columns[0]?.values[2]).toContain('Îuvres')
  })

  it('says that all charsets are alike where nothing has an accent', async () => {
    expect((await openBytes('Titre\nGerminal\n')).charset).toMatchObject({ name: 'utf-8', how: 'plain' })
  })

  it('stays with UTF-8 where one byte of many is wrong', async () => {
    const bytes = Buffer.concat([Buffer.from(text.repeat(4)), Buffer.from([0xff, 0x0a])])
    expect((await openBytes(bytes)).charset).toMatchObject({ name: 'utf-8', how: 'valid' })
  })

  it('does not believe what a notice says of its charset', async () => {
    // Leader position 9 « a » says Unicode, and 100$a position 26 « 50 » too.
    const notice = Buffer.from(aNotice('L\u0092été à la mer, déjà', [], latin1))
    notice[9] = 'a'.charCodeAt(0)
    expect(inShort(await rowsOf(notice))).toEqual(['1: L’été à la mer, déjà'])
  })
})

it('a wide file without line ends shows the beginning of what has an accent', async () => {
  const file = await openBytes(Buffer.from(`\ufeffTitre\n${'é<'.repeat(8000)}\nNana\n`, 'utf16le'))
  expect(file.charset?.samples['utf-16le']).toEqual([expect.stringMatching(/^é/)])
})
