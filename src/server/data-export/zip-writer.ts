import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { finished } from 'node:stream/promises'
import { createDeflateRaw, crc32 } from 'node:zlib'

// APPNOTE.TXT 6.3, with ZIP64 where numbers outgrow its own fields; why no library writes it: decision 0067.
const most16 = 0xffff
const most32 = 0xffffffff

/** All entries say the first day that a zip knows: two archives of the same things are alike. */
const noDate = { time: 0, day: 0x21 }
/** Names are UTF-8; sizes and checksum follow the bytes. */
const flags = 0x0808
const deflated = 8
const stored = 0

type Entry = { name: Buffer; method: number; crc: number; packed: number; size: number; offset: number }

export type ZipWriter = {
  /** Writes an entry while its bytes come; `isPacked` are bytes that no packing makes smaller, such as a picture's. */
  add(name: string, bytes: AsyncIterable<Uint8Array>, isPacked?: boolean): Promise<void>
  /** Writes the directory and closes the file; answers its size in bytes. */
  close(): Promise<number>
  /** Closes the file as it is, for whoever gives it up. */
  abandon(): void
}

/** A zip for its owner alone, of which nothing but the directory is held in memory. */
export function openZip(path: string): ZipWriter {
  const file = createWriteStream(path, { flags: 'wx', mode: 0o600 })
  // Told by the next write.
  file.on('error', () => undefined)
  const entries: Entry[] = []
  let at = 0
  const write = async (bytes: Uint8Array) => {
    if (file.errored) throw file.errored
    at += bytes.length
    if (!file.write(bytes)) await once(file, 'drain')
  }
  return {
    async add(name, bytes, isPacked = false) {
      const entry: Entry = {
        name: Buffer.from(name),
        method: isPacked ? stored : deflated,
        crc: 0,
        packed: 0,
        size: 0,
        offset: at,
      }
      await write(Buffer.concat([localHeader(entry), entry.name]))
      const begun = at
      const counted = async function* () {
        for await (const piece of bytes) {
          entry.crc = crc32(piece, entry.crc)
          entry.size += piece.length
          yield piece
        }
      }
      for await (const piece of isPacked ? counted() : deflate(counted())) await write(piece)
      entry.packed = at - begun
      await write(descriptor(entry))
      entries.push(entry)
    },
    async close() {
      const start = at
      for (const entry of entries) await write(centralHeader(entry))
      await write(directoryEnd(entries.length, start, at - start))
      file.end()
      await finished(file)
      return at
    },
    abandon: () => file.destroy(),
  }
}

async function* deflate(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const packing = createDeflateRaw()
  const fed = (async () => {
    for await (const piece of pieces) {
      if (!packing.write(piece)) await once(packing, 'drain')
    }
    packing.end()
  })()
  // What feeds it ends the loop below by its own fault.
  fed.catch((error: unknown) => packing.destroy(error instanceof Error ? error : new Error(String(error))))
  yield* packing as AsyncIterable<Buffer>
  await fed
}

function localHeader({ name, method }: Entry): Buffer {
  const header = Buffer.alloc(30)
  header.writeUInt32LE(0x04034b50, 0)
  header.writeUInt16LE(20, 4)
  header.writeUInt16LE(flags, 6)
  header.writeUInt16LE(method, 8)
  header.writeUInt16LE(noDate.time, 10)
  header.writeUInt16LE(noDate.day, 12)
  header.writeUInt16LE(name.length, 26)
  return header
}

function descriptor({ crc, packed, size }: Entry): Buffer {
  const isWide = packed > most32 || size > most32
  const bytes = Buffer.alloc(isWide ? 24 : 16)
  bytes.writeUInt32LE(0x08074b50, 0)
  bytes.writeUInt32LE(crc, 4)
  if (isWide) {
    bytes.writeBigUInt64LE(BigInt(packed), 8)
    bytes.writeBigUInt64LE(BigInt(size), 16)
  } else {
    bytes.writeUInt32LE(packed, 8)
    bytes.writeUInt32LE(size, 12)
  }
  return bytes
}

function centralHeader({ name, method, crc, packed, size, offset }: Entry): Buffer {
  const wide = [size, packed, offset].filter((number) => number >= most32)
  const extra = Buffer.alloc(wide.length === 0 ? 0 : 4 + 8 * wide.length)
  if (wide.length > 0) {
    extra.writeUInt16LE(1, 0)
    extra.writeUInt16LE(8 * wide.length, 2)
    for (const [n, number] of wide.entries()) extra.writeBigUInt64LE(BigInt(number), 4 + 8 * n)
  }
  const header = Buffer.alloc(46)
  header.writeUInt32LE(0x02014b50, 0)
  // Made on Unix; ZIP64 is of version 4.5.
  header.writeUInt16LE(0x0300 | 45, 4)
  header.writeUInt16LE(wide.length > 0 ? 45 : 20, 6)
  header.writeUInt16LE(flags, 8)
  header.writeUInt16LE(method, 10)
  header.writeUInt16LE(noDate.time, 12)
  header.writeUInt16LE(noDate.day, 14)
  header.writeUInt32LE(crc, 16)
  header.writeUInt32LE(Math.min(packed, most32), 20)
  header.writeUInt32LE(Math.min(size, most32), 24)
  header.writeUInt16LE(name.length, 28)
  header.writeUInt16LE(extra.length, 30)
  header.writeUInt32LE(0o100600 * 0x10000, 38)
  header.writeUInt32LE(Math.min(offset, most32), 42)
  return Buffer.concat([header, name, extra])
}

function directoryEnd(count: number, start: number, size: number): Buffer {
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50, 0)
  end.writeUInt16LE(Math.min(count, most16), 8)
  end.writeUInt16LE(Math.min(count, most16), 10)
  end.writeUInt32LE(Math.min(size, most32), 12)
  end.writeUInt32LE(Math.min(start, most32), 16)
  if (count < most16 && size < most32 && start < most32) return end
  const wide = Buffer.alloc(56 + 20)
  wide.writeUInt32LE(0x06064b50, 0)
  wide.writeBigUInt64LE(44n, 4)
  wide.writeUInt16LE(45, 12)
  wide.writeUInt16LE(45, 14)
  wide.writeBigUInt64LE(BigInt(count), 24)
  wide.writeBigUInt64LE(BigInt(count), 32)
  wide.writeBigUInt64LE(BigInt(size), 40)
  wide.writeBigUInt64LE(BigInt(start), 48)
  wide.writeUInt32LE(0x07064b50, 56)
  wide.writeBigUInt64LE(BigInt(start + size), 64)
  wide.writeUInt32LE(1, 72)
  return Buffer.concat([wide, end])
}
