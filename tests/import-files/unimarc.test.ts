import { expect, it } from 'vitest'

import { unimarcCopies, unimarcReference } from '../../src/domain/unimarc.ts'

type Written = readonly [tag: string, ...parts: string[]]
/** « a Titre » is subfield a. */
const fields = (...written: Written[]) =>
  written.map(([tag, ...parts]) => ({
    tag,
    subfields: parts.map((part) => ({ code: part[0]!, value: part.slice(2) })),
  }))

it('maps a notice to a reference', () => {
  const notice = fields(
    ['010', 'a 2-07-036002-4 (br.)', 'd 8,20 EUR'],
    ['101', 'a fre'],
    ['200', 'a L’Étranger', 'e roman', 'f Albert Camus'],
    ['205', 'a Nouvelle édition'],
    ['210', 'a Paris', 'c Gallimard', 'd impr. 1971'],
    ['215', 'a 185 p.', 'd 18 cm'],
    ['225', 'a Folio', 'v 2'],
    ['330', 'a Un homme\n tue.'],
    ['606', 'a Absurde', 'y France', '2 rameau'],
    ['610', 'a roman', 'a roman'],
    ['676', 'a 843.914'],
    ['700', 'a Camus', 'b Albert', '4 070'],
    ['702', 'a Rouzé', 'b Marina', '4 440'],
    ['702', 'a Doe', '4 999'],
  )
  expect(unimarcReference([{ tag: '001', value: 'FRBNF1', subfields: [] }, ...notice], '00000nam0')).toEqual({
    name: 'L’Étranger',
    code: '9782070360024',
    description: 'Un homme tue.',
    edition: 'Nouvelle édition',
    extent: '185 p., 18 cm',
    notice_number: 'FRBNF1',
    tags: { author: 'Camus, Albert', publisher: 'Gallimard', year: '1971', collection: 'Folio' },
    reference_data: {
      subhead: 'roman',
      volume: '2',
      language: 'fre',
      linked_authors: 'Rouzé, Marina ; Doe',
      book_number_dewey: '843.914',
      buying_price: '8,20 EUR',
    },
    keywords: ['Absurde -- France', 'roman'],
    authors: { Auteur: ['Camus, Albert'], Illustrateur: ['Rouzé, Marina'], Collaborateur: ['Doe'] },
    medium: 'Livre',
  })
})

it.each<[what: string, notice: Written[], expected: object]>([
  [
    'the makers of the title page where nobody has a field',
    [['200', 'a A', 'f par Jean Dupont']],
    { tags: { author: 'par Jean Dupont' } },
  ],
  [
    'a second author where there is no first',
    [
      ['200', 'a A', 'f x'],
      ['701', 'a Un'],
      ['702', 'a Deux'],
    ],
    { tags: { author: 'Un' } },
  ],
  [
    'publisher and year of 214',
    [
      ['200', 'a A'],
      ['214', 'c Seuil', 'd [2019]'],
    ],
    { tags: { publisher: 'Seuil', year: '2019' } },
  ],
  [
    'an EAN where there is no ISBN',
    [
      ['200', 'a A'],
      ['073', 'a 3700187646622'],
    ],
    { code: '3700187646622' },
  ],
  [
    'an ISSN',
    [
      ['011', 'a 0003-4010'],
      ['200', 'a A'],
    ],
    { code: '0003-4010' },
  ],
  [
    'a series of 461 with its number',
    [
      ['200', 'a A'],
      ['461', 't Astérix', 'v 12'],
    ],
    { tags: { collection: 'Astérix' }, reference_data: { volume: '12' } },
  ],
  [
    'a work of several titles',
    [['200', 'a A', 'i B', 'h 3']],
    { name: 'A. B', reference_data: { volume: '3' } },
  ],
  ['no title', [['010', 'a x']], { name: '' }],
])('maps %s', (_, notice, expected) => {
  expect(unimarcReference(fields(...notice))).toMatchObject(expected)
})

it.each([
  ['nam', 'Livre'],
  ['nas', 'Revue'],
  ['njm', 'CD'],
  ['ngm', 'DVD'],
  ['n?m', null],
])('tells the medium of the leader « %s »', (kind, medium) => {
  expect(unimarcReference([], `00000${kind}`).medium).toBe(medium)
})

it('maps each field 995 to a copy', () => {
  const copies = unimarcCopies(
    fields(
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
      status_code: 'o d'.slice(2),
      date: '2020',
      note: 'don',
      audience: 'youth',
    },
    { bar_code: '3002', site: 'Centrale' },
  ])
})
