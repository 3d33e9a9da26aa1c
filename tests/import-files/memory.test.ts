import { setImmediate as turn } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

import { describe, expect, it } from 'vitest'

import { csvRows } from '../../src/server/import-files/csv-rows.ts'
import type { FileBytes } from '../../src/server/import-files/file-bytes.ts'
import type { ImportRow } from '../../src/server/import-files/import-file.ts'
import { iso2709Rows } from '../../src/server/import-files/iso-2709.ts'
import { judgeCharset } from '../../src/server/import-files/judge-charset.ts'
import { marcXmlRows } from '../../src/server/import-files/marc-xml.ts'
import { openXlsx } from '../../src/server/import-files/xlsx-rows.ts'
import { aNotice, utf8, xmlNotice } from './make-files.ts'

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void

const whole = 100_000_000
/** Of what takes longer to read. */
const part = 30_000_000

type Watched = FileBytes & {
  /** The most pieces that were held at once while others were asked for. */ most: () => number
}

/** A file of so many bytes that is nowhere: one piece, again and again, each in memory of its own as if it came from the disk. */
function endless(piece: Uint8Array, size = whole): Watched {
  let most = 0
  return {
    size,
    most: () => most,
    at: (offset, length) => Promise.resolve(piece.subarray(offset, offset + length)),
    async *pieces(from = 0, to = size) {
      const given: WeakRef<object>[] = []
      for (let at = from; at < to; at += piece.length) {
        const fresh = Uint8Array.from(piece)
        // A part of a piece holds its memory, and not the piece.
        given.push(new WeakRef(fresh.buffer))
        yield fresh
        await turn()
        if (given.length % 200 === 0) most = Math.max(most, await alive(given))
      }
    },
  }
}

/** Some are held ahead of whoever takes the rows, whatever the file's size. */
const mostAhead = 40

async function alive(given: readonly WeakRef<object>[]): Promise<number> {
  // What a reference was made of lives until the end of its turn.
  await turn()
  collect()
  return given.filter((one) => one.deref() !== undefined).length
}

type Seen = {
  count: number
  /** Of the rows of which one in a thousand is watched, those held at once. */ held: number
  grown: number
}

async function held(rows: AsyncIterable<object>): Promise<Seen> {
  const watched: WeakRef<object>[] = []
  const seen = { count: 0, held: 0, grown: 0 }
  let before = 0
  const look = async () => {
    seen.held = Math.max(seen.held, await alive(watched))
    return process.memoryUsage().heapUsed
  }
  for await (const row of rows) {
    seen.count += 1
    if (seen.count % 1000 === 0) watched.push(new WeakRef(row))
    if (seen.count === 2000) before = await look()
    else if (seen.count % 100_000 === 0) seen.grown = Math.max(seen.grown, (await look()) - before)
  }
  await look()
  return seen
}

const mostGrown = whole / 4

const csv = utf8(
  'Germinal;Zola, Émile;1885;9782070360024;Une mine, un coron et une grève dans le Nord, racontés par celui qui y descend pour la première fois\n'.repeat(
    500,
  ),
)
const notices = Buffer.concat(
  Array.from({ length: 400 }, (_, at) => aNotice(`Germinal, volume ${at}, édition illustrée`, [`3003${at}`])),
)
const xml = utf8(xmlNotice('Germinal, édition illustrée').repeat(250))

describe('the reading of a file', () => {
  it.each([
    ['CSV', whole, csv, (file: FileBytes) => csvRows(file, 'utf-8', ';')],
    ['ISO 2709', whole, notices, (file: FileBytes) => iso2709Rows(file, 'utf-8')],
    ['XML', part, xml, (file: FileBytes) => marcXmlRows(file, 'utf-8')],
  ] as const)(
    'holds nothing of the rows of %s, %i bytes of them, once they are read',
    async (_, size, piece, rowsOf) => {
      const file = endless(piece, size)
      const seen = await held(rowsOf(file))
      expect(seen.count).toBeGreaterThan(100_000)
      expect(seen.held).toBeLessThan(10)
      expect(seen.grown).toBeLessThan(mostGrown)
      expect(file.most()).toBeLessThan(mostAhead)
    },
  )

  it('holds nothing of a sheet of 30 MB once it is read, and reads no further than it is asked', async () => {
    const row =
      '<row><c t="inlineStr"><is><t>Germinal</t></is></c><c><v>9782070360024</v></c><c><v>1885</v></c></row>'
    let pieces = 0
    const archive = {
      names: new Set(['xl/workbook.xml', 'xl/_rels/workbook.xml.rels', 'xl/worksheets/sheet1.xml']),
      async *text(name: string) {
        if (name === 'xl/workbook.xml')
          yield '<workbook><sheets><sheet name="F" r:id="r1"/></sheets></workbook>'
        else if (name.endsWith('.rels'))
          yield '<Relationships><Relationship Id="r1" Target="worksheets/sheet1.xml"/></Relationships>'
        else {
          yield '<worksheet><sheetData>'
          const piece = row.repeat(600)
          for (let at = 0; at < part; at += piece.length) {
            pieces += 1
            yield piece
            await turn()
          }
          yield '</sheetData></worksheet>'
        }
      },
    }
    const workbook = await openXlsx(archive)
    for await (const { line } of workbook.rows('F')) if (line === 1000) break
    expect(pieces).toBeLessThanOrEqual(2)
    const seen = await held(workbook.rows('F'))
    expect(seen.count).toBeGreaterThan(200_000)
    expect(seen.held).toBeLessThan(10)
    expect(seen.grown).toBeLessThan(mostGrown)
  })

  it('keeps some lines alone of the file whose charset it judges', async () => {
    const file = endless(csv)
    expect((await judgeCharset(file, { chosen: undefined, mark: null })).name).toBe('utf-8')
    expect(file.most()).toBeLessThan(mostAhead)
  })

  it('refuses a line of 100 MB after its first megabyte', async () => {
    let read = 0
    const file = endless(utf8('x'.repeat(65_536)))
    const counted: FileBytes = {
      ...file,
      async *pieces() {
        for await (const piece of file.pieces()) {
          read += piece.length
          yield piece
        }
      },
    }
    await expect(held(csvRows(counted, 'utf-8', ';'))).rejects.toThrow('1\u202f000\u202f000')
    expect(read).toBeLessThan(3_000_000)
  })

  it('keeps no more of a notice of no end than a notice may have', async () => {
    const file = endless(Buffer.concat([aNotice('Germinal').subarray(0, -1), Buffer.alloc(65_000, 'x')]))
    const rows: ImportRow[] = []
    for await (const row of iso2709Rows(file, 'utf-8')) rows.push(row)
    expect(rows).toMatchObject([{ type: 'damaged', line: 1 }])
    expect(file.most()).toBeLessThan(mostAhead)
  })
})
