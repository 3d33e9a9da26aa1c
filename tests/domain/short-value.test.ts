import { describe, expect, it } from 'vitest'

import { shortSample, shortValue } from '../../src/domain/short-value.ts'

const line = "3;Livre;Mes premiers J'aime lire : lecteurs débutants, grande section maternelle, CP et CE1"

describe('shortValue', () => {
  it('shows forty characters, and the last of them as it is', () => {
    expect(shortValue('')).toBe('')
    expect(shortValue('a'.repeat(40))).toBe('a'.repeat(40))
    expect(shortValue('a'.repeat(41))).toBe(`${'a'.repeat(40)}…`)
  })

  it('cuts no character of two parts', () => {
    expect(shortValue('😀'.repeat(40))).toBe('😀'.repeat(40))
    expect(shortValue('😀'.repeat(41))).toBe(`${'😀'.repeat(40)}…`)
  })
})

describe('shortSample', () => {
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
    expect(shortSample(`${'a'.repeat(29)}é${'b'.repeat(20)}`)).toBe(`${'a'.repeat(29)}é${'b'.repeat(10)}…`)
    expect(shortSample(`${'a'.repeat(30)}é${'b'.repeat(20)}`)).toBe(`…${'a'.repeat(20)}é${'b'.repeat(19)}…`)
  })

  it('shows a line of forty characters whole, wherever its accent is', () => {
    expect(shortSample(`${'a'.repeat(39)}é`)).toBe(`${'a'.repeat(39)}é`)
    expect(shortSample(`${'a'.repeat(40)}é`)).toBe(`…${'a'.repeat(20)}é`)
  })

  it('begins where the line does without an accent', () => {
    expect(shortSample('a'.repeat(50))).toBe(`${'a'.repeat(40)}…`)
  })

  it('begins with a word, where one begins from ten to twenty characters before the accent', () => {
    expect(shortSample(`${'a'.repeat(30)} ${'b'.repeat(19)}é`)).toBe(`…${'b'.repeat(19)}é`)
    expect(shortSample(`${'a'.repeat(39)} ${'b'.repeat(10)}é`)).toBe(`…${'b'.repeat(10)}é`)
    expect(shortSample(`${'a'.repeat(40)} ${'b'.repeat(9)}é`)).toBe(`…${'a'.repeat(10)} ${'b'.repeat(9)}é`)
  })
})
