import type { Reader } from '../beneficiaries/beneficiary-data.ts'
import type { CounterCopy } from '../catalogue/counter-copy.ts'
import type { LaneReader } from './lane.ts'

/** What the box found. `undefined`: it has not asked, or no answer has come. */
export type Answers = { readers: readonly Reader[] | undefined; copies: readonly CounterCopy[] | undefined }

export const valueOfCopy = ({ bar_code }: CounterCopy): string => `copy ${bar_code}`
export const valueOfReader = ({ id }: Reader): string => String(id)
export const valueOfRelative = ({ id }: Reader, relative: { id: number }): string => `${id}/${relative.id}`

/** Who or what an option stands for; both null where its search has been answered anew. */
export function optionFor(
  value: string,
  { readers, copies }: Answers,
): { copy: CounterCopy | null; reader: LaneReader | null } {
  const copy = copies?.find((one) => valueOfCopy(one) === value) ?? null
  const [id, relative] = value.split('/').map(Number)
  const reader = copy ? undefined : readers?.find((one) => one.id === id)
  return { copy, reader: reader ? { reader, relative: relative ?? null } : null }
}
