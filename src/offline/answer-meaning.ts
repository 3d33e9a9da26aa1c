import * as v from 'valibot'

import { reasonOf, refusalFacts } from '../contract/refusals.ts'
import { refusal, violationList } from '../contract/wire.ts'
import type { Problem } from './entry.ts'

/** What an answer says of an entry (design: « What an answer means »). */
export type Meaning =
  /** `receipt` is null of an action that the server has, and of which it tells nothing to this person at this site. */
  | { kind: 'done'; status: number; receipt: unknown }
  /** To be sent again, same key. `status` is null when nobody of ours answered; `retry_at` is what the server asked, in epoch milliseconds. */
  | { kind: 'again'; status: number | null; retry_at: number | null }
  | { kind: 'signed-out' }
  | { kind: 'conflict'; problem: Problem }
  | { kind: 'quarantine'; problem: Problem }

export const noAnswer: Meaning = { kind: 'again', status: null, retry_at: null }

export type ReadAnswer = Pick<Response, 'status' | 'redirected' | 'type' | 'headers'> & { text: string }

/** A success of ours is an item: it has a type and an id. More is not asked, so that a newer server is still understood. */
const receiptShape = v.looseObject({ '@type': v.string(), id: v.number() })
const violationsShape = v.object({
  ...violationList.entries,
  reason: v.optional(v.string()),
  facts: v.optional(refusalFacts),
})

/** Reads one answer; `now` in epoch milliseconds. */
export function meaningOf(answer: ReadAnswer, now: number): Meaning {
  const { status } = answer
  if (
    answer.redirected ||
    answer.type === 'opaqueredirect' ||
    (status < 400 && (status < 200 || status > 299))
  ) {
    return noAnswer
  }
  if (status === 408 || status === 425 || status === 429 || status >= 500) {
    return { kind: 'again', status, retry_at: retryAt(answer.headers, now) }
  }
  const json = jsonOf(answer)
  if (status < 300) return v.is(receiptShape, json) ? { kind: 'done', status, receipt: json } : noAnswer
  // A portal or a proxy refuses in its own words: that is no answer of the server's.
  const problem = problemOf(status, json)
  if (!problem) return noAnswer
  if (status === 401) return { kind: 'signed-out' }
  if (status === 409 && problem.reason === 'STILL_RUNNING') {
    return { kind: 'again', status, retry_at: retryAt(answer.headers, now) }
  }
  if (status === 409 && problem.reason === 'ALREADY_RECORDED') return { kind: 'done', status, receipt: null }
  const isForAPerson = status === 403 || status === 409 || (status === 422 && problem.reason !== 'KEY_REUSED')
  return { kind: isForAPerson ? 'conflict' : 'quarantine', problem }
}

function jsonOf({ headers, text }: ReadAnswer): unknown {
  if (!/^application\/(?:[\w.+-]+\+)?json\b/i.test(headers.get('content-type') ?? '')) return null
  try {
    return JSON.parse(text) as unknown
  } catch {
    return null
  }
}

function problemOf(status: number, json: unknown): Problem | null {
  const refused = v.safeParse(refusal, json)
  if (refused.success && refused.output.code === status) {
    const { reason, message, facts } = refused.output
    return { code: status, reason: reasonOf(reason), message, facts: facts ?? null }
  }
  const violated = v.safeParse(violationsShape, json)
  if (!violated.success) return null
  const { violations, reason, facts, 'hydra:description': message } = violated.output
  return { code: status, reason: reasonOf(reason), message, facts: { ...facts, violations } }
}

/** Longest wait that is believed: a mistaken date must not stop a queue for days. */
export const longestAskedMs = 3600_000

/** When Retry-After (seconds, or a date by the server's own clock) asks to come back. */
function retryAt(headers: Headers, now: number): number | null {
  const asked = headers.get('retry-after')?.trim() ?? ''
  const serverNow = Date.parse(headers.get('date') ?? '')
  const wait = /^\d+$/.test(asked)
    ? Number(asked) * 1000
    : Date.parse(asked) - (Number.isNaN(serverNow) ? now : serverNow)
  return Number.isNaN(wait) ? null : now + Math.min(Math.max(wait, 0), longestAskedMs)
}

const firstMs = 1_000
export const longestBackOffMs = 5 * 60_000

/** How long to wait after the n-th attempt in vain: 1 s doubling up to 5 min, the upper half at random so that devices do not march in step. */
export function backOff(attempts: number, random: () => number): number {
  const full = Math.min(longestBackOffMs, 2 * firstMs * 2 ** Math.min(attempts - 1, 20))
  return Math.round(full / 2 + (random() * full) / 2)
}
