import { useCallback, useEffect, useRef } from 'react'
import { useBlocker } from 'react-router-dom'

import { useConfirm } from './confirm.tsx'

type Words = { title: string; message: string; confirmLabel: string }

const unsaved: Words = {
  title: 'Modifications non enregistrées',
  message: 'Quitter sans enregistrer\u202f? Ce qui a été saisi sera perdu.',
  confirmLabel: 'Quitter sans enregistrer',
}

/**
 * Asks before leaving a screen with something unsaved, by a link, back, reload or closing. Answers `release`, to be called by whoever
 * saved and goes on: the next departure asks nothing.
 */
export function useUnsavedGuard(isDirty: boolean, words: Words = unsaved): () => void {
  const confirm = useConfirm()
  const isReleased = useRef(false)
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) =>
      isDirty && !isReleased.current && currentLocation.pathname !== nextLocation.pathname,
  )
  useEffect(() => {
    if (!isDirty) isReleased.current = false
  }, [isDirty])
  useEffect(() => {
    if (blocker.state !== 'blocked') return
    void confirm({ ...words, danger: true, cancelLabel: 'Rester' }).then((leaves) =>
      leaves ? blocker.proceed() : blocker.reset(),
    )
    // Each attempt to leave is a blocker of its own: two may follow so closely that its state is never seen to change between them.
    // oxlint-disable-next-line react/exhaustive-deps -- one question for one attempt to leave
  }, [blocker])
  useEffect(() => {
    if (!isDirty) return
    const ask = (event: BeforeUnloadEvent) => {
      if (!isReleased.current) event.preventDefault()
    }
    addEventListener('beforeunload', ask)
    return () => removeEventListener('beforeunload', ask)
  }, [isDirty])
  return useCallback(() => {
    isReleased.current = true
  }, [])
}
