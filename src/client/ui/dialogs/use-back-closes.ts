import { useEffect, useId, useRef } from 'react'
import { useLocation, useNavigate } from 'react-router-dom'

/** Gives a dialog a step of its own in the history, so that « back » closes it alone; returns the function that closes it otherwise. */
export function useBackCloses(close: () => void): () => void {
  const navigate = useNavigate()
  const { search, hash, state } = useLocation()
  const id = useId()
  const isOver = (state as { over?: string } | null)?.over === id
  const step = useRef<'wanted' | 'asked' | 'there'>('wanted')
  useEffect(() => {
    if (isOver) step.current = 'there'
    else if (step.current === 'there') close()
    else if (step.current === 'wanted') {
      step.current = 'asked'
      void navigate({ search, hash }, { state: { ...(state as object), over: id } })
    }
  })
  return () => {
    close()
    if (isOver) void navigate(-1)
  }
}
