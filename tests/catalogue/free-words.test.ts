// @vitest-environment happy-dom
import { describe, expect, it } from 'vitest'

import { copyWords, freeWords, whereWords } from '../../src/client/catalogue/free-words.ts'

type Known = Parameters<typeof copyWords>[0]

const today = '2026-03-10'
let id = 0
const copy = (changes: Partial<Known> = {}): Known => ({
  id: ++id,
  status_name: 'Disponible',
  type: 'Location',
  sold_on: null,
  loaning: null,
  reservations: [],
  site: 1,
  site_name: 'Centre',
  ...changes,
})
const annexe = { site: 2, site_name: 'Annexe' } as const
const lent = (end_date: string): Partial<Known> => ({
  status_name: 'En Location',
  loaning: { id: 1, end_date },
})
const setAside = (): Known => {
  const one = copy()
  const wish = {
    id: 1,
    beneficiary_id: 2,
    copy_id: null,
    start_date: null,
    end_date: null,
    queue_position: null,
  }
  return { ...one, reservations: [{ ...wish, set_aside_copy: one.id }] }
}
const sale = { type: 'Vente' } as const

describe('what is free of a title', () => {
  it.each<[copies: Known[], said: string]>([
    [[copy(), copy(), copy(annexe)], '2 libres ici, 1 à l’Annexe'],
    [[copy()], '1 libre ici'],
    [[copy(lent('2026-03-20')), copy(annexe), copy(annexe)], '2 libres à l’Annexe'],
    [
      [
        copy(),
        copy(annexe),
        copy({ site: 3, site_name: 'Lilas' }),
        copy({ site: 4, site_name: 'Bibliobus' }),
      ],
      '1 libre ici, 3 ailleurs',
    ],
    [[copy(lent('2026-03-20')), copy(lent('2026-03-15'))], 'aucun libre, retour prévu le 15/03/2026'],
    // What is late already tells nobody when to come again.
    [[copy(lent('2026-03-01')), copy(lent('2026-03-15'))], 'aucun libre, retour prévu le 15/03/2026'],
    [[copy(lent('2026-03-01'))], 'aucun libre, retour attendu depuis le 01/03/2026'],
    [[setAside()], 'aucun libre'],
    [[copy(sale), copy({ ...sale, status_name: 'Non Disponible', sold_on: '2026-01-05' })], '1 en vente'],
    [[], 'aucun exemplaire'],
  ])('is told where it stands, in a library of several sites (%#)', (copies, said) => {
    expect(freeWords(copies, { site: 1, isMultisite: true, today })).toBe(said)
  })

  it('is told alone in a library of one site, and by each where all are looked at', () => {
    const copies = [copy(), copy(), copy(annexe)]
    expect(freeWords(copies.slice(0, 2), { site: 1, isMultisite: false, today })).toBe('2 libres')
    expect(freeWords(copies, { site: 0, isMultisite: true, today })).toBe('2 libres au Centre, 1 à l’Annexe')
  })

  it.each<[copies: Known[], said: string]>([
    [
      [copy(), copy(annexe), copy(lent('2026-03-15')), setAside()],
      '1 libre ici, 1 à l’Annexe · 1\u00a0en prêt, retour prévu le 15/03/2026 · 1\u00a0mis de côté',
    ],
    [[copy(lent('2026-03-15')), setAside()], 'aucun libre, retour prévu le 15/03/2026 · 1\u00a0mis de côté'],
    [[copy()], '1 libre ici'],
  ])('is told on the title’s page with what is lent and set aside (%#)', (copies, said) => {
    expect(whereWords(copies, { site: 1, isMultisite: true, today })).toBe(said)
  })

  it.each<[Known, string]>([
    [copy(), 'libre'],
    [setAside(), 'mis de côté'],
    [copy(sale), 'en vente'],
    [copy({ sold_on: '2026-01-05' }), 'vendu le 05/01/2026'],
    [copy({ status_name: 'En transfert' }), 'en transfert'],
    [copy({ status_name: 'Non Disponible' }), 'indisponible'],
    [copy(lent('2026-03-15')), 'en prêt, retour prévu le 15/03/2026'],
  ])('says of a copy what it is (%#)', (one, said) => {
    expect(copyWords(one, { today })).toBe(said)
  })
})
