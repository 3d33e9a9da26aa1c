import { shortAge } from './age.ts'
import type { DeviceClock, SnapshotMark } from './device-meta.ts'
import { trustedMs } from './device-clock.ts'

/** `green`: every rule is known and allows it. `amber`: the data is old or a rule is unknown. */
export type Verdict = { colour: 'green' | 'amber' | 'red'; reasons: readonly string[] }

export function verdictOf(refusals: readonly string[], doubts: readonly string[]): Verdict {
  if (refusals.length > 0) return { colour: 'red', reasons: [...refusals, ...doubts] }
  return { colour: doubts.length > 0 ? 'amber' : 'green', reasons: doubts }
}

/** After this, other counters have lent and taken back. */
const freshMs = 15 * 60_000

export function doubtsOfKnowledge(
  mark: Pick<SnapshotMark, 'asked_at'> | null,
  clock: DeviceClock | null,
  now: Date,
): string[] {
  if (mark === null) return ['Cet appareil n’a pas encore les données de la bibliothèque.']
  return [...doubtsOfAge(now.getTime() - Date.parse(mark.asked_at)), ...doubtsOfClock(clock)]
}

/** Both instants are the device's own, so a negative age means that its clock was put back. */
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
