import { expect, it } from 'vitest'

import { atSite } from '../../src/domain/at-site.ts'

it.each([
  ['Annexe', 'à l’Annexe'],
  ['Annexe Saint-Cyprien', 'à l’Annexe Saint-Cyprien'],
  ['Médiathèque Cabanis', 'à la Médiathèque Cabanis'],
  ['Bibliobus', 'au Bibliobus'],
  ['Espace jeunes', 'à l’Espace jeunes'],
  ['Centre', 'au Centre'],
  ['Centrale', 'à Centrale'],
  ['Montpellier', 'à Montpellier'],
  ['Les Minimes', 'aux Minimes'],
  ['Le Havre', 'au Havre'],
  ['La Rochelle', 'à La Rochelle'],
])('atSite says « %s » as « %s »', (name, said) => {
  expect(atSite(name)).toBe(said)
})
