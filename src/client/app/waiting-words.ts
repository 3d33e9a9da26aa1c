import { shortAge } from '../../offline/age.ts'
import type { HeldEntries } from '../../offline/held-entries.ts'
import { counted } from '../ui/words.ts'

const minuteMs = 60_000
/** The server answers, and yet something waits: someone should look. */
const oddMs = 15 * minuteMs
/** Without a network: half a day at the counter. */
const longMs = 240 * minuteMs

export type WaitingWords = { tone: 'wait' | 'warn' | 'bad'; figure: number; words: string; sentence: string }

/** « 3 actions en attente », or « 1 à régler » of them, and all of it as a sentence; null when nothing waits. `now` in epoch milliseconds. */
export function waitingWords(
  { waiting, conflicts, quarantined, oldest_at }: HeldEntries,
  now: number,
  isOnline: boolean,
): WaitingWords | null {
  const refused = conflicts + quarantined
  const count = waiting + refused
  if (count === 0) return null
  const age = oldest_at === null ? 0 : now - Date.parse(oldest_at)
  const isOld = age > longMs || (isOnline && age > oddMs)
  const since = age < minuteMs ? '' : shortAge(age)
  return {
    tone: refused > 0 ? 'bad' : isOld ? 'warn' : 'wait',
    figure: refused || count,
    words: refused > 0 ? 'à régler' : count > 1 ? 'actions en attente' : 'action en attente',
    sentence: [
      counted(count, 'action en attente', 'actions en attente'),
      since && (count > 1 ? `, la plus ancienne depuis ${since}` : ` depuis ${since}`),
      refused > 0 && `, dont ${refused} à régler`,
    ]
      .filter(Boolean)
      .join(''),
  }
}
