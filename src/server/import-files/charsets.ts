import type { FileCharset } from './import-file.ts'
import { iso5426Decoder } from './iso-5426.ts'

// The runtime's own tables are not asked: some releases of Node read Windows-1252 as Latin-1 (nodejs/node#56542).
const windows1252 =
  '€\ufffd‚ƒ„…†‡ˆ‰Š‹Œ\ufffdŽ\ufffd\ufffd‘’“”•–—˜™š›œ\ufffdžŸ' +
  Array.from({ length: 96 }, (_, at) => String.fromCharCode(0xa0 + at)).join('')
const macintosh =
  'ÄÅÇÉÑÖÜáàâäãåçéèêëíìîïñóòôöõúùûü†°¢£§•¶ß®©™´¨≠ÆØ∞±≤≥¥µ∂∑∏π∫ªºΩæø¿¡¬√ƒ≈∆«»…\u00a0ÀÃÕŒœ–—“”‘’÷◊ÿŸ⁄€‹›ﬁﬂ‡·‚„‰ÂÊÁËÈÍÎÏÌÓÔ\uf8ffÒÚÛÙıˆ˜¯˘˙˚¸˝˛ˇ'

/** Of DOS, in Western Europe and as it was sold in America. */
const cp850 =
  'ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜø£Ø×ƒáíóúñÑªº¿®¬½¼¡«»░▒▓│┤ÁÂÀ©╣║╗╝¢¥┐└┴┬├─┼ãÃ╚╔╩╦╠═╬¤ðÐÊËÈıÍÎÏ┘┌█▄¦Ì▀ÓßÔÒõÕµþÞÚÛÙýÝ¯´\u00ad±‗¾¶§÷¸°¨·¹³²■\u00a0'
const cp437 =
  'ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u00a0'

const tables = { 'windows-1252': windows1252, macintosh, cp850, cp437 }

type TextDecoding = { write(bytes: Uint8Array): string; end(): string }

/** Reads the pieces of a file in turn; what is no sign of the charset is U+FFFD, and a mark at its beginning is left out. */
export function decodingOf(charset: FileCharset): TextDecoding {
  const decoding = bareDecodingOf(charset)
  let isFirst = true
  return {
    write(bytes) {
      const text = decoding.write(bytes)
      if (!isFirst || text === '') return text
      isFirst = false
      return text.startsWith('\ufeff') ? text.slice(1) : text
    },
    end: () => decoding.end(),
  }
}

function bareDecodingOf(charset: FileCharset): TextDecoding {
  if (charset === 'iso-5426') return iso5426Decoder()
  const table = Object.hasOwn(tables, charset) ? tables[charset as keyof typeof tables] : undefined
  if (table !== undefined) return byTable(table)
  const decoder = new TextDecoder(charset, { ignoreBOM: true })
  return { write: (bytes) => decoder.decode(bytes, { stream: true }), end: () => decoder.decode() }
}

const byTable = (table: string): TextDecoding => ({
  write: (bytes) =>
    Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
      .toString('latin1')
      .replace(/[\u0080-\u00ff]/g, (sign) => table[sign.charCodeAt(0) - 128] ?? '\ufffd'),
  end: () => '',
})

/** Bytes that are whole by themselves; a mark among them is a sign like any other. */
export function decode(bytes: Uint8Array, charset: FileCharset): string {
  // A decoder for each subfield would take longer than all else.
  if (charset === 'utf-8')
    return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8')
  const decoding = bareDecodingOf(charset)
  return decoding.write(bytes) + decoding.end()
}

export async function* decoded(
  pieces: AsyncIterable<Uint8Array>,
  charset: FileCharset,
): AsyncGenerator<string, void, undefined> {
  const decoding = decodingOf(charset)
  for await (const piece of pieces) {
    const text = decoding.write(piece)
    if (text !== '') yield text
  }
  const rest = decoding.end()
  if (rest !== '') yield rest
}
