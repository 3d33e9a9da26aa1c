import { useFlagParameter } from '../settings/parameter-data.ts'
import { useDebounced } from '../ui/use-debounced.ts'
import type { Reader, ScannedReader } from './beneficiary-data.ts'
import { isReaderNameVisible } from './reader-mark.ts'

/** `isInSight`: the name can be read now, under the text that proposed it. */
export type Proposal = { chosen: ScannedReader; isInSight: () => boolean }

export const proposalOf = (reader: Reader, text: string, field: { value: string } | null): Proposal => ({
  chosen: { reader, relative: null },
  isInSight: () => field?.value.trim() === text && isReaderNameVisible(reader.id),
})

/** A single hit is chosen by itself, unless relatives are searched and it has some. */
export function onlyReader(found: readonly Reader[] | undefined, isRelativeSearch: boolean): Reader | null {
  const [only, ...others] = found ?? []
  if (!only || others.length > 0) return null
  return isRelativeSearch && only.relatives.length > 0 ? null : only
}

export const useIsRelativeSearch = (): boolean => useFlagParameter('relative_search') ?? false

/** A little longer than a scanner's pause between two keys. */
const burstMs = 150

/** Typing withdraws the proposal, a scan does not, because it gives the field its text back. */
export function useProposedReader(
  text: string,
  still: string,
  found: readonly Reader[] | undefined,
): Reader | null {
  const isRelativeSearch = useIsRelativeSearch()
  const calm = useDebounced(text, burstMs)
  const stands = text === still || (calm === still && text.startsWith(still))
  return stands && still !== '' ? onlyReader(found, isRelativeSearch) : null
}
