import { useState } from 'react'

import { newKey } from '../../offline/new-key.ts'
import { CallError } from './call-error.ts'

type Send<T> = (key: string) => Promise<T>

/** While the same action is under way, sent twice by a network, its answer is asked for again after these. */
const pausesMs = [100, 300, 1000, 3000, 6000]

/** One Idempotency-Key a gesture until the server's final answer, so that asking again acts only once. */
export function gestureKeys() {
  const keys = new Map<string, string>()
  return async <T>(gesture: string, send: Send<T>): Promise<T> => {
    const key = keys.get(gesture) ?? newKey()
    keys.set(gesture, key)
    try {
      const answer = await answered(key, send)
      keys.delete(gesture)
      return answer
    } catch (error) {
      if (isLastWord(error)) keys.delete(gesture)
      throw error
    }
  }
}

async function answered<T>(key: string, send: Send<T>): Promise<T> {
  for (const pauseMs of pausesMs) {
    try {
      return await send(key)
    } catch (error) {
      if (!isUnderWay(error)) throw error
      await new Promise((resolve) => setTimeout(resolve, pauseMs))
    }
  }
  return send(key)
}

const isUnderWay = (error: unknown): boolean => error instanceof CallError && error.reason === 'STILL_RUNNING'

export const useGestureKeys = () => useState(gestureKeys)[0]

/** Other failures (no answer, an outage, a missing right) may end otherwise with the same key. */
const isLastWord = (error: unknown): boolean =>
  error instanceof CallError && (error.status === 422 || (error.status === 409 && !isUnderWay(error)))
