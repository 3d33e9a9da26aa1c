import { describe, expect, it } from 'vitest'

import { authorName, publisherName, splitTitle } from '../../src/server/demonstration/read-works.ts'

// Every text is a row's of the catalogue of Toulouse, as it stands there.
describe('titles', () => {
  it.each([
    ['Vers la beauté / David Foenkinos', 'Vers la beauté', 'David Foenkinos'],
    [
      'Les cuistots de la colo/ Jean Tévélis ; ill. Mélanie Allag',
      'Les cuistots de la colo',
      'Jean Tévélis ; ill. Mélanie Allag',
    ],
    [
      'Dark, j’adore ! / scénario et dessins Midam , couleurs Angèle',
      'Dark, j’adore !',
      'scénario et dessins Midam , couleurs Angèle',
    ],
    [
      'Chi, une vie de chat. 2 /  Konami Kanata ; [trad. Fédoua Lamodière]',
      'Chi, une vie de chat. 2',
      'Konami Kanata ; [trad. Fédoua Lamodière]',
    ],
    ['Santé magazine [Texte imprimé]', 'Santé magazine', null],
    ['News of the world [microsillon]', 'News of the world', null],
    ['La succession [Texte imprimé] / Jean-Paul Dubois', 'La succession', 'Jean-Paul Dubois'],
    ['Notre temps(Paris. 1968)', 'Notre temps', null],
    ['19 [Dix-neuf]', '19', null],
    ['Eleggua ; Oya ; Ghosts [etc]', 'Eleggua ; Oya ; Ghosts…', null],
    [
      'Shrek the third : motion picture soundtrack [film de Chris Miller]',
      'Shrek the third : motion picture soundtrack',
      'film de Chris Miller',
    ],
    ['Cendrillon : bande originale française du film de [Clyde Geronimi]', 'Cendrillon', null],
    [
      '... à la folie ! / Darasse ; [scénario de] Zidrou ; coul. Benoît Bekaert',
      '... à la folie !',
      'Darasse ; [scénario de] Zidrou ; coul. Benoît Bekaert',
    ],
  ])('reads %s', (text, name, person_in_charge) => {
    expect(splitTitle(text)).toMatchObject({ name, person_in_charge })
  })

  it('keeps what completes a short title, and sets it apart from a long one', () => {
    expect(splitTitle('Les souvenirs de Mamette : La vie aux champs / Nob')).toMatchObject({
      name: 'Les souvenirs de Mamette : La vie aux champs',
      subhead: null,
    })
    expect(
      splitTitle(
        'Alternatives économiques : journal d’information critique sur l’actualité économique et sociale / [dir. publ. Denis Clerc]',
      ),
    ).toMatchObject({
      name: 'Alternatives économiques',
      subhead: 'journal d’information critique sur l’actualité économique et sociale',
    })
  })

  it('keeps the volume on the line', () => {
    expect(
      splitTitle('L’arabe du futur : une jeunesse au Moyen-Orient (1978-1984). 1 / Riad Sattouf'),
    ).toEqual({
      name: 'L’arabe du futur. 1',
      subhead: 'une jeunesse au Moyen-Orient (1978-1984)',
      volume: '1',
      person_in_charge: 'Riad Sattouf',
    })
  })

  it('finds no title where there is none', () => {
    expect(splitTitle(' / Nob').name).toBe('')
    expect(splitTitle('').name).toBe('')
  })
})

it.each([
  ['Mathieu, Nicolas (1978-....)', 'Mathieu, Nicolas'],
  ['Watson, S. J. (1972?-....)', 'Watson, S. J.'],
  ['Piazza, Antoine (1957-    )', 'Piazza, Antoine'],
  ['Frank, Anne (1929-1945)', 'Frank, Anne'],
  ['Weeknd (The)', 'Weeknd (The)'],
  ['Chamayou, Bertrand. P', 'Chamayou, Bertrand'],
  ['Eick, Mathias. Trp. & claviers', 'Eick, Mathias'],
  ['Abrams, J. J.', 'Abrams, J. J.'],
  ['M. Pokora', 'M. Pokora'],
  ['T. Rex', 'T. Rex'],
  ['M. Chant.', 'M'],
  ['P!nk', 'P!nk'],
])('authorName names the author of %s', (text, name) => expect(authorName(text)).toBe(name))

it.each([
  ['Arles (Bouches-du-Rhône) : Actes Sud, 2022', 'Actes Sud'],
  ['Paris: Areion, 2005-', 'Areion'],
  ['Marcinelle-Charleroi , Paris : Dupuis, 2005', 'Dupuis'],
  ['[S.l.] : EMI, cop. 1994.', 'EMI'],
  ['[S.l.] : Phonogram, [ca 2002]', 'Phonogram'],
  ['Paris : 20th Century Fox ; 2009', '20th Century Fox'],
  [
    'Boulogne-Billancourt : Gaumont Columbia Tristar home vidéo [éd.] , 2000',
    'Gaumont Columbia Tristar home vidéo',
  ],
  [
    'Paris : Centre d’étude et de promotion de la lecture, 1970-, Paris : Loft international',
    'Centre d’étude et de promotion de la lecture',
  ],
  ['Lyon : [s.n.], 1940- ; Paris : [s.n.], 1945-', ''],
  ['', ''],
])('publisherName names the publisher of %s', (text, name) => expect(publisherName(text)).toBe(name))
