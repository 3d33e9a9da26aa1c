/**
 * Where a listener stands: what the database showed (`pg_current_snapshot()`) when it was last told. Transactions end in another order
 * than they begin; the snapshot says of each whether its changes were seen.
 */
export type ChangeCursor = {
  /** Transactions below have all ended. */
  xmin: number
  /** Transactions from here on had not begun. */
  xmax: number
  /** Those between that were under way. */
  running: readonly number[]
  /** Last line of the journal then, and its time (ms): not found again in a database that went back to a backup. */
  witness: readonly [id: number, at: number]
}

/** Longer ones are not taken back: the listener is told that everything may have changed. */
const longest = 2000

export const writeChangeCursor = ({ witness, ...seen }: ChangeCursor): string =>
  [writeSnapshot(seen), ...witness.map((number) => number.toString(36))].join('~')

/** As PostgreSQL writes a `pg_snapshot`. */
export const writeSnapshot = ({ xmin, xmax, running }: Omit<ChangeCursor, 'witness'>): string =>
  `${xmin}:${xmax}:${running.join(',')}`

/** Reads a cursor that a server wrote; null for anything else. */
export function readChangeCursor(text: string): ChangeCursor | null {
  const match = text.length > longest ? null : /^([\d:,]+)~([0-9a-z]{1,11})~([0-9a-z]{1,11})$/.exec(text)
  if (!match) return null
  const [, seen = '', id = '', at = ''] = match
  const snapshot = readSnapshot(seen)
  const witness = [Number.parseInt(id, 36), Number.parseInt(at, 36)] as const
  return snapshot && witness.every(Number.isSafeInteger) ? { ...snapshot, witness } : null
}

/** Reads what PostgreSQL would take for a `pg_snapshot`; null for anything else. */
export function readSnapshot(text: string): Omit<ChangeCursor, 'witness'> | null {
  const match = /^(\d{1,16}):(\d{1,16}):((?:\d{1,16}(?:,|$))*)$/.exec(text)
  if (!match) return null
  const [, low = '', high = '', between = ''] = match
  const [xmin, xmax] = [Number(low), Number(high)]
  const running = between === '' ? [] : between.split(',').map(Number)
  const isOrdered = running.every((xid, at) => xid >= xmin && xid < xmax && xid > (running[at - 1] ?? 0))
  const isKnown =
    xmin > 0 && xmin <= xmax && isOrdered && [xmin, xmax, ...running].every(Number.isSafeInteger)
  return isKnown ? { xmin, xmax, running } : null
}
