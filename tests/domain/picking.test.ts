import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { planPicking } from '../../src/domain/picking.ts'

const day = '2026-03-10'

type Asked = Parameters<typeof planPicking>[1][number]
const dated = (start_date: string) => ({ start_date, end_date: '2026-04-01' })
const shelved = (id: number, site = 1, reference = 7) => ({ id, site, reference })
const asked = (id: number, queue_position: number, told: Partial<Asked> = {}): Asked => ({
  id,
  beneficiary_id: id,
  reference_id: 7,
  site: 1,
  copy_id: null,
  set_aside_copy: null,
  start_date: null,
  end_date: null,
  queue_position,
  ...told,
})
const planned = (...of: [copies: ReturnType<typeof shelved>[], reservations: Asked[]]) =>
  planPicking(...of, day).map(({ copy, reservation }) => [copy.id, reservation.id])

describe('planPicking', () => {
  it('gives each copy to one, the first of the queue first', () => {
    expect(planned([shelved(50), shelved(51)], [asked(2, 2), asked(1, 1), asked(3, 3)])).toEqual([
      [50, 1],
      [51, 2],
    ])
  })

  it('gives one a single copy', () => {
    expect(planned([shelved(50), shelved(51)], [asked(1, 1)])).toEqual([[50, 1]])
  })

  it.each<[what: string, ...of: Parameters<typeof planned>]>([
    ['no copies', [], [asked(1, 1)]],
    ['no reservations', [shelved(50)], []],
    ['a copy of another title', [shelved(50, 1, 8)], [asked(1, 1)]],
    ['a reservation for which one is set aside', [shelved(50)], [asked(1, 1, { set_aside_copy: 50 })]],
    ['a wish for another copy', [shelved(50)], [asked(1, 1, { copy_id: 51 })]],
    ['days that are far', [shelved(50)], [asked(1, 1, { ...dated('2026-03-18'), queue_position: null })]],
  ])('fetches nothing with %s', (_, copies, reservations) => {
    expect(planned(copies, reservations)).toEqual([])
  })

  it('takes a copy of the site where it is fetched before one that travels', () => {
    expect(planned([shelved(50, 2), shelved(51, 1)], [asked(1, 1)])).toEqual([[51, 1]])
    expect(planned([shelved(50, 2)], [asked(1, 1)])).toEqual([[50, 1]])
  })

  it('keeps a copy of its site for its next reader, and sends another one to the second', () => {
    const copies = [shelved(50, 1), shelved(51, 2)]
    expect(planned(copies, [asked(1, 1, { site: 2 }), asked(2, 2, { site: 1 })])).toEqual([
      [51, 1],
      [50, 2],
    ])
  })

  it('serves the first of the queue, though a copy is at the place of the second', () => {
    expect(planned([shelved(50, 2)], [asked(1, 1, { site: 1 }), asked(2, 2, { site: 2 })])).toEqual([[50, 1]])
  })

  it('plans each title by itself', () => {
    const copies = [shelved(50), shelved(60, 1, 8)]
    expect(planned(copies, [asked(1, 2), asked(2, 1, { reference_id: 8 }), asked(3, 1)])).toEqual([
      [50, 3],
      [60, 2],
    ])
  })

  it('serves as many as there are copies or readers, whichever are fewer', () => {
    const sites = fc.array(fc.integer({ min: 1, max: 3 }), { maxLength: 5 })
    fc.assert(
      fc.property(sites, sites, (of, at) => {
        const plan = planned(
          of.map((site, n) => shelved(50 + n, site)),
          at.map((site, n) => asked(n, n + 1, { site })),
        )
        expect(plan).toHaveLength(Math.min(of.length, at.length))
        expect(new Set(plan.map(([copy]) => copy)).size).toBe(plan.length)
        // Whoever stands before one that is served is served too.
        expect(plan.map(([, reader]) => reader).toSorted()).toEqual(plan.map((_, n) => n))
      }),
    )
  })
})
