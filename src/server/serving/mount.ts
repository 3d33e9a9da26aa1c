import type { Context, Hono, MiddlewareHandler } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import * as v from 'valibot'

import type { Endpoint } from '../../contract/endpoint.ts'
import { filledPath } from '../../contract/path.ts'
import { occurredAtHeader, sealHeader } from '../../contract/seal.ts'
import { instant } from '../../contract/wire.ts'
import { calendarDayOf } from '../../domain/calendar-day.ts'
import type { Environment } from '../db/environments/environment.ts'
import type { Db } from '../db/handles.ts'
import type { ReadInTurn } from '../db/lists/read-list.ts'
import { noteAnswer } from '../devices/note-answer.ts'
import type { LiveChanges } from '../events/live-changes.ts'
import type { Binding, StreamRequest } from '../http/binding.ts'
import { readClaimedDevice } from '../http/claimed-device.ts'
import type { Exchange, PublicExchange } from '../http/exchange.ts'
import { requestHash } from '../http/idempotency.ts'
import type { Installed } from '../http/installed.ts'
import { linkBase } from '../http/link-base.ts'
import type { MailTransport } from '../http/mail-transport.ts'
import { done, type Outcome, type Refusal } from '../http/outcome.ts'
import { SessionUnsureError } from '../http/recalled-session.ts'
import { largestForm } from '../http/receive-file.ts'
import { type Answered, type ChangePhase, refusalBody, renderOutcome, runChange } from '../http/run-change.ts'
import { fileResponse, pictureResponse, type ServedFile, type ServedPicture } from '../http/served-file.ts'
import { currentOpenings } from '../library-facts/openings.ts'
import { currentParameters } from '../library-facts/parameters.ts'
import { type KnownSeal, recallCaller, type RecalledCaller } from '../session/find-caller.ts'
import { checkSeal } from '../session/open-seal.ts'
import { admit, namedSession } from './admit.ts'
import { hostUnknownRefusal } from './host-unknown.ts'
import { type ParsedRequest, readRequest } from './read-request.ts'
import { inTurn, readsInTurn } from './read-turns.ts'

export type MountSettings = {
  /** Null where the host has none; throws what its opening throws. */
  environmentOf(context: Context): Promise<Environment | null>
  /** One that is open, for a question about the whole server. */
  anyEnvironment(): Promise<Environment | null>
  addressOf(context: Context): string
  now(): Date
  publicUrl: string
  lookUpSources: readonly string[]
  syncSourceOf(environment: Environment): string | null
  mailTransport: MailTransport | null
  installedOf(context: Context): Installed
  hurryMails(): void
  hurryJobs(): void
  /** Tests compare every answer with the contract; a server trusts its own. */
  checkAnswers: boolean
  live: LiveChanges
  onAnswered?: (endpoint: string, answered: Answered) => void
  onPhase?: (phase: ChangePhase, endpoint: string) => void
}

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

const largestBody = 1024 * 1024

/** Refuses what is larger before it is read, or as soon as it grows larger where its size is not given. */
function bodyWithin(maxSize: number): MiddlewareHandler {
  const onError = () => {
    const most = Math.round(maxSize / 1_000_000)
    return refusalResponse({
      status: 413,
      message: `La requête est trop volumineuse (${most} Mo au plus).`,
    })
  }
  const counting = bodyLimit({ maxSize, onError })
  return async (context, next) => {
    // Even looking at an absent body would take as long as the rest of a small call.
    if (context.req.method === 'GET') return next()
    const length = context.req.header('content-length')
    const isTold = length !== undefined && context.req.header('transfer-encoding') === undefined
    if (!isTold) return counting(context, next)
    return Number(length) > maxSize ? onError() : next()
  }
}

/** Serves one endpoint, in this order: environment, session, right, input, verb, answer. */
export function mount(app: Hono, binding: Binding, settings: MountSettings): void {
  const { endpoint } = binding
  const path = endpoint.path.replace(/\{(\w+)\}/g, ':$1')
  app.on(endpoint.method, path, bodyWithin(endpoint.upload ? largestForm(endpoint.upload) : largestBody))
  app.on(endpoint.method, path, async (context) => {
    context.set('endpoint', endpoint.name)
    // A GET that changes does nothing for who only asks whether it is there.
    const changes = binding.kind === 'change' || (binding.kind === 'file' && binding.keeps)
    if (context.req.method === 'HEAD' && changes) {
      return new Response(null, { status: 405, headers: { allow: 'GET' } })
    }
    const here = await settings.environmentOf(context)
    // A balancer asks by the machine's own address.
    const environment = here ?? (binding.kind === 'probe' ? await settings.anyEnvironment() : null)
    if (!environment) return refuse(context, hostUnknownRefusal)
    const call = { binding, settings, context, environment }
    return environment.during(() => serve(call, here !== null))
  })
}

/** One call of an endpoint, in the environment that its host names. */
type Call<B extends Binding = Binding> = {
  binding: B
  settings: MountSettings
  context: Context
  environment: Environment
}
type Of<Kind extends Binding['kind']> = Extract<Binding, { kind: Kind }>

/** Whoever calls, and what they ask; `recalled` where their session is not checked yet. */
type Asked = Pick<ParsedRequest, 'input' | 'rawBody'> & {
  exchange: PublicExchange | Exchange
  recalled: RecalledCaller | null
}

function refuse(context: Context, refusal: Refusal): Response {
  context.set('refusal', refusal)
  return refusalResponse(refusal)
}

async function serve(call: Call, isItsHost: boolean): Promise<Response> {
  const { binding, context, environment } = call
  const { endpoint } = binding
  if (binding.kind === 'probe') return serveProbe({ ...call, binding }, isItsHost)
  if (binding.kind === 'picture' && binding.byAddress) {
    const request = await readRequest(context, endpoint)
    if (!request.ok) return refuse(context, request.refusal)
    const named = await (binding.byAddress as AnyByAddress)(environment.files, request.answer.input)
    if (named) return pictureResponse(named, true)
  }
  const open = await openExchange(call)
  const named = mayRecall(binding) ? namedSession(context) : null
  const known = named && recallCaller(environment.db, named, open.now)
  let parsed: ReturnType<typeof readRequest> | undefined
  const request = () => (parsed ??= readRequest(context, endpoint))
  if (!known || !(await request()).ok) return serveCaller(call, open, request, null)
  // The caller is taken for the one of before; the session is checked along with what they ask for.
  return serveCaller(call, open, request, known).catch((error: unknown) => {
    if (error instanceof SessionUnsureError) return serveCaller(call, open, request, null)
    throw error
  })
}

async function serveProbe(
  { binding, context, environment }: Call<Of<'probe'>>,
  isItsHost: boolean,
): Promise<Response> {
  const request = await readRequest(context, binding.endpoint)
  if (!request.ok) return refuse(context, request.refusal)
  const outcome = await binding.verb(environment, isItsHost)
  if (!outcome.ok) return refuse(context, outcome.refusal)
  const { status, answer } = renderOutcome(outcome, binding.endpoint.status ?? 200)
  return jsonResponse(status, answer)
}

/** What a call has before it is known who calls. */
async function openExchange({ settings, context, environment }: Call): Promise<PublicExchange> {
  // One after the other, so that an environment among many asks for one connection and not for two.
  const parameters = await currentParameters(environment)
  const openings = await currentOpenings(environment)
  const now = settings.now()
  const key = context.req.header('idempotency-key') ?? null
  const happened = v.safeParse(instant, context.req.header(occurredAtHeader))
  return {
    environment,
    parameters,
    openings,
    now,
    today: calendarDayOf(now, parameters.get('timezone')),
    address: settings.addressOf(context),
    claimed_device: readClaimedDevice(context.req.header('x-device')),
    publicUrl: linkBase(settings.publicUrl, environment.hosts),
    lookUpSources: settings.lookUpSources,
    syncSource: settings.syncSourceOf(environment),
    mailTransport: settings.mailTransport,
    hurryMails: settings.hurryMails,
    installed: () => settings.installedOf(context),
    key: key?.toLowerCase() ?? null,
    ...(happened.success ? { occurred_at: happened.output } : {}),
  }
}

/** Admits who calls, reads what they ask and answers it. Throws `SessionUnsureError` where a recalled caller would be refused. */
async function serveCaller(
  call: Call,
  open: PublicExchange,
  request: () => ReturnType<typeof readRequest>,
  recalled: RecalledCaller | null,
): Promise<Response> {
  const { binding, context } = call
  const { endpoint } = binding
  const refuseThem = (refusal: Refusal) => {
    if (recalled) throw new SessionUnsureError()
    return refuse(context, refusal)
  }
  const admitted = await admit(endpoint, context, open, recalled)
  if (!admitted.ok) return refuseThem(admitted.refusal)
  if (open.key !== null && !uuid.test(open.key)) return refuseThem(keyIsNoUuid)
  const read = await request()
  if (!read.ok) return refuseThem(read.refusal)
  const { exchange, seal } = admitted.answer
  const { input, rawBody, forget } = read.answer
  try {
    if (endpoint.access === 'public') context.set('account', typedAccount(input))
    const asked = { exchange, input, rawBody, recalled }
    const sealed = checkSealOf(call, asked, seal)
    return sealed.ok ? await answer(call, asked) : refuseThem(sealed.refusal)
  } finally {
    await forget()
  }
}

const keyIsNoUuid: Refusal = {
  status: 400,
  message: 'L’en-tête «\u00a0Idempotency-Key\u00a0» doit être un UUID.',
}

/** Of an action that waited on a device: in whose session it was done. */
function checkSealOf(
  { binding, context }: Call,
  { exchange, rawBody }: Asked,
  known: KnownSeal | null,
): Outcome<null> {
  const sealed = context.req.header(sealHeader)
  if (sealed === undefined || (binding.kind !== 'change' && binding.kind !== 'decision')) return done(null)
  const { caller, on_behalf_of } = exchange as Exchange
  return checkSeal(
    sealed,
    { known, user_id: caller.user_id },
    {
      key: exchange.key ?? '',
      method: binding.endpoint.method,
      path: filledPath(binding.endpoint.path, context.req.param()),
      site: Number(context.req.header('x-site') ?? '0'),
      on_behalf_of,
      body: rawBody,
    },
  )
}

function answer(call: Call, asked: Asked): Promise<Response> {
  const { binding } = call
  switch (binding.kind) {
    case 'read':
      return answerRead({ ...call, binding }, asked)
    case 'unkept':
      return answerUnkept({ ...call, binding }, asked)
    case 'file':
      return answerFile({ ...call, binding }, asked)
    case 'picture':
      return answerPicture({ ...call, binding }, asked)
    case 'stream':
      return answerStream({ ...call, binding }, asked)
    case 'change':
    case 'decision':
      return answerChange({ ...call, binding }, asked)
    case 'probe':
      throw new Error('a probe has no caller')
  }
}

async function answerRead(call: Call<Of<'read'>>, { exchange, input, recalled }: Asked): Promise<Response> {
  const { binding, context } = call
  let stateAt: Date | null = null
  const onReplica = (at: Date) => (stateAt = at)
  const reading = { exchange, input, recalled, signal: () => context.req.raw.signal, onReplica }
  const outcome = await inTurn(binding, reading, (db) => (binding.verb as AnyVerb)(db, input, exchange))
  return outcomeResponse(call, outcome, stateAt)
}

async function answerUnkept(call: Call<Of<'unkept'>>, { exchange, input }: Asked): Promise<Response> {
  const { binding, environment } = call
  return outcomeResponse(call, await (binding.verb as AnyVerb)(environment.db, input, exchange))
}

function outcomeResponse(
  { binding: { endpoint }, settings, context }: Call,
  outcome: Outcome<unknown>,
  stateAt: Date | null = null,
): Response {
  if (settings.checkAnswers && outcome.ok) v.parse(endpoint.answer, outcome.answer)
  if (!outcome.ok) return refuse(context, outcome.refusal)
  const { status, answer: body } = renderOutcome(outcome, endpoint.status ?? 200)
  return jsonResponse(status, body, ofState(stateAt))
}

async function answerFile(
  { binding, context, environment }: Call<Of<'file'>>,
  { exchange, input }: Asked,
): Promise<Response> {
  const copy = (binding.mayLag && (await environment.replica?.ready())) || null
  const reads = readsInTurn(exchange as Exchange, context.req.raw.signal, copy?.db)
  const outcome = await (binding.verb as AnyFileVerb)(reads, input, exchange)
  if (!outcome.ok) return refuse(context, outcome.refusal)
  const response = fileResponse(outcome.answer, environment)
  for (const [name, value] of Object.entries(ofState(copy?.stateAt ?? null)))
    response.headers.set(name, value)
  return response
}

async function answerPicture(
  { binding, context, environment }: Call<Of<'picture'>>,
  { exchange, input }: Asked,
): Promise<Response> {
  const outcome = await (binding.verb as AnyPictureVerb)(environment.db, input, exchange)
  return outcome.ok ? pictureResponse(outcome.answer, false) : refuse(context, outcome.refusal)
}

function answerStream(
  { binding, settings, context }: Call<Of<'stream'>>,
  { exchange }: Asked,
): Promise<Response> {
  const lastEventId = context.req.header('last-event-id') ?? null
  const { live } = settings
  return (binding.open as AnyStream)(exchange, { method: context.req.method, lastEventId, live })
}

async function answerChange(
  { binding, settings, context, environment }: Call<Of<'change'> | Of<'decision'>>,
  { exchange, input, rawBody, recalled }: Asked,
): Promise<Response> {
  const { endpoint } = binding
  const url = new URL(context.req.url)
  const keyed = exchange.key && {
    key: exchange.key,
    endpoint: endpoint.name,
    canWait: endpoint.canWait ?? false,
    hash: requestHash(endpoint.name, url.pathname + url.search, fingerprinted(endpoint, input, rawBody)),
  }
  const change = { binding, input, exchange: exchange as Exchange, request: keyed || null, recalled }
  const answered = await runChange(change, settings.onPhase)
  if (answered.status < 300 && !answered.replayed) settings.live.ring(environment)
  // A call answered « accepted » has put work in the background.
  if (answered.status === 202) {
    settings.hurryJobs()
    settings.hurryMails()
  }
  if (endpoint.canWait) await noteAnswer(exchange as Exchange, answered)
  settings.onAnswered?.(endpoint.name, answered)
  if (answered.refusal) context.set('refusal', answered.refusal)
  // An answer that is told again may be a former version's, of fewer fields.
  if (settings.checkAnswers && answered.status < 300 && !answered.replayed) {
    v.parse(endpoint.answer, answered.answer === '' ? null : JSON.parse(answered.answer))
  }
  return jsonResponse(answered.status, answered.answer, {
    ...(answered.status < 300 && binding.kind === 'change' ? binding.headers : {}),
    ...(answered.replayed ? { 'Idempotency-Replayed': 'true' } : {}),
    ...(answered.retryAfter === undefined ? {} : { 'Retry-After': String(answered.retryAfter) }),
  })
}

/** What tells that an answer holds all that was written until then, and maybe nothing after. */
const ofState = (at: Date | null): Record<string, string> =>
  at === null ? {} : { 'X-State-At': at.toISOString() }

/** Whether a call may wait for its session's check: it writes nothing before. */
const mayRecall = ({ kind, endpoint }: Binding): boolean =>
  endpoint.access !== 'public' && (kind === 'decision' || kind === 'read')

/** What a key's fingerprint is made of: a kept one of a password could be guessed at. */
function fingerprinted({ secrets }: Endpoint, input: unknown, rawBody: string): string {
  if (!secrets) return rawBody
  return JSON.stringify(input, (name, value: unknown) => (secrets.includes(name) ? '' : value))
}

type AnyVerb = (db: Db, input: unknown, exchange: unknown) => Promise<Outcome<unknown>>
type AnyFileVerb = (reads: ReadInTurn, input: unknown, exchange: unknown) => Promise<Outcome<ServedFile>>
type AnyByAddress = (files: string, input: unknown) => Promise<ServedPicture | null>
type AnyPictureVerb = (db: Db, input: unknown, exchange: unknown) => Promise<Outcome<ServedPicture>>
type AnyStream = (exchange: unknown, request: StreamRequest) => Promise<Response>

const typedAccount = (input: unknown): string | null =>
  v.is(v.looseObject({ body: v.looseObject({ username: v.string() }) }), input) ? input.body.username : null

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
      ...(status === 204
        ? {}
        : {
            'Content-Type': 'application/json; charset=utf-8',
            // By it, what is too small to be worth it travels unpacked.
            'Content-Length': String(Buffer.byteLength(body)),
          }),
      'Cache-Control': 'no-store',
      ...headers,
    },
  })
}
