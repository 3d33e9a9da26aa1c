import * as v from 'valibot'

import { type RefusalReason, refusalReasons } from '../domain/refusal-reasons.ts'

/** A fact that is not as it is known here is left out: a refusal of another version is still understood. */
const fact = <const S extends v.GenericSchema>(schema: S) => v.fallback(v.optional(schema), undefined)
const text = fact(v.nullable(v.string()))

const loanSide = v.looseObject({
  id: fact(v.number()),
  beneficiary_name: text,
  /** Refusals of before they told names in this order still wait on devices. */
  beneficiary_info: text,
  start_date: text,
  lent_at: text,
  lent_by: text,
  lent_device: text,
  returned_at: text,
  returned_by: text,
})
export type LoanSide = v.InferOutput<typeof loanSide>

const violation = v.object({ propertyPath: v.string(), message: v.string() })
export type Violation = v.InferOutput<typeof violation>

/** What a refusal tells beside its sentence, for the person who settles it. Nothing but what that person may see. */
export const refusalFacts = v.looseObject({
  /** The loan on the other side; of one out of sight only its id. */
  loaning: fact(loanSide),
  last_loaning: fact(v.nullable(loanSide)),
  /** Who waits for the copy, first served first. */
  reservations: fact(v.array(loanSide)),
  violations: fact(v.array(violation)),
  /** By a device whose clock was off: the instant of the action by the server's clock. */
  corrected_at: fact(v.string()),
})
export type RefusalFacts = v.InferOutput<typeof refusalFacts>

/** The reason of a refusal; null where there is none, or one that is not known here. */
export const refusalReason = v.fallback(v.nullable(v.picklist(refusalReasons)), null)

export const reasonOf = (reason: unknown): RefusalReason | null => v.parse(refusalReason, reason ?? null)
