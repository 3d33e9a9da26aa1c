import type { Right } from './rights.ts'

/** Whoever erases a reader changes readers, and would see what goes. */
const erasingRights = [
  'LIST_BENEFICIARIES',
  'BENEFICIARY_EDIT',
  'BENEFICIARY_HISTORY',
] as const satisfies readonly Right[]

export const mayErase = (rights: ReadonlySet<Right>): boolean =>
  erasingRights.every((right) => rights.has(right))

/** The name of whoever was erased. */
export const erasedName = 'Lecteur effacé'

/** Why whoever has loans out cannot be erased yet. */
export const heldByLoans = (name: string, loans: number): string =>
  loans === 1
    ? `${name} a un prêt en cours\u202f: enregistrez d’abord son retour.`
    : `${name} a ${loans} prêts en cours\u202f: enregistrez d’abord leur retour.`
