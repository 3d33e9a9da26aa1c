import type { JobKind } from '../../contract/jobs.ts'
import type { Trx } from '../db/handles.ts'
import type { Database } from '../db/schema.ts'
import type { Exchange } from '../http/exchange.ts'
import type { Parameters } from '../library-facts/parameters.ts'

/** `exchange` is of the person who asked for the job, with the rights and sites that they have now. */
export type StepContext = { now: Date; parameters: Parameters; exchange: Exchange }

/** Where a step left off, how much it did and which tables are no longer what they were by it; a problem ends the job. */
export type Stepped =
  { cursor: number; did: number; isLast: boolean; grew?: readonly (keyof Database)[] } | { problem: string }

/** A step in the transaction that keeps its cursor, and so done once; under a second, because others wait. */
export type Step = (
  trx: Trx,
  job: { kind: JobKind; input: unknown; cursor: number },
  context: StepContext,
) => Promise<Stepped>

/** Sets right what a job that has failed leaves half done, in the transaction that ends it; answers what to say of it. */
export type AfterFailure = (trx: Trx, job: { input: unknown; user_id: number }, now: Date) => Promise<string>

/** Asks for a job in the call's transaction, and returns its number. */
export async function startJob(
  trx: Trx,
  { caller, now, site, device_id }: Exchange,
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
      site,
      device_id,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}
