import { useEffect, useId, useRef } from 'react'
import { type createBrowserRouter, useLocation, useNavigate } from 'react-router-dom'

/** Dialogs of this page that were given a step: one that a page before a reload gave belongs to nobody. */
const ours = new Set<string>()

const dialogOf = (state: unknown): string | undefined => (state as { over?: string } | null)?.over

/** Gives a dialog a step of its own in the history, so that « back » closes it alone; returns the function that closes it otherwise. */
export function useBackCloses(close: () => void): () => void {
  const navigate = useNavigate()
  const { search, hash, state } = useLocation()
  const id = useId()
  const isOver = dialogOf(state) === id
  const step = useRef<'wanted' | 'asked' | 'there'>('wanted')
  useEffect(() => {
    if (isOver) step.current = 'there'
    else if (step.current === 'there') close()
    else if (step.current === 'wanted') {
      step.current = 'asked'
      ours.add(id)
      void navigate({ search, hash }, { state: { ...(state as object), over: id } })
    }
  })
  return () => {
    close()
    if (isOver) void navigate(-1)
  }
}

/** The place that is being left. */
let left = ''

/** Leaves the step of a dialog that a reload closed, where « back » would do nothing. */
export function leaveOldSteps(router: ReturnType<typeof createBrowserRouter>): () => void {
  const look = () => {
    const { key, state } = router.state.location
    const over = dialogOf(state)
    if (over === undefined || ours.has(over) || key === left) return
    left = key
    void router.navigate(-1)
  }
  look()
  return router.subscribe(look)
}
