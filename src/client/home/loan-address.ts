import type { LaneReader } from './lane.ts'

/** What the full form is opened with: the reader, the relative who came for them, and the copy where there is one. */
export function addressOfLoan(to: LaneReader | null, copy?: number): string {
  const search = new URLSearchParams()
  if (to) search.set('beneficiary', String(to.reader.id))
  if (to && to.relative !== null) search.set('relative', String(to.relative))
  if (copy !== undefined) search.set('copy', String(copy))
  return search.toString()
}
