import { expect, it } from 'vitest'

import { shortSample } from '../../src/domain/short-value.ts'

const line = "3;Livre;Mes premiers J'aime lire : lecteurs débutants, grande section maternelle, CP et CE1"

it('shows forty characters of a line, its first accent among them', () => {
  expect(shortSample(line)).toBe('…lire : lecteurs débutants, grande sectio…')
  expect(shortSample('4;Livre;Psychologies magazine;;Paris : Cité')).toBe('…agazine;;Paris : Cité')
})

it('shows the same part of it in each charset', () => {
  const otherwise = shortSample(line.replace('é', 'Ã©'))
  expect(otherwise).toBe('…lire : lecteurs dÃ©butants, grande secti…')
})

it('begins where the line does, where its accent is there', () => {
  expect(shortSample('Été')).toBe('Été')
  expect(shortSample(`Dès 1 an ; ${'a'.repeat(40)}`)).toBe(`Dès 1 an ; ${'a'.repeat(29)}…`)
})

it('finds an accent in a line without a space', () => {
  expect(shortSample(`${'a'.repeat(50)}é`)).toBe(`…${'a'.repeat(20)}é`)
})
