import { type RawBuilder, sql } from 'kysely'

import type { Db } from '../handles.ts'
import { budgetOf, keyOf, plannedCost } from './planned-cost.ts'

const pieceRows = 20_000
/** The planner may be wrong about what a search finds, so few pieces are read together. */
const mostTogether = 5
const keptMs = 300_000

/** Ids above `after` up to `until`; null where the table ends. */
export type Piece = { after: number; until: number | null }

const known = new WeakMap<Db, Map<string, { pieces: Promise<Piece[]>; at: number }>>()

/** The pieces in which a table is read, by ids; minutes old at most, the last one open. */
export function piecesOf(db: Db, table: RawBuilder<unknown>, rows = pieceRows): Promise<Piece[]> {
  const tables = known.get(db) ?? new Map<string, { pieces: Promise<Piece[]>; at: number }>()
  known.set(db, tables)
  const key = keyOf(db, sql`${table} by ${rows}`)
  const found = tables.get(key)
  if (found && performance.now() - found.at < keptMs) return found.pieces
  const pieces = cut(db, table, rows)
  tables.set(key, { pieces, at: performance.now() })
  pieces.catch(() => tables.delete(key))
  return pieces
}

async function cut(db: Db, table: RawBuilder<unknown>, rowsOfPiece: number): Promise<Piece[]> {
  const pieces: Piece[] = []
  for (let after = 0; ;) {
    const { rows } = await sql<{ id: number }>`
      select id from ${table} where id > ${after} order by id limit 1 offset ${rowsOfPiece - 1}`.execute(db)
    const until = rows[0]?.id ?? null
    pieces.push({ after, until })
    if (until === null) return pieces
    after = until
  }
}

/** Joins costly pieces, up to what a statement may cost or a third above what it costs anyway. */
export async function piecesFor(
  db: Db,
  pieces: readonly Piece[],
  query: (piece: Piece) => RawBuilder<unknown>,
): Promise<readonly Piece[]> {
  const middle = pieces[Math.floor(pieces.length / 2)]
  if (!middle || pieces.length < 3) return pieces
  const one = await plannedCost(db, query(middle))
  const all = await plannedCost(db, query({ after: 0, until: null }))
  const each = Math.max(1, (all - one) / (pieces.length - 1))
  const budget = budgetOf(db)
  if (one - each < budget / 10) return pieces
  const together = Math.min(mostTogether, Math.floor(Math.max(budget - one, budget / 3) / each) + 1)
  return pieces.flatMap((piece, n) =>
    n % together > 0 ? [] : [{ after: piece.after, until: pieces[n + together - 1]?.until ?? null }],
  )
}

export const within = (id: RawBuilder<unknown>, { after, until }: Piece): RawBuilder<unknown> =>
  until === null ? sql`${id} > ${after}` : sql`${id} > ${after} and ${id} <= ${until}`
