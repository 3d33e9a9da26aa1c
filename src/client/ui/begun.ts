import { useEffect, useRef } from 'react'
import { type NavigateOptions, useLocation, useNavigate } from 'react-router-dom'

import type { ActName } from './acts.ts'

/** In the history: the screen is opened for this act, whose dialog it opens. */
export const begunBy = (act: string): NavigateOptions => ({ state: { begins: act } })

const begunIn = (state: unknown): unknown =>
  typeof state === 'object' && state !== null && 'begins' in state ? state.begins : null

/** Opens the dialog of an act that the search opened this screen for: once, so that neither « back » nor a reload repeats it. */
export function useBegun(act: ActName, open: () => void): void {
  const navigate = useNavigate()
  const { search, hash, state } = useLocation()
  const isAsked = begunIn(state) === act
  const isTaken = useRef(false)
  useEffect(() => {
    if (isAsked) {
      isTaken.current = true
      void navigate({ search, hash }, { replace: true })
    } else if (isTaken.current) {
      // Only now: the dialog gives itself a step over the one that was just cleared.
      isTaken.current = false
      open()
    }
  })
}
