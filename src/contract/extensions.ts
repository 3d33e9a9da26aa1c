import * as v from 'valibot'

import { endpoint } from './endpoint.ts'
import { loan } from './loans.ts'
import { byId, day } from './wire.ts'

export const undoExtension = endpoint({
  name: 'loanings.undo_extension',
  method: 'POST',
  path: '/api/loanings/{id}/undo_extension',
  access: 'LOANING_EDIT',
  summary: 'Reprendre la dernière prolongation d’un prêt, dans les 10 minutes',
  params: byId,
  body: v.strictObject({
    /** The return that the extension gave: refused once the loan has another. */
    end_date: day,
  }),
  answer: loan,
})
