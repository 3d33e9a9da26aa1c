import { useFlagParameter } from '../settings/parameter-data.ts'
import { useDebounced } from '../ui/use-debounced.ts'
import type { Reader, ScannedReader } from './beneficiary-data.ts'
import { isReaderInSight } from './reader-in-sight.ts'

/** A reader proposed by a pause, and whether that can be read at this moment, under the very text that proposed it. */
export type Proposal = { chosen: ScannedReader; isInSight: () => boolean }

export const proposalOf = (reader: Reader, text: string, field: { value: string } | null): Proposal => ({
  chosen: { reader, relative: null },
  isInSight: () => field?.value.trim() === text && isReaderInSight(reader.id),
})

/** A single hit is chosen by itself, unless relatives are searched and the person has some (file 1, section 4). */
export function onlyReader(found: readonly Reader[] | undefined, isRelativeSearch: boolean): Reader | null {
  const [only, ...others] = found ?? []
  if (!only || others.length > 0) return null
  return isRelativeSearch && only.relatives.length > 0 ? null : only
}

/** Whether relatives are searched, on line or off. */
export const useIsRelativeSearch = (): boolean => useFlagParameter('relative_search') ?? false

/** As long as a hand-held scanner may pause between two keys, and then some. */
const burstMs = 150

/**
 * The reader whom a pause in typing proposes: provisional, taken back by typing on. `still` is the text that `found` answers to. What a
 * scanner types into the field takes nothing back: the field gets its text again.
 */
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
