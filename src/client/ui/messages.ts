import { notifications } from '@mantine/notifications'

import { CallError } from '../api/call-error.ts'

/** Notifications last 10 seconds, top right (file 1, section 9). */
export const messageMs = 10_000

type Tone = 'good' | 'warn' | 'bad'
const colors: Record<Tone, string> = { good: 'lamp', warn: 'yellow', bad: 'red' }

export function say(message: string, tone: Tone = 'good'): void {
  notifications.show({
    message,
    color: colors[tone],
    autoClose: messageMs,
    withBorder: true,
    role: tone === 'bad' ? 'alert' : 'status',
  })
}

/** Says what went wrong: the server's own sentence when it gave one. */
export const sayError = (error: unknown, otherwise = 'Une erreur s’est produite.'): void =>
  say(error instanceof CallError ? error.message : otherwise, 'bad')
