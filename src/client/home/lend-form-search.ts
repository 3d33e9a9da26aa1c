import { isCard, type LaneReader } from './lane.ts'

/** The full form for a reader, the relative who came, and a copy; it takes no card that is nobody's. */
export function searchOfLendForm(to: LaneReader | null, copy?: number): string {
  const search = new URLSearchParams()
  if (to && !isCard(to)) {
    search.set('beneficiary', String(to.reader.id))
    if (to.relative !== null) search.set('relative', String(to.relative))
  }
  if (copy !== undefined) search.set('copy', String(copy))
  return search.toString()
}
