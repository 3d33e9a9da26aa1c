import type { RefusalReason } from '../../domain/refusal-reasons.ts'
import type { Beyond } from '../../domain/loan-rules.ts'
import type { Exchange } from '../http/exchange.ts'
import { forbidden, type Refusal, violations } from '../http/outcome.ts'
import { boundFacts } from './serialize-loan.ts'

export type Objection = { propertyPath: string; message: string }

export const objectionsOf = (beyond: readonly Beyond[], endField: string): Objection[] =>
  beyond.map(({ bound, message }) => ({
    propertyPath: bound === 'longest_loan_days' ? endField : 'start_date',
    message,
  }))

export const boundsPassed = (beyond: readonly Beyond[]) =>
  beyond.length === 0 ? {} : { bounds: boundFacts(beyond) }

type Insistence = { override_reason?: string | undefined }

/** Null where nothing is objected, or a holder of the right gives a motive. */
export function unlessOverridden(
  objections: readonly Objection[],
  { override_reason }: Insistence,
  { caller }: Exchange,
  { reason, facts }: { reason: RefusalReason; facts: Refusal['facts'] & object },
) {
  if (objections.length === 0) return null
  if (override_reason === undefined) return violations([...objections], reason, facts)
  return caller.rights.has('LOANING_OVERRIDE')
    ? null
    : forbidden('Vous n’avez pas le droit de prêter malgré un refus.')
}
