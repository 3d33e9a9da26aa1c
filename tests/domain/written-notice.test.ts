import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { unimarcCopies } from '../../src/domain/unimarc-copies.ts'
import { unimarcReference } from '../../src/domain/unimarc.ts'
import {
  type NoticeCopy,
  type NoticeReference,
  type WrittenField,
  writtenNotice,
} from '../../src/domain/written-notice.ts'

const bare: NoticeReference = {
  id: 12,
  name: 'L’Étranger',
  code: null,
  description: '',
  medium: null,
  tags: {},
  reference_data: {},
  keywords: [],
  authors: [],
  created_on: '2026-03-10',
  library: 'Médiathèque',
}
const copy: NoticeCopy = {
  bar_code: '3001',
  site: 'Annexe',
  location: null,
  buy_date: null,
  status: 'Disponible',
  state: 'Bon état',
  audience: null,
}

/** « 200 1  a Titre | e Suite »: the tag, the two indicators and the subfields. */
const inShort = ({ tag, indicators, value, subfields }: WrittenField) =>
  value === undefined
    ? `${tag} ${indicators} ${subfields.map((part) => `${part.code} ${part.value}`).join(' | ')}`
    : `${tag} ${value}`
const fieldOf = (short: string): WrittenField =>
  short.startsWith('00')
    ? { tag: short.slice(0, 3), indicators: '', value: short.slice(4), subfields: [] }
    : {
        tag: short.slice(0, 3),
        indicators: short.slice(4, 6),
        subfields: short
          .slice(7)
          .split(' | ')
          .map((part) => ({ code: part.charAt(0), value: part.slice(2) })),
      }

type Told = Partial<NoticeReference>
const noticeOf = (told: Told, before: string[] | null = null, leader = '00000nam  2200000   4500') =>
  writtenNotice({ ...bare, ...told }, [], before && { leader, fields: before.map(fieldOf) })
const written = (told: Told, before: string[] | null = null, tags = /./) =>
  noticeOf(told, before)
    .fields.filter(({ tag }) => tags.test(tag))
    .map(inShort)

describe('writtenNotice', () => {
  it('writes all that a reference says, in the order of the tags', () => {
    const told: Told = {
      code: '9782070360024',
      description: 'Un homme tue.',
      medium: 'Livre',
      tags: {
        author: 'Camus, Albert',
        publisher: 'Gallimard',
        year: '1971',
        collection: 'Folio',
        performer: 'Bouquet, Michel ; Noiret, Philippe',
      },
      reference_data: {
        subhead: 'roman',
        volume: '2',
        language: 'fre',
        linked_authors: 'Rouzé, Marina',
        book_number: 'R CAM',
        book_number_dewey: '843.914',
        buying_price: '8,20 EUR',
      },
      keywords: ['Algérie', 'Absurde'],
      authors: [
        { type: 'Illustrateur', name: 'Doré, Gustave' },
        { type: 'Balayeur', name: 'Molière' },
      ],
    }
    const full: NoticeCopy = { ...copy, location: 'Salle', buy_date: '2020-01-15', audience: 'youth' }
    const { leader, fields } = writtenNotice(
      { ...bare, ...told },
      [full, { ...copy, audience: 'adult' }],
      null,
    )
    expect(leader).toBe('00000nam  2200000   4500')
    expect(fields.map(inShort)).toEqual([
      '001 12',
      '010    a 9782070360024 | d 8,20 EUR',
      '100    a 20260310d1971    |||y0frey50      ba',
      '101 0  a fre',
      '200 1  a L’Étranger | e roman | h 2',
      '210    c Gallimard | d 1971',
      '225 |  a Folio',
      '330    a Un homme tue.',
      '610 0  a Algérie',
      '610 0  a Absurde',
      '676    a 843.914',
      '700  1 a Camus | b Albert | 4 070',
      '702  1 a Doré | b Gustave | 4 440',
      '702  1 a Molière | 4 205',
      '702  1 a Bouquet | b Michel | 4 590',
      '702  1 a Noiret | b Philippe | 4 590',
      '702  1 a Rouzé | b Marina | 4 205',
      '801  0 a FR | b Médiathèque',
      '995    5 2020-01-15 | b Annexe | c Annexe | e Salle | f 3001 | k R CAM | o Disponible | q j | r am | u Bon état',
      '995    b Annexe | c Annexe | f 3001 | k R CAM | o Disponible | q a | r am | u Bon état',
    ])
  })

  it('writes of a bare reference what a notice must have', () => {
    expect(written({})).toEqual([
      '001 12',
      '100    a 20260310d        |||y0frey50      ba',
      '200 1  a L’Étranger',
      '801  0 a FR | b Médiathèque',
    ])
    expect(unimarcCopies(writtenNotice(bare, [copy], null).fields)).toEqual([
      {
        bar_code: '3001',
        site: 'Annexe',
        medium_code: 'zz',
        circulation: 'Disponible',
        note: 'Bon état',
        is_lent: true,
      },
    ])
  })

  it.each([
    ['9782070360024', '010    a 9782070360024'],
    ['3700187646622', '073  0 a 3700187646622'],
    ['0003-4010', '011    a 0003-4010'],
  ])('writes the code %s in the field of its kind', (code, field) => {
    expect(written({ code }, null, /^0[17]\d/)).toEqual([field])
  })

  it.each([
    ['197', '    '],
    ['19711', '    '],
    ['vers 1971', '    '],
    ['1971', '1971'],
  ])('writes the year %s in field 100 as « %s »', (year, coded) => {
    expect(written({ tags: { year } }, null, /100/)).toEqual([
      `100    a 20260310d${coded}    |||y0frey50      ba`,
    ])
  })

  it('names each person once, though several places do, and nobody without a name', () => {
    const told: Told = {
      tags: { author: 'Un', performer: ' ; Deux' },
      reference_data: { linked_authors: 'Un ; Trois ; Deux' },
      authors: [
        { type: 'Auteur', name: 'Un' },
        { type: 'Illustrateur', name: 'Trois' },
        { type: 'Traducteur', name: 'Trois' },
        { type: 'Traducteur', name: '' },
      ],
    }
    expect(written(told, null, /^7/)).toEqual([
      '700  1 a Un | 4 070',
      '702  1 a Trois | 4 440',
      '702  1 a Deux | 4 590',
    ])
  })

  it('keeps a name of more than two parts whole', () => {
    expect(written({ tags: { author: 'Saint-Exupéry, Antoine, de' } }, null, /^7/)).toEqual([
      '700  1 a Saint-Exupéry | b Antoine, de | 4 070',
    ])
  })

  describe('over the notice that a reference came from', () => {
    const title = '200 1  a L’Étranger | f Camus'

    it('takes its own number and keeps the other one', () => {
      const numbers = /^0|801/
      expect(written({}, ['001 FRBNF1', title], numbers)).toEqual([
        '001 12',
        '035    a FRBNF1',
        '801  0 a FR | b Médiathèque',
      ])
      expect(written({}, ['001 12', title], numbers)).toEqual(['001 12', '801  0 a FR | b Médiathèque'])
      expect(written({}, [title, '801  0 a FR | b BnF'], numbers)).toEqual(['001 12', '801  0 a FR | b BnF'])
    })

    it('keeps fields of which nothing is known, and no copy of before', () => {
      const others = ['035    a X', '300    a Une note', '856 4  u https://exemple.fr']
      expect(written({}, [...others, title, '995    f 3009'], /035|300|856|995/)).toEqual(others)
    })

    it('keeps field 100, and says of it that its signs are UTF-8', () => {
      const own = '100    a 19990115d1998    m  y0frey0103    ba'
      expect(written({}, [own, title], /100/)).toEqual(['100    a 19990115d1998    m  y0frey50      ba'])
      expect(written({}, [`${own} `, title], /100/)).toEqual([
        '100    a 20260310d        |||y0frey50      ba',
      ])
    })

    it('keeps of the title what a reference does not tell', () => {
      const before = ['200 0  a Étranger | b Texte | e conte | f Camus | h 3 | i Fin']
      expect(written({ name: 'Étranger. Fin', reference_data: { subhead: 'conte' } }, before, /200/)).toEqual(
        before,
      )
      expect(written({ reference_data: { subhead: 'conte', volume: '4' } }, before, /200/)).toEqual([
        '200 1  a L’Étranger | e conte | b Texte | f Camus | h 3',
      ])
      expect(written({ name: 'Étranger. Fin' }, before, /200/)).toEqual([
        '200 1  a Étranger. Fin | b Texte | f Camus | h 3',
      ])
    })

    it('keeps a title with a slash that was taken whole, and parts one that was parted', () => {
      const slash = ['200 1  a AC / DC']
      expect(written({ name: 'AC / DC' }, slash, /200/)).toEqual(slash)
      const line = ['200 1  a Nana : roman / Zola']
      expect(written({ name: 'Nana', reference_data: { subhead: 'roman' } }, line, /200/)).toEqual(line)
      expect(written({ name: 'Nana' }, line, /200/)).toEqual(['200 1  a Nana | f Zola'])
    })

    it.each<[before: string, same: Told, changed: Told, written: string[]]>([
      ['010    a 2-07-036002-4 | b br.', { code: '9782070360024' }, { code: null }, []],
      ['073  0 a 3700187646622', { code: '3700187646622' }, { code: '0003-4010' }, ['011    a 0003-4010']],
      ['101 1  a fre | c eng', data('language', 'fre'), data('language', 'eng'), ['101 0  a eng']],
      ['101 1  a fre | c eng', data('language', 'fre'), {}, []],
      [
        '214  0 a Paris | c Seuil | d DL 2019',
        { tags: { publisher: 'Seuil', year: '2019' } },
        { tags: { publisher: 'Minuit', year: '2019' } },
        ['210    c Minuit | d 2019'],
      ],
      [
        '210    a Paris | c Seuil | d DL 2019',
        { tags: { publisher: 'Seuil', year: '2019' } },
        { tags: { publisher: 'Seuil', year: '2020' } },
        ['210    c Seuil | d 2020'],
      ],
      ['210    a Paris | c Seuil', { tags: { publisher: 'Seuil' } }, {}, []],
      ['461  0 t Astérix | v 12', { tags: { collection: 'Astérix' } }, {}, []],
      [
        '225 1  a Folio | v 2',
        { tags: { collection: 'Folio' } },
        { tags: { collection: 'Poche' } },
        ['225 |  a Poche'],
      ],
      ['330    a Un homme | 2 x', { description: 'Un homme' }, { description: 'Autre' }, ['330    a Autre']],
      ['330    a Un homme | 2 x', { description: 'Un homme' }, {}, []],
      [
        '676    a 843 | v 23',
        data('book_number_dewey', '843'),
        data('book_number_dewey', '8'),
        ['676    a 8'],
      ],
      ['676    a 843 | v 23', data('book_number_dewey', '843'), {}, []],
      ['606    a Un | x Deux | 2 rameau', { keywords: ['Un -- Deux'] }, {}, []],
      ['606    a Un | 2 rameau', { keywords: ['Un'] }, { keywords: ['Deux'] }, ['610 0  a Deux']],
      [
        '606    a Un | 2 rameau',
        { keywords: ['Un'] },
        { keywords: ['Un', 'Un'] },
        ['610 0  a Un', '610 0  a Un'],
      ],
      [
        '710 02 a Ville | 4 070 | 3 x',
        { tags: { author: 'Ville' } },
        { tags: { author: 'Bourg' } },
        ['700  1 a Bourg | 4 070'],
      ],
      [
        '702  1 a Doe | f 1930-',
        data('linked_authors', 'Doe'),
        data('linked_authors', 'Roe'),
        ['702  1 a Roe | 4 205'],
      ],
      [
        '702  1 a Doe | 4 440 | f 1930-',
        { ...data('linked_authors', 'Doe'), authors: [{ type: 'Traducteur', name: 'Doe' }] },
        { ...data('linked_authors', 'Doe'), authors: [{ type: 'Traducteur', name: 'Roe' }] },
        ['702  1 a Roe | 4 730', '702  1 a Doe | 4 205'],
      ],
    ])(
      'keeps « %s » while it says what %j does, and else writes what %j tells',
      (before, same, changed, fields) => {
        const group = /^(?!001|100|200|801)/
        expect(written(same, [title, before], group)).toEqual([before])
        expect(written(changed, [title, before], group)).toEqual(fields)
      },
    )

    it('takes no field for a known one whose tag has it within', () => {
      const tags = ['200', '010', '101', '210', '225', '330', '606', '676', '700'].flatMap((tag) => [
        `9${tag}`,
        `${tag}9`,
      ])
      const fields = tags.map((tag) => ({ tag, indicators: '  ', subfields: [{ code: 'a', value: 'x' }] }))
      const { fields: kept } = writtenNotice(bare, [], { leader: '', fields })
      expect(kept.map(({ tag }) => tag).filter((tag) => tags.includes(tag))).toEqual(tags.toSorted())
    })

    it('finds its number and field 100 wherever they stand', () => {
      const before = [
        '005 20260101',
        '001 FRBNF1',
        title,
        '100    b x | a 19990115d1998    m  y0frey0103    ba',
      ]
      expect(written({}, before, /^035|100/)).toEqual([
        '035    a FRBNF1',
        '100    a 19990115d1998    m  y0frey50      ba',
      ])
      expect(written({}, [title, '100    b x'], /100/)).toEqual([
        '100    a 20260310d        |||y0frey50      ba',
      ])
    })

    it('writes subjects anew where one of them is another', () => {
      const before = ['606    a Un | 2 rameau', '606    a Deux | 2 rameau']
      expect(written({ keywords: ['Un', 'Trois'] }, before, /^6/)).toEqual(['610 0  a Un', '610 0  a Trois'])
    })

    it('keeps people while each of the lists is among them, under any function', () => {
      const before = ['702  1 a Doe | 4 440', '702  1 a Roe | 4 730']
      const authors = [{ type: 'Auteur', name: 'Roe' }]
      expect(written({ ...data('linked_authors', 'Doe ; Roe'), authors }, before, /^7/)).toEqual(before)
    })

    it('keeps subjects in any order', () => {
      const before = ['606    a Un | 2 rameau', '610 0  a Deux']
      expect(written({ keywords: ['Deux', 'Un'] }, before, /^6/)).toEqual(before)
    })
  })

  it.each([
    ['Livre', 'am'],
    ['Revue', 'as'],
    ['Partition', 'cm'],
    ['Carte', 'em'],
    ['DVD', 'gm'],
    ['Livre audio', 'im'],
    ['CD', 'jm'],
    ['Image', 'km'],
    ['Ressource électronique', 'lm'],
    ['Objet', 'rm'],
    ['Jeu', 'am'],
    // A word of every object.
    ['constructor', 'am'],
    [null, 'am'],
  ])('tells %s in the leader as « %s »', (medium, kind) => {
    expect(noticeOf({ medium }).leader).toBe(`00000n${kind}  2200000   4500`)
  })

  it('has the kind of a copy’s document in its field', () => {
    const kindOf = (medium: string | null) =>
      writtenNotice({ ...bare, medium }, [copy], null).fields.flatMap(({ tag, subfields }) =>
        tag === '995' ? subfields.filter(({ code }) => code === 'r').map(({ value }) => value) : [],
      )
    expect(['DVD', 'Jeu', 'constructor', null].map(kindOf)).toEqual([['gm'], ['zz'], ['zz'], ['zz']])
  })

  it('keeps of the leader the kind while it says the medium, and what is known of the record', () => {
    const leader = '01234cbs1 2200349 i 450 '
    expect(noticeOf({ medium: 'Livre' }, [], leader).leader).toBe('00000nbs1 2200000 i 4500')
    expect(noticeOf({ medium: 'CD' }, [], leader).leader).toBe('00000njm1 2200000 i 4500')
    expect(noticeOf({ medium: null }, [], '01234n?m').leader).toBe('00000n?m  2200000   4500')
    expect(noticeOf({ medium: null }, [], '01234n?').leader).toBe('00000nam  2200000   4500')
  })

  it('is read as the reference that it was written of, and written the same again', () => {
    const word = fc.constantFrom('Un', 'Deux, Trois', 'Été', 'œuvre', '1971')
    const told = fc.record({
      name: word,
      code: fc.constantFrom(null, '9782070360024', '3700187646622', '0003-4010'),
      description: fc.constantFrom('', 'Un homme tue.'),
      medium: fc.constantFrom(null, 'Livre', 'DVD', 'Jeu'),
      tags: fc.dictionary(fc.constantFrom('author', 'publisher', 'year', 'collection', 'performer'), word),
      reference_data: fc.dictionary(fc.constantFrom('subhead', 'volume', 'language', 'linked_authors'), word),
      keywords: fc.uniqueArray(word),
      authors: fc.array(fc.record({ type: fc.constantFrom('Auteur', 'Traducteur'), name: word })),
    })
    fc.assert(
      fc.property(told, (some) => {
        const reference = { ...bare, ...some }
        const notice = writtenNotice(reference, [copy], null)
        const read = unimarcReference(notice.fields, notice.leader)
        expect([read.name, read.code ?? null, read.description ?? '', read.keywords]).toEqual([
          some.name,
          some.code,
          some.description,
          some.keywords,
        ])
        expect(writtenNotice(reference, [copy], notice)).toEqual(notice)
      }),
    )
  })
})

function data(name: string, value: string): Told {
  return { reference_data: { [name]: value } }
}
