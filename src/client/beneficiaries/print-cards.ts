import { printCards } from '../../contract/beneficiary-changes.ts'
import type { ListQuery } from '../../contract/list.ts'
import { call } from '../api/call.ts'
import { sayError } from '../page/messages.ts'
import { saveFile } from '../ui/save-file.ts'

export const printCardsLabel = 'Imprimer les cartes'

/** The cards of the readers that a list holds, in its order. */
export const printCardsOf = (list: Pick<ListQuery, 'filters' | 'order'>): Promise<void> =>
  call(printCards, { list, query: {} }).then(saveFile, (error: unknown) =>
    sayError(error, 'Les cartes n’ont pas pu être faites.'),
  )
