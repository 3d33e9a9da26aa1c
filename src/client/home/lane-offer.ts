import type { Entry } from '../../offline/entry.ts'
import { isToVerify } from '../../offline/to-verify.ts'
import { type LaneLine, type LaneReader, type May, nameOf, type Step, type Way } from './lane.ts'

// A line's offers make its buttons and are checked again when a pressed one's turn comes.

const rightFor: Partial<Record<Way, keyof May>> = {
  return: 'return',
  lend: 'lend',
  continue: 'lend',
  override: 'override',
  'despite-reservations': 'lend',
  conditions: 'lend',
  'no-conditions': 'lend',
  'open-form': 'lend',
  'is-card': 'lend',
}

/** The ways out of a line for these rights; `entry` is its state in the outbox. */
export function waysOf({ step }: Pick<LaneLine, 'step'>, entry: Entry | null, may: May): Way[] {
  return offered(step, entry).filter((way) => {
    const right = rightFor[way]
    return right === undefined || may[right]
  })
}

/** A way's button, which names who would get the copy, unless `said` where it stands has the name already. */
export function wayLabel(way: Way, { step }: Pick<LaneLine, 'step'>, said: readonly string[] = []): string {
  const asked = namedBy(step)
  const to = asked && said.some((words) => words.includes(nameOf(asked))) ? null : asked
  switch (way) {
    case 'return':
      return 'Rendre'
    case 'lend':
      return to ? `Prêter à ${nameOf(to)}` : 'Prêter'
    case 'continue':
      return to ? `Continuer avec ${nameOf(to)}` : 'Continuer'
    case 'override':
    case 'despite-reservations':
      return 'Prêter quand même'
    case 'conditions':
      return 'Conditions remises'
    case 'no-conditions':
      return 'Prêter sans les remettre'
    case 'open-form':
      return 'Ouvrir le prêt complet'
    case 'again':
      return step.name === 'asks-reader' ? 'Attendre un lecteur' : 'Réessayer'
    case 'export':
      return 'Exporter les actions'
    case 'add-copy':
      return 'Ajouter l’exemplaire'
    case 'is-card':
      return 'C’est une carte'
    case 'is-copy':
      return 'C’est un exemplaire'
  }
}

const namedBy = (step: Step): LaneReader | null =>
  step.name === 'asks' || step.name === 'asks-reader'
    ? step.to
    : step.name === 'kept'
      ? (step.not_theirs?.chosen ?? null)
      : null

/** For whom a loan is asked about, or was refused. */
export const readerAskedFor = ({ step }: Pick<LaneLine, 'step'>): LaneReader | null =>
  step.name === 'asks' || step.name === 'kept' ? step.to : null

/** Nothing was refused: only the whole loan can make it. */
export const isForForm = ({ step }: Pick<LaneLine, 'step'>): boolean =>
  step.name === 'asks' && step.ways.length === 1 && step.ways[0] === 'open-form'

export const isRefused = (entry: Entry | null): entry is Entry =>
  entry?.state === 'conflict' || entry?.state === 'quarantined'

function offered(step: Step, entry: Entry | null): readonly Way[] {
  switch (step.name) {
    case 'asks':
    case 'said':
      return step.ways
    case 'asks-reader':
      // It may lie there to be taken back, whatever this device believes.
      if (step.is_over) return ['again', 'return']
      return step.to ? ['continue', 'return'] : ['return']
    case 'kept':
      if (isRefused(entry)) return waysAfter(step, entry)
      return step.not_theirs && !step.not_theirs.is_lent ? ['lend'] : []
    case 'looking':
    case 'reader':
    case 'taken-back':
    case 'sold':
    case 'received':
      return []
  }
}

/** Ways after a refusal that the counter can take at once; the others are among the waiting actions. */
function waysAfter({ act, to }: Extract<Step, { name: 'kept' }>, entry: Entry): Way[] {
  const { problem } = entry
  if (act === 'return' || !to) return []
  // Neither the rules nor the form here take a code.
  if (isToVerify(entry)) return problem?.reason === 'ALREADY_LENT' ? ['return'] : []
  if (problem?.reason === 'NOT_ELIGIBLE' || problem?.reason === 'BEYOND_BOUNDS')
    return ['override', 'open-form']
  if (problem?.reason === 'RESERVED') return ['despite-reservations']
  return problem?.reason === 'ALREADY_LENT' ? ['return'] : []
}
