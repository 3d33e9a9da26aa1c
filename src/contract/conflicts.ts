import * as v from 'valibot'

import { settleChoiceCodes } from '../domain/settle-choices.ts'
import { endpoint } from './endpoint.ts'
import { lendCopy, loan, loanElsewhere, returnCopy, returnLoan } from './loans.ts'
import { deviceId, id, instant, item, someLines, someText, uuid } from './wire.ts'

/** The refused action as it was sent, so that settling it needs nothing of the device that made it. */
export const refusedAction = v.variant('endpoint', [
  v.strictObject({ endpoint: v.literal(lendCopy.name), body: lendCopy.body }),
  v.strictObject({ endpoint: v.literal(returnCopy.name), body: returnCopy.body }),
  v.strictObject({ endpoint: v.literal(returnLoan.name), loaning: id, body: returnLoan.body }),
])

/** How a person answers a refusal, with what the choice asks for. */
const answer = {
  choice: v.picklist(settleChoiceCodes, 'doit être un choix connu'),
  /** Key of the refusal that is answered, where a choice was refused in its turn; else it is `resolves`. */
  refused: v.optional(uuid),
  /** The loan that the person saw on the other side. */
  seen_loaning: v.optional(v.nullable(id)),
  motive: v.optional(someLines(500)),
  /** Of the copy that is really meant. */
  bar_code: v.optional(someText(64)),
  /** When the refused action happened, as the person says. */
  happened_at: v.optional(instant),
}
const conflictAnswer = v.strictObject(answer)
export type ConflictAnswer = v.InferOutput<typeof conflictAnswer>

export const settlement = item('Settlement', {
  resolves: uuid,
  choice: v.picklist(settleChoiceCodes),
  settled_by: v.string(),
  settled_at: instant,
  /** False when the conflict had been settled before: the answer is then that first settlement. */
  is_first: v.boolean(),
  /** The loan that the choice made or closed; of one out of the person's sight, the copy alone. */
  loaning: v.nullable(v.union([loan, loanElsewhere])),
})
export type Settlement = v.InferOutput<typeof settlement>

/** A person's choice before a conflict: an action like any other, which names what it resolves. */
export const settleConflict = endpoint({
  name: 'conflicts.settle',
  method: 'POST',
  path: '/api/conflicts/settle',
  access: ['LOANING_ADD', 'LOANING_RETURN'],
  summary: 'Régler une action refusée, une fois pour toutes',
  canWait: true,
  body: v.strictObject({
    /** Key of the refused action. */
    resolves: uuid,
    action: refusedAction,
    /** Why it was refused. */
    reason: v.optional(v.nullable(someText(60))),
    ...answer,
    /** What the person answered to the refusals before this one, oldest first: it still holds. */
    earlier: v.optional(v.pipe(v.array(conflictAnswer), v.maxLength(settleChoiceCodes.length))),
    occurred_at: v.optional(instant),
    device_id: v.optional(deviceId),
  }),
  answer: settlement,
})

export const conflictEndpoints = [settleConflict]
