import { useState } from 'react'

import { newKey } from '../../offline/new-key.ts'
import { CallError } from './call-error.ts'

type Send<T> = (key: string) => Promise<T>

/** One Idempotency-Key a gesture until the server's final answer, so that asking again acts only once. */
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

export const useGestureKeys = () => useState(gestureKeys)[0]

/** Other failures (no answer, an outage, a missing right) may end otherwise with the same key. */
const isLastWord = (error: unknown): boolean =>
  error instanceof CallError &&
  (error.status === 422 || (error.status === 409 && error.reason !== 'STILL_RUNNING'))
