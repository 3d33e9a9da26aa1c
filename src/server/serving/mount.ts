import type { Context, Hono } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import * as v from 'valibot'

import { calendarDayOf } from '../../domain/calendar-day.ts'
import type { Right } from '../../domain/rights.ts'
import type { Access, Endpoint } from '../../contract/endpoint.ts'
import { filledPath } from '../../contract/path.ts'
import { readSeal, sealHeader } from '../../contract/seal.ts'
import type { Environment } from '../db/environment.ts'
import type { Db } from '../db/handles.ts'
import { noteAnswer } from '../devices/note-answer.ts'
import type { ReadInTurn } from '../db/read-list.ts'
import type { LiveChanges } from '../events/live-changes.ts'
import { largestForm } from '../http/receive-file.ts'
import { fileResponse, type ServedFile } from '../http/served-file.ts'
import { callingDevice } from '../security/calling-device.ts'
import { checkSeal } from '../session/check-seal.ts'
import { readClaimedDevice } from '../http/claimed-device.ts'
import { findCaller, type KnownSeal } from '../session/find-caller.ts'
import { currentParameters } from '../db/parameters.ts'
import { isSiteOpen, sightOf } from '../sight/sight.ts'
import type { Binding, StreamRequest } from '../http/binding.ts'
import type { Exchange, PublicExchange } from '../http/exchange.ts'
import type { Caller } from '../sight/caller.ts'
import { requestHash } from '../http/idempotency.ts'
import { type Outcome, refuse, type Refusal } from '../http/outcome.ts'
import { type ParsedRequest, readRequest } from './read-request.ts'
import { inTurn, readsInTurn } from './read-turns.ts'
import { type Answered, type ChangePhase, refusalBody, renderOutcome, runChange } from '../http/run-change.ts'

export type MountSettings = {
  environmentOf(context: Context): Environment | null
  addressOf(context: Context): string
  now(): Date
  publicUrl: string
  hurryMails(): void
  hurryJobs(): void
  /** Tests compare every answer with the contract; a server trusts its own. */
  checkAnswers: boolean
  live: LiveChanges
  /** Told of each answer to a change. */
  onAnswered?: (endpoint: string, answered: Answered) => void
  /** See `runChange`. */
  onPhase?: (phase: ChangePhase, endpoint: string) => void
}

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

const largestBody = 1024 * 1024

/** Refuses what is larger before it is read; where its sender does not say how large it is, as soon as it is too large. */
const bodyWithin = (maxSize: number) =>
  bodyLimit({
    maxSize,
    onError: () => {
      const most = Math.round(maxSize / 1_000_000)
      return refusalResponse({
        status: 413,
        message: `La requête est trop volumineuse (${most} Mo au plus).`,
      })
    },
  })

/** Serves one endpoint: environment, session, right, input, verb, answer, in this order. */
export function mount(app: Hono, binding: Binding, settings: MountSettings): void {
  const { endpoint } = binding
  const path = endpoint.path.replace(/\{(\w+)\}/g, ':$1')
  app.on(endpoint.method, path, bodyWithin(endpoint.upload ? largestForm(endpoint.upload) : largestBody))
  app.on(endpoint.method, path, async (context) => {
    context.set('endpoint', endpoint.name)
    const refuseWith = (refusal: Refusal) => {
      context.set('refusal', refusal)
      return refusalResponse(refusal)
    }
    const environment = settings.environmentOf(context)
    if (!environment) return refuseWith({ status: 404, message: 'Aucun environnement à cette adresse.' })
    if (binding.kind === 'probe') {
      const request = await readRequest(context, endpoint)
      if (!request.ok) return refuseWith(request.refusal)
      const outcome = await binding.verb(environment)
      if (!outcome.ok) return refuseWith(outcome.refusal)
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
      claimed_device: readClaimedDevice(context.req.header('x-device')),
      publicUrl: settings.publicUrl,
      hurryMails: settings.hurryMails,
      key: key?.toLowerCase() ?? null,
    }
    const admitted = await admit(endpoint, context, open)
    if (!admitted.ok) return refuseWith(admitted.refusal)
    const { exchange, seal } = admitted.answer
    if (key !== null && !uuid.test(key)) {
      return refuseWith({
        status: 400,
        message: 'L’en-tête «\u00a0Idempotency-Key\u00a0» doit être un UUID.',
      })
    }
    const answerTo = async ({ input, rawBody }: ParsedRequest): Promise<Response> => {
      if (endpoint.access === 'public') context.set('account', typedAccount(input))

      const sealed = context.req.header(sealHeader)
      if (sealed !== undefined && (binding.kind === 'change' || binding.kind === 'decision')) {
        const { caller, on_behalf_of } = exchange as Exchange
        const checked = checkSeal(
          sealed,
          { known: seal, user_id: caller.user_id },
          {
            key: open.key ?? '',
            method: endpoint.method,
            path: filledPath(endpoint.path, context.req.param()),
            site: Number(context.req.header('x-site') ?? '0'),
            on_behalf_of,
            body: rawBody,
          },
        )
        if (!checked.ok) return refuseWith(checked.refusal)
      }
      if (binding.kind === 'read') {
        const reading = { exchange, input, signal: context.req.raw.signal }
        const outcome = await inTurn(binding, reading, (db) => (binding.verb as AnyVerb)(db, input, exchange))
        if (settings.checkAnswers && outcome.ok) v.parse(endpoint.answer, outcome.answer)
        if (!outcome.ok) return refuseWith(outcome.refusal)
        const { status, answer } = renderOutcome(outcome, endpoint.status ?? 200)
        return jsonResponse(status, answer)
      }
      if (binding.kind === 'file') {
        const reads = readsInTurn(exchange as Exchange, context.req.raw.signal)
        const outcome = await (binding.verb as AnyFileVerb)(reads, input, exchange)
        return outcome.ok ? fileResponse(outcome.answer, environment) : refuseWith(outcome.refusal)
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
      // Accepted, to be done in the background: there is work to look for.
      if (answered.status === 202) {
        settings.hurryJobs()
        settings.hurryMails()
      }
      if (endpoint.canWait) await noteAnswer(exchange as Exchange, answered)
      settings.onAnswered?.(endpoint.name, answered)
      if (answered.refusal) context.set('refusal', answered.refusal)
      if (settings.checkAnswers && answered.status < 300) {
        v.parse(endpoint.answer, answered.answer === '' ? null : JSON.parse(answered.answer))
      }
      return jsonResponse(answered.status, answered.answer, {
        ...(answered.status < 300 && binding.kind === 'change' ? binding.headers : {}),
        ...(answered.replayed ? { 'Idempotency-Replayed': 'true' } : {}),
        ...(answered.retryAfter === undefined ? {} : { 'Retry-After': String(answered.retryAfter) }),
      })
    }
    const request = await readRequest(context, endpoint)
    if (!request.ok) return refuseWith(request.refusal)
    return answerTo(request.answer).finally(request.answer.forget)
  })
}

type AnyVerb = (db: Db, input: unknown, exchange: unknown) => Promise<Outcome<unknown>>
type AnyFileVerb = (reads: ReadInTurn, input: unknown, exchange: unknown) => Promise<Outcome<ServedFile>>
type AnyStream = (exchange: unknown, request: StreamRequest) => Promise<Response>

/** Who somebody says to be who has no session. */
const typedAccount = (input: unknown): string | null =>
  v.is(v.looseObject({ body: v.looseObject({ username: v.string() }) }), input) ? input.body.username : null

/** `seal`: the one that the call names, whoever it is of. */
type Admitted = { exchange: PublicExchange | Exchange; seal: KnownSeal | null }

/** Lets in whoever the endpoint's own declaration admits. */
async function admit(endpoint: Endpoint, context: Context, open: PublicExchange): Promise<Outcome<Admitted>> {
  const { access } = endpoint
  context.set('device', callingDevice(open, null))
  if (access === 'public') return { ok: true, answer: { exchange: open, seal: null } }
  const token = /^Bearer (\S{1,200})$/.exec(context.req.header('authorization') ?? '')?.[1]
  const seal_id = readSeal(context.req.header(sealHeader) ?? '')?.id ?? null
  const found = token ? await findCaller(open.environment.db, token, open.now, seal_id) : null
  if (!found) return refuse({ status: 401, message: 'Votre session a pris fin. Connectez-vous de nouveau.' })
  const { caller, seal } = found
  context.set('account', caller.username)
  context.set('device', callingDevice(open, caller))
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
  const sight = sightOf(caller, site, open)
  if (site !== null && !isSiteOpen(sight, site)) {
    return refuse({ status: 403, message: 'Ce site ne vous est pas ouvert.', reason: 'SITE_CLOSED' })
  }
  const adopted = await whoseAction(context, open, caller, endpoint)
  if (!adopted.ok) return adopted
  const on_behalf_of = adopted.answer
  const exchange = {
    ...open,
    caller,
    device_id: seal?.device_id ?? caller.device_id,
    on_behalf_of,
    site,
    sight,
  }
  return { ok: true, answer: { exchange, seal } }
}

/** The person whose waiting action the caller took over and sends now; null when it is the caller's own. */
async function whoseAction(
  context: Context,
  { environment }: PublicExchange,
  caller: Caller,
  { canWait }: Endpoint,
): Promise<Outcome<number | null>> {
  const header = context.req.header('x-on-behalf-of')
  if (header === undefined || header === String(caller.user_id)) return { ok: true, answer: null }
  // Its key would be the other person's, and with it an answer that was for them alone.
  if (!canWait) {
    return refuse({
      status: 400,
      message:
        'L’en-tête «\u00a0X-On-Behalf-Of\u00a0» ne va qu’avec une action qui peut attendre hors ligne.',
    })
  }
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
