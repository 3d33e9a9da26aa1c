import { deflateRawSync } from 'node:zlib'

import {
  type ImportFile,
  type ImportFileOptions,
  type ImportRow,
} from '../../src/server/import-files/import-file.ts'
import { openImportFile } from '../../src/server/import-files/open-import-file.ts'

type MadeField = {
  tag: string
  value?: string
  indicators?: string
  subfields?: readonly (readonly [code: string, value: string])[]
}
type Encode = (text: string) => Uint8Array

export const utf8: Encode = (text) => Buffer.from(text, 'utf8')
export const latin1: Encode = (text) => Buffer.from(text, 'latin1')

/** A notice as UNIMARC software writes it. */
export function makeNotice(fields: readonly MadeField[], encode: Encode = utf8, kind = 'nam  '): Buffer {
  const contents = fields.map(({ value, indicators = '  ', subfields = [] }) =>
    Buffer.concat(
      value !== undefined
        ? [encode(value), Buffer.from([0x1e])]
        : [
            Buffer.from(indicators),
            ...subfields.flatMap(([code, text]) => [Buffer.from(`\u001f${code}`), encode(text)]),
            Buffer.from([0x1e]),
          ],
    ),
  )
  let start = 0
  const directory = fields
    .map(({ tag }, at) => {
      const { length } = contents[at]!
      const entry = `${tag}${digits(length, 4)}${digits(start, 5)}`
      start += length
      return entry
    })
    .join('')
  const base = 24 + directory.length + 1
  const leader = `${digits(base + start + 1, 5)}${kind}22${digits(base, 5)}   450 `
  return Buffer.concat([Buffer.from(`${leader}${directory}\u001e`), ...contents, Buffer.from([0x1d])])
}

const digits = (number: number, width: number) => String(number).padStart(width, '0')

/** A title with its copies. */
export const aNotice = (title: string, barCodes: readonly string[] = [], encode: Encode = utf8): Buffer =>
  makeNotice(
    [
      { tag: '001', value: 'N1' },
      { tag: '200', indicators: '1 ', subfields: [['a', title]] },
      ...barCodes.map((code) => ({ tag: '995', subfields: [['f', code]] as const })),
    ],
    encode,
  )

type MadeEntry = {
  name: string
  bytes: Uint8Array
  /** What the directory says that it inflates to. */ said?: number
  method?: number
}

/** A zip whose directory may lie. */
export function makeZip(entries: readonly MadeEntry[]): Buffer {
  const parts: Buffer[] = []
  const directory: Buffer[] = []
  let offset = 0
  for (const { name, bytes, said = bytes.length, method = 8 } of entries) {
    const packed = method === 8 ? deflateRawSync(bytes) : Buffer.from(bytes)
    const header = Buffer.alloc(30)
    header.writeUInt32LE(0x04034b50, 0)
    header.writeUInt16LE(method, 8)
    header.writeUInt32LE(packed.length, 18)
    header.writeUInt32LE(said, 22)
    header.writeUInt16LE(name.length, 26)
    const entry = Buffer.alloc(46)
    entry.writeUInt32LE(0x02014b50, 0)
    entry.writeUInt16LE(method, 10)
    entry.writeUInt32LE(packed.length, 20)
    entry.writeUInt32LE(said, 24)
    entry.writeUInt16LE(name.length, 28)
    entry.writeUInt32LE(offset, 42)
    parts.push(header, Buffer.from(name), packed)
    directory.push(entry, Buffer.from(name))
    offset += 30 + name.length + packed.length
  }
  const list = Buffer.concat(directory)
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50, 0)
  end.writeUInt16LE(entries.length, 8)
  end.writeUInt16LE(entries.length, 10)
  end.writeUInt32LE(list.length, 12)
  end.writeUInt32LE(offset, 16)
  return Buffer.concat([...parts, list, end])
}

const relation = (id: string, type: string, target: string) =>
  `<Relationship Id="${id}" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/${type}" Target="${target}"/>`

/** A workbook of one sheet, whose XML is given. */
export function makeXlsx(
  sheetXml: string | Uint8Array,
  others: Readonly<Record<string, string>> = {},
): Buffer {
  const files: Record<string, string | Uint8Array> = {
    '[Content_Types].xml': '<Types/>',
    '_rels/.rels': `<Relationships>${relation('r1', 'officeDocument', 'xl/workbook.xml')}</Relationships>`,
    'xl/workbook.xml': '<workbook><sheets><sheet name="Feuille1" sheetId="1" r:id="r1"/></sheets></workbook>',
    'xl/_rels/workbook.xml.rels': `<Relationships>${relation('r1', 'worksheet', 'worksheets/sheet1.xml')}</Relationships>`,
    'xl/worksheets/sheet1.xml': sheetXml,
    ...others,
  }
  return makeZip(Object.entries(files).map(([name, content]) => ({ name, bytes: Buffer.from(content) })))
}

export const sheetOf = (rows: string) => `<worksheet><sheetData>${rows}</sheetData></worksheet>`
const inline = (text: string) => `<is><t>${text}</t></is>`
export const cell = (reference: string, text: string) =>
  `<c r="${reference}" t="inlineStr">${inline(text)}</c>`

/** An ods of one sheet, whose rows are given as XML. */
export const makeOds = (rows: string | Uint8Array): Buffer =>
  makeZip([
    { name: 'mimetype', bytes: Buffer.from('application/vnd.oasis.opendocument.spreadsheet'), method: 0 },
    {
      name: 'content.xml',
      bytes: Buffer.concat([
        Buffer.from(
          '<office:document-content><office:body><office:spreadsheet><table:table table:name="Feuille1">',
        ),
        Buffer.from(rows),
        Buffer.from('</table:table></office:spreadsheet></office:body></office:document-content>'),
      ]),
    },
  ])

export const marcXml = (records: string) =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<collection xmlns="http://www.loc.gov/MARC21/slim">${records}</collection>`
export const xmlNotice = (title: string) =>
  `<record><leader>     nam  22        450 </leader><controlfield tag="001">X1</controlfield><datafield tag="200" ind1="1" ind2=" "><subfield code="a">${title}</subfield></datafield></record>`

export const openBytes = (
  bytes: Uint8Array | string,
  options: Partial<ImportFileOptions> = {},
): Promise<ImportFile> =>
  openImportFile(typeof bytes === 'string' ? utf8(bytes) : bytes, { name: 'fichier', ...options })

export async function allRows(file: Pick<ImportFile, 'rows'>): Promise<ImportRow[]> {
  const rows: ImportRow[] = []
  for await (const row of file.rows) rows.push(row)
  return rows
}

export const rowsOf = async (bytes: Uint8Array | string, options: Partial<ImportFileOptions> = {}) =>
  allRows(await openBytes(bytes, options))

/** In short: the cells of a row, the title of a notice, the reason of a damaged row. */
export const inShort = (rows: readonly ImportRow[]): string[] =>
  rows.map((row) => {
    if (row.type === 'damaged') return `${row.line}! ${row.reason.replaceAll(/[\u00a0\u202f]/g, ' ')}`
    if (row.type === 'row') return `${row.line}: ${row.cells.join(' | ')}`
    const title = row.fields.find(({ tag }) => tag === '200')?.subfields[0]?.value
    return `${row.line}: ${title ?? ''}`
  })

/** The sentence of a refusal, with plain spaces. */
export async function refusalOf(work: Promise<unknown>): Promise<string> {
  try {
    await work
  } catch (error) {
    if (error instanceof Error && error.name === 'ImportFileRefusal')
      return error.message.replaceAll(/[\u00a0\u202f]/g, ' ')
    throw error
  }
  return ''
}
