import { describe, expect, it } from 'vitest'

import { noticeOf, plainText, type PrivacyText, registerOf } from '../../src/domain/privacy-texts.ts'

type Facts = Parameters<typeof registerOf>[0]
const facts: Facts = {
  library: 'La médiathèque',
  retention_months: 4,
  retention_inactive_months: 12,
  journal_months: 24,
  seen_by: [],
}
const profile = (changes: Partial<Facts['seen_by'][number]>) => ({
  profile: 'Accueil',
  people: 2,
  readers: true,
  contact: false,
  address: false,
  history: false,
  ...changes,
})
const linesOf = ({ parts }: PrivacyText, title: string) =>
  parts.find((part) => part.title === title)?.lines ?? []

describe('registerOf', () => {
  const kept = (changes: Partial<Facts>) => linesOf(registerOf({ ...facts, ...changes }), 'Combien de temps')
  const seen = (...seen_by: Facts['seen_by']) => linesOf(registerOf({ ...facts, seen_by }), 'Qui le voit')

  it('names the library, and has something to say in each part', () => {
    const { parts } = registerOf({ ...facts, seen_by: [profile({})] })
    expect(parts[0]?.lines[0]).toBe('La médiathèque, [adresse, représentant].')
    expect(parts).toHaveLength(8)
    expect(parts.every(({ lines }) => lines.length > 0)).toBe(true)
  })

  it('says for how many months each thing is kept', () => {
    expect(kept({})).toEqual([
      expect.stringContaining('4 mois après le retour'),
      expect.stringContaining('après 12 mois sans prêt'),
      expect.stringMatching(/^Les ventes/),
      'Le journal des actions\u202f: 24 mois.',
    ])
  })

  it('says of zero months that it is without end', () => {
    expect(kept({ retention_inactive_months: 0 })[1]).toBe(
      'Les lecteurs inscrits\u202f: jusqu’à leur demande.',
    )
    expect(kept({ journal_months: 0 })[3]).toBe('Le journal des actions\u202f: sans limite.')
  })

  it('says what each profile sees of readers', () => {
    expect(
      seen(
        profile({}),
        profile({ profile: 'Direction', people: 1, contact: true, address: true, history: true }),
        profile({ profile: 'Relances', contact: true }),
        profile({ profile: 'Courrier', address: true }),
        profile({ profile: 'Conseil', history: true }),
      ),
    ).toEqual([
      'Accueil (2\u00a0personnes)\u202f: le nom et les prêts en cours.',
      'Direction (1\u00a0personne)\u202f: aussi courriel et téléphone, adresse, prêts passés.',
      'Relances (2\u00a0personnes)\u202f: aussi courriel et téléphone.',
      'Courrier (2\u00a0personnes)\u202f: aussi adresse.',
      'Conseil (2\u00a0personnes)\u202f: aussi prêts passés.',
    ])
  })

  it('leaves out profiles that see nothing of readers, and those that nobody has', () => {
    expect(seen(profile({ readers: false }), profile({ people: 0 }))).toEqual([])
  })
})

describe('noticeOf', () => {
  it('tells readers the same durations, but nothing of the journal', () => {
    const title = 'Combien de temps'
    expect(linesOf(noticeOf(facts), title)).toEqual(linesOf(registerOf(facts), title).slice(0, 3))
  })

  it('names the library, and has something to say in each part', () => {
    const { parts } = noticeOf(facts)
    expect(parts[0]?.lines[0]).toMatch(/^La médiathèque garde/)
    expect(parts).toHaveLength(5)
    expect(parts.every(({ lines }) => lines.length > 0)).toBe(true)
  })
})

describe('plainText', () => {
  it('is the title, then each part with its lines', () => {
    const parts = [
      { title: 'Un', lines: ['a', 'b'] },
      { title: 'Deux', lines: [] },
    ]
    expect(plainText({ title: 'Texte', parts })).toBe('Texte\n\nUn\n- a\n- b\n\nDeux')
  })
})
