import type { ConflictAnswer, settleConflict } from '../contract/conflicts.ts'
import type { BodyOf } from '../contract/endpoint.ts'
import type { Entry } from './entry.ts'

type SettleBody = BodyOf<typeof settleConflict>
type RefusedAction = SettleBody['action']

/** Null when the entry cannot be settled. */
export function refusedActionOf(
  entry: Pick<Entry, 'endpoint' | 'params' | 'body' | 'frozen_body'>,
): RefusedAction | null {
  if (entry.endpoint === 'conflicts.settle') return entry.body['action'] as RefusedAction
  const body = JSON.parse(entry.frozen_body) as never
  if (entry.endpoint === 'loanings.return')
    return { endpoint: entry.endpoint, loaning: Number(entry.params['id']), body }
  return { endpoint: entry.endpoint, body }
}

export const refusedKindOf = (entry: Entry): 'lend' | 'return' =>
  refusedActionOf(entry)?.endpoint === 'loanings.lend' ? 'lend' : 'return'

/** Key of the action first refused: choices refused in their turn belong to the same conflict. */
export const rootOf = (entry: Entry): string =>
  entry.endpoint === 'conflicts.settle' ? String(entry.body['resolves']) : entry.id

/** Oldest first. */
export function answersBefore(entry: Pick<Entry, 'endpoint' | 'body'>): ConflictAnswer[] {
  if (entry.endpoint !== 'conflicts.settle') return []
  const { resolves: _, action: _action, reason: _reason, earlier = [], ...answer } = entry.body as SettleBody
  return [...earlier, answer]
}

export const seenLoanOf = ({ problem }: Entry): number | null => problem?.facts?.loaning?.id ?? null
