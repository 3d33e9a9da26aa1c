import pino, { type DestinationStream, type Logger } from 'pino'

import { loggedError } from '../http/logged-error.ts'

export const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const
export type LogLevel = (typeof logLevels)[number]

/** One JSON object a line, with errors always without their values (`loggedError`). */
export function openLogger(level: LogLevel, destination?: DestinationStream): Logger {
  const settings = {
    level,
    serializers: { err: (error: unknown) => (error instanceof Error ? loggedError(error) : error) },
  }
  return destination ? pino(settings, destination) : pino(settings)
}
