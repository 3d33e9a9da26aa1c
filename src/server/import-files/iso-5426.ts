/**
 * ISO 5426, the extended Latin set of UNIMARC files: signs 20 to 7E are ASCII, a diacritic (C0 to DF) comes before its
 * letter, several before the same one. Undefined signs are read as U+FFFD.
 */

/** Non-spacing signs as the combining ones of Unicode. */
const diacritics: Readonly<Record<number, string>> = {
  0xc0: '\u0309',
  0xc1: '\u0300',
  0xc2: '\u0301',
  0xc3: '\u0302',
  0xc4: '\u0303',
  0xc5: '\u0304',
  0xc6: '\u0306',
  0xc7: '\u0307',
  0xc8: '\u0308',
  // The umlaut, which Unicode does not tell from the diaeresis.
  0xc9: '\u0308',
  0xca: '\u030a',
  0xcb: '\u0315',
  0xcc: '\u0313',
  0xcd: '\u030b',
  0xce: '\u031b',
  0xcf: '\u030c',
  0xd0: '\u0327',
  0xd1: '\u031c',
  0xd2: '\u0326',
  0xd3: '\u0328',
  0xd4: '\u0325',
  0xd5: '\u032e',
  0xd6: '\u0323',
  0xd7: '\u0324',
  0xd8: '\u0332',
  0xd9: '\u0333',
  0xda: '\u0329',
  0xdb: '\u032d',
  0xdd: '\ufe20',
  0xde: '\ufe21',
  0xdf: '\ufe23',
}

const signs: Readonly<Record<number, string>> = {
  // Marks around what sorting leaves out (ISO 6630), and those that French catalogues write elsewhere: nothing to read.
  0x88: '',
  0x89: '',
  0x98: '',
  0x9c: '',
  0xa1: '¡',
  0xa2: '„',
  0xa3: '£',
  0xa4: '$',
  0xa5: '¥',
  0xa6: '†',
  0xa7: '§',
  0xa8: '′',
  0xa9: '‘',
  0xaa: '“',
  0xab: '«',
  0xac: '♭',
  0xad: '©',
  0xae: '℗',
  0xaf: '®',
  // By the standard the ayn, but in French files the degree of « n° » and « 8° ».
  0xb0: '°',
  0xb1: 'ʼ',
  0xb2: '‚',
  0xb6: '‡',
  0xb7: '·',
  0xb8: '″',
  0xb9: '’',
  0xba: '”',
  0xbb: '»',
  0xbc: '♯',
  0xbd: 'ʹ',
  0xbe: 'ʺ',
  0xbf: '¿',
  0xe1: 'Æ',
  0xe2: 'Đ',
  0xe6: 'Ĳ',
  0xe8: 'Ł',
  0xe9: 'Ø',
  0xea: 'Œ',
  0xec: 'Þ',
  0xf1: 'æ',
  0xf2: 'đ',
  0xf3: 'ð',
  0xf5: 'ı',
  0xf6: 'ĳ',
  0xf8: 'ł',
  0xf9: 'ø',
  0xfa: 'œ',
  0xfb: 'ß',
  0xfc: 'þ',
}

/** More diacritics than any letter has are a fault, and would be kept for ever. */
const mostDiacritics = 4

const unknown = '\ufffd'

/** Reads pieces of a file in turn: a diacritic that ends one is put on the letter that begins the next. */
export function iso5426Decoder(): { write(bytes: Uint8Array): string; end(): string } {
  let waiting = ''
  return {
    write(bytes) {
      const parts: string[] = []
      let from = 0
      const plain = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
      for (let at = 0; at < bytes.length; at += 1) {
        const byte = bytes[at]!
        if (byte < 0x80 && waiting === '') continue
        if (at > from) parts.push(plain.toString('latin1', from, at))
        from = at + 1
        const diacritic = diacritics[byte]
        if (diacritic !== undefined) {
          waiting = waiting.length < mostDiacritics ? waiting + diacritic : unknown
          continue
        }
        const sign = byte < 0x80 ? String.fromCharCode(byte) : (signs[byte] ?? unknown)
        parts.push(waiting === '' ? sign : marked(sign, waiting))
        waiting = ''
      }
      if (from < bytes.length) parts.push(plain.toString('latin1', from))
      return parts.join('')
    },
    end: () => (waiting === '' ? '' : unknown),
  }
}

/** A diacritic before what is no letter is read as a sign that is none. */
function marked(sign: string, waiting: string): string {
  if (waiting.includes(unknown) || !/[\p{L}\d ]/u.test(sign)) return unknown + sign
  // The dotless i of a marked one is the letter itself.
  return ((sign === 'ı' ? 'i' : sign) + waiting).normalize('NFC')
}
