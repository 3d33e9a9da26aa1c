import { open, stat } from 'node:fs/promises'
import { setImmediate as turn } from 'node:timers/promises'

/** A file that lies on the disk or in memory, read in pieces from wherever one wishes. */
export type FileBytes = {
  readonly size: number
  /** As many as there are from there on, `length` at most. */
  at(offset: number, length: number): Promise<Uint8Array>
  /** From the first byte to the one before `to`, in pieces of 64 KiB at most, which are the reader's own. */
  pieces(from?: number, to?: number): AsyncGenerator<Uint8Array, void, undefined>
}

const piece = 65_536

export const bytesInMemory = (bytes: Uint8Array): FileBytes => ({
  size: bytes.byteLength,
  at: (offset, length) => Promise.resolve(bytes.subarray(offset, offset + length)),
  async *pieces(from = 0, to = bytes.byteLength) {
    for (let at = from; at < to; at += piece) {
      yield bytes.subarray(at, Math.min(at + piece, to))
      // What waits on nothing would let nobody else be served before its end.
      await turn()
    }
  },
})

/** Opened anew for each reading, and closed when it ends or is given up. */
export async function bytesOnDisk(path: string): Promise<FileBytes> {
  const { size } = await stat(path)
  return {
    size,
    async at(offset, length) {
      const parts: Uint8Array[] = []
      for await (const part of piecesOf(path, offset, Math.min(size, offset + length))) parts.push(part)
      return Buffer.concat(parts)
    },
    pieces: (from = 0, to = size) => piecesOf(path, from, to),
  }
}

async function* piecesOf(path: string, from: number, to: number) {
  const handle = await open(path)
  try {
    for (let at = from; at < to;) {
      const { bytesRead, buffer } = await handle.read(
        Buffer.allocUnsafe(piece),
        0,
        Math.min(piece, to - at),
        at,
      )
      if (bytesRead === 0) return
      at += bytesRead
      yield buffer.subarray(0, bytesRead)
    }
  } finally {
    await handle.close()
  }
}
