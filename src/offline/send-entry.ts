import type { Endpoint } from '../contract/endpoint.ts'
import type { RefusalReason } from '../domain/refusal-reasons.ts'
import { filledPath } from '../contract/path.ts'
import { occurredAtHeader, sealHeader, writeSeal } from '../contract/seal.ts'
import { getHealth } from '../contract/system.ts'
import { type Meaning, meaningOf, noAnswer } from './answer-meaning.ts'
import { correctedTime } from './device-clock.ts'
import type { DeviceSession } from './device-meta.ts'
import type { Entry, Problem } from './entry.ts'
import { waitingEndpoints } from './waiting-endpoints.ts'

/** `path` begins with a slash. */
export type DeviceFetch = (path: string, init: RequestInit) => Response | Promise<Response>

type SendSettings = { fetch: DeviceFetch; now: () => number; timeout_ms?: number }

const answerMs = 20_000
const healthMs = 5_000

type Answered = { meaning: Meaning; date: string | null }

/** Never throws; `date` is the server's Date header. */
export async function sendEntry(
  entry: Entry,
  session: DeviceSession,
  settings: SendSettings,
): Promise<Answered> {
  const call: Endpoint | undefined = waitingEndpoints[entry.endpoint]
  if (!call) {
    return {
      meaning: { kind: 'quarantine', problem: ownProblem('ENDPOINT_UNKNOWN', unknownSentence) },
      date: null,
    }
  }
  const { site, id, frozen_body, seal, adopted_by, user_id, occurred_at, clock_offset } = entry
  const headers = {
    ...(seal ? { [sealHeader]: writeSeal(seal) } : {}),
    ...(saysWhen(frozen_body)
      ? {}
      : { [occurredAtHeader]: correctedTime(new Date(occurred_at), clock_offset).toISOString() }),
    ...(adopted_by ? { 'X-On-Behalf-Of': String(user_id) } : {}),
  }
  const path = filledPath(call.path, entry.params)
  return sendBody({ method: call.method, path, site, key: id, body: frozen_body, headers }, session, settings)
}

/** A body that a page had sent by itself is kept as it was. */
const saysWhen = (body: string): boolean => 'occurred_at' in (JSON.parse(body) as object)

type Sent = {
  method: string
  path: string
  site: number
  /** Idempotency-Key. */
  key: string
  body: string
  headers?: Record<string, string>
}

/** Never throws; a success without what `isReceipt` wants is none of ours. */
export async function sendBody(
  { method, path, site, key, body, headers: own = {} }: Sent,
  session: DeviceSession,
  settings: SendSettings,
  isReceipt?: (json: unknown) => boolean,
): Promise<Answered> {
  try {
    const response = await settings.fetch(path, {
      method,
      body,
      headers: {
        'Content-Type': 'application/json',
        Accept: 'application/json',
        Authorization: `Bearer ${session.token}`,
        'X-Site': String(site),
        'Idempotency-Key': key,
        ...own,
      },
      redirect: 'error',
      cache: 'no-store',
      credentials: 'omit',
      signal: AbortSignal.timeout(settings.timeout_ms ?? answerMs),
    })
    const { status, redirected, type, headers } = response
    const answer = { status, redirected, type, headers, text: await response.text() }
    const meaning = meaningOf(answer, settings.now(), isReceipt)
    return { meaning, date: meaning === noAnswer ? null : headers.get('date') }
  } catch {
    // Cut, redirected or too slow: sending again with the same key will tell whether it was applied.
    return { meaning: noAnswer, date: null }
  }
}

/** Null without an answer of ours; `date` is the server's Date header. */
export async function askHealth(
  fetch: DeviceFetch,
): Promise<{ isWell: boolean; date: string | null } | null> {
  try {
    const response = await fetch(getHealth.path, {
      cache: 'no-store',
      redirect: 'error',
      signal: AbortSignal.timeout(healthMs),
    })
    const { status } = (await response.json()) as { status?: unknown }
    return { isWell: response.ok && status === 'ok', date: response.headers.get('date') }
  } catch {
    return null
  }
}

export const ownProblem = (reason: RefusalReason, message: string): Problem => ({
  code: 0,
  reason,
  message,
  facts: null,
})

const unknownSentence =
  'Cette version de Comptoir ne connaît pas cette action. Rechargez la page, puis réessayez.'
