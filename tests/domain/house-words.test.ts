import { describe, expect, it } from 'vitest'

import { deliveredWords, wordCodes } from '../../src/domain/delivered-words.ts'
import { inHouseWords, inSentence } from '../../src/domain/house-words.ts'

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

describe('words of the house', () => {
  it.each([
    ['Lecteurs', 'Adhérents'],
    ['Inscrire un lecteur', 'Inscrire un adhérent'],
    ['Nom, prénom ou matricule du lecteur', 'Nom, prénom ou matricule de l’adhérent'],
    ['Au lecteur', 'À l’adhérent'],
    ['Vers le premier site', 'Vers la première antenne'],
    ['Le lecteur et ses proches', 'L’adhérent et ses proches'],
    ['L’exemplaire', 'Le jeu'],
    ["de l'exemplaire", 'du jeu'],
    ['à l’exemplaire, d’exemplaires', 'au jeu, de jeux'],
    ['Codes d’exemplaire', 'Codes de jeu'],
    ['Fin du prêt', 'Fin de l’emprunt'],
    ['Ajouter une référence', 'Ajouter un titre'],
    ['Modifier la référence', 'Modifier le titre'],
    ['de la référence, à la référence', 'du titre, au titre'],
    ['Aucune référence', 'Aucun titre'],
    ['Toutes les références', 'Tous les titres'],
    ['Nouvelle référence', 'Nouveau titre'],
    ['Ce site, au site, du site, d’un site', 'Cette antenne, à l’antenne, de l’antenne, d’une antenne'],
    ['Tous les sites', 'Toutes les antennes'],
    ['12 exemplaires', '12 jeux'],
    ['EXEMPLAIRE', 'Jeu'],
    ['Un mot-clé', 'Un sujet'],
  ])('says %s as %s', (label, said) => {
    expect(words(label)).toBe(said)
  })

  it.each([
    'Prêter',
    'Prêts',
    'Lectrice',
    'Supports',
    'Websites',
    'mini-site',
    'Supprimer «\u00a0Le site du lecteur\u00a0»',
    'Lecteur de codes-barres',
    '',
  ])('leaves %s alone', (label) => {
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
    expect(inHouseWords([{ said: 'lecteur', here: any, gender: 'm' }])('Le lecteur')).toBe(`Le ${any}`)
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

  it('writes a word as in the middle of a sentence', () => {
    expect(['Adhérent', 'DVD', 'Carte Jeune', 'jeu'].map(inSentence)).toEqual([
      'adhérent',
      'DVD',
      'carte Jeune',
      'jeu',
    ])
  })

  it('delivers each word once, some forty', () => {
    const all = wordCodes.map((code) => deliveredWords[code].word)
    expect(new Set(all).size).toBe(all.length)
    expect(all.length).toBeGreaterThanOrEqual(40)
    expect(all.every((word) => word === inSentence(word))).toBe(true)
  })
})
