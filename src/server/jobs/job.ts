import type { JobKind } from '../../contract/jobs.ts'
import type { Trx } from '../db/handles.ts'
import type { Exchange } from '../http/exchange.ts'
import type { Parameters } from '../db/parameters.ts'

/** What a step is done with. */
export type StepContext = { now: Date; parameters: Parameters }

/** Where a step left off (`cursor`) and how much it did; `isLast` where nothing is left. A problem ends the job. */
export type Stepped = { cursor: number; did: number; isLast: boolean } | { problem: string }

/**
 * One step of a job, in the transaction that keeps how far it came: whatever stops the process, each step is done once. It should take
 * less than a second, as others wait beside it.
 */
export type Step = (
  trx: Trx,
  job: { kind: JobKind; input: unknown; cursor: number },
  context: StepContext,
) => Promise<Stepped>

/** Asks for a job, in the transaction of the call that does: it is done if, and only if, that is committed. Returns its number. */
export async function startJob(
  trx: Trx,
  { caller, now }: Exchange,
  { kind, input, total }: { kind: JobKind; input: object; total: number },
): Promise<number> {
  const { id } = await trx
    .insertInto('jobs')
    .values({
      kind,
      user_id: caller.user_id,
      input: JSON.stringify(input),
      total,
      problem: null,
      created_at: now.toISOString(),
      stepped_at: null,
      ended_at: null,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}
