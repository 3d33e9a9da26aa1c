import { useState } from 'react'

import { newKey } from '../../offline/new-key.ts'
import { CallError } from './call-error.ts'

type Send<T> = (key: string) => Promise<T>

/**
 * Gives each gesture one Idempotency-Key until the server's last word on it. A person who saw no answer and asks again then acts once,
 * whether the first call had arrived or not.
 */
export function gestureKeys() {
  const keys = new Map<string, string>()
  return async <T>(gesture: string, send: Send<T>): Promise<T> => {
    const key = keys.get(gesture) ?? newKey()
    keys.set(gesture, key)
    try {
      const answer = await send(key)
      keys.delete(gesture)
      return answer
    } catch (error) {
      if (isLastWord(error)) keys.delete(gesture)
      throw error
    }
  }
}

/** The keys of a dialog or a list of rows, for as long as it is on the screen. */
export const useGestureKeys = () => useState(gestureKeys)[0]

/** What the server remembers of a key; anything else (no answer, an outage, a right) may change when the same key comes again. */
const isLastWord = (error: unknown): boolean =>
  error instanceof CallError &&
  (error.status === 422 || (error.status === 409 && error.reason !== 'STILL_RUNNING'))
