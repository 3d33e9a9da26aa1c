import type { Context, Hono } from 'hono'
import * as v from 'valibot'

import { calendarDayOf } from '../../domain/calendar-day.ts'
import type { Right } from '../../domain/rights.ts'
import type { Access } from '../../contract/endpoint.ts'
import type { Db, Environment } from '../db/environment.ts'
import { noteAnswer } from '../devices/note-answer.ts'
import type { LiveChanges } from '../events/live-changes.ts'
import { findCaller } from '../session/find-caller.ts'
import { currentParameters } from '../settings/parameters.ts'
import type { Binding, StreamRequest } from './binding.ts'
import { type Caller, type Exchange, type PublicExchange, sitesSeen } from './exchange.ts'
import { requestHash } from './idempotency.ts'
import { type Outcome, refuse, type Refusal } from './outcome.ts'
import { readRequest } from './read-request.ts'
import { type Answered, type ChangePhase, refusalBody, renderOutcome, runChange } from './run-change.ts'

export type MountSettings = {
  environmentOf(context: Context): Environment | null
  addressOf(context: Context): string
  now(): Date
  publicUrl: string
  hurryMails(): void
  /** Tests compare every answer with the contract; a server trusts its own. */
  checkAnswers: boolean
  live: LiveChanges
  /** Told of each answer to a change. */
  onAnswered?: (endpoint: string, answered: Answered) => void
  /** See `runChange`. */
  onPhase?: (phase: ChangePhase, endpoint: string) => void
}

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/** Serves one endpoint: environment, session, right, input, verb, answer, in this order. */
export function mount(app: Hono, binding: Binding, settings: MountSettings): void {
  const { endpoint } = binding
  const path = endpoint.path.replace(/\{(\w+)\}/g, ':$1')
  app.on(endpoint.method, path, async (context) => {
    context.set('endpoint', endpoint.name)
    const environment = settings.environmentOf(context)
    if (!environment) return refusalResponse({ status: 404, message: 'Aucun environnement à cette adresse.' })
    if (binding.kind === 'probe') {
      const request = await readRequest(context, endpoint)
      if (!request.ok) return refusalResponse(request.refusal)
      const outcome = await binding.verb(environment)
      if (!outcome.ok) return refusalResponse(outcome.refusal)
      const { status, answer } = renderOutcome(outcome, endpoint.status ?? 200)
      return jsonResponse(status, answer)
    }
    const parameters = await currentParameters(environment)
    const now = settings.now()
    const key = context.req.header('idempotency-key') ?? null
    const open: PublicExchange = {
      environment,
      parameters,
      now,
      today: calendarDayOf(now, parameters.get('timezone')),
      address: settings.addressOf(context),
      publicUrl: settings.publicUrl,
      hurryMails: settings.hurryMails,
      key: key?.toLowerCase() ?? null,
    }
    const admitted = await admit(endpoint.access, context, open)
    if (!admitted.ok) return refusalResponse(admitted.refusal)
    const exchange = admitted.answer
    if (key !== null && !uuid.test(key)) {
      return refusalResponse({
        status: 400,
        message: 'L’en-tête «\u00a0Idempotency-Key\u00a0» doit être un UUID.',
      })
    }
    const request = await readRequest(context, endpoint)
    if (!request.ok) return refusalResponse(request.refusal)
    const { input, rawBody } = request.answer

    if (binding.kind === 'read') {
      const outcome = await (binding.verb as AnyVerb)(environment.db, input, exchange)
      if (settings.checkAnswers && outcome.ok) v.parse(endpoint.answer, outcome.answer)
      if (!outcome.ok) return refusalResponse(outcome.refusal)
      const { status, answer } = renderOutcome(outcome, endpoint.status ?? 200)
      return jsonResponse(status, answer)
    }
    if (binding.kind === 'stream') {
      const lastEventId = context.req.header('last-event-id') ?? null
      const { live } = settings
      return (binding.open as AnyStream)(exchange, { method: context.req.method, lastEventId, live })
    }
    const url = new URL(context.req.url)
    const keyed = exchange.key && {
      key: exchange.key,
      endpoint: endpoint.name,
      hash: requestHash(endpoint.name, url.pathname + url.search, rawBody),
    }
    const answered = await runChange(binding, input, exchange as Exchange, keyed || null, settings.onPhase)
    if (answered.status < 300 && !answered.replayed) settings.live.ring(environment)
    await noteAnswer(input, exchange as Exchange, answered)
    settings.onAnswered?.(endpoint.name, answered)
    if (settings.checkAnswers && answered.status < 300) {
      v.parse(endpoint.answer, answered.answer === '' ? null : JSON.parse(answered.answer))
    }
    return jsonResponse(answered.status, answered.answer, {
      ...(answered.replayed ? { 'Idempotency-Replayed': 'true' } : {}),
      ...(answered.retryAfter === undefined ? {} : { 'Retry-After': String(answered.retryAfter) }),
    })
  })
}

type AnyVerb = (db: Db, input: unknown, exchange: unknown) => Promise<Outcome<unknown>>
type AnyStream = (exchange: unknown, request: StreamRequest) => Promise<Response>

/** Lets in whoever the endpoint's own declaration admits. */
async function admit(
  access: Access,
  context: Context,
  open: PublicExchange,
): Promise<Outcome<PublicExchange | Exchange>> {
  if (access === 'public') return { ok: true, answer: open }
  const token = /^Bearer (\S{1,200})$/.exec(context.req.header('authorization') ?? '')?.[1]
  const caller = token ? await findCaller(open.environment.db, token, open.now) : null
  if (!caller) return refuse({ status: 401, message: 'Votre session a pris fin. Connectez-vous de nouveau.' })
  if (!mayCall(caller, access)) {
    return refuse({
      status: 403,
      message: 'Vous n’avez pas le droit de faire cela.',
      reason: 'RIGHT_MISSING',
    })
  }
  const header = context.req.header('x-site') ?? '0'
  if (!/^\d{1,9}$/.test(header)) {
    return refuse({
      status: 400,
      message: 'L’en-tête «\u00a0X-Site\u00a0» doit être l’identifiant d’un site.',
    })
  }
  // Whoever has one site works for it.
  const site = Number(header) || (caller.sites.length === 1 ? (caller.sites[0] ?? null) : null)
  if (site !== null && caller.sites.length > 0 && !caller.sites.includes(site)) {
    return refuse({ status: 403, message: 'Ce site ne vous est pas ouvert.', reason: 'SITE_CLOSED' })
  }
  const adopted = await whoseAction(context, open, caller)
  if (!adopted.ok) return adopted
  const on_behalf_of = adopted.answer
  return { ok: true, answer: { ...open, caller, on_behalf_of, site, sites: sitesSeen(caller, site) } }
}

/** The person whose waiting action the caller took over and sends now; null when it is the caller's own. */
async function whoseAction(
  context: Context,
  { environment }: PublicExchange,
  caller: Caller,
): Promise<Outcome<number | null>> {
  const header = context.req.header('x-on-behalf-of')
  if (header === undefined || header === String(caller.user_id)) return { ok: true, answer: null }
  if (!caller.rights.has('QUEUE_ADOPT')) {
    return refuse({
      status: 403,
      message: 'Vous n’avez pas le droit de reprendre les actions d’une autre personne.',
      reason: 'RIGHT_MISSING',
    })
  }
  const user = /^[1-9]\d{0,8}$/.test(header)
    ? await environment.db
        .selectFrom('users')
        .select('id')
        .where('id', '=', Number(header))
        .executeTakeFirst()
    : undefined
  return user
    ? { ok: true, answer: user.id }
    : refuse({
        status: 400,
        message: 'L’en-tête «\u00a0X-On-Behalf-Of\u00a0» doit être l’identifiant d’un utilisateur.',
      })
}

export function mayCall(caller: Pick<Caller, 'rights'>, access: Access): boolean {
  if (access === 'public' || access === 'signed-in') return true
  return typeof access === 'string'
    ? caller.rights.has(access)
    : access.some((right: Right) => caller.rights.has(right))
}

export const refusalResponse = (refusal: Refusal): Response =>
  jsonResponse(
    refusal.status,
    JSON.stringify(refusalBody(refusal)),
    refusal.retryAfter === undefined ? {} : { 'Retry-After': String(refusal.retryAfter) },
  )

function jsonResponse(status: number, body: string, headers: Record<string, string> = {}): Response {
  return new Response(status === 204 ? null : body, {
    status,
    headers: {
      ...(status === 204 ? {} : { 'Content-Type': 'application/json; charset=utf-8' }),
      'Cache-Control': 'no-store',
      ...headers,
    },
  })
}
