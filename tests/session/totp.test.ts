import { describe, expect, it } from 'vitest'

import { base32, codeOf, otpAddress, stepAt, stepOfCode } from '../../src/server/session/totp.ts'

const secret = Buffer.from('12345678901234567890')

describe('codes by the clock', () => {
  // RFC 6238, appendix B, SHA-1.
  it.each([
    [59, '94287082'],
    [1_111_111_109, '07081804'],
    [1_111_111_111, '14050471'],
    [1_234_567_890, '89005924'],
    [2_000_000_000, '69279037'],
    [20_000_000_000, '65353130'],
  ])('at %i s are those of the standard', (seconds, code) => {
    const step = stepAt(new Date(seconds * 1000))
    expect(codeOf(secret, step, 8)).toBe(code)
    expect(codeOf(secret, step)).toBe(code.slice(2))
  })

  it('are taken half a minute early or late, and no more', () => {
    const now = new Date('2026-03-10T09:00:00Z')
    const step = stepAt(now)
    const taken = [-2, -1, 0, 1, 2].map((away) => stepOfCode(secret, codeOf(secret, step + away), now))
    expect(taken).toEqual([null, step - 1, step, step + 1, null])
    for (const nonsense of ['', '12345', '1234567', 'abcdef', '１２３４５６'])
      expect(stepOfCode(secret, nonsense, now)).toBeNull()
  })
})

describe('what an application reads', () => {
  // RFC 4648, section 10.
  it.each([
    ['', ''],
    ['f', 'MY'],
    ['fo', 'MZXQ'],
    ['foo', 'MZXW6'],
    ['foob', 'MZXW6YQ'],
    ['fooba', 'MZXW6YTB'],
    ['foobar', 'MZXW6YTBOI'],
  ])('writes « %s » as %s', (bytes, text) => expect(base32(Buffer.from(bytes))).toBe(text))

  it('is an address with the library, the person and the secret', () => {
    const address = otpAddress({ secret, issuer: 'Ludothèque : l’Écu', account: 'zoé' })
    const { protocol, host, pathname, searchParams } = new URL(address)
    expect([protocol, host]).toEqual(['otpauth:', 'totp'])
    expect(decodeURIComponent(pathname)).toBe('/Ludothèque   l’Écu:zoé')
    expect(searchParams.get('issuer')).toBe('Ludothèque   l’Écu')
    expect(searchParams.get('secret')).toBe('GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ')
  })
})
