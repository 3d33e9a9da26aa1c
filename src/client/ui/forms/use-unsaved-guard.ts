import { useCallback, useEffect, useRef } from 'react'
import { type Location, type NavigationType, useBlocker } from 'react-router-dom'

import { useConfirm } from '../dialogs/confirm.tsx'
import { tellStaying } from '../staying.ts'

type Words = { title: string; message: string }

export const unsaved: Words = {
  title: 'Quitter sans enregistrer\u202f?',
  message: 'Ce qui a été saisi sera perdu.',
}

const isOtherPage = (from: Location, to: Location): boolean => from.pathname !== to.pathname

/** Asks before something unsaved is left by a link, back, reload or closing; call `release` after saving. */
export function useUnsavedGuard(
  isDirty: boolean,
  words: Words = unsaved,
  isLeft: (from: Location, to: Location, by: `${NavigationType}`) => boolean = isOtherPage,
): () => void {
  const confirm = useConfirm()
  const isReleased = useRef(false)
  const isAsking = useRef(false)
  const blocker = useBlocker(
    ({ currentLocation, nextLocation, historyAction }) =>
      isDirty && !isReleased.current && isLeft(currentLocation, nextLocation, historyAction),
  )
  useEffect(() => {
    if (!isDirty) isReleased.current = false
  }, [isDirty])
  // Each attempt to leave is another blocker, and the answer is for the last one.
  const latest = useRef(blocker)
  useEffect(() => {
    latest.current = blocker
    if (blocker.state !== 'blocked' || isAsking.current) return
    isAsking.current = true
    void confirm({ ...words, acts: 'destroys' }).then((leaves) => {
      isAsking.current = false
      if (leaves) return latest.current.proceed?.()
      latest.current.reset?.()
      tellStaying()
    })
    // oxlint-disable-next-line react/exhaustive-deps -- asks once, however often leaving is tried
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
