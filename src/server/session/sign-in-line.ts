import { type Outcome, refuse } from '../http/outcome.ts'
import { takeTurns } from './take-turns.ts'

/**
 * Checks of passwords that use the database at once. A flood of guesses is refused by counters in the database, and each look at them
 * takes a connection: the others stay for the counter.
 */
const atOnce = 3
/** One address, often a whole library, and all addresses together, may have so many checks under way or waiting. */
const mostOfAddress = 30
const most = 300

const line = takeTurns({ atOnce })
const ofAddress = new Map<string, number>()
let all = 0

/** Runs a check of a password in its turn, or refuses at once where too many wait. Nothing is kept of an address once its checks are done. */
export async function inLine<T>(address: string, check: () => Promise<Outcome<T>>): Promise<Outcome<T>> {
  const before = ofAddress.get(address) ?? 0
  if (before >= mostOfAddress || all >= most) return tooManyAtOnce
  ofAddress.set(address, before + 1)
  all += 1
  try {
    return await line.run(check)
  } finally {
    const left = (ofAddress.get(address) ?? 1) - 1
    if (left > 0) ofAddress.set(address, left)
    else ofAddress.delete(address)
    all -= 1
  }
}

const tooManyAtOnce = refuse({
  status: 429,
  reason: 'TOO_MANY_ATTEMPTS',
  message: 'Trop d’essais à la fois. Réessayez dans 1 seconde.',
  retryAfter: 1,
})
