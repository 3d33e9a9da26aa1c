import { describe, expect, it } from 'vitest'

import { deliveredWords, wordCodes } from '../../src/domain/delivered-words.ts'
import { type HouseWord, inHouseWords, inSentence } from '../../src/domain/house-words.ts'

const words = inHouseWords([
  { said: 'lecteur', here: 'adhérent', gender: 'm' },
  { said: 'lecteurs', here: 'adhérents', gender: 'm' },
  { said: 'exemplaire', here: 'jeu', gender: 'm' },
  { said: 'exemplaires', here: 'jeux', gender: 'm' },
  { said: 'prêt', here: 'emprunt', gender: 'm' },
  { said: 'référence', here: 'titre', gender: 'm' },
  { said: 'références', here: 'titres', gender: 'm' },
  { said: 'site', here: 'antenne', gender: 'f' },
  { said: 'sites', here: 'antennes', gender: 'f' },
  { said: 'support', here: 'support', gender: 'm' },
  { said: 'mot-clé', here: 'sujet', gender: 'm' },
])

const inWordsOf = (said: string, here: string, gender: HouseWord['gender']) =>
  inHouseWords([{ said, here, gender }])

describe('inHouseWords', () => {
  it.each([
    ['le prêt', 'le jeu', 'l’emprunt', 'la boîte', 'l’œuvre'],
    ['au prêt', 'au jeu', 'à l’emprunt', 'à la boîte', 'à l’œuvre'],
    ['du prêt', 'du jeu', 'de l’emprunt', 'de la boîte', 'de l’œuvre'],
    ['de prêt', 'de jeu', 'd’emprunt', 'de boîte', 'd’œuvre'],
    ['un prêt', 'un jeu', 'un emprunt', 'une boîte', 'une œuvre'],
    ['aucun prêt', 'aucun jeu', 'aucun emprunt', 'aucune boîte', 'aucune œuvre'],
    ['ce prêt', 'ce jeu', 'cet emprunt', 'cette boîte', 'cette œuvre'],
    ['quel prêt', 'quel jeu', 'quel emprunt', 'quelle boîte', 'quelle œuvre'],
    ['nouveau prêt', 'nouveau jeu', 'nouvel emprunt', 'nouvelle boîte', 'nouvelle œuvre'],
    ['le premier prêt', 'le premier jeu', 'le premier emprunt', 'la première boîte', 'la première œuvre'],
    [
      'du premier prêt',
      'du premier jeu',
      'du premier emprunt',
      'de la première boîte',
      'de la première œuvre',
    ],
    ['au premier prêt', 'au premier jeu', 'au premier emprunt', 'à la première boîte', 'à la première œuvre'],
    ['un premier prêt', 'un premier jeu', 'un premier emprunt', 'une première boîte', 'une première œuvre'],
    ['premier prêt', 'premier jeu', 'premier emprunt', 'première boîte', 'première œuvre'],
    ['tout prêt', 'tout jeu', 'tout emprunt', 'toute boîte', 'toute œuvre'],
    ['tous les prêt', 'tous les jeu', 'tous les emprunt', 'toutes les boîte', 'toutes les œuvre'],
    ['prêt', 'jeu', 'emprunt', 'boîte', 'œuvre'],
  ])('says « %s » as « %s », « %s », « %s » or « %s »', (label, ...here) => {
    expect(
      (
        [
          ['jeu', 'm'],
          ['emprunt', 'm'],
          ['boîte', 'f'],
          ['œuvre', 'f'],
        ] as const
      ).map(([word, gender]) => inWordsOf('prêt', word, gender)(label)),
    ).toEqual(here)
  })

  it.each([
    ['l’exemplaire', 'la boîte'],
    ["à l'exemplaire", 'à la boîte'],
    ['d’exemplaire', 'de boîte'],
    ['cet exemplaire', 'cette boîte'],
    ['nouvel exemplaire', 'nouvelle boîte'],
    ['du\u00a0premier\u202fexemplaire', 'de la première boîte'],
  ])('says « %s », before a vowel, as « %s »', (label, said) => {
    expect(inWordsOf('exemplaire', 'boîte', 'f')(label)).toBe(said)
  })

  it.each('adhérent âne école être île hôte œuvre outil usager yeux À-côté'.split(' '))(
    'says « de l’ » before « %s »',
    (word) => expect(inWordsOf('prêt', word, 'm')('du prêt')).toBe(`de l’${word}`),
  )

  it.each([
    ['Lecteurs', 'Adhérents'],
    ['Inscrire un lecteur', 'Inscrire un adhérent'],
    ['Nom, prénom ou matricule du lecteur', 'Nom, prénom ou matricule de l’adhérent'],
    ['Au lecteur', 'À l’adhérent'],
    ['Le lecteur et ses proches', 'L’adhérent et ses proches'],
    ['LE LECTEUR', 'L’adhérent'],
    ['Nom du Lecteur', 'Nom de l’adhérent'],
    ['à l’exemplaire, d’exemplaires', 'au jeu, de jeux'],
    ['Codes d’exemplaire', 'Codes de jeu'],
    ['de la référence, à la référence', 'du titre, au titre'],
    ['Toutes les références', 'Tous les titres'],
    ['Ce site, au site, du site, d’un site', 'Cette antenne, à l’antenne, de l’antenne, d’une antenne'],
    ['Prêt/référence (site)', 'Emprunt/titre (antenne)'],
    ['12 exemplaires', '12 jeux'],
    ['EXEMPLAIRE', 'Jeu'],
    ['Un mot-clé', 'Un sujet'],
    ['Supprimer «\u00a0Le site\u00a0» du lecteur', 'Supprimer «\u00a0Le site\u00a0» de l’adhérent'],
  ])('says « %s » as « %s »', (label, said) => {
    expect(words(label)).toBe(said)
  })

  it.each([
    'Prêter',
    'Prêts',
    'Lectrice',
    'Supports',
    'Websites',
    'mini-site',
    'site-là',
    'site2',
    '2site',
    'Supprimer «\u00a0Le site du lecteur\u00a0»',
    'Lecteur de codes-barres',
    '',
  ])('leaves « %s » alone', (label) => {
    expect(words(label)).toBe(label)
  })

  it('says once what a sentence is made of, whatever the library writes', () => {
    const longer = inHouseWords([
      { said: 'lecteur', here: 'Lecteur (inscrit) [1+1]', gender: 'm' },
      { said: 'lecteurs', here: 'lecteurs inscrits', gender: 'm' },
      { said: 'site', here: 'petit site', gender: 'm' },
    ])
    const one = longer('Ajouter un lecteur')
    expect(one).toBe('Ajouter un Lecteur (inscrit) [1+1]')
    for (const label of ['Ajouter un lecteur', 'Lecteurs', 'Tous les lecteurs de ce site', 'SITE']) {
      expect(longer(longer(label))).toBe(longer(label))
    }
    expect(longer(`${longer('Lecteurs')} d’un site`)).toBe('Lecteurs inscrits d’un petit site')
    const any = '^$.*+?()[]{}|/\\-a'
    expect(inWordsOf('lecteur', any, 'm')('Le lecteur')).toBe(`Le ${any}`)
  })

  it('says two words that were exchanged each as the other', () => {
    const exchanged = inHouseWords([
      { said: 'lecteur', here: 'exemplaire', gender: 'm' },
      { said: 'exemplaire', here: 'lecteur', gender: 'm' },
    ])
    expect(exchanged('Le lecteur rend l’exemplaire')).toBe('L’exemplaire rend le lecteur')
  })

  it('says everything as delivered where no word was changed', () => {
    const same = inHouseWords(
      wordCodes.map((code) => ({
        said: deliveredWords[code].word,
        here: deliveredWords[code].word,
        gender: 'm' as const,
      })),
    )
    expect(same('Le lecteur')).toBe('Le lecteur')
    expect(same).toBe(inHouseWords([]))
  })
})

describe('inSentence', () => {
  it.each([
    ['Adhérent', 'adhérent'],
    ['Écran', 'écran'],
    ['DVD', 'DVD'],
    ['Carte Jeune', 'carte Jeune'],
    ['jeu', 'jeu'],
    ['e-Book', 'e-Book'],
    ['À', 'à'],
    ['', ''],
  ])('writes « %s » as « %s »', (word, written) => expect(inSentence(word)).toBe(written))
})
