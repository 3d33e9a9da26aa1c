import { type LaneLine, undoMs } from './lane.ts'

// What a reload keeps of the lane: as long as « Annuler » stands on a line, for the person and the site it was done for. The tab's own
// memory has it, so that nothing of it outlives the tab.

const place = 'comptoir.lane'

/** Raised when a line of the version before could not be shown. */
export const shape = 1

/** Keeps what was done in the last minutes; forgets the rest. `owner` names the person and the site. */
export function keepLane(owner: string, lines: readonly LaneLine[], now = Date.now()): void {
  const recent = lines.filter(({ at }) => Math.abs(now - at) < undoMs)
  try {
    if (recent.length === 0) sessionStorage.removeItem(place)
    else sessionStorage.setItem(place, JSON.stringify({ shape, owner, lines: recent.map(asLeft) }))
  } catch {
    // Without this memory a reload empties the lane, as it always did; the actions themselves are in the outbox.
  }
}

/** What was kept, as text, once: it is somebody's to show from now on, or nobody's. */
export function takeKeptText(): string | null {
  const text = sessionStorage.getItem(place)
  sessionStorage.removeItem(place)
  return text
}

export const forgetKeptLane = (): void => sessionStorage.removeItem(place)

/** A line as the page leaves it: what was being done for it is not done, and what waited for a card waits for nobody. */
function asLeft(line: LaneLine): LaneLine {
  const still = { ...line, under_way: null }
  if (line.step.name === 'looking')
    return { ...still, step: { name: 'said', signal: 'refusal', message: interrupted, ways: ['again'] } }
  return line.step.name === 'asks-reader'
    ? { ...still, step: { name: 'asks-reader', to: null, is_over: true } }
    : still
}

const interrupted = 'La page a été rechargée avant la fin de cette lecture\u202f: rien n’est enregistré.'
