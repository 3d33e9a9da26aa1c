import { timingSafeEqual } from 'node:crypto'

import { hmac } from '@noble/hashes/hmac.js'
import { sha1 } from '@noble/hashes/legacy.js'

// RFC 6238 as every application reads it: SHA-1, six digits, half minutes.

const stepMs = 30_000
const digits = 6
/** Clocks differ, and typing takes time. */
const steps = [-1, 0, 1]

export const stepAt = (now: Date): number => Math.floor(now.getTime() / stepMs)

/** The code of one half minute (RFC 4226). */
export function codeOf(secret: Uint8Array, step: number, length = digits): string {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(step))
  const digest = Buffer.from(hmac(sha1, secret, counter))
  const offset = (digest.at(-1) ?? 0) & 0xf
  const number = digest.readUInt32BE(offset) & 0x7fff_ffff
  return String(number % 10 ** length).padStart(length, '0')
}

/** The half minute whose code this is, a neighbour of the present one, or null. */
export function stepOfCode(secret: Uint8Array, code: string, now: Date): number | null {
  if (!/^\d{6}$/.test(code)) return null
  let found: number | null = null
  // Every one is compared, whichever it is.
  for (const away of steps) {
    const step = stepAt(now) + away
    if (timingSafeEqual(Buffer.from(codeOf(secret, step)), Buffer.from(code))) found = step
  }
  return found
}

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** RFC 4648, without padding: applications read it so, and people type it. */
export function base32(bytes: Uint8Array): string {
  let text = ''
  let held = 0
  let bits = 0
  for (const byte of bytes) {
    held = ((held << 8) | byte) & 0xfff
    bits += 8
    while (bits >= 5) {
      bits -= 5
      text += letters[(held >> bits) & 31]
    }
  }
  return bits > 0 ? text + letters[(held << (5 - bits)) & 31] : text
}

type Labelled = { secret: Uint8Array; issuer: string; account: string }

/** What the QR code says; a colon would end the issuer's name. */
export function otpAddress({ secret, issuer, account }: Labelled): string {
  const named = encodeURIComponent(issuer.replaceAll(':', ' ').trim() || 'Comptoir')
  const of = encodeURIComponent(account)
  return `otpauth://totp/${named}:${of}?secret=${base32(secret)}&issuer=${named}`
}
