import * as v from 'valibot'

import { type RefusalReason, refusalReasons } from '../domain/refusal-reasons.ts'

/** Leaves out a fact of another form, so that a refusal of another version is still understood. */
const fact = <const S extends v.GenericSchema>(schema: S) => v.fallback(v.optional(schema), undefined)
const text = fact(v.nullable(v.string()))

const loanSide = v.looseObject({
  id: fact(v.number()),
  beneficiary_name: text,
  /** Refusals older than `beneficiary_name` still wait on devices. */
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

/** Only what the person who settles the refusal may see. */
export const refusalFacts = v.looseObject({
  /** The other reader's loan; only its id when it is out of sight. */
  loaning: fact(loanSide),
  last_loaning: fact(v.nullable(loanSide)),
  reservations: fact(v.array(loanSide)),
  violations: fact(v.array(violation)),
  /** From a device with a wrong clock: the instant by the server's. */
  corrected_at: fact(v.string()),
})
export type RefusalFacts = v.InferOutput<typeof refusalFacts>

/** Null for a reason that is not known here. */
export const refusalReason = v.fallback(v.nullable(v.picklist(refusalReasons)), null)

export const reasonOf = (reason: unknown): RefusalReason | null => v.parse(refusalReason, reason ?? null)
