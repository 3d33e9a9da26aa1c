import { describe, expect, it } from 'vitest'

import { doubtsOfKnowledge, verdictOf } from '../../src/offline/verdict.ts'

const asked_at = '2026-03-10T09:00:00.000Z'
const after = (ms: number) => new Date(Date.parse(asked_at) + ms)
const clock = (offset: number) => ({ offset, measured_at: asked_at })

it.each([
  [[], [], 'green'],
  [[], ['un doute'], 'amber'],
  [['un refus'], [], 'red'],
  [['un refus'], ['un doute'], 'red'],
])('verdictOf the refusals %o and the doubts %o is %s, with all of them', (refusals, doubts, colour) => {
  expect(verdictOf(refusals, doubts)).toEqual({ colour, reasons: [...refusals, ...doubts] })
})

describe('doubtsOfKnowledge', () => {
  it.each<[string, number, string[]]>([
    ['15 minutes old', 900_000, []],
    ['older', 900_001, ['Les données de cet appareil datent d’il y a 15\u00a0min.']],
    ['2 minutes ahead', -120_000, []],
    [
      'further ahead',
      -120_001,
      ['L’heure de cet appareil a changé\u202f: l’âge de ses données n’est pas connu.'],
    ],
  ])('of data %s', (_, age, doubts) => {
    expect(doubtsOfKnowledge({ asked_at }, null, after(age))).toEqual(doubts)
  })

  it.each([
    [120_000, false],
    [-120_000, false],
    [120_001, true],
    [-120_001, true],
  ])('of a clock %i ms off: %s', (offset, is) => {
    expect(doubtsOfKnowledge({ asked_at }, clock(offset), after(0))).toEqual(
      is
        ? [
            'L’horloge de cet appareil est fausse de 2\u00a0min\u202f: les jours comptés peuvent l’être aussi.',
          ]
        : [],
    )
  })

  it('of both at once, the age first', () => {
    expect(doubtsOfKnowledge({ asked_at }, clock(3_600_000), after(900_001))).toEqual([
      expect.stringContaining('datent'),
      expect.stringContaining('60\u00a0min'),
    ])
  })

  it('of no data at all, whatever the clock', () => {
    expect(doubtsOfKnowledge(null, clock(9e9), after(0))).toEqual([
      'Cet appareil n’a pas encore les données de la bibliothèque.',
    ])
  })
})
