import { expect, it } from 'vitest'

import { leftColumnsWords } from '../../src/domain/left-columns.ts'

it.each([
  [[], null],
  [['Nom'], null],
  [['Nom', 'Solde'], 'Colonne qui ne s’importe pas\u202f: «\u00a0Solde\u00a0».'],
  [
    ['Nom', 'Solde', 'x'.repeat(50)],
    `Colonnes qui ne s’importent pas\u202f: «\u00a0Solde\u00a0», «\u00a0${'x'.repeat(40)}…\u00a0».`,
  ],
])('leftColumnsWords names of %j those that give no field', (names, words) => {
  expect(
    leftColumnsWords(
      names.map((name) => ({ name })),
      names.map((name) => (name === 'Nom' ? 'lastname' : null)),
    ),
  ).toBe(words)
})
