import { randomBytes } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'

import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import {
  newSeal,
  unlockSeal,
  readHeader,
  type Seal,
  sealing,
  unsealed,
} from '../../src/server/backup/sealed-file.ts'

const passphrase = 'un été à Noirmoutier, 1987'
const chunk = 65_536

let folder: string
let seal: Seal
beforeAll(async () => {
  seal = await newSeal(passphrase)
  folder = await mkdtemp(join(tmpdir(), 'comptoir-sealed-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

/** Writes content under a seal, in pieces that end where no chunk does. */
const writeSealed = async (name: string, content: Buffer, seal: Seal): Promise<string> => {
  const path = join(folder, name)
  const pieces = Array.from({ length: Math.ceil(content.length / 10_007) }, (_, n) =>
    content.subarray(n * 10_007, (n + 1) * 10_007),
  )
  await pipeline(Readable.from(pieces), sealing(seal), createWriteStream(path))
  return path
}

const read = async (path: string, seal: Seal): Promise<Buffer> => {
  const pieces: Buffer[] = []
  for await (const piece of unsealed(path, seal)) pieces.push(piece)
  return Buffer.concat(pieces)
}

const open = async (path: string, given = passphrase): Promise<Buffer> => {
  const header = await readHeader(path)
  if (header === null || typeof header === 'string') throw new Error(`header: ${header}`)
  const found = await unlockSeal(header, given)
  if (found === null) throw new Error('wrong passphrase')
  return read(path, found)
}

/** The header and the chunks, tags included. */
const partsOf = async (path: string) => {
  const bytes = await readFile(path)
  const header = bytes.subarray(0, bytes.indexOf(10) + 1)
  const chunks: Buffer[] = []
  for (let at = header.length; at < bytes.length; at += chunk + 16)
    chunks.push(bytes.subarray(at, at + chunk + 16))
  return { header, chunks }
}

describe('a sealed file', () => {
  it.each([0, 1, chunk - 1, chunk, chunk + 1, 3 * chunk, 3 * chunk + 5000])(
    'gives %i bytes back, and hides them',
    async (length) => {
      const content = Buffer.alloc(length, 'bibliothèque ')
      const path = await writeSealed('whole', content, seal)
      expect((await read(path, seal)).equals(content)).toBe(true)
      expect((await readFile(path)).includes('bibliot')).toBe(false)
    },
  )

  it('opens to its passphrase alone, however its accents are typed', async () => {
    const path = await writeSealed('opened', Buffer.from('bonjour'), seal)
    expect((await open(path)).toString()).toBe('bonjour')
    expect((await open(path, passphrase.normalize('NFD'))).toString()).toBe('bonjour')
    await expect(open(path, `${passphrase}.`)).rejects.toThrow('wrong passphrase')
  })

  it('refuses what is cut, lengthened, moved, repeated, or comes from another file', async () => {
    const content = randomBytes(3 * chunk + 5000)
    const { header, chunks } = await partsOf(await writeSealed('a', content, seal))
    const [a, b, c, last] = chunks as [Buffer, Buffer, Buffer, Buffer]
    expect(chunks).toHaveLength(4)
    const otherSeal = await newSeal(passphrase)
    const other = await partsOf(await writeSealed('b', content, otherSeal))
    const refuses = async (parts: readonly Buffer[], by: Seal) => {
      await writeFile(join(folder, 'altered'), Buffer.concat(parts))
      await expect(read(join(folder, 'altered'), by)).rejects.toThrow()
    }
    const altered = {
      'nothing behind the header': [],
      'the last chunk is missing': [a, b, c],
      'one byte is missing': [a, b, c, last.subarray(0, -1)],
      'one byte too many': [a, b, c, last, Buffer.from('x')],
      'two are exchanged': [b, a, c, last],
      'one is missing': [a, c, last],
      'one is repeated': [a, b, b, c, last],
      'the last is repeated': [a, b, c, last, last],
      'the last comes first': [last, a, b, c],
      'one is another file’s': [a, other.chunks[1] ?? a, c, last],
    }
    for (const parts of Object.values(altered)) await refuses([header, ...parts], seal)
    await refuses([other.header, a, b, c, last], otherSeal)
    // The same key behind another header.
    await refuses([header, a, b, c, last], { ...seal, header: Buffer.from(header).fill(' ', 30, 31) })
  })

  it('refuses a bit that was turned, wherever it is', async () => {
    const bytes = await readFile(await writeSealed('bits', randomBytes(chunk + 300), seal))
    const header = bytes.indexOf(10)
    const places = [
      19,
      Math.floor(header / 2),
      header - 3,
      header,
      header + 1,
      header + chunk,
      bytes.length - 1,
    ]
    for (const place of places) {
      const turned = Buffer.from(bytes)
      turned.writeUInt8(turned.readUInt8(place) ^ 1, place)
      await writeFile(join(folder, 'turned'), turned)
      await expect(open(join(folder, 'turned'))).rejects.toThrow()
    }
  })

  it('asks no more of this machine than its own files do, and knows a newer file', async () => {
    const { header, chunks } = await partsOf(await writeSealed('costly', Buffer.from('x'), seal))
    const rewritten = async (change: (text: string) => string) => {
      await writeFile(
        join(folder, 'rewritten'),
        Buffer.concat([Buffer.from(change(header.toString())), ...chunks]),
      )
      return readHeader(join(folder, 'rewritten'))
    }
    expect(await rewritten((text) => text.replace('"n":131072', '"n":1073741824'))).toBe('damaged')
    expect(await rewritten((text) => text.replace('"chunk":65536', '"chunk":0'))).toBe('damaged')
    expect(await rewritten((text) => text.replace('_sealed":1', '_sealed":2'))).toBe('newer')
    expect(await rewritten((text) => text.replace('\n', ' '.repeat(2000)))).toBe('damaged')
    expect(await rewritten(() => '\u001f\u008b')).toBeNull()
  })
})
