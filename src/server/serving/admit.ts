import type { Context } from 'hono'

import { actHeader } from '../../contract/acts.ts'
import type { Access, Endpoint } from '../../contract/endpoint.ts'
import { readSeal, sealHeader } from '../../contract/seal.ts'
import type { ActKind } from '../../domain/act-kinds.ts'
import type { Right } from '../../domain/rights.ts'
import type { Exchange, PublicExchange } from '../http/exchange.ts'
import { type Outcome, refuse } from '../http/outcome.ts'
import { findCaller, type FoundCaller, type KnownSeal } from '../session/find-caller.ts'
import type { Caller } from '../visibility/caller.ts'
import { isSiteOpen, visibilityOf } from '../visibility/visibility.ts'

/** `seal` is the one that the call names, whoever owns it. */
type Admitted = { exchange: PublicExchange | Exchange; seal: KnownSeal | null }

export function namedSession(context: Context) {
  const token = /^Bearer (\S{1,200})$/.exec(context.req.header('authorization') ?? '')?.[1]
  return token === undefined
    ? null
    : { token, seal_id: readSeal(context.req.header(sealHeader) ?? '')?.id ?? null }
}

/** Lets in whom the endpoint's declaration admits; `recalled` is who last called with that session. */
export async function admit(
  endpoint: Endpoint,
  context: Context,
  open: PublicExchange,
  recalled: FoundCaller | null,
): Promise<Outcome<Admitted>> {
  const { access } = endpoint
  context.set('account', null)
  context.set('device', callingDevice(open, null))
  if (access === 'public') return { ok: true, answer: { exchange: open, seal: null } }
  const session = namedSession(context)
  const found = recalled ?? (session && (await findCaller(open.environment.db, session, open.now)))
  if (!found) return refuse({ status: 401, message: 'Votre session a pris fin. Connectez-vous de nouveau.' })
  const { caller, seal, due, out_of_service } = found
  context.set('account', caller.username)
  context.set('device', callingDevice(open, caller))
  if (due !== null && !endpoint.beforeSetUp) return refuse({ status: 403, ...owed[due] })
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
  const site = Number(header) || (caller.sites.length === 1 ? (caller.sites[0] ?? null) : null)
  const visibility = visibilityOf(caller, site, open)
  if (site !== null && !isSiteOpen(visibility, site)) {
    return refuse({ status: 403, message: 'Ce site ne vous est pas ouvert.', reason: 'SITE_CLOSED' })
  }
  // What waited on a device is taken all the same: a copy comes back, and a loan is refused by its own rule.
  if (!endpoint.canWait && !endpoint.beforeSetUp) {
    if (out_of_service.includes(Number(header))) return siteOutOfService
    const isNowhere = caller.sites.length > 0 && caller.sites.every((own) => out_of_service.includes(own))
    if (isNowhere) return noSiteInService
  }
  const adopted = await whoseAction(context, open, caller, endpoint)
  if (!adopted.ok) return adopted
  const on_behalf_of = adopted.answer
  const part = await whichAct(context, open, caller, endpoint)
  if (!part.ok) return part
  const act = part.answer
  const exchange = {
    ...open,
    caller,
    device_id: seal?.device_id ?? caller.device_id,
    on_behalf_of,
    site,
    visibility,
    ...(act === null ? {} : { act }),
  }
  return { ok: true, answer: { exchange, seal } }
}

const owed = {
  password: { message: 'Choisissez d’abord votre mot de passe.', reason: 'PASSWORD_REQUIRED' },
  second_factor: {
    message: 'Votre profil demande un deuxième facteur\u202f: choisissez-le d’abord.',
    reason: 'SECOND_FACTOR_REQUIRED',
  },
} as const

const siteOutOfService = refuse({
  status: 403,
  message: 'Ce site est hors service\u202f: choisissez-en un autre.',
  reason: 'SITE_CLOSED',
})

const noSiteInService = refuse({
  status: 403,
  message: 'Votre site est hors service\u202f: demandez-en un autre à la personne qui gère les comptes.',
  reason: 'SITE_CLOSED',
})

/** The owner of a waiting action that the caller sends for them; null when it is the caller's own. */
async function whoseAction(
  context: Context,
  { environment }: PublicExchange,
  caller: Caller,
  { canWait }: Endpoint,
): Promise<Outcome<number | null>> {
  const header = context.req.header('x-on-behalf-of')
  if (header === undefined || header === String(caller.user_id)) return { ok: true, answer: null }
  // A call that cannot wait would hand the caller an answer kept for the other person.
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

/** How long a page may go on filling an act that it began. */
const longestActMs = 3600_000

/** The caller's act that this change is part of, or null. */
async function whichAct(
  context: Context,
  { environment, now }: PublicExchange,
  { user_id }: Caller,
  { name }: Endpoint,
): Promise<Outcome<number | null>> {
  const header = context.req.header(actHeader)
  if (header === undefined) return { ok: true, answer: null }
  const act = /^[1-9]\d{0,8}$/.test(header)
    ? await environment.db
        .selectFrom('acts')
        .select('id')
        .where('id', '=', Number(header))
        .where('user_id', '=', user_id)
        .where('kind', '=', name as ActKind)
        .where('begun_at', '>', new Date(now.getTime() - longestActMs).toISOString())
        .where(({ not, exists, selectFrom }) =>
          not(
            exists(
              selectFrom('acts as undoing').select('undoing.id').whereRef('undoing.undoes', '=', 'acts.id'),
            ),
          ),
        )
        .executeTakeFirst()
    : undefined
  return act
    ? { ok: true, answer: act.id }
    : refuse({
        status: 400,
        message: 'L’en-tête «\u00a0X-Act\u00a0» doit être un acte que vous venez de commencer pour cela.',
      })
}

function mayCall(caller: Pick<Caller, 'rights'>, access: Access): boolean {
  if (access === 'public' || access === 'signed-in') return true
  return typeof access === 'string'
    ? caller.rights.has(access)
    : access.some((right: Right) => caller.rights.has(right))
}

/** The session's device, or before any session what the call says of itself. */
const callingDevice = (
  { claimed_device }: Pick<PublicExchange, 'claimed_device'>,
  caller: Caller | null,
): string | null => caller?.device_id ?? (caller ? null : (claimed_device?.device_id ?? null))
