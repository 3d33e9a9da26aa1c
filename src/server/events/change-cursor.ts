/** The snapshot of a listener's last news, for only a snapshot tells which transactions were seen. */
export type ChangeCursor = {
  xmin: number
  xmax: number
  running: readonly number[]
  /** The journal's last line then and its time (ms), which a restored database does not have. */
  witness: readonly [id: number, at: number]
}

/** A longer cursor is refused, and its listener told that everything may have changed. */
const longest = 2000

export const writeChangeCursor = ({ witness, ...seen }: ChangeCursor): string =>
  [writeSnapshot(seen), ...witness.map((number) => number.toString(36))].join('~')

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

/** Reads a `pg_snapshot`; null for anything else. */
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
