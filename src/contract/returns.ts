import * as v from 'valibot'

import { endpoint } from './endpoint.ts'
import { copyState, happened, loan } from './loans.ts'
import { byId, day, deviceId, id, item, someText, text, uuid } from './wire.ts'

const returnEntries = {
  return_comment: v.optional(text(2000)),
  state: v.optional(copyState),
  /** Keeps the penalty of the rules; yes unless said. */
  penalty: v.optional(v.boolean()),
  ...happened,
}

/** A loan out of the person's sight: its copy, which they hold, but nothing of the reader. */
export const loanElsewhere = item('Loaning', {
  copy: id,
  copy_barcode: v.string(),
  copy_state: copyState,
  reference: id,
  reference_name: v.string(),
  category: v.nullable(v.string()),
  medium: v.nullable(v.string()),
  status: loan.entries.status,
})
export type LoanElsewhere = v.InferOutput<typeof loanElsewhere>

const returnNotes = {
  reservation_reference: v.optional(id),
  /** The reservation that the copy serves next: set it aside for this person, at this site. */
  awaited_by: v.optional(
    v.object({
      id,
      beneficiary_info: v.string(),
      beneficiary_name: v.string(),
      site: v.nullable(v.object({ id, name: v.string() })),
      start_date: v.nullable(day),
      is_set_aside: v.boolean(),
    }),
  ),
  /** The copy's site, when it was returned at another. */
  home_site: v.optional(v.object({ id, name: v.string() })),
}

const returnedLoan = v.object({ ...loan.entries, ...returnNotes })
export type ReturnedLoan = v.InferOutput<typeof returnedLoan>

export const returnLoan = endpoint({
  name: 'loanings.return',
  method: 'POST',
  path: '/api/loanings/{id}/return',
  access: 'LOANING_RETURN',
  summary: 'Enregistrer le retour d’un prêt',
  canWait: true,
  params: byId,
  body: v.strictObject(returnEntries),
  answer: returnedLoan,
})

export const returnCopy = endpoint({
  name: 'loanings.return_copy',
  method: 'POST',
  path: '/api/loanings/return',
  access: 'LOANING_RETURN',
  summary: 'Enregistrer le retour d’un exemplaire, par son code-barres',
  canWait: true,
  body: v.strictObject({
    bar_code: someText(64),
    /** Key of the loan's own action, if known, so that no other reader's loan is closed. */
    loan_key: v.optional(uuid),
    ...returnEntries,
  }),
  /** Only the copy when the loan's site is closed to the person, who holds it all the same. */
  answer: v.union([returnedLoan, v.object({ ...loanElsewhere.entries, ...returnNotes })]),
})

/** Asked of a code that this site does not know: what is lent anywhere comes back to whatever counter it is brought to. */
export const findLentCopy = endpoint({
  name: 'loanings.lent_copy',
  method: 'GET',
  path: '/api/loanings/lent',
  access: 'LOANING_RETURN',
  summary: 'Dire si l’exemplaire que l’on tient est en prêt, de quelque site qu’il soit',
  query: v.strictObject({ bar_code: someText(64) }),
  answer: v.object({
    copy: v.nullable(v.object({ bar_code: v.string(), name: v.string(), site_name: v.string() })),
  }),
})

export const undoLoan = endpoint({
  name: 'loanings.undo',
  method: 'POST',
  path: '/api/loanings/{id}/undo',
  access: ['LOANING_ADD', 'LOANING_RETURN'],
  summary: 'Reprendre le dernier prêt ou retour, dans les 10 minutes',
  params: byId,
  body: v.strictObject({
    /** Refused when this is no longer the loan's last event. */
    expects: v.optional(v.picklist(['lend', 'return'], 'doit être lend ou return')),
    device_id: v.optional(deviceId),
  }),
  answer: loan,
})

export const returnEndpoints = [returnCopy, findLentCopy, returnLoan, undoLoan]
