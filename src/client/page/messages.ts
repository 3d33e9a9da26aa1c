import { notifications } from '@mantine/notifications'
import type { ReactNode } from 'react'

import { somethingFailed } from '../../domain/sentences/everywhere.ts'
import { CallError } from '../api/call-error.ts'
import { inWords } from './house-words.ts'

/** Notifications last 10 seconds, top right. */
export const messageMs = 10_000

/** What was lost by nobody is read in passing. */
const passingMs = 4_000

/** For a refused file. */
export const uploadErrorMs = 20_000

type Tone = 'good' | 'warn' | 'bad'
const colors: Record<Tone, string> = { good: 'lamp', warn: 'yellow', bad: 'red' }

type How = {
  isRead?: boolean
  ms?: number
  about?: ReactNode
  /** Over nothing that is pressed, where it only passes by. */
  isPassing?: boolean
}

/** `about` names the thing under the sentence; `isRead` is false where something else on the page reads it aloud. */
export function say(
  sentence: string,
  tone: Tone = 'good',
  { isRead = true, isPassing = false, ms = isPassing ? passingMs : messageMs, about }: How = {},
): string {
  const message = inWords(sentence)
  return notifications.show({
    ...(about ? { title: message, message: about } : { message }),
    color: colors[tone],
    autoClose: ms,
    withBorder: true,
    ...(isPassing ? { position: 'bottom-center', withCloseButton: false } : {}),
    role: !isRead ? 'presentation' : tone === 'bad' ? 'alert' : 'status',
  })
}

/** By what `say` answered. */
export const hideSaid = (id: string): void => void notifications.hide(id)

const lastSaid = new Map<string, string>()

/** Replaces the same message, so that repeating it does not pile up. */
export function sayAgain(...[message, tone, how]: Parameters<typeof say>): void {
  const before = lastSaid.get(message)
  if (before !== undefined) notifications.hide(before)
  lastSaid.set(message, say(message, tone, how))
}

export function unsay(message: string): void {
  const before = lastSaid.get(message)
  if (before !== undefined) notifications.hide(before)
  lastSaid.delete(message)
}

/** The server's own sentence when it gave one. */
export const sayError = (error: unknown, otherwise = somethingFailed): void =>
  void say(error instanceof CallError ? error.message : otherwise, 'bad')
