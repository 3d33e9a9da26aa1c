import type { AnswerOf } from '../../contract/endpoint.ts'
import type { fastLoan as fastLoanCall } from '../../contract/loans.ts'
import type { Trx } from '../db/handles.ts'
import type { VerbInput } from '../http/binding.ts'
import type { Decision } from '../http/decision.ts'
import type { Exchange } from '../http/exchange.ts'
import { done, type Outcome } from '../http/outcome.ts'
import { lendCopy } from './lend-copy.ts'

/** Lends at the medium's terms; a refusal is an answer whose sentence opens the full form. */
export async function fastLoan(
  trx: Trx,
  { body }: VerbInput<typeof fastLoanCall>,
  exchange: Exchange,
): Promise<Outcome<Decision<AnswerOf<typeof fastLoanCall>>>> {
  const outcome = await lendCopy(trx, { body }, exchange)
  if (outcome.ok) return outcome
  const { status, message, violations } = outcome.refusal
  if (status !== 409 && status !== 422) return outcome
  return done({ answer: { error: violations?.[0]?.message ?? message }, writes: [] }, 200)
}
