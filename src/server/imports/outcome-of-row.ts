import type { ImportChoices, Policy } from '../../contract/imports.ts'
import type { Remark } from '../../domain/import-remarks.ts'
import type { Facts, NoticeFields, Why } from './work-row.ts'

/** What became, or would become, of a row. */
export type RowOutcome = { line: number; at: number } & (
  | {
      result: 'added' | 'changed' | 'unchanged'
      name: string
      /** Copies that came with it. */
      copies: number
      /** Of a record that was there already. */
      before?: Facts
      after?: Facts
      /** What is to be known of it. */
      remarks?: readonly Remark[]
    }
  | {
      result: 'refused'
      /** All that is known to be wrong with it. */
      whys: readonly Why[]
      /** What the row calls sites that nobody knows. */
      unknown_sites?: readonly string[]
    }
)

/** How rows are brought in; a dry run writes nothing but what it has seen. */
export type How = {
  id: number
  isDry: boolean
  /** From the system that keeps the readers: by their number there alone, and by the numbers it gives sites. */
  isSync: boolean
  choices: ImportChoices
  /** Of notices. */
  noticeFields: NoticeFields
  /** What is there already is left as it is, for want of the right to change it. */
  leaves: { works: boolean; copies: boolean }
}

export function policyOf({ choices, leaves }: How, field: string): Policy {
  if (field.startsWith('copy.') ? leaves.copies : leaves.works) return 'keep'
  return choices.policies[field] ?? 'fill'
}

const isEmptyValue = (value: unknown): boolean =>
  value === null ||
  value === undefined ||
  value === '' ||
  value === false ||
  value === '0.00' ||
  (Array.isArray(value) && value.length === 0)

/** Whether a value that comes takes the place of the one that is there. */
export const takesPlace = (policy: Policy, is: unknown): boolean =>
  policy === 'overwrite' || (policy === 'fill' && isEmptyValue(is))
