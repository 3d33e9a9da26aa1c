import type { Entry } from '../../offline/entry.ts'
import type { LaneLine, May, Step, Way } from './lane.ts'

// What a line offers: read to draw its buttons, and again when the turn of a pressed one comes.

const rightFor: Partial<Record<Way, keyof May>> = {
  return: 'return',
  lend: 'lend',
  override: 'override',
  'despite-reservations': 'lend',
  'open-form': 'lend',
}

/** The ways out of a line for a person with these rights; `entry` is what the outbox says of it now. */
export function waysOf({ step }: Pick<LaneLine, 'step'>, entry: Entry | null, may: May): Way[] {
  return offered(step, entry).filter((way) => {
    const right = rightFor[way]
    return right === undefined || may[right]
  })
}

export const isRefused = (entry: Entry | null): entry is Entry =>
  entry?.state === 'conflict' || entry?.state === 'quarantined'

function offered(step: Step, entry: Entry | null): readonly Way[] {
  switch (step.name) {
    case 'asks':
    case 'said':
      return step.ways
    case 'asks-reader':
      // It may lie there to be taken back, whatever this device believes.
      return ['return']
    case 'kept':
      return isRefused(entry) ? waysAfter(step, entry) : []
    case 'looking':
    case 'reader':
    case 'taken-back':
      return []
  }
}

/** What the counter can do at once about a refusal; the rest is settled among the waiting actions. */
function waysAfter({ act, to }: Extract<Step, { name: 'kept' }>, { problem }: Entry): Way[] {
  if (act === 'return' || !to) return []
  if (problem?.reason === 'NOT_ELIGIBLE') return ['override', 'open-form']
  if (problem?.reason === 'RESERVED') return ['despite-reservations']
  return problem?.reason === 'ALREADY_LENT' ? ['return'] : []
}
