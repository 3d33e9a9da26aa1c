import { closeSync, openSync } from 'node:fs'
import { appendFile } from 'node:fs/promises'
import { isIP } from 'node:net'

import type { Context, MiddlewareHandler } from 'hono'
import type { Logger } from 'pino'

import { codeOf } from '../db/error-code.ts'
import type { Refusal } from '../http/outcome.ts'
import { ConfigurationError } from '../process/configuration.ts'

declare module 'hono' {
  interface ContextVariableMap {
    account: string | null
    device: string | null
    refusal: Refusal
  }
}

type SecurityEvent = {
  event: 'security.sign_in_failed' | 'security.forbidden' | 'security.throttled'
  /** Typed, or the signed-in person's. */
  account: string | null
  /** Null where a line sums up several addresses. */
  address: string | null
  device: string | null
  call: string | null
  reason: string | null
  request: string
}

/** One line of plain text; the caller's words are encoded behind the address, so that they forge nothing. */
function securityLine(event: SecurityEvent, at: Date, times: number): string {
  const { event: name, address, account, device, call, reason, request } = event
  // The address was checked to be one.
  const words = [`address=${address ?? '-'}`]
  for (const [word, value] of Object.entries({ account, device, call, reason, request })) {
    words.push(`${word}=${value === null ? '-' : escaped(value)}`)
  }
  return `${[at.toISOString(), name, ...words, `times=${times}`].join(' ')}\n`
}

const escaped = (text: string): string => (text === '-' ? '%2D' : encodeURIComponent(text))

export type SecurityLog = {
  note(event: SecurityEvent, at: Date): void
  /** Writes what was only counted; called every minute. */
  sumUp(at: Date): void
  /** Writes what was counted, and waits for the file. */
  close(): Promise<void>
}

const minuteMs = 60_000
/** Equal lines of a minute written before they are counted; banning tools count failed sign-ins. */
const inFull: Record<SecurityEvent['event'], number> = {
  'security.sign_in_failed': 10,
  'security.forbidden': 1,
  'security.throttled': 1,
}
/** In one minute as many accounts, then addresses, before the rest is summed up. */
const mostToldApart = 200
const longestAccount = 100

type Counted = { event: SecurityEvent; seen: number; said: number }

/** Also writes to `path`, and counts a flood, so that it cannot fill the disk; throws ConfigurationError. */
export function openSecurityLog(logger: Logger, path: string | null = null): SecurityLog {
  if (path !== null) tryToWrite(path)
  const counted = new Map<string, Counted>()
  let timer: NodeJS.Timeout | undefined
  let writing = Promise.resolve()

  const write = (event: SecurityEvent, at: Date, times?: number) => {
    logger.warn({ ...event, ...(times === undefined ? {} : { times }) }, 'security')
    if (path === null) return
    // The file is opened for each line, so that it may be moved away.
    writing = writing
      .then(() => appendFile(path, securityLine(event, at, times ?? 1), { mode: 0o600 }))
      .catch((error: unknown) => logger.error({ err: error }, 'security log out of reach'))
  }
  const placeOf = (event: SecurityEvent): Counted => {
    const several = { ...event, account: null, device: null, call: null, reason: null }
    const places: [SecurityEvent, number][] = [
      [event, mostToldApart],
      [several, 2 * mostToldApart],
      [{ ...several, address: null }, Infinity],
    ]
    for (const [shared, most] of places) {
      const key = JSON.stringify([shared.event, shared.account, shared.address])
      const found = counted.get(key)
      if (found) return found
      if (counted.size >= most) continue
      const place = { event: shared, seen: 0, said: 0 }
      counted.set(key, place)
      return place
    }
    throw new Error('the last place is always there')
  }
  const sumUp = (at: Date) => {
    clearTimeout(timer)
    timer = undefined
    for (const { event, seen, said } of counted.values()) if (seen > said) write(event, at, seen - said)
    counted.clear()
  }

  return {
    note(given, at) {
      const event = { ...given, account: safeAccount(given.account), address: plainAddress(given.address) }
      const place = placeOf(event)
      place.seen += 1
      if (place.said < inFull[event.event]) {
        place.said += 1
        write(event, at)
      }
      timer ??= setTimeout(() => sumUp(new Date()), minuteMs).unref()
    },
    sumUp,
    async close() {
      sumUp(new Date())
      await writing
    },
  }
}

function tryToWrite(path: string): void {
  try {
    closeSync(openSync(path, 'a', 0o600))
  } catch (error) {
    const code = codeOf(error)
    throw new ConfigurationError(`SECURITY_LOG doit être un fichier où l’on peut écrire (${code}).`)
  }
}

/** What somebody typed, cut short and without control signs. */
const safeAccount = (typed: string | null): string | null =>
  typed === null
    ? null
    : Array.from(typed)
        .slice(0, longestAccount)
        .join('')
        .replaceAll(/[\p{C}\p{Zl}\p{Zp}]/gu, '\ufffd')

/** An address alone, with IPv4 in its own form. */
function plainAddress(address: string | null): string | null {
  const plain = address?.replace(/^::ffff:(?=[\d.]+$)/i, '') ?? ''
  return isIP(plain) > 0 ? plain : null
}

type RefusalWatch = { log: SecurityLog; addressOf(context: Context): string; now(): Date }

export const watchRefusals =
  ({ log, addressOf, now }: RefusalWatch): MiddlewareHandler =>
  async (context, next) => {
    await next()
    const refusal = context.get('refusal')
    const event = eventOf(context.res.status, refusal)
    if (event === null) return
    const told = {
      event,
      account: context.get('account') ?? null,
      address: addressOf(context),
      device: context.get('device') ?? null,
      call: context.get('endpoint') ?? null,
      reason: refusal?.reason ?? null,
      request: context.get('requestId'),
    }
    log.note(told, now())
  }

function eventOf(status: number, refusal: Refusal | undefined): SecurityEvent['event'] | null {
  if (refusal?.isFailedSignIn) return 'security.sign_in_failed'
  if (status === 403) return 'security.forbidden'
  return status === 429 ? 'security.throttled' : null
}
