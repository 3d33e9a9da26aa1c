import { describe, expect, it } from 'vitest'

import { type CodeShape, codeShapesOf, learnCode } from '../../src/domain/code-shapes.ts'

function learn(codes: readonly string[]): CodeShape[] {
  const shapes: CodeShape[] = []
  for (const code of codes) learnCode(shapes, code)
  return shapes
}

const numbered = (count: number, write: (n: number) => string): string[] =>
  Array.from({ length: count }, (_, n) => write(n))
const six = (n: number) => String(n).padStart(6, '0')

describe('learnCode', () => {
  it('keeps one shape a mask, with what its codes begin with', () => {
    const shapes = learn(['BIB-000001', 'BIB-000002', 'bib-000003', '000777'])
    expect(shapes.map(({ mask, count, prefixes }) => ({ mask, count, prefixes }))).toEqual([
      { mask: 'AAA-000000', count: 3, prefixes: ['BIB-0'] },
      { mask: '000000', count: 1, prefixes: ['00077'] },
    ])
  })

  it('shortens the prefixes until there are six', () => {
    const [shape] = learn(['10000', '11000', '12000', '13000', '14000', '15000', '16000'])
    expect(shape?.prefixes).toEqual(['1'])
  })

  it('forgets a check digit that one code lacks', () => {
    expect(learn(['31555510000017', '31555510000066'])[0]).toMatchObject({
      isLibraryNumber: true,
      isEan: false,
    })
    expect(learn(['31555510000017', '31555510000018'])[0]).toMatchObject({ isLibraryNumber: false })
  })
})

describe('codeShapesOf', () => {
  it('knows a code of the library in either case and behind its AIM identifier', () => {
    const { fits } = codeShapesOf(learn(numbered(30, (n) => `BIB-${six(n)}`)))
    expect(['BIB-000999', 'bib-000999', ']C0BIB-000999', 'BIB)àààçççç'].map(fits)).toEqual([
      true,
      true,
      true,
      false,
    ])
    expect(['BOB-000999', 'BIB-00099', 'BIB000999'].map(fits)).toEqual([false, false, false])
  })

  it('asks for no prefix of few codes', () => {
    expect(codeShapesOf(learn(['300001', '300002'])).fits('400001')).toBe(true)
  })

  it('asks for the check digit that all have', () => {
    const own = ['1', '2', '3', '4', '5', '6', '7', '8', '9'].map((n) => `31555510000${n}`)
    const labels = own
      .flatMap((body) => numbered(100, (n) => `${body}${String(n).padStart(2, '0')}`))
      .filter(isLuhn)
    const { fits } = codeShapesOf(learn(labels))
    expect(fits('31555510000017')).toBe(true)
    expect(fits('31555510000018')).toBe(false)
  })

  it('knows every ISBN', () => {
    const { fits, mayGoOn } = codeShapesOf([])
    expect(fits('9782070360024')).toBe(true)
    expect(fits('9782070360025')).toBe(false)
    expect(mayGoOn('978207')).toBe(true)
  })

  it('says whether a longer code may begin so', () => {
    const { mayGoOn } = codeShapesOf(learn([...numbered(30, six), ...numbered(30, (n) => `0000${six(n)}`)]))
    expect(['000001', '0000000001', 'B'].map(mayGoOn)).toEqual([true, false, false])
  })

  it('cuts what can be cut in one way only', () => {
    const { split } = codeShapesOf(learn([...numbered(30, (n) => `B${six(n)}`), ...numbered(30, six)]))
    expect(split('B000012000024')).toEqual(['B000012', '000024'])
    expect(split('B000012')).toBeNull()
    expect(split('B0000120')).toBeNull()
    const { split: splitTwoWays } = codeShapesOf(learn(['12', '123', '1234'].flatMap((code) => [code, code])))
    expect(splitTwoWays('12345')).toBeNull()
  })

  it('overlooks what was written by hand once among hundreds', () => {
    const { fits } = codeShapesOf(learn([...numbered(400, six), 'A12']))
    expect(fits('A12')).toBe(false)
  })
})

function isLuhn(code: string): boolean {
  const sum = Array.from(code).reduce((total, figure, at) => {
    const weighed = Number(figure) * (at % 2 === 0 ? 2 : 1)
    return total + (weighed > 9 ? weighed - 9 : weighed)
  }, 0)
  return sum % 10 === 0
}
