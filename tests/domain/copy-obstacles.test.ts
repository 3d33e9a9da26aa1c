import { expect, it } from 'vitest'

import { alreadyLent, notAvailable, notForLoan, notOnLoan } from '../../src/domain/copy-obstacles.ts'

it('a copy is said by its title not to be lent or taken back', () => {
  expect([
    notAvailable('Momo', 'En transfert'),
    alreadyLent('Momo', 'Alice Martin (M1), depuis le 10/03/2026'),
    notOnLoan('Momo', 'Disponible'),
    notForLoan('Momo'),
  ]).toEqual([
    '«\u00a0Momo\u00a0» n’est pas disponible (En transfert).',
    '«\u00a0Momo\u00a0» est déjà prêté à Alice Martin (M1), depuis le 10/03/2026.',
    '«\u00a0Momo\u00a0» n’est pas en prêt (Disponible).',
    '«\u00a0Momo\u00a0» se vend et ne se prête pas.',
  ])
})
