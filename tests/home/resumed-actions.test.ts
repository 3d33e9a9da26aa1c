// @vitest-environment happy-dom
import { afterEach, expect, it } from 'vitest'

import {
  keepLane,
  clearLane,
  laneOwner,
  laneState,
  takeKeptText,
  watchLane,
} from '../../src/client/home/lane-store.ts'
import { lineWordsOf } from '../../src/client/home/lane-words.ts'
import { type LaneLine, plainKept } from '../../src/client/home/lane.ts'
import { resumeLane } from '../../src/client/home/resume-lane.ts'
import { knownEntry } from '../../src/client/outbox/outbox-entries.ts'
import { transact } from '../../src/offline/device-store.ts'
import type { Entry, NewAction } from '../../src/offline/entry.ts'
import { recordAction } from '../../src/offline/outbox.ts'
import { actorOf, biblio, freshDevice, signIn } from '../offline/device.ts'

freshDevice()
afterEach(clearLane)

const loan: NewAction = {
  endpoint: 'loanings.lend',
  params: {},
  body: { copy: 1, beneficiary: 1 },
  copy_id: 1,
  bar_code: '1001',
  beneficiary_id: 1,
  depends_on: null,
  label: { kind: 'lend', title: 'Nana', beneficiary: 'Alice Martin', due: '2026-03-31' },
}
const confirmed = async (action: NewAction): Promise<Entry> => {
  const entry = await recordAction(action, await actorOf(biblio))
  const done = { ...entry, state: 'done' as const, receipt: { id: 7 } }
  await transact(['outbox'], 'readwrite', (tx) => tx.objectStore('outbox').put(done))
  return done
}
const lineOf = (entry_id: string): LaneLine => ({
  key: '1',
  code: '1001',
  at: Date.now(),
  by: 'scanner',
  copy: { bar_code: '1001', title: 'Nana', known: null, loan: null },
  with_reader: 1,
  trouble: null,
  under_way: null,
  gestures: 0,
  before: { proposed: null, in_sight: false, chosen: null },
  confirmed: null,
  step: { ...plainKept, act: 'lend', entry_id, reader: 'Alice Martin', to: null },
})
const moment = {
  now: Date.now(),
  today: '2026-03-10',
  isOnline: true,
  may: { lend: true, return: true, override: true },
  under: null,
}

it('A line that is taken up again after a reload says at once what became of its action', async () => {
  await signIn()
  const { id } = await confirmed(loan)
  const newer = await confirmed({ ...loan, resolves: 'an older one' })
  keepLane(laneOwner(), [lineOf(id)])
  const seen: (string | undefined)[] = []
  const stop = watchLane(() => seen.push(...laneState().lines.map(() => knownEntry(id)?.state)))
  await resumeLane(takeKeptText() ?? '')
  stop()
  expect(seen).toEqual(['done'])
  // It may stand for one that a line follows.
  expect(knownEntry(newer.id)?.state).toBe('done')
})

it('A line whose action was not read yet says neither that it waits nor that it is done', () => {
  expect(lineWordsOf(lineOf('e'), null, moment).state).toEqual({ word: 'Lecture…', tone: 'wait' })
})
