/** A file's text, or the line (from 1) and reason why it is none. */
export type FileText =
  | { ok: true; text: string; encoding: 'utf-8' | 'windows-1252' }
  | { ok: false; line: number; message: string }

// Of a text file only tabs, line ends and form feeds are below the space.
// oxlint-disable-next-line no-control-regex -- control signs are what is looked for
const notText = /[\u0000-\u0008\u000e-\u001f\u007f]/

// Bytes 80 to 9F, which some releases of Node read as Latin-1 (nodejs/node#56542).
const windows1252 = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ'

/** Reads UTF-8, with or without its mark, else Windows-1252 as older software writes. */
export function readFileText(bytes: Buffer): FileText {
  const magic = bytes.subarray(0, 4).toString('latin1')
  if (magic === 'PK\u0003\u0004') {
    return refused(1, 'Ce fichier est un classeur ou une archive\u202f: enregistrez-le au format CSV.')
  }
  if (magic === '%PDF') return refused(1, 'Ce fichier est un PDF, et non un fichier CSV.')

  const utf8 = decodeUtf8(bytes)
  const text =
    utf8 ??
    bytes
      .toString('latin1')
      .replace(/[\u0080-\u009f]/g, (sign) => windows1252[sign.charCodeAt(0) - 128] ?? sign)
  const at = text.search(notText)
  if (at >= 0) {
    return refused(
      lineAt(text, at),
      'Des signes illisibles montrent que ce fichier n’est pas un fichier texte (CSV).',
    )
  }
  return { ok: true, text, encoding: utf8 === null ? 'windows-1252' : 'utf-8' }
}

const refused = (line: number, message: string): FileText => ({ ok: false, line, message })

function decodeUtf8(bytes: Buffer): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return null
  }
}

const lineAt = (text: string, offset: number) => text.slice(0, offset).split(/\r\n|\r|\n/).length

const delimiters = [';', ',', '\t'] as const

/** The delimiter most used by the first line outside quotes; the semicolon by default. */
export function findDelimiter(text: string): ';' | ',' | '\t' {
  const first = /[^\r\n]*\S[^\r\n]*/.exec(text.slice(0, 100_000))?.[0] ?? ''
  const bare = first.replace(/"[^"]*"/g, '')
  const counts = delimiters.map((delimiter) => bare.split(delimiter).length)
  return delimiters[counts.indexOf(Math.max(...counts))] ?? ';'
}
