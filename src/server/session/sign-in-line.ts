import { type Outcome, refuse } from '../http/outcome.ts'
import { takeTurns, type Turns } from '../http/take-turns.ts'

/** Few checks use the database at once, because each takes a connection that the counter needs. */
const atOnce = 2
/** How many may be under way or waiting from one address, often a whole library, and from all. */
const mostOfAddress = 30
const most = 300

type Line = { turns: Turns; mostOfPlace: number; most: number; ofPlace: Map<string, number>; all: number }

const lineOf = (limits: Pick<Line, 'mostOfPlace' | 'most'>): Line => ({
  turns: takeTurns({ atOnce }),
  ...limits,
  ofPlace: new Map(),
  all: 0,
})

/** People on a device they have used do not wait behind guesses made elsewhere. */
const lines = {
  open: lineOf({ mostOfPlace: mostOfAddress, most }),
  home: lineOf({ mostOfPlace: 3, most: 100 }),
}

/** Runs a check in its turn, or refuses where too many wait; `place` is an address, or a device at home. */
export async function inLine<T>(
  which: keyof typeof lines,
  place: string,
  check: () => Promise<Outcome<T>>,
): Promise<Outcome<T>> {
  const line = lines[which]
  const before = line.ofPlace.get(place) ?? 0
  if (before >= line.mostOfPlace || line.all >= line.most) return tooManyAtOnce
  line.ofPlace.set(place, before + 1)
  line.all += 1
  try {
    return await line.turns.run(check)
  } finally {
    const left = (line.ofPlace.get(place) ?? 1) - 1
    if (left > 0) line.ofPlace.set(place, left)
    else line.ofPlace.delete(place)
    line.all -= 1
  }
}

const tooManyAtOnce = refuse({
  status: 429,
  reason: 'TOO_MANY_ATTEMPTS',
  message: 'Trop d’essais à la fois. Réessayez dans 1 seconde.',
  retryAfter: 1,
})
