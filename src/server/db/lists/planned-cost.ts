import { codeOf } from '../error-code.ts'
import { type RawBuilder, sql } from 'kysely'

import type { Db } from '../handles.ts'

/** Planner's units for one statement, run `beside` others, or `before` all on the embedded engine. */
const budgets = { beside: 40_000, before: 10_000 }

/** Some milliseconds, for which no order need be remembered. */
export const cheap = 1500

const bounded = new WeakMap<Db, number | null>()

/** A slice of so many takes some milliseconds of the embedded engine. */
const sliceRows = 5000

/** Tells that a handle runs statements one at a time, so that none may be long: figures are counted by so many rows; null takes it back. */
export function boundStatements(db: Db, rows: number | null = sliceRows): void {
  bounded.set(db, rows)
}

/** How many rows a statement may count; null where it may count all. */
export const rowsAtOnce = (db: Db): number | null => bounded.get(db) ?? null

export const isBounded = (db: Db): boolean => rowsAtOnce(db) !== null

export const budgetOf = (db: Db): number => (isBounded(db) ? budgets.before : budgets.beside)

const known = new WeakMap<Db, Map<string, { cost: number; at: number }>>()
const keptMs = 60_000
const keptMost = 500

export function keyOf(db: Db, query: RawBuilder<unknown>): string {
  const { sql: text, parameters } = query.compile(db)
  return JSON.stringify([text, parameters])
}

export async function plannedCost(db: Db, query: RawBuilder<unknown>): Promise<number> {
  const costs = known.get(db) ?? new Map<string, { cost: number; at: number }>()
  known.set(db, costs)
  const key = keyOf(db, query)
  const found = costs.get(key)
  if (found && performance.now() - found.at < keptMs) return found.cost
  const { rows } = await sql<{ 'QUERY PLAN': [{ Plan: { 'Total Cost': number } }] }>`
    explain (format json) ${query}`.execute(db)
  const cost = rows[0]?.['QUERY PLAN'][0].Plan['Total Cost'] ?? 0
  if (costs.size >= keptMost) costs.clear()
  costs.set(key, { cost, at: performance.now() })
  return cost
}

/** Whether the engine cut a statement short (`statement_timeout`); its connection still works. */
export const ranOutOfTime = (error: unknown): boolean => codeOf(error) === '57014'
