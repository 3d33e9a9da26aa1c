import type { Right } from './rights.ts'

/** Any of them brings in some file; which right brings in what is told by the contract. */
export const importRightCodes = ['REFERENCE_IMPORT', 'BENEFICIARY_EDIT', 'LOANING_OVERRIDE'] as const

/** Any of them opens the list of acts; apart from their words, which the first page does without. */
export const actRights = [
  'PARAMETER_REFERENCE',
  'COPY_MODIFY',
  'COPY_DELETE',
  'INVENTORY',
  'PARAMETER_SITE',
  ...importRightCodes,
] as const satisfies readonly Right[]
