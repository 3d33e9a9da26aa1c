import { describe, expect, it } from 'vitest'

import type { CopyFrame } from '../../src/domain/copy-frames.ts'
import { frameOf, unimarcCopies } from '../../src/domain/unimarc-copies.ts'
import { fieldsOf, type Written } from './notice-fields.ts'

describe('unimarcCopies', () => {
  it('maps each field 995 to a copy', () => {
    const copies = unimarcCopies(
      fieldsOf(
        [
          '995',
          'a Médiathèque',
          'b Annexe',
          'e Rez-de-chaussée',
          'f 3001',
          'k R CAM',
          'm 2020',
          'o d',
          'q j',
          'r jz',
          'u don',
        ],
        ['995', 'a Médiathèque', 'c Centrale', 'f 3002', 'q u', 'u '],
        ['200', 'f no copy'],
      ),
    )
    expect(copies).toEqual([
      {
        bar_code: '3001',
        book_number: 'R CAM',
        site: 'Annexe',
        location: 'Rez-de-chaussée',
        medium: 'CD',
        medium_code: 'jz',
        circulation: 'd',
        lent_on: '2020',
        note: 'don',
        audience: 'youth',
        is_lent: true,
      },
      { bar_code: '3002', site: 'Centrale', is_lent: true },
    ])
  })

  it.each<[what: string, parts: string[], copy: object]>([
    ['$a where no site is named nearer', ['a Ville'], { site: 'Ville' }],
    ['$d where $e says nothing', ['d Cave', 'e '], { location: 'Cave' }],
    ['$e before $d', ['d Cave', 'e Salle'], { location: 'Salle' }],
    ['$z where $u says nothing', ['z note'], { note: 'note' }],
    ['the first sign of $q', ['q a-'], { audience: 'adult' }],
    ['a kind that tells no medium', ['r ??'], { medium_code: '??' }],
    ['the two signs of $r', ['r as'], { medium_code: 'as', medium: 'Revue' }],
    ['nothing', [], {}],
  ])('reads %s', (_, parts, copy) => {
    expect(unimarcCopies(fieldsOf(['995', ...parts]))).toEqual([{ is_lent: true, ...copy }])
  })

  it.each<[circulation: string | null, frame: CopyFrame, is_lent: boolean]>([
    [null, '995', true],
    ['a', '995', true],
    ['e', '995', false],
    ['Exclu du prêt', '995', false],
    ['Consultation sur place', '995', false],
    ['Non Disponible', '995', false],
    ['Disponible', '995', true],
    ['1', '995', true],
    ['0', 'koha', true],
    ['1', 'koha', false],
    ['-1', 'koha', false],
  ])('are lent or not: $o %j of %s is %j', (circulation, frame, is_lent) => {
    const fields = fieldsOf(['995', 'f 1', ...(circulation === null ? [] : [`o ${circulation}`])])
    expect(unimarcCopies(fields, frame)[0]!.is_lent).toBe(is_lent)
    if (circulation !== null)
      expect(unimarcCopies(fields, frame, { [circulation]: !is_lent })[0]!.is_lent).toBe(!is_lent)
  })

  it('have the price and the day of acquisition of Koha in its frame alone', () => {
    const fields = fieldsOf(['995', 'f 1', '5 2019-03-01', 'p 12.50', 'm 2020-01-02', 'n 2026-10-01'])
    const days = { bar_code: '1', lent_on: '2020-01-02', due_on: '2026-10-01', is_lent: true }
    expect(unimarcCopies(fields, 'koha')).toEqual([{ ...days, acquired: '2019-03-01', price: '12.50' }])
    expect(unimarcCopies(fields, '995')).toEqual([days])
  })

  it('have of PMB the place, and whether they are lent, in 996', () => {
    const fields = fieldsOf(
      ['995', 'a Fonds propre', 'f 1', 'o c'],
      ['995', 'a Fonds propre', 'f 2'],
      ['996', 'f 2', 'v Annexe', 'x Romans', '1 Réserve', '3 0'],
      ['996', 'f 1', 'v Centre', 'x BD', '3 1'],
    )
    expect(unimarcCopies(fields, 'pmb')).toEqual([
      { bar_code: '1', site: 'Centre', location: 'BD', circulation: 'c', is_lent: true },
      { bar_code: '2', site: 'Annexe', location: 'Romans', circulation: 'Réserve', is_lent: false },
    ])
  })

  it('are none without a field 995', () => {
    expect(unimarcCopies(fieldsOf(['996', 'f 3001']))).toEqual([])
  })
})

it.each<[frame: CopyFrame | null, what: string, ...fields: string[][]]>([
  [null, 'letters', ['995', 'f 1', 'o a']],
  [null, 'no copy', ['200', 'a Nana']],
  ['koha', 'a number in $o', ['995', 'f 1', 'o 0']],
  ['koha', 'the number of an item', ['995', 'f 1', '9 1204']],
  ['koha', 'a day of acquisition', ['995', 'f 1', '5 2019-03-01']],
  ['pmb', '996', ['995', 'f 1', 'o 1'], ['996', 'f 1', '3 1']],
])('frameOf finds %j by %s', (frame, _, ...fields) =>
  expect(frameOf(fieldsOf(...(fields as [string, ...string[]][])))).toBe(frame),
)

it('a notice of thousands of copies finds beside each what PMB says of it, the first of two', () => {
  const codes = Array.from({ length: 8000 }, (_, at) => String(30_000 + at))
  const fields = fieldsOf(
    ...codes.map((code): Written => ['995', `f ${code}`]),
    ...codes.toReversed().map((code): Written => ['996', `f ${code}`, `v Site ${code}`]),
    ['996', 'f 30000', 'v Autre'],
  )
  const copies = unimarcCopies(fields, 'pmb')
  expect(copies.map(({ site }) => site)).toEqual(codes.map((code) => `Site ${code}`))
})
