import { createWriteStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'

import { bounds, type ImportRow, type NoticeField, tooMuchText } from '../import-files/import-file.ts'

/** A row as it lies between two steps: `at` is where it begins in the file of rows, in bytes. */
export type KeptRow = { line: number; at: number } & (
  | { cells: readonly string[] }
  | { leader: string; fields: readonly NoticeField[]; original: Original }
  | { damaged: string; cells?: readonly string[]; original?: Original }
)

/** Bytes are written in base 64. */
type Original = { bytes: string } | { text: string }

/** A row that could be read. */
export type WholeRow = Exclude<KeptRow, { damaged: string }>

const kept = (original: Uint8Array | string): Original =>
  typeof original === 'string'
    ? { text: original }
    : { bytes: Buffer.from(original.buffer, original.byteOffset, original.byteLength).toString('base64') }

export const bytesOf = (original: Original): Buffer =>
  'text' in original ? Buffer.from(original.text) : Buffer.from(original.bytes, 'base64')

function keptRow(row: ImportRow): object {
  const { line } = row
  switch (row.type) {
    case 'row':
      return { line, cells: row.cells }
    case 'notice':
      return { line, leader: row.leader, fields: row.fields, original: kept(row.original) }
    case 'damaged':
      return {
        line,
        damaged: row.reason,
        ...(row.cells ? { cells: row.cells } : {}),
        ...(row.original ? { original: kept(row.original) } : {}),
      }
  }
}

/**
 * Writes every row of a file as a JSON text a line, so that a step goes on where the last one stopped. A refusal of the
 * file (`ImportFileRefusal`) passes.
 */
export async function writeRows(
  rows: AsyncIterable<ImportRow>,
  path: string,
  mostBytes: number = bounds.rowsFile,
): Promise<{ rows: number; damaged: number }> {
  const counted = { rows: 0, damaged: 0 }
  let bytes = 0
  async function* lines() {
    for await (const row of rows) {
      counted.rows += 1
      if (row.type === 'damaged') counted.damaged += 1
      const text = `${JSON.stringify(keptRow(row))}\n`
      bytes += Buffer.byteLength(text)
      if (bytes > mostBytes) throw tooMuchText(row.line)
      yield text
    }
  }
  await pipeline(Readable.from(lines()), createWriteStream(path, { mode: 0o600 }))
  return counted
}

const pieceBytes = 262_144

/** Some rows from a place on, and where the next ones begin; null once there are none. Throws where one is cut. */
export async function readRows(
  path: string,
  { from, most, mostBytes = 1_000_000 }: { from: number; most: number; mostBytes?: number },
): Promise<{ rows: KeptRow[]; next: number | null }> {
  const file = await open(path)
  try {
    const { size } = await file.stat()
    const rows: KeptRow[] = []
    let at = from
    let rest = Buffer.alloc(0)
    let readTo = from
    while (rows.length < most && readTo < size && at - from < mostBytes) {
      const piece = Buffer.alloc(Math.min(pieceBytes, size - readTo))
      const { bytesRead } = await file.read(piece, 0, piece.length, readTo)
      if (bytesRead === 0) break
      readTo += bytesRead
      rest = Buffer.concat([rest, piece.subarray(0, bytesRead)])
      let end: number
      while (rows.length < most && (end = rest.indexOf(10)) >= 0) {
        rows.push({ ...(JSON.parse(rest.subarray(0, end).toString()) as KeptRow), at })
        at += end + 1
        rest = rest.subarray(end + 1)
      }
    }
    // A disk that failed may have kept half a row: whoever goes on from there would never come to an end.
    if (rows.length === 0 && at < size) throw new Error(`the row at byte ${at} is cut`)
    return { rows, next: at < size ? at : null }
  } finally {
    await file.close()
  }
}

/**
 * The rows that begin at some places, one after the other: no byte is read twice while the places ascend, and nothing between those
 * that lie far apart.
 */
export async function* readRowsAt(
  path: string,
  places: AsyncIterable<number>,
): AsyncGenerator<KeptRow, void, undefined> {
  const file = await open(path)
  try {
    let from = 0
    let held = Buffer.alloc(0)
    for await (const at of places) {
      const isHeld = at >= from && at < from + held.length
      held = isHeld ? held.subarray(at - from) : Buffer.alloc(0)
      from = at
      let end = held.indexOf(10)
      while (end < 0) {
        const { bytesRead, buffer } = await file.read(
          Buffer.alloc(pieceBytes),
          0,
          pieceBytes,
          at + held.length,
        )
        if (bytesRead === 0) break
        const before = held.length
        held = Buffer.concat([held, buffer.subarray(0, bytesRead)])
        end = held.indexOf(10, before)
      }
      if (end >= 0) yield { ...(JSON.parse(held.subarray(0, end).toString()) as KeptRow), at }
    }
  } finally {
    await file.close()
  }
}
