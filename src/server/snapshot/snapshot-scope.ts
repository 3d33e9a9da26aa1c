import type { Sight } from '../sight/sight.ts'

type Sites = readonly number[] | null

/** Copies of these sites, beneficiaries of these agencies or all, and whole loans of `open` sites. */
export type Scope = { sites: Sites; bySite: boolean; open: Sites }

/** Sorted, because the cursor names them. */
const ascending = (sites: Sites): Sites => sites && [...sites].sort((a, b) => a - b)

export const scopeOf = ({ listed, open, readersBySite }: Sight): Scope => ({
  sites: ascending(listed),
  bySite: listed !== null && readersBySite,
  open: ascending(open),
})
