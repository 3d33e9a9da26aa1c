import type { ListQuery } from '../../contract/list.ts'
import { loanList } from '../../contract/loans.ts'
import { type ListAddress, useListAddress } from '../ui/lists/use-list-address.ts'

export type DueKind = 'today' | 'late'

const homeLimit = 100

/** Each list has its own names in the address. */
export const useDueAddress = (kind: DueKind): ListAddress =>
  useListAddress(loanList, { cycle: 'desc-first', prefix: `${kind}.`, limit: homeLimit })

/** Asks for what the person chose within the list's loans, by last name unless sorted. */
export function dueQuery(kind: DueKind, list: ListQuery, today: string): ListQuery {
  const about =
    kind === 'late'
      ? ({ field: 'islate', operator: 'eq', value: true } as const)
      : ({ field: 'end_date', operator: 'eq', value: today } as const)
  return {
    ...list,
    order: list.order.length > 0 ? list.order : [{ field: 'beneficiary_lastname', direction: 'desc' }],
    filters: [{ field: 'status', operator: 'eq', value: 'in_progress' }, about, ...list.filters],
  }
}
