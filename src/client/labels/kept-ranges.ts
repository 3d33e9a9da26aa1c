import * as v from 'valibot'

import { mostLabels } from '../../contract/labels.ts'
import { id, instant, uuid } from '../../contract/wire.ts'

/** A range that was retained on this device: the same key prints the same codes again. */
const range = v.object({
  environment: v.number(),
  user: v.number(),
  site: id,
  count: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(mostLabels)),
  key: uuid,
  at: instant,
})
export type KeptRange = v.InferOutput<typeof range>

const storageKey = 'comptoir.label-ranges'
const most = 20

function read(): readonly KeptRange[] {
  try {
    return v.parse(v.array(range), JSON.parse(localStorage.getItem(storageKey) ?? '[]'))
  } catch {
    return []
  }
}

/** The latest first; another person is refused these codes by the server. */
export const rangesOf = (person: Pick<KeptRange, 'environment' | 'user'>): readonly KeptRange[] =>
  read().filter(({ environment, user }) => environment === person.environment && user === person.user)

export function keepRange(kept: KeptRange): void {
  try {
    localStorage.setItem(storageKey, JSON.stringify([kept, ...read()].slice(0, most)))
  } catch {
    // Storage is full or forbidden: its address still prints it again.
  }
}
