import { shortAge } from './age.ts'
import type { DeviceClock, SnapshotMark } from './device-meta.ts'
import { trustedMs } from './device-clock.ts'

/**
 * Whether somebody may borrow, in one value. `green`: every rule is known and allows it. `amber`: nothing forbids it, but what the
 * device knows is old or lacks a rule; `reasons` say what is to be checked. `red`: a rule forbids it; `reasons` are its sentences,
 * then what makes them doubtful.
 */
export type Verdict = { colour: 'green' | 'amber' | 'red'; reasons: readonly string[] }

export function verdictOf(refusals: readonly string[], doubts: readonly string[]): Verdict {
  if (refusals.length > 0) return { colour: 'red', reasons: [...refusals, ...doubts] }
  return { colour: doubts.length > 0 ? 'amber' : 'green', reasons: doubts }
}

/** Beyond this what the device knows is called old: other counters have lent and taken back meanwhile. */
const freshMs = 15 * 60_000

/** What makes all that the device knows doubtful: that it knows nothing, that it is old, that the device's clock is wrong. */
export function doubtsOfKnowledge(
  mark: Pick<SnapshotMark, 'asked_at'> | null,
  clock: DeviceClock | null,
  now: Date,
): string[] {
  if (mark === null) return ['Cet appareil n’a pas encore les données de la bibliothèque.']
  return [...doubtsOfAge(now.getTime() - Date.parse(mark.asked_at)), ...doubtsOfClock(clock)]
}

/** Both instants are the device's own: an age below zero says that its clock was put back. */
function doubtsOfAge(ageMs: number): string[] {
  if (ageMs < -trustedMs)
    return ['L’heure de cet appareil a changé\u202f: l’âge de ses données n’est pas connu.']
  return ageMs > freshMs ? [`Les données de cet appareil datent d’il y a ${shortAge(ageMs)}.`] : []
}

function doubtsOfClock(clock: DeviceClock | null): string[] {
  const off = Math.abs(clock?.offset ?? 0)
  return off > trustedMs
    ? [
        `L’horloge de cet appareil est fausse de ${shortAge(off)}\u202f: les jours comptés peuvent l’être aussi.`,
      ]
    : []
}
