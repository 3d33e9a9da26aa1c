import * as v from 'valibot'

import { settleChoiceCodes } from '../domain/settle-choice-codes.ts'
import { endpoint } from './endpoint.ts'
import { lendCopy, lentLoan } from './loans.ts'
import { loanElsewhere, returnCopy, returnLoan } from './returns.ts'
import { deviceId, id, instant, item, someLines, someText, uuid } from './wire.ts'

/** The refused action in full, so that settling it does not need the device that made it. */
const refusedAction = v.variant('endpoint', [
  v.strictObject({ endpoint: v.literal(lendCopy.name), body: lendCopy.body }),
  v.strictObject({ endpoint: v.literal(returnCopy.name), body: returnCopy.body }),
  v.strictObject({ endpoint: v.literal(returnLoan.name), loaning: id, body: returnLoan.body }),
])

const answer = {
  choice: v.picklist(settleChoiceCodes, 'doit être un choix connu'),
  /** Key of the refusal answered, when a choice was itself refused; else it is `resolves`. */
  refused: v.optional(uuid),
  seen_loaning: v.optional(v.nullable(id)),
  motive: v.optional(someLines(500)),
  bar_code: v.optional(someText(64)),
  /** A reader's card, a relative's, or their matricule. */
  beneficiary_code: v.optional(someText(64)),
  /** As the person says. */
  happened_at: v.optional(instant),
}
const conflictAnswer = v.strictObject(answer)
export type ConflictAnswer = v.InferOutput<typeof conflictAnswer>

export const settlement = item('Settlement', {
  resolves: uuid,
  choice: v.picklist(settleChoiceCodes),
  settled_by: v.string(),
  settled_at: instant,
  /** False when another choice had already settled it, which is then answered. */
  is_first: v.boolean(),
  /** The loan made or closed; only the copy when the person may not see that loan. */
  loaning: v.nullable(v.union([lentLoan, loanElsewhere])),
})
export type Settlement = v.InferOutput<typeof settlement>

/** The choice is an action like any other: it names what it resolves. */
export const settleConflict = endpoint({
  name: 'conflicts.settle',
  method: 'POST',
  path: '/api/conflicts/settle',
  access: ['LOANING_ADD', 'LOANING_RETURN'],
  summary: 'Régler une action refusée, une fois pour toutes',
  canWait: true,
  body: v.strictObject({
    resolves: uuid,
    action: refusedAction,
    reason: v.optional(v.nullable(someText(60))),
    ...answer,
    /** Their answers to the refusals before this one, oldest first: they still hold. */
    earlier: v.optional(v.pipe(v.array(conflictAnswer), v.maxLength(settleChoiceCodes.length))),
    occurred_at: v.optional(instant),
    device_id: v.optional(deviceId),
  }),
  answer: settlement,
})

export const conflictEndpoints = [settleConflict]
