// @vitest-environment happy-dom
import { expect, it } from 'vitest'

import { type HeldLoan, heldOver } from '../../src/client/loans/held-loan.ts'
import type { Entry } from '../../src/offline/entry.ts'
import { listEntries } from '../../src/offline/outbox.ts'
import { change, freshDevice, lending, record, returning } from '../offline/device.ts'

freshDevice()

const asked_at = '2026-03-10T09:00:00.000Z'
const later = '2026-03-10T09:00:01.000Z'
const told = (...copies: number[]): HeldLoan[] =>
  copies.map((copy_id) => ({
    loan_id: 70 + copy_id,
    loan_key: null,
    copy_id,
    bar_code: String(1000 + copy_id),
    title: `Livre numéro ${copy_id}`,
    medium: 1,
    site: 1,
    beneficiary_id: 1,
    beneficiary_name: 'Alice Martin (M1)',
    copy_state: null,
    start_date: '2026-03-10',
    end_date: '2026-03-31',
    late: false,
    waiting: false,
  }))
const done = (entry: Entry, settled_at: string, receipt: object | null = null) =>
  change(entry, { state: 'done', settled_at, receipt })
const held = async (loans: HeldLoan[], since = asked_at) =>
  heldOver({ loans, asked_at: since }, await listEntries(), 1, {
    day: '2026-03-10',
    zone: 'Europe/Paris',
  }).map(({ copy_id }) => copy_id)

it('a loan counts without a break from its scan until the list that is asked for next holds it', async () => {
  const lend = await record(lending(1))
  expect(await held([])).toEqual([1])
  await change(lend, { state: 'sending' })
  expect(await held([])).toEqual([1])
  await done(lend, later, { id: 71, end_date: '2026-03-31' })
  expect(await held([])).toEqual([1])
  expect(await held(told(1))).toEqual([1])
  // Asked for since, the list has the last word: it may have been returned elsewhere.
  expect(await held([], '2026-03-10T09:00:02.000Z')).toEqual([])
})

it('a return takes its loan away for good, though the list was asked for before it was done', async () => {
  const back = await record(returning(1))
  expect(await held(told(1, 2))).toEqual([2])
  await done(back, later)
  expect(await held(told(1, 2))).toEqual([2])
})

it('a loan that was returned before the list is asked for again is not counted', async () => {
  const lend = await record(lending(1))
  await done(lend, later, { id: 71 })
  await record(returning(1, lend))
  expect(await held([])).toEqual([])
})

it('a loan that was refused is not counted', async () => {
  await change(await record(lending(1)), { state: 'conflict', settled_at: later })
  expect(await held([])).toEqual([])
})
