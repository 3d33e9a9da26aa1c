import { useEffect, useRef } from 'react'
import { type NavigateOptions, useLocation, useNavigate } from 'react-router-dom'
import * as v from 'valibot'

import type { Days } from '../../domain/typed-day.ts'
import type { ActName } from './acts.ts'

const begunSchema = v.object({
  begins: v.string(),
  days: v.optional(v.object({ first: v.string(), last: v.string() })),
})
type Begun = v.InferOutput<typeof begunSchema>

/** In the history: the screen is opened for this act, whose dialog it opens, with these days where it is one of days. */
export const begunBy = (act: string, days?: Days): NavigateOptions => ({
  state: { begins: act, ...(days && { days }) } satisfies Begun,
})

const begunIn = (state: unknown): Begun | null => {
  const read = v.safeParse(begunSchema, state)
  return read.success ? read.output : null
}

/** Opens the dialog of an act that the search opened this screen for: once, so that neither « back » nor a reload repeats it. */
export function useBegun(act: ActName, open: (days?: Days) => void): void {
  const navigate = useNavigate()
  const { search, hash, state } = useLocation()
  const begun = begunIn(state)
  const taken = useRef<Begun | null>(null)
  useEffect(() => {
    if (begun?.begins === act) {
      taken.current = begun
      void navigate({ search, hash }, { replace: true })
    } else if (taken.current) {
      // Only now: the dialog gives itself a step over the one that was just cleared.
      const { days } = taken.current
      taken.current = null
      open(days)
    }
  })
}
