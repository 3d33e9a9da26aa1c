// @vitest-environment happy-dom
import { afterEach, describe, expect, it } from 'vitest'

import { chooseSite, currentSession, leaveSession, rememberUser } from '../../src/client/api/session.ts'
import type { LaneLine, Step } from '../../src/client/home/lane.ts'
import {
  clearLane,
  happen,
  keepLane,
  laneOwner,
  laneState,
  takeKeptText,
} from '../../src/client/home/lane-store.ts'
import { resumeLane } from '../../src/client/home/resume-lane.ts'
import type { CurrentUser } from '../../src/contract/session.ts'

const minute = 60_000
const done: Step = { name: 'taken-back', was: 'Prêt annulé' }

/** The page goes and comes back: what the module held is gone. */
async function reload(): Promise<void> {
  dispatchEvent(new Event('pagehide'))
  const text = takeKeptText()
  clearLane()
  if (text !== null) await resumeLane(text)
}

afterEach(() => {
  clearLane()
  sessionStorage.clear()
})

/** Shows a line that came to this step, after those that are there. */
function scan(code: string, step: Step): void {
  const { lines } = laneState()
  const [added] = lineOf(code, lines.length + 1, step)
  clearLane()
  happen({ what: 'kept-lines', lines: [...lines, added] })
}
const lineOf = (code: string, key: number, step: Step): [LaneLine] => [
  {
    key: String(key),
    code,
    at: Date.now(),
    by: 'scanner',
    step,
    copy: null,
    with_reader: null,
    trouble: null,
    under_way: null,
    gestures: 0,
    before: { proposed: null, in_sight: false, chosen: null },
    confirmed: null,
  },
]
const steps = () => laneState().lines.map(({ code, step }) => [code, step.name])

describe('the lane', () => {
  it('goes with its person, and with the site they worked at', async () => {
    localStorage.setItem('token', 'secret')
    const person = { id: 1, username: 'ana', rights: [], sites: [] } as unknown as CurrentUser
    rememberUser(person)
    chooseSite({ id: 1, name: 'Centre' })
    for (const leave of [
      () => chooseSite({ id: 2, name: 'Annexe' }),
      () => rememberUser({ ...person, id: 2, username: 'luc' }),
      leaveSession,
    ]) {
      scan('1001', done)
      rememberUser({ ...currentSession()!.user!, rights: ['LOANING_ADD'] })
      expect(steps()).toHaveLength(1)
      leave()
      expect(steps()).toEqual([])
      await reload()
      expect(steps()).toEqual([])
    }
  })

  it('shows after a reload what was done before, and goes on counting', async () => {
    scan('1001', done)
    scan('1002', done)
    await reload()
    scan('1003', done)
    expect(steps()).toEqual([
      ['1001', 'taken-back'],
      ['1002', 'taken-back'],
      ['1003', 'taken-back'],
    ])
    expect(new Set(laneState().lines.map(({ key }) => key)).size).toBe(3)
    expect(laneState().chosen).toBeNull()
  })

  it('shows what was done before over a scan that came first in the new page', async () => {
    scan('1001', done)
    scan('1002', done)
    dispatchEvent(new Event('pagehide'))
    const text = takeKeptText() ?? ''
    clearLane()
    happen({ what: 'scan', code: '1003', by: 'scanner' })
    await resumeLane(text)
    expect(laneState().lines.map(({ code }) => code)).toEqual(['1001', '1002', '1003'])
    expect(new Set(laneState().lines.map(({ key }) => key)).size).toBe(3)
    happen({ what: 'scan', code: '1004', by: 'scanner' })
    expect(new Set(laneState().lines.map(({ key }) => key)).size).toBe(4)
  })

  it('tells of a scan that the reload cut short, and lets no copy wait for the next card', async () => {
    scan('1001', { name: 'looking' })
    scan('1002', { name: 'asks-reader', to: null, is_over: false })
    await reload()
    expect(laneState().lines.map(({ step }) => step)).toMatchObject([
      { name: 'said', message: expect.stringContaining('rien n’est enregistré'), options: ['again'] },
      { name: 'asks-reader', is_over: true },
    ])
  })

  it('keeps for the counter what another screen, reloaded meanwhile, has not shown', async () => {
    scan('1001', done)
    dispatchEvent(new Event('pagehide'))
    const text = takeKeptText() ?? ''
    clearLane()
    sessionStorage.setItem('comptoir.lane', text)
    dispatchEvent(new Event('pagehide'))
    await resumeLane(takeKeptText() ?? '')
    expect(steps()).toEqual([['1001', 'taken-back']])
  })

  it('forgets what is ten minutes old, and what is not this person’s', async () => {
    scan('1001', done)
    const { lines } = laneState()
    const now = lines[0]!.at
    keepLane('lise 1', lines, now + 11 * minute)
    expect(takeKeptText()).toBeNull()
    keepLane('lise 1', lines, now + minute)
    const text = takeKeptText() ?? ''
    clearLane()
    await resumeLane(text)
    expect(steps()).toEqual([])
  })

  it.each(['', '{', '{"shape":0}', '{"shape":1,"owner":" ","lines":[{"key":1}]}'])(
    'reads nothing that it did not write: %s',
    async (text) => {
      await resumeLane(text)
      expect(steps()).toEqual([])
    },
  )

  it.each([
    ['another version', { name: 'said', signal: 'refusal', message: 'Code inconnu', ways: [] }],
    ['nobody', { name: 'reader' }],
    ['no act', { name: 'kept', entry_id: 'x' }],
    ['no words', { name: 'said', signal: 'refusal', message: {}, options: [] }],
    ['no reservation', { name: 'set-aside', awaited: {} }],
  ])('shows no line of %s, which could not be drawn, and the others', async (_, step) => {
    keepLane(laneOwner(), [...lineOf('1001', 1, step as unknown as Step), ...lineOf('1002', 1, done)])
    await resumeLane(takeKeptText() ?? '')
    expect(steps()).toEqual([['1002', 'taken-back']])
  })

  it('is empty for the next person', () => {
    scan('1001', done)
    dispatchEvent(new Event('pagehide'))
    clearLane()
    expect(sessionStorage.getItem('comptoir.lane')).toBeNull()
  })
})
