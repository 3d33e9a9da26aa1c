import { decode } from './charsets.ts'
import { csvRows, findDelimiter } from './csv-rows.ts'
import { bytesInMemory, bytesOnDisk, type FileBytes } from './file-bytes.ts'
import {
  type DamagedRow,
  type FileCharset,
  type FoundCharset,
  type ImportFile,
  type ImportFileOptions,
  ImportFileRefusal,
  type ImportKind,
  type NoticeRow,
} from './import-file.ts'
import { iso2709Rows } from './iso-2709.ts'
import { judgeCharset } from './judge-charset.ts'
import { marcXmlRows } from './marc-xml.ts'
import { openOds } from './ods-rows.ts'
import { type RawTable, readTable } from './table-rows.ts'
import { openXlsx } from './xlsx-rows.ts'
import { openArchive } from './zip-entries.ts'

/**
 * Opens a file of a library: says what it is, its charset and its columns, and gives its rows one after the other. Throws
 * `ImportFileRefusal`, with a sentence for the person, for what cannot be read at all. A file on the disk is read from there and never held whole.
 */
export async function openImportFile(
  source: string | Uint8Array,
  options: ImportFileOptions,
): Promise<ImportFile> {
  const file = typeof source === 'string' ? await bytesOnDisk(source) : bytesInMemory(source)
  const { kind, mark } = await looksOf(file)
  if (kind === 'zip') return openWorkbook(file, options)
  const charset = await judgeCharset(file, { chosen: options.charset, mark })
  const base = { name: options.name, size: file.size, charset, sheets: [], sheet: null }
  if (kind === 'text') return openCsv(file, charset, base, options)
  const isXml = kind === 'xml'
  const rows = () => (isXml ? marcXmlRows(file, charset.name) : iso2709Rows(file, charset.name))
  await requireNotices(file, rows(), isXml)
  const noticeKind: ImportKind = isXml ? 'marcxml' : 'iso2709'
  return {
    ...base,
    kind: noticeKind,
    delimiter: null,
    has_header: false,
    columns: [],
    rows: { [Symbol.asyncIterator]: rows },
  }
}

async function openCsv(
  file: FileBytes,
  charset: FoundCharset,
  base: Pick<ImportFile, 'name' | 'size' | 'charset' | 'sheets' | 'sheet'>,
  options: ImportFileOptions,
): Promise<ImportFile> {
  const delimiter = options.delimiter ?? (await findDelimiter(file, charset.name))
  const raw: RawTable = { rows: () => csvRows(file, charset.name, delimiter), isCut: true }
  return { ...base, kind: 'csv', delimiter, ...(await readTable(raw, options.header)) }
}

async function openWorkbook(file: FileBytes, options: ImportFileOptions): Promise<ImportFile> {
  const archive = await openArchive(file)
  const kind = archive.names.has('xl/workbook.xml') ? 'xlsx' : await odsOf(archive)
  const workbook = kind === 'xlsx' ? await openXlsx(archive) : await openOds(archive)
  const sheet = options.sheet ?? workbook.sheets[0]!
  if (!workbook.sheets.includes(sheet)) {
    throw new ImportFileRefusal(`Ce classeur n’a pas de feuille «\u00a0${sheet}\u00a0».`)
  }
  const raw: RawTable = { rows: () => workbook.rows(sheet), isCut: false }
  return {
    kind,
    name: options.name,
    size: file.size,
    charset: null,
    delimiter: null,
    sheets: workbook.sheets,
    sheet,
    ...(await readTable(raw, options.header)),
  }
}

async function odsOf({ names, text }: Awaited<ReturnType<typeof openArchive>>): Promise<'ods'> {
  if (names.has('content.xml') && names.has('mimetype')) {
    let type = ''
    for await (const part of text('mimetype', 1000)) type += part
    if (type.includes('opendocument.spreadsheet')) return 'ods'
    throw new ImportFileRefusal('Ce fichier est un document OpenDocument, mais pas un classeur.')
  }
  if (names.has('xl/workbook.bin')) {
    throw new ImportFileRefusal('Ce classeur est au format .xlsb\u202f: enregistrez-le au format .xlsx.')
  }
  if (names.has('[Content_Types].xml')) {
    throw new ImportFileRefusal('Ce fichier est un document bureautique, mais pas un classeur.')
  }
  throw new ImportFileRefusal(
    'Ce fichier est une archive (zip), et non un classeur\u202f: décompressez-la d’abord.',
  )
}

const lookedAt = 20

/** The first ones are enough, even damaged, unless there is nothing else. */
async function requireNotices(
  file: FileBytes,
  rows: ReturnType<typeof iso2709Rows>,
  isXml: boolean,
): Promise<void> {
  const first: (NoticeRow | DamagedRow)[] = []
  for await (const row of rows) {
    first.push(row)
    if (first.length === lookedAt) break
  }
  const tags = new Set(
    first.flatMap((row) => (row.type === 'notice' ? row.fields.map(({ tag }) => tag) : [])),
  )
  if (tags.has('245') && !tags.has('200')) {
    throw new ImportFileRefusal(
      'Ces notices sont en MARC\u00a021, et non en UNIMARC\u202f: demandez un export UNIMARC à leur logiciel.',
    )
  }
  const [damaged] = first
  if (damaged?.type === 'damaged' && first.length === 1) {
    throw new ImportFileRefusal(`Aucune notice n’est lisible dans ce fichier. ${damaged.reason}`, 1)
  }
  if (damaged) return
  if (isXml && (await isOfPmb(file)))
    throw new ImportFileRefusal(
      'Ce fichier est au format XML propre à PMB\u202f: demandez à PMB un export «\u00a0UNIMARC ISO 2709\u00a0», et importez celui-là.',
    )
  throw new ImportFileRefusal(
    isXml
      ? 'Ce fichier XML ne contient pas de notices UNIMARC (marcxchange ou MARCXML).'
      : 'Ce fichier ne contient aucune notice.',
  )
}

/** `<unimarc><notice>…<f c="200">`: fields without the names that MARCXML gives them. */
const isOfPmb = async (file: FileBytes) => {
  const text = Buffer.from(await file.at(0, 65_536)).toString('latin1')
  const notice = text.indexOf('<notice>')
  return notice >= 0 && text.includes('<f c=', notice)
}

/** What the first bytes are; a zip may be a workbook, which its own list of entries tells. */
type Looks = { kind: 'zip' | 'text' | 'iso2709' | 'xml'; mark: FileCharset | null }

const headLength = 65_536

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
async function looksOf(file: FileBytes): Promise<Looks> {
  if (file.size === 0) throw new ImportFileRefusal('Le fichier est vide.')
  const head = await file.at(0, headLength)
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
