import bwip from 'bwip-js/node'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import type { LabelSymbology } from '../../src/domain/label-symbologies.ts'
import { canWrite, ean13Of } from '../../src/domain/symbology-signs.ts'
import { barsOf, modulesOf } from '../../src/server/pdf/draw-bar-code.ts'
import { readDrawn } from './read-labels.ts'

const signs: Record<Exclude<LabelSymbology, 'EAN13'>, string> = {
  CODE128: '0123456789AZaz -/',
  CODE39: '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ-.$/+%',
  CODABAR: '0123456789-$:/.+',
}

const withKey = (body: string) =>
  Array.from('0123456789', (key) => body + key).find((code) => ean13Of(code) !== null) ?? ''

describe('a code in bars', () => {
  it.each(Object.entries(signs) as [keyof typeof signs, string][])(
    'is read again in %s, whatever it is',
    async (symbology, some) => {
      const codes = fc.string({ unit: fc.constantFrom(...Array.from(some)), minLength: 5, maxLength: 16 })
      await fc.assert(
        fc.asyncProperty(codes, fc.constantFrom(2 as const, 3 as const), async (code, wide) => {
          fc.pre(code.trim() === code && canWrite(symbology, code))
          const bars = barsOf(symbology, code, wide)
          expect(bars && (await readDrawn(bars.widths))).toBe(code)
        }),
        { numRuns: 60 },
      )
    },
  )

  it('is no number of a pharmacy, though its six signs could be one', async () => {
    for (const code of ['KV1HXY', '1HBHPZ', 'NYKSVV']) {
      expect(await readDrawn(barsOf('CODE39', code)!.widths)).toBe(code)
    }
  })

  it('is read again as EAN-13, whatever its digits', async () => {
    const bodies = fc.string({
      unit: fc.constantFrom(...Array.from('0123456789')),
      minLength: 12,
      maxLength: 12,
    })
    await fc.assert(
      fc.asyncProperty(bodies, async (body) => {
        const code = withKey(body)
        const bars = barsOf('EAN13', code)
        expect(bars && modulesOf(bars)).toBe(95 + 22)
        expect(bars && (await readDrawn(bars.widths))).toBe(code)
      }),
      { numRuns: 60 },
    )
  })

  it.each([
    ['code39', 'CODE39', '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ-. $/+%'],
    ['rationalizedCodabar', 'CODABAR', '0123456789-$:/.+'],
    ['ean13', 'EAN13', '9782070360024'],
    ['ean13', 'EAN13', '4006381333931'],
  ] as const)('has the same bars elsewhere: %s', (bcid, symbology, code) => {
    const text = symbology === 'CODABAR' ? `A${code}A` : code
    const [drawn] = bwip.raw({ bcid, text }) as unknown as { sbs: number[] }[]
    const theirs = Array.from(drawn?.sbs ?? [])
    // It ends with the space before a sign that does not come.
    expect(barsOf(symbology, code)?.widths).toEqual(theirs.length % 2 === 0 ? theirs.slice(0, -1) : theirs)
  })

  it('has none where it cannot be written', () => {
    expect(barsOf('CODE39', 'abc')).toBeNull()
    expect(barsOf('CODE39', 'A*B')).toBeNull()
    expect(barsOf('CODE39', '%W000')).toBeNull()
    expect(barsOf('CODABAR', 'A1')).toBeNull()
    expect(barsOf('CODE128', 'Été')).toBeNull()
    expect(barsOf('EAN13', '9782070360025')).toBeNull()
    expect(canWrite('EAN13', '036000291452')).toBe(true)
    expect(canWrite('EAN13', '036000291453')).toBe(false)
  })
})
