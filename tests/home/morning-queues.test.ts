// @vitest-environment happy-dom
import { matchPath } from 'react-router-dom'
import { describe, expect, it } from 'vitest'

import { mayOpen, screens } from '../../src/client/app/screens.tsx'
import { queues } from '../../src/client/home/morning-queues.ts'

const today = '2026-03-10'
const queue = (key: string) => queues.find((one) => one.key === key)

describe('a queue of the morning', () => {
  it.each(queues)('$key leads to a screen that its right opens', ({ to, right }) => {
    const [path = ''] = to(today).split('?')
    const screen = screens.find((one) => matchPath(one.path, path))
    expect(screen && mayOpen(screen, [right])).toBe(true)
  })

  it('tells each copy that is awaited once: back since yesterday, or on its shelf', () => {
    const days = ['2026-03-10', '2026-03-09', '2026-03-08', null]
    const page = { 'hydra:member': days.map((returned_on) => ({ returned_on })), 'hydra:totalItems': 4 }
    expect(queue('returned')?.tell(page, today)).toEqual({
      count: 2,
      words: '2 exemplaires rendus depuis hier et attendus',
    })
    expect(queue('picking')?.tell(page, today)).toEqual({
      count: 2,
      words: '2 exemplaires à chercher en rayon',
    })
  })

  it('of the backup is there while it is in trouble, and says which', () => {
    const backup = queue('backup')
    expect(backup?.tell({ trouble: null }, today).count).toBe(0)
    const trouble = { fact: 'La dernière est du 08/03/2026.' }
    expect(backup?.tell({ trouble }, today)).toEqual({
      count: 1,
      words: 'Sauvegarde en retard',
      why: trouble.fact,
    })
  })

  it('of closures says when the first begins', () => {
    const page = { 'hydra:member': [{ first_day: '2026-03-14' }], 'hydra:totalItems': 2 }
    expect(queue('closures')?.tell(page, today)?.words).toBe('2 fermetures à venir, dès le 14/03/2026')
  })

  it('comes before those that can wait: a reader stands for the first ones', () => {
    expect(queues.map(({ key }) => key)).toEqual([
      'returned',
      'picking',
      'arrivals',
      'uncollected',
      'late',
      'today',
      'backup',
      'mails',
      'closures',
    ])
  })
})
