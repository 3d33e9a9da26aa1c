import { createCipheriv, createDecipheriv, randomBytes, scrypt, timingSafeEqual } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { Transform } from 'node:stream'

import * as v from 'valibot'

/**
 * A sealed file is a line of JSON, then chunks of AES-256-GCM, each with its tag (16 bytes) behind it:
 * {"comptoir_sealed":1,"scrypt":{"n":131072,"r":8,"p":1},"salt":"…","check":"…","chunk":65536}
 * scrypt makes the key and a check, which tells a wrong passphrase from a damaged file. A nonce is the
 * chunk's number and whether it is the last, and chunks vouch for the header: none can be moved, cut or
 * swapped. Raise `sealVersion` when this changes.
 */
const sealVersion = 1
const begins = Buffer.from('{"comptoir_sealed":')
const longestHeader = 1024
const tagBytes = 16
const cost = { n: 2 ** 17, r: 8, p: 1 }

const bounded = (most: number) => v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(most))
const headerSchema = v.object({
  comptoir_sealed: v.number(),
  // The header is not trusted yet, so what it asks of this machine is bounded.
  scrypt: v.object({ n: bounded(2 ** 18), r: bounded(8), p: bounded(2) }),
  salt: v.pipe(v.string(), v.base64()),
  check: v.pipe(v.string(), v.base64(), v.length(24)),
  chunk: bounded(2 ** 20),
})
type Header = v.InferOutput<typeof headerSchema>

export type Seal = { header: Buffer; key: Buffer; chunk: number }

export async function newSeal(passphrase: string): Promise<Seal> {
  const salt = randomBytes(16)
  const { key, check } = await derive(passphrase, salt, cost)
  const header: Header = {
    comptoir_sealed: sealVersion,
    scrypt: cost,
    salt: salt.toString('base64'),
    check: check.toString('base64'),
    chunk: 65_536,
  }
  return { header: Buffer.from(`${JSON.stringify(header)}\n`), key, chunk: header.chunk }
}

/** Null for a file that is not sealed, `newer` or `damaged` for one that cannot be opened. */
export async function readHeader(
  path: string,
): Promise<{ bytes: Buffer; header: Header } | 'newer' | 'damaged' | null> {
  const pieces: Buffer[] = []
  for await (const piece of createReadStream(path, { end: longestHeader - 1 }) as AsyncIterable<Buffer>)
    pieces.push(piece)
  const start = Buffer.concat(pieces)
  if (!start.subarray(0, begins.length).equals(begins)) return null
  const end = start.indexOf(10)
  const bytes = start.subarray(0, end + 1)
  const version = /^\{"comptoir_sealed":(\d{1,9})\b/.exec(bytes.toString())?.[1]
  if (Number(version) > sealVersion) return 'newer'
  const parsed = v.safeParse(v.pipe(v.string(), v.parseJson(), headerSchema), bytes.toString())
  return parsed.success ? { bytes, header: parsed.output } : 'damaged'
}

/** Null for another passphrase or an altered header. */
export async function unlockSeal(
  { bytes, header }: { bytes: Buffer; header: Header },
  passphrase: string,
): Promise<Seal | null> {
  // Parameters that scrypt refuses (an n that is no power of two) were altered.
  const derived = await derive(passphrase, Buffer.from(header.salt, 'base64'), header.scrypt).catch(
    () => null,
  )
  const check = Buffer.from(header.check, 'base64')
  if (derived?.check.length !== check.length || !timingSafeEqual(derived.check, check)) return null
  return { header: bytes, key: derived.key, chunk: header.chunk }
}

export function sealing(seal: Seal): Transform {
  let held = Buffer.alloc(0)
  let number = 0
  const close = (bytes: Buffer, isLast: boolean): Buffer => {
    const cipher = createCipheriv('aes-256-gcm', seal.key, nonceOf(number, isLast)).setAAD(seal.header)
    number += 1
    return Buffer.concat([cipher.update(bytes), cipher.final(), cipher.getAuthTag()])
  }
  const stream = new Transform({
    transform(piece: Buffer, _encoding, done) {
      held = Buffer.concat([held, piece])
      // Only the end tells which chunk is the last.
      for (; held.length > seal.chunk; held = held.subarray(seal.chunk))
        this.push(close(held.subarray(0, seal.chunk), false))
      done()
    },
    flush(done) {
      done(null, close(held, true))
    },
  })
  stream.push(seal.header)
  return stream
}

/** The file's content; throws where a chunk is not what was sealed in its place. */
export async function* unsealed(path: string, seal: Seal): AsyncGenerator<Buffer> {
  let number = 0
  const open = (bytes: Buffer, isLast: boolean): Buffer => {
    const text = bytes.subarray(0, Math.max(0, bytes.length - tagBytes))
    const decipher = createDecipheriv('aes-256-gcm', seal.key, nonceOf(number, isLast), {
      authTagLength: tagBytes,
    })
    number += 1
    decipher.setAAD(seal.header).setAuthTag(bytes.subarray(text.length))
    return Buffer.concat([decipher.update(text), decipher.final()])
  }
  const whole = seal.chunk + tagBytes
  let held = Buffer.alloc(0)
  const pieces = createReadStream(path, { start: seal.header.length, highWaterMark: whole })
  for await (const piece of pieces as AsyncIterable<Buffer>) {
    held = Buffer.concat([held, piece])
    for (; held.length > whole; held = held.subarray(whole)) yield open(held.subarray(0, whole), false)
  }
  yield open(held, true)
}

function nonceOf(number: number, isLast: boolean): Buffer {
  const nonce = Buffer.alloc(12)
  nonce.writeUInt32BE(number, 7)
  nonce.writeUInt8(isLast ? 1 : 0, 11)
  return nonce
}

function derive(
  passphrase: string,
  salt: Buffer,
  { n, r, p }: Header['scrypt'],
): Promise<{ key: Buffer; check: Buffer }> {
  return new Promise((resolve, reject) => {
    scrypt(passphrase.normalize('NFC'), salt, 48, { N: n, r, p, maxmem: 256 * n * r }, (error, bytes) => {
      if (error) reject(error)
      else resolve({ key: bytes.subarray(0, 32), check: bytes.subarray(32) })
    })
  })
}
