import { type LaneLine, undoMs } from './lane.ts'

// A reload keeps the lane while « Annuler » stands on it, for its person and site, in the tab's own memory.

const place = 'comptoir.lane'

/** Raise it when older lines can no longer be shown. */
export const shape = 2

/** Keeps the last minutes' lines for `owner`, a person and a site. */
export function keepLane(owner: string, lines: readonly LaneLine[], now = Date.now()): void {
  const recent = lines.filter(({ at }) => Math.abs(now - at) < undoMs)
  try {
    if (recent.length === 0) sessionStorage.removeItem(place)
    else sessionStorage.setItem(place, JSON.stringify({ shape, owner, lines: recent.map(asLeft) }))
  } catch {
    // Without this memory a reload empties the lane, but the outbox keeps the actions.
  }
}

/** The kept text, once: afterwards nobody else may show it. */
export function takeKeptText(): string | null {
  const text = sessionStorage.getItem(place)
  sessionStorage.removeItem(place)
  return text
}

export const forgetKeptLane = (): void => sessionStorage.removeItem(place)

/** Work under way is not done, and a copy that waited waits for nobody. */
function asLeft(line: LaneLine): LaneLine {
  const still = { ...line, under_way: null }
  if (line.step.name === 'looking')
    return { ...still, step: { name: 'said', signal: 'refusal', message: interrupted, ways: ['again'] } }
  return line.step.name === 'asks-reader'
    ? { ...still, step: { name: 'asks-reader', to: null, is_over: true } }
    : still
}

const interrupted = 'La page a été rechargée avant la fin de cette lecture\u202f: rien n’est enregistré.'
