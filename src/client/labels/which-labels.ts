import { listLabelled } from '../../contract/label-list.ts'
import { mostLabels } from '../../contract/labels.ts'
import type { ListQuery } from '../../contract/list.ts'
import { acts } from '../ui/acts.ts'

/** What the address asks labels of: titles that were ticked, a filtered list, or codes that no copy has yet. */
export type WhichLabels = {
  kind: 'ticked' | 'filtered' | 'range'
  list: Partial<ListQuery>
  query: { ids?: string; type?: 'next'; site?: string; key?: string }
}

/** Null for a range that is not chosen yet. */
export function whichLabels(search: URLSearchParams, list: ListQuery): WhichLabels | null {
  const { filters, order } = list
  const ids = search.get('ids')
  if (ids !== null && /^\d+(,\d+)*$/.test(ids)) return { kind: 'ticked', list: { order }, query: { ids } }
  if (search.get('type') !== 'next') return { kind: 'filtered', list: { filters, order }, query: {} }
  const [site, key, count] = [search.get('site'), search.get('key'), Number(search.get('count'))]
  if (site === null || key === null || !(count >= 1 && count <= mostLabels)) return null
  return { kind: 'range', list: { limit: count }, query: { type: 'next', site, key } }
}

export const addressOfRanges = acts.printRange.to

/** Its key is written down, so that a page that is loaded again prints the same codes. */
export const addressOfRange = (range: { site: number; count: number; key: string }): string =>
  `${addressOfRanges}&site=${range.site}&count=${range.count}&key=${range.key}`

export const labelShape = listLabelled.list
