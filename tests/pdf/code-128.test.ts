import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { code128 } from '../../src/domain/code-128.ts'
import { readBars } from './read-bars.ts'
import type { Rectangle } from './read-pdf.ts'

function barsOf(text: string): Rectangle[] {
  let x = 0
  return (code128(text) ?? []).flatMap((width, at) => {
    const bar = { x, y: 0, width, height: 10 }
    x += width
    return at % 2 === 0 ? [bar] : []
  })
}

describe('a text as Code 128', () => {
  it.each(['M1', 'BIB-000123', '21234500001234', 'A1234567B', '123', '12345', 'Martin, Alice'])(
    'is read again: %s',
    async (text) => expect(await readBars(barsOf(text))).toBe(text),
  )

  it('is read again, whatever it is', async () => {
    const signs = fc.string({
      unit: fc.constantFrom(...Array.from('0123456789AZaz -/~')),
      minLength: 1,
      maxLength: 30,
    })
    await fc.assert(
      fc.asyncProperty(signs, async (text) => {
        expect(await readBars(barsOf(text))).toBe(text)
      }),
      { numRuns: 100 },
    )
  })

  it('takes half the room for pairs of digits', () => {
    expect(code128('21234500001234')?.length).toBeLessThan(code128('ABCDEFGHIJKLMN')?.length ?? 0)
  })

  it('has no bars for what scanners would not give back', () => {
    expect(code128('Été')).toBeNull()
    expect(code128('')).toBeNull()
    expect(code128('A\tB')).toBeNull()
  })
})
