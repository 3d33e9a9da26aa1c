import { useCallbackRef } from '@mantine/hooks'
import { useEffect, useState } from 'react'

export type LoneHit<Hit> = {
  /** The field stays beside what its search alone has chosen. */
  isSearching: boolean
  isChosen: boolean
  stand: (hit: Hit | null) => void
  unchoose: () => void
  /** A person chose. */
  settle: () => void
}

/** Where a form chooses by a search: a single hit is chosen, typing on or Escape takes it back, and what `isUsed` keeps it. */
export function useLoneHit<Hit extends { id: number }>(
  chosen: number | null,
  choose: (hit: Hit | null) => void,
  isUsed = false,
): LoneHit<Hit> {
  const [lone, setLone] = useState<number | null>(null)
  // It stays chosen when what was built on it is done.
  useEffect(() => {
    if (isUsed) setLone(null)
  }, [isUsed])
  const isChosen = chosen !== null && chosen === lone && !isUsed
  const become = (hit: Hit | null) => {
    setLone(isUsed ? null : (hit?.id ?? null))
    choose(hit)
  }
  return {
    isSearching: chosen === null || isChosen,
    isChosen,
    stand: (hit) => {
      if (hit ? hit.id !== lone : isChosen) become(hit)
    },
    unchoose: () => become(null),
    settle: () => setLone(null),
  }
}

/** `hit` alone answers the search that is asked now; null for none or several. */
export function useStandingHit<Hit extends { id: number }>(
  lone: LoneHit<Hit> | undefined,
  hit: Hit | null,
): void {
  const stand = useCallbackRef((found: Hit | null) => lone?.stand(found))
  // oxlint-disable-next-line react/exhaustive-deps -- answers a hit, not renders: who was taken back stays so
  useEffect(() => stand(hit), [hit?.id])
}
