import type { Right } from './rights.ts'

/** Whoever erases a reader changes readers, and would see what goes. */
export const erasingRights = [
  'LIST_BENEFICIARIES',
  'BENEFICIARY_EDIT',
  'BENEFICIARY_HISTORY',
] as const satisfies readonly Right[]

export const mayErase = (rights: ReadonlySet<Right>): boolean =>
  erasingRights.every((right) => rights.has(right))

/** The name of whoever was erased. */
export const erasedName = 'Lecteur effacé'
