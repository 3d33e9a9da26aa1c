import { describe, expect, it } from 'vitest'

import { partedTitle, unimarcReference } from '../../src/domain/unimarc.ts'
import { fieldsOf, type Written } from './notice-fields.ts'

type Notice = Written[]
const of = (...notice: Notice) => unimarcReference(fieldsOf(...notice))

describe('unimarcReference', () => {
  it('maps a notice to a reference', () => {
    const notice = fieldsOf(
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
    expect(
      unimarcReference([{ tag: '001', value: ' FRBNF1 ', subfields: [] }, ...notice], '00000nam0'),
    ).toEqual({
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

  it('has the number of the field that holds it, wherever it stands', () => {
    const control = (tag: string, value: string) => ({ tag, value, subfields: [] })
    expect(unimarcReference([control('005', '2026'), control('001', 'B1')]).notice_number).toBe('B1')
    expect(unimarcReference([control('001', ' ')]).notice_number).toBeUndefined()
  })

  it('leaves out what a notice does not say', () => {
    expect(of(['200', 'a ', 'e  '])).toEqual({
      name: '',
      tags: {},
      reference_data: {},
      keywords: [],
      authors: {},
      medium: null,
    })
  })

  it.each<[name: string, ...parts: string[]]>([
    ['A', 'a A'],
    ['A', 'a  ', 'a A', 'a B'],
    ['A. B. C', 'a A', 'i B', 'i C'],
    ['B', 'i B'],
  ])('has the name %j of its title and its parts', (name, ...parts) => {
    expect(of(['200', ...parts]).name).toBe(name)
  })

  it.each<[said: object, ...parts: string[]]>([
    [{ name: 'Nana', subhead: 'roman', author: 'Émile Zola' }, 'a Nana : roman / Émile Zola'],
    [{ name: 'Nana', subhead: 'roman', author: 'Zola' }, 'a Nana [Texte imprimé] : roman / Zola'],
    [{ name: 'Nana [inédit]', author: 'Zola' }, 'a Nana [inédit] / Zola'],
    // Not a line of ISBD: its parts have subfields of their own, or nothing says who made it.
    [{ name: 'Un / Deux', author: 'Zola' }, 'a Un / Deux', 'f Zola'],
    [{ name: 'Paris : 1900' }, 'a Paris : 1900'],
    [{ name: 'Et/ou' }, 'a Et/ou'],
  ])('has %j of a title', (said, ...parts) => {
    const { name, tags, reference_data } = of(['200', ...parts])
    expect({ name, subhead: reference_data.subhead, author: tags.author }).toEqual({
      subhead: undefined,
      author: undefined,
      ...said,
    })
  })

  it.each<[code: string | undefined, what: string, ...notice: Notice]>([
    ['9782070413119', 'an ISBN of ten', ['010', 'a 2-07-041311-X']],
    ['9782070413119', 'the first ISBN that is right', ['010', 'a 2-07-041311-1'], ['010', 'a 2-07-041311-X']],
    ['9782070360024', 'an ISBN with words behind it', ['010', 'a 978-2-07-036002-4 rel. : 12 EUR']],
    ['9782070360024', 'an ISBN of 073', ['073', 'a 9782070360024']],
    [
      '9782070413119',
      'the ISBN of 010 before that of 073',
      ['073', 'a 9782070360024'],
      ['010', 'a 207041311X'],
    ],
    ['9782070360024', 'an ISBN of 073 before an EAN', ['073', 'a 5099749534728', 'a 9782070360024']],
    ['3700187646622', 'an EAN where there is no ISBN', ['010', 'a inconnu'], ['073', 'a 3700187646622']],
    ['5099749534728', 'the number of a record', ['071', 'a 5099-749 534728']],
    ['0724384960650', 'that of an edition of music', ['072', 'a 0724384960650']],
    ['3700187646622', '073 before 071', ['071', 'a 5099749534728'], ['073', 'a 3700187646622']],
    ['5099749534728', '071 before 072', ['072', 'a 0724384960650'], ['071', 'a 5099749534728']],
    ['5099749534728', 'the first that is right', ['071', 'a VC 123', 'a 5099749534728']],
    ['0003-4010', 'an ISSN as it is written', ['011', 'a 0003-4010']],
    ['5099749534728', 'an EAN before an ISSN', ['011', 'a 0003-4010'], ['071', 'a 5099749534728']],
    [undefined, 'nothing of another number', ['010', 'b br.'], ['071', 'b x'], ['020', 'a 9782070360024']],
  ])('has the code %s: %s', (code, _, ...notice) => {
    expect(of(...notice).code).toBe(code)
  })

  it.each<[author: string | undefined, what: string, ...notice: Notice]>([
    [
      'par Jean Dupont',
      'the makers of the title page where nobody has a field',
      ['200', 'f par Jean Dupont'],
    ],
    [undefined, 'nobody of the title page where somebody has one', ['200', 'f x'], ['702', 'a Deux']],
    ['Un', 'a second author where there is no first', ['200', 'f x'], ['701', 'a Un'], ['702', 'a Deux']],
    ['Un', 'a first author before a second', ['701', 'a Deux'], ['700', 'a Un']],
    ['Ville', 'a body', ['710', 'a Ville']],
    ['Ville', 'a second body', ['711', 'a Ville']],
    ['Ville', 'a body before a second author', ['701', 'a Deux'], ['710', 'a Ville']],
    ['x', 'nobody of other fields', ['200', 'f x'], ['720', 'a Un'], ['703', 'a Deux'], ['1700', 'a T']],
    ['x', 'nobody of longer tags', ['200', 'f x'], ['7001', 'a Un']],
    ['Camus', 'a name without a first one', ['700', 'a Camus', 'b ']],
    ['Albert', 'a first name alone', ['700', 'b Albert']],
    ['Un', 'the first that has a name', ['700', '4 070'], ['700', 'a Un']],
  ])('has the author %s: %s', (author, _, ...notice) => {
    expect(of(...notice).tags.author).toBe(author)
  })

  it('has as linked authors all but the first ones, in the order of the notice', () => {
    const { reference_data } = of(
      ['700', 'a Un'],
      ['702', 'a Deux', 'b D.'],
      ['701', 'a Trois'],
      ['710', 'a Quatre'],
      ['712', 'a Cinq'],
      ['711', 'a Six'],
    )
    expect(reference_data.linked_authors).toBe('Deux, D. ; Trois ; Cinq ; Six')
  })

  it('has each name once under each of its functions', () => {
    const { authors } = of(
      ['700', 'a Un', '4 070', '4 440'],
      ['702', 'a Un', '4 440'],
      ['702', 'a Deux', '4 440'],
      ['702', 'a Deux', '4 721', '4 755'],
      ['702', '4 730'],
    )
    expect(authors).toEqual({ Auteur: ['Un'], Illustrateur: ['Un', 'Deux'], Chanteur: ['Deux'] })
  })

  it.each([
    ['700', 'Auteur'],
    ['701', 'Auteur'],
    ['702', 'Collaborateur'],
    ['710', 'Auteur'],
    ['711', 'Auteur'],
    ['712', 'Collaborateur'],
  ])('takes who has no function in %s for %s', (tag, name) => {
    expect(of([tag, 'a Un']).authors).toEqual({ [name]: ['Un'] })
  })

  it('has publisher and year of 210, else of 214', () => {
    const of214 = ['214', 'c Seuil', 'd [2019]'] as const
    expect(of(of214).tags).toEqual({ publisher: 'Seuil', year: '2019' })
    expect(of(of214, ['210', 'c Minuit', 'd 1950']).tags).toEqual({ publisher: 'Minuit', year: '1950' })
  })

  it.each([
    ['1971', '1971'],
    ['impr. 1971', '1971'],
    ['cop. 1998-2001', '1998'],
    ['c2019', '2019'],
    ['19711', undefined],
    ['197', undefined],
    ['[19..]', undefined],
  ])('finds in « %s » the year %s', (date, year) => {
    expect(of(['210', `d ${date}`]).tags.year).toBe(year)
  })

  it.each<[collection: string, volume: string, ...notice: Notice]>([
    ['Folio', '2', ['225', 'a Folio', 'v 2']],
    ['Astérix', '12', ['461', 't Astérix', 'v 12']],
    ['Astérix', '12', ['461', 'a Astérix', 't Autre', 'v 12']],
    ['Folio', '12', ['461', 't Astérix', 'v 12'], ['225', 'a Folio', 'v 2']],
    ['Folio', '2', ['461', 't Astérix'], ['225', 'a Folio', 'v 2']],
    ['Folio', '3', ['200', 'h 3'], ['225', 'a Folio', 'v 2']],
  ])('is of the collection %s, volume %s', (collection, volume, ...notice) => {
    const { tags, reference_data } = of(...notice)
    expect([tags.collection, reference_data.volume]).toEqual([collection, volume])
  })

  it('tells the extent by its parts, in their order', () => {
    expect(of(['215', 'd 18 cm', 'e 1 carte', 'c ill.', 'a 185 p.', 'b x']).extent).toBe(
      '185 p., ill., 18 cm, 1 carte',
    )
  })

  it.each<[keywords: string[], ...notice: Notice]>([
    [['Camus, Albert -- Critique'], ['600', 'a Camus', 'b Albert', 'x Critique']],
    [['Bretagne -- Histoire -- 1900-1945'], ['607', 'a Bretagne', 'b x', 'x Histoire', 'z 1900-1945']],
    [['Travail'], ['606', 'a Travail', 'x  ']],
    [
      ['Un', 'Deux'],
      ['608', 'a Un'],
      ['601', 'a Deux', 'b Section'],
    ],
    [
      ['Un', 'Deux', 'Trois'],
      ['610', 'a Un', 'a Deux'],
      ['610', 'a Un', 'a Trois'],
    ],
    [[], ['606', '2 rameau'], ['609', 'a x'], ['6060', 'a x'], ['1606', 'a x'], ['616', 'a x']],
  ])('has the keywords %j', (keywords, ...notice) => {
    expect(of(...notice).keywords).toEqual(keywords)
  })

  it.each([
    ['am', 'Livre'],
    ['as', 'Revue'],
    ['a', 'Livre'],
    ['bm', 'Livre'],
    ['cm', 'Partition'],
    ['dm', 'Partition'],
    ['em', 'Carte'],
    ['fm', 'Carte'],
    ['gm', 'DVD'],
    ['gs', 'DVD'],
    ['im', 'Livre audio'],
    ['jm', 'CD'],
    ['km', 'Image'],
    ['lm', 'Ressource électronique'],
    ['mm', 'Ressource électronique'],
    ['rm', 'Objet'],
    ['?m', null],
    ['', null],
  ])('tells by signs 6 and 7 of the leader, « %s », the medium %s', (kind, medium) => {
    expect(unimarcReference([], `00000n${kind}`).medium).toBe(medium)
  })
})

it('a title that begins the word of a medium without end is parted as any other', () => {
  const title = '[multimédia'.repeat(90_000)
  const [field] = fieldsOf(['200', `a ${title} / z`])
  expect(partedTitle(field!).subfields.map(({ value }) => value.length)).toEqual([title.length, 1])
})
