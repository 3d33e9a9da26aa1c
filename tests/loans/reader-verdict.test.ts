import { describe, expect, it } from 'vitest'

import { judgeReader } from '../../src/client/loans/reader-verdict.ts'
import type { Medium } from '../../src/contract/media.ts'

const anyone = { contracts: [], statuses: [], dossiers: [] }
const medium = (id: number, name: string, rules: Partial<Medium> = {}) =>
  ({ id, name, max_loaning: null, max_late: null, eligibility: anyone, ...rules }) as unknown as Medium

const book = medium(1, 'Livre', { max_loaning: 2 })
const film = medium(2, 'DVD', { max_late: 0 })
const game = medium(3, 'Jeu', { max_late: 0 })
const rules = { contract_type: 'CDI', beneficiary_status: null, dossiers: [], exit_date: null }
const facts = {
  rules,
  held: [] as { medium: number | null; late: boolean }[],
  media: [book, film, game],
  today: '2026-03-10',
  doubts: [] as string[],
}
const old = ['Les données de cet appareil datent d’il y a 3\u00a0h.']

describe('the verdict on a reader', () => {
  it('is green when everything may be borrowed', () => {
    expect(judgeReader(facts)).toEqual({ verdict: { colour: 'green', reasons: [] }, limits: [] })
  })

  it('names what single media refuse, each sentence once', () => {
    const held = [
      { medium: 1, late: true },
      { medium: 1, late: false },
    ]
    expect(judgeReader({ ...facts, held, media: [...facts.media, medium(4, 'CD')] })).toEqual({
      verdict: { colour: 'green', reasons: [] },
      limits: [
        {
          message: 'Le nombre de prêts en cours du support «\u00a0Livre\u00a0» est atteint (2).',
          media: ['Livre'],
        },
        { message: 'Le lecteur a 1 prêt en retard (au plus 0).', media: ['DVD', 'Jeu'] },
      ],
    })
  })

  it('is red when nothing may be borrowed, for one reason or for each medium its own', () => {
    const left = { ...rules, exit_date: '2026-03-10' }
    expect(judgeReader({ ...facts, rules: left })).toEqual({
      verdict: { colour: 'red', reasons: ['L’inscription a pris fin le 10/03/2026.'] },
      limits: [],
    })
    const held = [{ medium: 1, late: true }]
    expect(judgeReader({ ...facts, held, media: [film, game] })).toEqual({
      verdict: { colour: 'red', reasons: ['Le lecteur a 1 prêt en retard (au plus 0).'] },
      limits: [],
    })
  })

  it('is amber where the device’s word is doubtful, red with the doubt where a rule forbids', () => {
    expect(judgeReader({ ...facts, doubts: old }).verdict).toEqual({ colour: 'amber', reasons: old })
    expect(judgeReader({ ...facts, rules: null, doubts: ['Inconnu.'] }).verdict).toEqual({
      colour: 'amber',
      reasons: ['Inconnu.'],
    })
    const left = { ...rules, exit_date: '2026-03-01' }
    expect(judgeReader({ ...facts, rules: left, doubts: old }).verdict).toEqual({
      colour: 'red',
      reasons: ['L’inscription a pris fin le 01/03/2026.', ...old],
    })
  })
})
