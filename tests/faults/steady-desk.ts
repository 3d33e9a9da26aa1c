import { randomUUID } from 'node:crypto'

import { sql } from 'kysely'
import { expect } from 'vitest'

import type { Db } from '../../src/server/db/handles.ts'
import { wrongTallies } from '../support/loan-tallies.ts'
import { askUntil, type Desk, type Reply } from './product.ts'

/** An action that a device was told is done. */
export type Confirmed = { kind: 'lend' | 'return'; key: string; loan: number; copy: number }

/** Copies that nobody else lends, as many as any run gets through; answers the first one's number. */
export async function addCopiesToLend(db: Db): Promise<number> {
  await sql`update media set max_loaning = null, max_late = null`.execute(db)
  await sql`insert into copies (reference, bar_code, site) select 1, 'F' || n, 1 from generate_series(1, 4000) n`.execute(
    db,
  )
  const { rows } = await sql<{ first: number }>`
    select min(id) as first from copies where bar_code like 'F%'`.execute(db)
  return rows[0]?.first ?? 0
}

/** A device that lends and takes back until it is told to end; what has no answer is asked again under its key. */
export async function lendAndTakeBack(
  desk: Pick<Desk, 'lend' | 'giveBack'>,
  {
    first,
    step,
    until,
    confirm,
  }: { first: number; step: number; until: AbortSignal; confirm(done: Confirmed): void },
): Promise<void> {
  const isAnswered = (reply: Reply) => reply.status !== 0 && reply.status < 500
  for (let copy = first; !until.aborted; copy += step) {
    const key = randomUUID()
    const lent = await askUntil(() => desk.lend(key, 1 + (copy % 2), copy), isAnswered)
    expect(lent).toMatchObject({ status: 201 })
    const loan = lent.body.id ?? 0
    confirm({ kind: 'lend', key, loan, copy })
    if (copy % 3 === 0) continue
    const back = randomUUID()
    const returned = await askUntil(() => desk.giveBack(back, loan), isAnswered)
    expect(returned).toMatchObject({ status: 200 })
    confirm({ kind: 'return', key: back, loan, copy })
  }
}

/** Everything that was confirmed is there, none of it twice, and nothing that nobody asked for. */
export async function expectAllOnce(
  db: Db,
  firstCopy: number,
  confirmed: readonly Confirmed[],
): Promise<void> {
  const { rows: loans } = await sql<{ id: number; copy: number; status: string; loan_key: string }>`
    select id, copy, status, loan_key from loanings where copy >= ${firstCopy}`.execute(db)
  const lends = confirmed.filter(({ kind }) => kind === 'lend')
  const byKey = new Map(loans.map((loan) => [loan.loan_key, loan]))
  expect(lends.filter(({ key, loan }) => byKey.get(key)?.id !== loan)).toEqual([])
  const finished = new Set(loans.filter(({ status }) => status === 'finished').map(({ id }) => id))
  const returns = confirmed.filter(({ kind }) => kind === 'return')
  expect(returns.filter(({ loan }) => !finished.has(loan))).toEqual([])
  expect(loans.length).toBe(new Set(loans.map(({ copy }) => copy)).size)
  expect([loans.length, finished.size]).toEqual([lends.length, returns.length])
  expect(await wrongTallies(db)).toEqual([])
}
