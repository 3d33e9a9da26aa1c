import type { Sight } from '../sight/sight.ts'

type Sites = readonly number[] | null

/** What a device holds: copies of these sites (null: all), and beneficiaries of these agencies or all; loans of `open` sites whole. */
export type Scope = { sites: Sites; bySite: boolean; open: Sites }

/** Sites in one order, for the cursor names them. */
const inOrder = (sites: Sites): Sites => sites && [...sites].sort((a, b) => a - b)

export const scopeOf = ({ listed, open, readersBySite }: Sight): Scope => ({
  sites: inOrder(listed),
  bySite: listed !== null && readersBySite,
  open: inOrder(open),
})
