import * as v from 'valibot'

import { reasonOf, refusalFacts } from '../contract/refusals.ts'
import { hostUnknownStatus } from '../contract/system.ts'
import { refusal, violationList } from '../contract/wire.ts'
import type { Problem } from './entry.ts'

export type Meaning =
  /** `receipt` is null when the server has the action but may not show it to this person. */
  | { kind: 'done'; status: number; receipt: unknown }
  /** `status` is null without an answer of ours; `retry_at` is the server's Retry-After in epoch ms. */
  | { kind: 'again'; status: number | null; retry_at: number | null }
  | { kind: 'signed-out' }
  | { kind: 'conflict'; problem: Problem }
  | { kind: 'quarantine'; problem: Problem }

export const noAnswer: Meaning = { kind: 'again', status: null, retry_at: null }

type ReadAnswer = Pick<Response, 'status' | 'redirected' | 'type' | 'headers'> & { text: string }

/** Nothing more is required of a success, so that the answers of a newer server are understood. */
const receiptShape = v.looseObject({ '@type': v.string(), id: v.number() })
const violationsShape = v.object({
  ...violationList.entries,
  reason: v.optional(v.string()),
  facts: v.optional(refusalFacts),
})

const isItem = (json: unknown): boolean => v.is(receiptShape, json)

export function meaningOf(answer: ReadAnswer, now: number, isReceipt = isItem): Meaning {
  const { status } = answer
  if (
    answer.redirected ||
    answer.type === 'opaqueredirect' ||
    (status < 400 && (status < 200 || status > 299)) ||
    // It knows no library at this host: it tells nothing of the action, and one command may mend it.
    status === hostUnknownStatus
  ) {
    return noAnswer
  }
  if (status === 408 || status === 425 || status === 429 || status >= 500) {
    return { kind: 'again', status, retry_at: retryAt(answer.headers, now) }
  }
  const json = jsonOf(answer)
  if (status < 300) return isReceipt(json) ? { kind: 'done', status, receipt: json } : noAnswer
  // A captive portal or a proxy refuses in another form: we count that as no answer.
  const problem = problemOf(status, json)
  if (!problem) return noAnswer
  if (status === 401) return { kind: 'signed-out' }
  if (status === 409 && problem.reason === 'STILL_RUNNING') {
    return { kind: 'again', status, retry_at: retryAt(answer.headers, now) }
  }
  // It goes once the person has chosen them; nothing of it is to be settled.
  if (problem.reason === 'SECOND_FACTOR_REQUIRED' || problem.reason === 'PASSWORD_REQUIRED')
    return { kind: 'again', status, retry_at: null }
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

/** The longest Retry-After we obey: a mistaken date must not stop the queue for days. */
export const longestAskedMs = 3600_000

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

/** 1 s doubling up to 5 min, half of it random so that devices spread out. */
export function backOff(attempts: number, random: () => number): number {
  const full = Math.min(longestBackOffMs, 2 * firstMs * 2 ** Math.min(attempts - 1, 20))
  return Math.round(full / 2 + (random() * full) / 2)
}
