// @vitest-environment happy-dom
import { matchPath } from 'react-router-dom'
import { describe, expect, it } from 'vitest'

import { mayOpen, screens } from '../../src/client/app/screens.tsx'
import {
  actOfReader,
  actWithoutRight,
  findActs,
  hitOfDays,
  withoutDays,
} from '../../src/client/find/act-hits.ts'
import { type Act, acts } from '../../src/client/ui/acts.ts'

const everything = () => true
const all = Object.entries<Act>(acts)
const titles = (typed: string) => {
  const { said, others } = findActs(everything, typed)
  return [said, others].map((hits) => hits.map(({ title }) => title))
}

describe('an act in the search', () => {
  it.each(all)('%s begins on a screen that its rights open', (_, { to, rights }) => {
    const [path = ''] = to.split('?')
    const screen = screens.find((one) => matchPath(one.path, path))
    expect(screen && mayOpen(screen, rights)).toBe(true)
  })

  it.each(all)('%s is the first one that its own name finds', (name, { label }) => {
    expect(findActs(everything, label).said[0]?.act).toBe(name)
  })

  it('is said by its first word or another phrase’s, and else only found', () => {
    expect(titles('fermer samedi')).toEqual([['Ajouter une fermeture'], []])
    expect(titles('nouveau lecteur')).toEqual([['Inscrire un lecteur'], []])
    expect(titles('relancer')).toEqual([['Relancer les retards'], []])
    expect(titles('lecteurs')).toEqual([[], ['Importer des lecteurs']])
    expect(titles('relanc')).toEqual([[], ['Relancer les retards']])
    expect(titles('ajouter')[0]?.slice(0, 2)).toEqual(['Ajouter une référence', 'Ajouter une fermeture'])
    expect(titles('dupont')).toEqual([[], []])
  })

  it('is found by those alone who hold all of its rights', () => {
    const found = findActs((right) => right === 'SEND_MAIL', 'relancer les retards')
    expect(found).toEqual({ said: [], others: [] })
  })

  it.each([
    ['prêter à dupont', 'lend', 'dupont'],
    ['Preter dupont éric', 'lend', 'dupont éric'],
    ['prêter a andré', 'lend', 'andré'],
    ['prêter andré', 'lend', 'andré'],
    ['rendre de dupont', 'giveBack', 'dupont'],
    ['rendre d’éric', 'giveBack', 'éric'],
    ["rendre d'éric", 'giveBack', 'éric'],
    ['réserver pour de souza', 'reserve', 'de souza'],
  ])('has the reader who follows it: « %s »', (typed, act, name) => {
    expect(actOfReader(everything, typed)).toMatchObject({ act, name })
  })

  it.each([
    ['fermer samedi', 'Fermer samedi 14/03/2026', '2026-03-14', '2026-03-14'],
    ['Fermer demain', 'Fermer mercredi 11/03/2026', '2026-03-11', '2026-03-11'],
    ['fermer le 24/12', 'Fermer jeudi 24/12/2026', '2026-12-24', '2026-12-24'],
    [
      'fermer du samedi au lundi',
      'Fermer du samedi 14/03/2026 au lundi 16/03/2026',
      '2026-03-14',
      '2026-03-16',
    ],
  ])('has the days that follow it: « %s »', (typed, title, first, last) => {
    expect(hitOfDays(everything, typed, '2026-03-10')).toMatchObject({
      act: 'addClosure',
      title,
      days: { first, last },
    })
  })

  it.each(['fermer', 'fermer les jours fériés', 'samedi', 'inscrire samedi'])(
    'has no day in « %s »',
    (typed) => {
      expect(hitOfDays(everything, typed, '2026-03-10')).toBeNull()
    },
  )

  it.each([
    ['fermer samedi', 'Fermer samedi 14/03/2026'],
    ['ajouter une fermeture', 'Ajouter une fermeture'],
    ['prêter à martin', 'Prêter'],
  ])('is told to who may not do it: « %s »', (typed, title) => {
    expect(actWithoutRight(() => false, typed, '2026-03-10')).toBe(title)
    expect(actWithoutRight(everything, typed, '2026-03-10')).toBeNull()
    expect(actWithoutRight(() => false, 'dupont', '2026-03-10')).toBeNull()
  })

  it('begins on no day for who may not do it, and is kept without its days', () => {
    expect(hitOfDays(() => false, 'fermer samedi', '2026-03-10')).toBeNull()
    const hit = hitOfDays(everything, 'fermer samedi', '2026-03-10')
    expect(hit && withoutDays(hit)).toEqual(findActs(everything, 'ajouter une fermeture').said[0])
  })

  it.each(['prêter', 'prêter à', 'rendre de', 'inscrire dupont', 'dupont prêter'])(
    'has no reader in « %s »',
    (typed) => {
      expect(actOfReader(everything, typed)).toBeNull()
    },
  )
})
