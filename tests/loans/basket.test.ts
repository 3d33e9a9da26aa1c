import { describe, expect, it } from 'vitest'

import type { CounterCopy } from '../../src/client/catalogue/counter-copy.ts'
import {
  amountOf,
  dueOf,
  newLine,
  noTerms,
  quotaReasons,
  saleToSend,
  sharedDuration,
  termsToSend,
  totalOf,
  whyNotAddable,
} from '../../src/client/lending/basket.ts'
import { termsWords } from '../../src/client/lending/loan-terms-words.ts'
import type { Medium } from '../../src/contract/media.ts'
import { alwaysOpen } from '../../src/domain/open-days.ts'

const book = {
  id: 1,
  name: 'Livre',
  duration: 3,
  duration_type: 'WEEK',
  end_day: null,
  max_loaning: 3,
  max_late: 0,
  eligibility: { contracts: [], statuses: [], dossiers: [] },
} as unknown as Medium
const film = { ...book, id: 2, name: 'DVD', duration: 7, duration_type: 'DAY' } as Medium

const seller = { sell: true }

const copy = (id: number, changes: Partial<CounterCopy> = {}): CounterCopy => ({
  id,
  bar_code: String(1000 + id),
  name: `Livre ${id}`,
  reference: id,
  status: 'Disponible',
  state: 'VERY_GOOD',
  price: '0.25',
  type: 'Location',
  cycle_type: null,
  cycle_value: null,
  site: 1,
  medium: book,
  reservations: [],
  capacity: null,
  holder: null,
  ...changes,
})

const today = '2026-03-10'
const on = { today, openAt: () => alwaysOpen }
const terms = noTerms
const saving = { relative: null, today }

describe('a basket', () => {
  it('takes each medium’s own duration, until one is chosen for all', () => {
    const lines = [newLine(copy(1)), newLine(copy(2, { medium: film }))] as const
    expect(lines.map((line) => dueOf(line, terms, on))).toEqual(['2026-03-31', '2026-03-17'])
    expect(sharedDuration(lines, terms)).toBeNull()
    const chosen = { ...terms, duration: { duration_value: 2, duration_type: 'DAY' } as const }
    expect(lines.map((line) => dueOf(line, chosen, on))).toEqual(['2026-03-12', '2026-03-12'])
    expect(sharedDuration(lines, chosen)).toEqual(chosen.duration)
    expect(dueOf(newLine(copy(3, { medium: null })), terms, on)).toBe('2026-03-11')
  })

  it('says its terms in one line, and what of them is not as usual', () => {
    const usual = 'À partir d’aujourd’hui, durées des supports'
    expect(termsWords(terms, today, null)).toBe(usual)
    expect(termsWords({ ...terms, start_date: today }, today, null)).toBe(usual)
    const duration = { duration_value: 2, duration_type: 'WEEK' } as const
    expect(termsWords({ ...terms, start_date: '2026-03-09', duration }, today, null)).toBe(
      'À partir du 09/03/2026, pour 2 semaines',
    )
    expect(termsWords({ ...terms, free: true }, today, null)).toBe(`${usual}, gratuit`)
    expect(termsWords({ ...terms, free: true, free_reason: 1 }, today, 'Animation')).toBe(
      `${usual}, gratuit (Animation)`,
    )
    const comment = ' Avec la notice\net les deux manettes, dans leur sac '
    expect(termsWords({ ...terms, comment }, today, null)).toBe(
      `${usual}, commentaire «\u00a0Avec la notice et les deux manettes, dan…\u00a0»`,
    )
  })

  it('counts price times duration, or what was typed, or nothing when free', () => {
    const lines = [newLine(copy(1)), { ...newLine(copy(2)), amount: '2.00' }]
    expect(lines.map((line) => amountOf(line, terms))).toEqual(['0.75', '2.00'])
    expect(totalOf(lines, terms)).toBe('2.75')
    expect(totalOf(lines, { ...terms, free: true })).toBe('0.00')
  })

  it('refuses a copy twice, a lent one, one on its way, one for sale to who may not sell', () => {
    expect(whyNotAddable(copy(1), [newLine(copy(1))], seller)).toContain('est déjà dans le prêt')
    const holder = { beneficiary: 2, beneficiary_name: 'Éric Dupont (M2)', end_date: '2026-03-20' }
    expect(whyNotAddable(copy(1, { status: 'En Location', holder }), [], seller)).toContain(
      'Éric Dupont (M2), retour prévu le 20/03/2026',
    )
    expect(whyNotAddable(copy(1, { status: 'En transfert' }), [], seller)).toContain(
      'n’est pas disponible (En transfert)',
    )
    expect(whyNotAddable(copy(1, { type: 'Vente' }), [], { sell: false })).toContain(
      'ne permet pas de vendre',
    )
    expect(whyNotAddable(copy(1, { type: 'Vente' }), [], seller)).toBeNull()
    expect(whyNotAddable(copy(1), [newLine(copy(2))], seller)).toBeNull()
  })

  it('sells at the copy’s price, whatever the duration, and beside loans', () => {
    const sale = newLine(copy(2, { type: 'Vente', price: '4.00' }))
    const days = { duration_value: 5, duration_type: 'DAY' } as const
    const lines = [newLine(copy(1)), sale]
    expect(amountOf(sale, { ...terms, duration: days })).toBe('4.00')
    expect(totalOf(lines, terms)).toBe('4.75')
    expect(sharedDuration(lines, terms)).toEqual(sharedDuration([newLine(copy(1))], terms))
    // What is sold is no loan of its medium.
    expect(quotaReasons(copy(3), lines, 1)).toEqual([])
    const sent = saleToSend(
      { ...sale, amount: '2.00' },
      { ...terms, comment: ' don ', duration: days },
      { relative: 1, today },
    )
    expect(sent).toEqual({ relative: 1, comment: 'don', amount: '2.00' })
  })

  it('counts what is in it against the limit of the medium', () => {
    const lines = [newLine(copy(1)), newLine(copy(2, { medium: film }))]
    expect(quotaReasons(copy(3), lines, 1)).toEqual([])
    expect(quotaReasons(copy(3), lines, 2)).toEqual([
      'Le nombre de prêts en cours du support «\u00a0Livre\u00a0» est atteint (3).',
    ])
    expect(quotaReasons(copy(3, { medium: null }), lines, 9)).toEqual([])
  })

  it('sends what was chosen and leaves the rest to the rules', () => {
    const line = newLine(copy(1))
    expect(termsToSend(line, terms, saving)).toEqual({ despite_reservations: false })
    const chosen = {
      start_date: '2026-03-09',
      duration: { duration_value: 2, duration_type: 'DAY' },
      comment: ' à rendre vite ',
      free: true,
      free_reason: 4,
    } as const
    const insisted = { ...line, amount: '3.00', override_reason: 'Motif', passed: [] }
    expect(termsToSend(insisted, chosen, { ...saving, relative: 7 })).toEqual({
      relative: 7,
      duration_value: 2,
      duration_type: 'DAY',
      start_date: '2026-03-09',
      comment: 'à rendre vite',
      free: true,
      free_reason: 4,
      override_reason: 'Motif',
      despite_reservations: true,
    })
  })
})
