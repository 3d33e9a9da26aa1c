import type { LaneReader } from './lane.ts'

/** The full form for a reader, the relative who came, and a copy. */
export function searchOfLendForm(to: LaneReader | null, copy?: number): string {
  const search = new URLSearchParams()
  if (to) search.set('beneficiary', String(to.reader.id))
  if (to && to.relative !== null) search.set('relative', String(to.relative))
  if (copy !== undefined) search.set('copy', String(copy))
  return search.toString()
}
