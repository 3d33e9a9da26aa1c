import { codeOf } from '../db/error-code.ts'
import { sql } from 'kysely'

import type { Trx } from '../db/handles.ts'
import { ahead } from '../db/connections/statement-batch.ts'
import { isStatementForgotten } from '../db/connections/named-statements.ts'
import type { Binding } from './binding.ts'
import { type Decision, type Write, writing } from './decision.ts'
import type { Exchange } from './exchange.ts'
import { type RecalledSession, SessionUnsureError, whileStill } from './recalled-session.ts'
import {
  type Claim,
  claimKey,
  claimNewKey,
  isKeyUsed,
  keyOwner,
  type KeyedRequest,
  type StoredAnswer,
  storedAnswer,
} from './idempotency.ts'
import { conflict, done, type Outcome, refuse, type Refusal } from './outcome.ts'

/** Around a change's commit; a replayed answer passes neither. */
export type ChangePhase = 'before-commit' | 'after-commit'

export type Answered = StoredAnswer & { replayed: boolean; retryAfter?: number; refusal?: Refusal }

/** Other statuses (rights, outages) may change when the same key comes again. */
const isFinal = (status: number) => status < 300 || status === 409 || status === 422

export function renderOutcome(outcome: Outcome<unknown>, successStatus: number): StoredAnswer {
  if (outcome.ok) {
    const status = outcome.status ?? successStatus
    return { status, answer: status === 204 ? '' : JSON.stringify(outcome.answer) }
  }
  return { status: outcome.refusal.status, answer: JSON.stringify(refusalBody(outcome.refusal)) }
}

export function refusalBody({ status, message, reason, facts, violations }: Refusal): object {
  const beside = { ...(reason ? { reason } : {}), ...(facts ? { facts } : {}) }
  if (status === 422 && violations) {
    return { '@type': 'ConstraintViolationList', 'hydra:description': message, violations, ...beside }
  }
  return { code: status, message, ...beside }
}

/** A failure before the commit leaves no trace; after it the client asks again by the same key. */
export async function runChange(
  { binding, input, exchange, request, recalled = null }: ChangeAsked,
  onPhase?: (phase: ChangePhase, endpoint: string) => void,
): Promise<Answered> {
  const { endpoint } = binding
  let clash: Outcome<never> | null = null
  let isTakenForNew = binding.kind === 'decision'
  const prepared =
    binding.kind === 'change'
      ? await (binding.prepare as AnyPreparation | undefined)?.(input, exchange)
      : undefined
  for (let attempt = 1; ; attempt += 1) {
    let afterwards: (() => Promise<void>) | undefined
    const decide = async (trx: Trx): Promise<Decided> => {
      const claim = request ? await claimOf(trx, request, exchange, isTakenForNew) : fresh
      if (claim.state !== 'fresh') return { answered: answerOfKnown(claim), written: null }
      const { outcome, writes } = clash
        ? { outcome: clash, writes: [] }
        : await runVerb(binding, trx, { input, exchange, prepared })
      const rendered = renderOutcome(outcome, endpoint.status ?? 200)
      const isKept = request !== null && isFinal(rendered.status)
      const kept = isKept ? [storedAnswer(trx, request, rendered, keyOwner(exchange), exchange.now)] : []
      const written = [...writes, ...kept]
      if (outcome.ok) {
        afterwards = outcome.afterwards
        return { answered: { ...rendered, replayed: false }, written }
      }
      const { refusal } = outcome
      const { retryAfter } = refusal
      const beside = retryAfter === undefined ? {} : { retryAfter }
      return { answered: { ...rendered, replayed: false, refusal, ...beside }, written }
    }
    try {
      const answered = await exchange.environment.db.transaction().execute(async (trx) => {
        const { answered, written } = await (recalled
          ? whileStill(trx, recalled, () => decide(trx))
          : decide(trx))
        // A decision writes only from here on, after the check of a recalled session.
        if (!written) return answered
        const all = writing(written)
        if (all) await ahead(trx, all)
        onPhase?.('before-commit', endpoint.name)
        return answered
      })
      if (!answered.replayed) onPhase?.('after-commit', endpoint.name)
      // The change stands whatever becomes of it; housekeeping sweeps what it leaves.
      await afterwards?.().catch(() => undefined)
      return answered
    } catch (error) {
      if (isTransient(error) && attempt < 4) continue
      if (isTakenForNew && isKeyUsed(error)) {
        isTakenForNew = false
        continue
      }
      if (error instanceof SessionUnsureError || binding.kind !== 'decision' || clash) throw error
      // The transaction is lost, so the refusal is stored in another.
      clash = refusalOfConstraint(error)
    }
  }
}

type ChangeAsked = {
  binding: Change
  input: unknown
  exchange: Exchange
  request: KeyedRequest | null
  /** Taken for the caller's session and checked along with a decision's reads. */
  recalled?: RecalledSession | null
}

type Decided = { answered: Answered; written: readonly Write[] | null }

const fresh = { state: 'fresh' } as const

async function claimOf(
  trx: Trx,
  request: KeyedRequest,
  exchange: Exchange,
  isTakenForNew: boolean,
): Promise<Claim> {
  if (!isTakenForNew) return claimKey(trx, request, keyOwner(exchange))
  await ahead(trx, claimNewKey(request))
  return fresh
}

function answerOfKnown(claim: Exclude<Claim, { state: 'fresh' }>): Answered {
  switch (claim.state) {
    case 'stored':
      return { ...claim.stored, replayed: true }
    case 'running':
      return { ...renderOutcome(stillRunning, 409), replayed: false, retryAfter: 1 }
    case 'reused':
      return { ...renderOutcome(reusedKey, 422), replayed: false }
    case 'of-another':
      return { ...renderOutcome(claim.wasDone ? alreadyRecorded : keyOfAnother, 409), replayed: false }
  }
}

type Change = Extract<Binding, { kind: 'change' | 'decision' }>
type Ran = { outcome: Outcome<unknown>; writes: readonly Write[] }

type Given = { input: unknown; exchange: Exchange; prepared: unknown }

async function runVerb(binding: Change, trx: Trx, { input, exchange, prepared }: Given): Promise<Ran> {
  if (binding.kind === 'decision') {
    const decided = await (binding.verb as AnyVerb<Decision<unknown>>)(trx, input, exchange)
    if (!decided.ok) return { outcome: decided, writes: [] }
    const { answer, writes } = decided.answer
    return { outcome: done(answer, decided.status), writes }
  }
  await ahead(trx, sql`savepoint verb`)
  const outcome = await (binding.verb as AnyVerb)(trx, input, exchange, prepared).catch(refusalOfConstraint)
  if (!outcome.ok) await sql`rollback to savepoint verb`.execute(trx)
  return { outcome, writes: [] }
}

type AnyPreparation = (input: unknown, exchange: unknown) => Promise<unknown>
type AnyVerb<T = unknown> = (
  trx: Trx,
  input: unknown,
  exchange: unknown,
  prepared?: unknown,
) => Promise<Outcome<T>>

const stillRunning = refuse({
  status: 409,
  reason: 'STILL_RUNNING',
  message: 'Cette action est déjà en cours.',
})
const reusedKey = refuse({
  status: 422,
  reason: 'KEY_REUSED',
  message: 'Cette clé a déjà servi à une autre action.',
  violations: [{ propertyPath: 'Idempotency-Key', message: 'Cette clé a déjà servi à une autre action.' }],
})
// Another person, or another site, gets an answer without its facts.
const alreadyRecorded = conflict('ALREADY_RECORDED', 'Déjà enregistré.')
const keyOfAnother = conflict('KEY_OF_ANOTHER', 'Cette action a déjà été présentée et refusée.')

/** After these errors the database asks to try again. */
const isTransient = (error: unknown) =>
  codeOf(error) === '40001' || codeOf(error) === '40P01' || isStatementForgotten(error)

// Verbs look before they write, so a broken constraint means a lost race or a value out of range.
function refusalOfConstraint(error: unknown): Outcome<never> {
  const code = codeOf(error)
  if (code === '23505' || code === '23P01') {
    return conflict(
      'ALREADY_DONE',
      'Un autre enregistrement vient de prendre cette place. Relancez la recherche.',
    )
  }
  if (code === '23503') return conflict('GONE', 'Un élément lié n’existe pas ou n’existe plus.')
  if (code === '23514' || code === '22003' || code === '22008') {
    return refuse({
      status: 422,
      message: 'Une valeur est hors des limites.',
      violations: [{ propertyPath: '', message: 'Une valeur est hors des limites.' }],
    })
  }
  throw error
}
