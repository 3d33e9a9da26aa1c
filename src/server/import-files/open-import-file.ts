import { csvRows, findDelimiter } from './csv-rows.ts'
import { bytesInMemory, bytesOnDisk, type FileBytes } from './file-bytes.ts'
import { looksOf } from './file-kind.ts'
import {
  type DamagedRow,
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
