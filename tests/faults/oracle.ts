import { sql } from 'kysely'

import { openEnvironment } from '../../src/server/db/environments/environment.ts'
import type { Entry } from '../../src/offline/entry.ts'
import { receiptOf } from '../../src/offline/overlay.ts'
import { wrongTallies } from '../support/loan-tallies.ts'

type LoanRow = {
  id: number
  copy: number
  bar_code: string
  loan_key: string | null
  status: string
  lent_device: string | null
  lent_at: string
  lent_received_at: string
  returned_at: string | null
}
type KeyRow = { key: string; status: number; answer: string; created_at: string }

/** What the database holds, read when nobody else has it open. */
export type Applied = { loans: LoanRow[]; keys: KeyRow[]; wrongTallies: object[] }

export async function readApplied(dataDir: string, databaseUrl: string | null = null): Promise<Applied> {
  const environment = await openEnvironment({ dataDir, databaseUrl }, 1)
  try {
    const loans = await sql<LoanRow>`
      select l.id, l.copy, c.bar_code, l.loan_key, l.status, l.lent_device, l.lent_at, l.lent_received_at, l.returned_at
      from loanings l join copies c on c.id = l.copy order by l.id`.execute(environment.db)
    const keys = await sql<KeyRow>`select key, status, answer, created_at from idempotency_keys`.execute(
      environment.db,
    )
    return { loans: loans.rows, keys: keys.rows, wrongTallies: await wrongTallies(environment.db) }
  } finally {
    await environment.close()
  }
}

/** What a person saw confirmed on a device: a copy lent or taken back. */
export type Confirmed = { kind: 'lend' | 'return'; bar_code: string }

export type Witness = { device_id: string; entries: Entry[]; confirmed: readonly Confirmed[] }

/**
 * What is wrong, a sentence each: what was confirmed must be applied once or visibly unsettled, with one open
 * loan a copy at most, each device's order kept and true totals.
 */
export function faultsIn(applied: Applied, witnesses: readonly Witness[]): string[] {
  return [
    ...witnesses.flatMap((witness) => lostConfirmations(witness)),
    ...witnesses.flatMap(({ entries }) => entries.flatMap((entry) => wronglyApplied(entry, applied))),
    ...strangers(applied, witnesses),
    ...doublyLent(applied),
    ...applied.wrongTallies.map((wrong) => `the tallies are wrong: ${JSON.stringify(wrong)}`),
    ...witnesses.flatMap((witness) => outOfOrder(witness, applied)),
  ]
}

/** Each confirmation is an entry of the outbox, in the same order for the same copy. */
function lostConfirmations({ entries, confirmed }: Witness): string[] {
  const left = entries.filter(({ resolves }) => resolves === null)
  return confirmed.flatMap(({ kind, bar_code }) => {
    const at = left.findIndex((entry) => entry.bar_code === bar_code && entry.label.kind === kind)
    if (at < 0) return [`${kind} of ${bar_code} was confirmed and is not kept`]
    left.splice(at, 1)
    return []
  })
}

function wronglyApplied(entry: Entry, { loans, keys }: Applied): string[] {
  const name = `${entry.label.kind} of ${entry.bar_code} (${entry.id}, ${entry.state})`
  const stored = keys.find(({ key }) => key === entry.id)
  const isApplied = stored !== undefined && stored.status < 300
  const made = loans.filter(({ loan_key }) => loan_key === entry.id)
  if (entry.state === 'done' && !isApplied) return [`${name} is done and was not applied`]
  if (entry.state === 'done' && entry.endpoint === 'loanings.lend' && made.length !== 1)
    return [`${name} is done and made ${made.length} loans`]
  if (entry.state === 'done' && entry.label.kind === 'return') {
    const loan = loans.find(({ id }) => id === receiptOf(entry)?.id)
    if (loan?.status !== 'finished') return [`${name} is done and its loan is ${loan?.status}`]
  }
  if ((entry.state === 'conflict' || entry.state === 'quarantined') && isApplied)
    return [`${name} was applied all the same`]
  if (entry.state === 'set_aside' && !entry.decision) return [`${name} was dropped by nobody`]
  if (entry.state === 'set_aside' && isApplied) return [`${name} was dropped and applied`]
  return []
}

/** No loan of a device that the device does not know. */
function strangers({ loans }: Applied, witnesses: readonly Witness[]): string[] {
  return witnesses.flatMap(({ device_id, entries }) =>
    loans
      .filter(({ lent_device }) => lent_device === device_id)
      .filter(({ loan_key }) => !entries.some(({ id }) => id === loan_key))
      .map(({ id }) => `loan ${id} is of this device and it does not know it`),
  )
}

function doublyLent({ loans }: Applied): string[] {
  const open = loans.filter(({ status }) => status === 'in_progress').map(({ bar_code }) => bar_code)
  return [...new Set(open.filter((code, at) => open.indexOf(code) !== at))].map(
    (code) => `${code} is lent twice`,
  )
}

/** What one device did with one copy was applied in the order in which it was done. */
function outOfOrder({ entries }: Witness, { keys }: Applied): string[] {
  const order = (one: Entry) => one.place ?? one.seq
  const appliedAt = new Map(keys.map(({ key, created_at }) => [key, created_at]))
  const done = entries.filter(({ state }) => state === 'done').sort((a, b) => order(a) - order(b))
  return done.flatMap((entry, at) => {
    const later = done.slice(at + 1).find(({ bar_code }) => bar_code === entry.bar_code)
    const isBefore = !later || (appliedAt.get(entry.id) ?? '') <= (appliedAt.get(later.id) ?? '')
    return isBefore ? [] : [`${entry.label.kind} of ${entry.bar_code} was applied after what followed it`]
  })
}
