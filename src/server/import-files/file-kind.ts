import type { FileBytes } from './file-bytes.ts'
import { type FileCharset, ImportFileRefusal } from './import-file.ts'
import { decode } from './charsets.ts'

/** What the first bytes are; a zip may be a workbook, which its own list of entries tells. */
type Looks = { kind: 'zip' | 'text' | 'iso2709' | 'xml'; mark: FileCharset | null }

const lookedAt = 65_536

const signatures: readonly (readonly [signature: string, what: string])[] = [
  ['%PDF', 'un PDF, et non un tableau ou des notices'],
  ['\u0089PNG', 'une image'],
  ['\u00ff\u00d8\u00ff', 'une image'],
  ['GIF8', 'une image'],
  ['BM', 'une image'],
  ['II*\0', 'une image'],
  ['MM\0*', 'une image'],
  ['\0\0\u0001\0', 'une image'],
  ['\u001f\u008b', 'une archive (gzip)\u202f: décompressez-la d’abord'],
  ['7z\u00bc\u00af', 'une archive (7z)\u202f: décompressez-la d’abord'],
  ['Rar!', 'une archive (rar)\u202f: décompressez-la d’abord'],
  ['BZh', 'une archive (bzip2)\u202f: décompressez-la d’abord'],
  ['{\\rtf', 'un document de texte, et non un tableau'],
]

/** Judged by bytes; throws a refusal for what is no table and no notices. */
export async function looksOf(file: FileBytes): Promise<Looks> {
  if (file.size === 0) throw new ImportFileRefusal('Le fichier est vide.')
  const head = await file.at(0, lookedAt)
  const start = Buffer.from(head.subarray(0, 512)).toString('latin1')
  if (start.startsWith('PK\u0003\u0004') || start.startsWith('PK\u0005\u0006')) {
    return { kind: 'zip', mark: null }
  }
  if (start.startsWith('\u00d0\u00cf\u0011\u00e0')) {
    throw new ImportFileRefusal(
      'Ce fichier est un ancien classeur (.xls) ou un classeur protégé par un mot de passe\u202f: enregistrez-le au format .xlsx, sans mot de passe.',
    )
  }
  refuseKnown(start, head)
  const wide = wideCharsetOf(head)
  if (wide) {
    const text = decode(head.subarray(0, head.length - (head.length % 2)), wide)
    return { kind: textKind(text), mark: wide }
  }
  const mark = start.startsWith('\u00ef\u00bb\u00bf') ? ('utf-8' as const) : null
  if (isIso2709(start, head)) return { kind: 'iso2709', mark }
  const controls = head.filter((byte) => byte < 9 || (byte > 13 && byte < 32 && byte !== 0x1a)).length
  if (controls * 50 > head.length) {
    throw new ImportFileRefusal(
      'Ce fichier n’est ni un tableau ni des notices\u202f: ses signes ne sont pas du texte.',
    )
  }
  return { kind: textKind(start), mark }
}

function refuseKnown(start: string, head: Uint8Array): void {
  const what =
    start.startsWith('RIFF') && start.slice(8, 12) === 'WEBP'
      ? 'une image'
      : signatures.find(([signature]) => start.startsWith(signature))?.[1]
  // « BM » may also begin a title.
  if (what === undefined || (start.startsWith('BM') && !head.subarray(0, 64).includes(0))) return
  throw new ImportFileRefusal(`Ce fichier est ${what}.`)
}

/** By its mark, or by the zeros of its ASCII. */
function wideCharsetOf(head: Uint8Array): 'utf-16le' | 'utf-16be' | null {
  if (head[0] === 0xff && head[1] === 0xfe && !(head[2] === 0 && head[3] === 0)) return 'utf-16le'
  if (head[0] === 0xfe && head[1] === 0xff) return 'utf-16be'
  let even = 0
  let odd = 0
  for (const [at, byte] of head.entries()) {
    if (byte !== 0) continue
    if (at % 2 === 0) even += 1
    else odd += 1
  }
  const half = head.length / 2
  if (half < 8) return null
  if (odd > half * 0.6 && even < half * 0.05) return 'utf-16le'
  return even > half * 0.6 && odd < half * 0.05 ? 'utf-16be' : null
}

/** A leader, or the ends of fields and subfields, which no text has. */
const isIso2709 = (start: string, head: Uint8Array) =>
  /^(?:\u00ef\u00bb\u00bf)?\s*\d{5}[ -~]{5}\d\d\d{5}/.test(start) ||
  (head.includes(0x1e) && head.includes(0x1f))

function textKind(text: string): 'text' | 'xml' {
  const start = text.replace(/^(?:\u00ef\u00bb\u00bf|\ufeff)?\s*/, '')
  if (/^<(?:!doctype\s+)?html/i.test(start)) {
    throw new ImportFileRefusal(
      'Ce fichier est une page web, et non un tableau\u202f: enregistrez-le au format .xlsx ou CSV.',
    )
  }
  if (/^[[{]\s*["{[]/.test(start)) {
    throw new ImportFileRefusal('Ce fichier est du JSON, et non un tableau ou des notices.')
  }
  return /^<[?!a-z]/i.test(start) ? 'xml' : 'text'
}
