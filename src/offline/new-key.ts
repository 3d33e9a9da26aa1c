/** A random UUID, also where `crypto.randomUUID` is missing (no HTTPS). */
export function newKey(): string {
  const { crypto } = globalThis as { crypto: Crypto & { randomUUID?: () => string } }
  if (crypto.randomUUID) return crypto.randomUUID()
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  const hex = Array.from(bytes, (byte, at) => {
    // RFC 9562: version 4, variant 10.
    const signed = at === 6 ? (byte & 0x0f) | 0x40 : at === 8 ? (byte & 0x3f) | 0x80 : byte
    return signed.toString(16).padStart(2, '0')
  }).join('')
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-')
}
