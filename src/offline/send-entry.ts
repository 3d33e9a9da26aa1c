import type { Endpoint } from '../contract/endpoint.ts'
import type { RefusalReason } from '../domain/refusal-reasons.ts'
import { filledPath } from '../contract/path.ts'
import { sealHeader, writeSeal } from '../contract/seal.ts'
import { getHealth } from '../contract/system.ts'
import { type Meaning, meaningOf, noAnswer } from './answer-meaning.ts'
import type { DeviceSession } from './device-meta.ts'
import type { Entry, Problem } from './entry.ts'
import { waitingEndpoints } from './waiting-endpoints.ts'

/** `path` begins with a slash. */
export type DeviceFetch = (path: string, init: RequestInit) => Response | Promise<Response>

type SendSettings = { fetch: DeviceFetch; now: () => number; timeout_ms?: number }

const answerMs = 20_000
const healthMs = 5_000

/** Never throws; `date` is the server's Date header. */
export async function sendEntry(
  entry: Entry,
  session: DeviceSession,
  settings: SendSettings,
): Promise<{ meaning: Meaning; date: string | null }> {
  const call: Endpoint | undefined = waitingEndpoints[entry.endpoint]
  if (!call) {
    return {
      meaning: { kind: 'quarantine', problem: ownProblem('ENDPOINT_UNKNOWN', unknownSentence) },
      date: null,
    }
  }
  try {
    const response = await settings.fetch(filledPath(call.path, entry.params), {
      method: call.method,
      body: entry.frozen_body,
      headers: {
        'Content-Type': 'application/json',
        Accept: 'application/json',
        Authorization: `Bearer ${session.token}`,
        'X-Site': String(entry.site),
        'Idempotency-Key': entry.id,
        ...(entry.seal ? { [sealHeader]: writeSeal(entry.seal) } : {}),
        ...(entry.adopted_by ? { 'X-On-Behalf-Of': String(entry.user_id) } : {}),
      },
      redirect: 'error',
      cache: 'no-store',
      credentials: 'omit',
      signal: AbortSignal.timeout(settings.timeout_ms ?? answerMs),
    })
    const { status, redirected, type, headers } = response
    const meaning = meaningOf(
      { status, redirected, type, headers, text: await response.text() },
      settings.now(),
    )
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
  'Cette version du Comptoir ne connaît pas cette action. Rechargez la page, puis réessayez.'
