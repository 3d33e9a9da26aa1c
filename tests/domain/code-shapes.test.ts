import { describe, expect, it } from 'vitest'

import { copyNumber } from '../../src/server/demonstration/library-numbers.ts'
import { type CodeKind, type CodeShape, codeShapesOf, learnCode } from '../../src/domain/code-shapes.ts'

function learn(codes: readonly string[], kind: CodeKind = 'copy'): CodeShape[] {
  const shapes: CodeShape[] = []
  for (const code of codes) learnCode(shapes, code, kind)
  return shapes
}

const numbered = (count: number, write: (n: number) => string): string[] =>
  Array.from({ length: count }, (_, n) => write(n))
const six = (n: number) => String(n).padStart(6, '0')

describe('a code that is nobody’s', () => {
  it('resembles a label of the library whose check digit was misread, and no card', () => {
    const shapes = codeShapesOf(learn(numbered(30, (n) => copyNumber(0, n + 1))))
    const misread = `${copyNumber(0, 99).slice(0, -1)}${(Number(copyNumber(0, 99).at(-1)) + 1) % 10}`
    expect([shapes.kindOf(misread), shapes.resembles(misread)]).toEqual([null, 'copy'])
    expect(shapes.resembles(`2${misread.slice(1)}`)).toBeNull()
  })
})

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

  it('tells the lengths of codes that are figures alone', () => {
    expect([...codeShapesOf(learn(['31555510000017', '300001', 'BIB-0001'])).figureLengths]).toEqual([14, 6])
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
    expect(fits('978207036002452500')).toBe(true)
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

  it('cuts as well what a scanner typed on an AZERTY keyboard, and knows how that goes on', () => {
    const { split, mayGoOn } = codeShapesOf(
      learn([...numbered(30, (n) => `31555${six(n)}`), ...numbered(30, (n) => `BIB-${six(n)}`)]),
    )
    expect(split('"&(((àààà&éBIB)àààà&"')).toEqual(['31555000012', 'BIB-000013'])
    expect(split('"&(((àààà&é"&(((àààà&"')).toEqual(['31555000012', '31555000013'])
    expect(split('"&(((àààà&é')).toBeNull()
    expect(['BIB)ààà', ']C1BIB-000', 'BIB)àààà&"'].map(mayGoOn)).toEqual([true, true, false])
  })

  it('overlooks what was written by hand once among hundreds', () => {
    const { fits } = codeShapesOf(learn([...numbered(400, six), 'A12']))
    expect(fits('A12')).toBe(false)
  })

  it('knows the cards of a library that has hundreds of copies for each reader', () => {
    const cards = learn(
      numbered(3, (n) => `L${n}`),
      'beneficiary',
    )
    const { fits } = codeShapesOf([...learn(numbered(1000, six)), ...cards])
    expect(fits('L7')).toBe(true)
  })
})

describe('kindOf', () => {
  const copies = learn(numbered(30, (n) => `31555${six(n)}`))
  const cards = learn(
    numbered(30, (n) => `21555${six(n)}`),
    'beneficiary',
  )

  it('tells a card from a copy by what codes of each begin with', () => {
    const { kindOf } = codeShapesOf([...copies, ...cards])
    expect(['31555000999', '21555000999', 'é&(((àààççç', '41555000999'].map(kindOf)).toEqual([
      'copy',
      'beneficiary',
      'beneficiary',
      null,
    ])
  })

  it('keeps one shape a kind where both have the same mask', () => {
    const shapes = [...copies]
    learnCode(shapes, '21555000001', 'beneficiary')
    expect(shapes.map(({ kind, mask, count }) => ({ kind, mask, count }))).toEqual([
      { kind: 'copy', mask: '00000000000', count: 30 },
      { kind: 'beneficiary', mask: '00000000000', count: 1 },
    ])
  })

  it('does not choose between two kinds that look alike, nor for a code that looks like none', () => {
    const few = [...learn(['300001', '300002']), ...learn(['200001'], 'beneficiary')]
    const { kindOf } = codeShapesOf(few)
    expect(['300003', '9782070360024', 'B12', ''].map(kindOf)).toEqual([null, null, null, null])
  })

  it('goes by the custom of libraries only where nothing is learnt', () => {
    const codes = ['21555510000019', '31555510000017', '31555510000018', '41555510000015', '1001']
    expect(codes.map(codeShapesOf([]).kindOf)).toEqual(['beneficiary', 'copy', null, null, null])
    expect(codes.map(codeShapesOf(learn(['1001', '1002'])).kindOf)).toEqual([null, null, null, null, 'copy'])
  })
})

function isLuhn(code: string): boolean {
  const sum = Array.from(code).reduce((total, figure, at) => {
    const weighed = Number(figure) * (at % 2 === 0 ? 2 : 1)
    return total + (weighed > 9 ? weighed - 9 : weighed)
  }, 0)
  return sum % 10 === 0
}
