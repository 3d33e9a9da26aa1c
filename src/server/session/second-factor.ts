import { randomBytes } from 'node:crypto'

import type { AnswerOf } from '../../contract/endpoint.ts'
import type * as call from '../../contract/second-factor.ts'
import type { Db, Trx } from '../db/handles.ts'
import type { VerbInput } from '../http/binding.ts'
import type { Exchange } from '../http/exchange.ts'
import { journal } from '../http/journal.ts'
import {
  conflict,
  done,
  failedSignIn,
  forbidden,
  type Outcome,
  type Refused,
  violation,
} from '../http/outcome.ts'
import { notifyAccountChanged } from '../writing/account-changed.ts'
import { checkPassword, type KnownUser } from './check-password.ts'
import { revokeSessions } from './open-session.ts'
import {
  giveRecoveryCodes,
  hasSecondFactor,
  noteFactor,
  showFactor,
  wrongFactor,
} from './show-second-factor.ts'
import type { AttemptAt } from './sign-in-place.ts'
import { base32, otpAddress, stepOfCode } from './totp.ts'

type Proofs = VerbInput<typeof call.removeSecondFactor>['body']
type Codes = { recovery_codes: string[] }

const secretBytes = 20

const already = conflict(
  'ALREADY_DONE',
  'Vous avez déjà un deuxième facteur\u202f: retirez-le avant d’en choisir un autre.',
)
const none = conflict('GONE', 'Vous n’avez pas de deuxième facteur.')

export async function readSecondFactor(
  db: Db,
  _input: unknown,
  { caller }: Exchange,
): Promise<Outcome<call.SecondFactor>> {
  const { second_factor: required, confirmed_at } = await db
    .selectFrom('users')
    .innerJoin('profiles', 'profiles.id', 'users.profile')
    .leftJoin('user_factors', 'user_factors.user_id', 'users.id')
    .select(['profiles.second_factor', 'user_factors.confirmed_at'])
    .where('users.id', '=', caller.user_id)
    .executeTakeFirstOrThrow()
  const unused = await db
    .selectFrom('user_recovery_codes')
    .select('user_id')
    .where('user_id', '=', caller.user_id)
    .where('used_at', 'is', null)
    .execute()
  return done({ confirmed_at, recovery_codes_left: confirmed_at === null ? 0 : unused.length, required })
}

/** Answers a new secret, which replaces one that was never confirmed. */
export async function startSecondFactor(
  db: Db,
  _input: unknown,
  { caller, environment, parameters, now }: Exchange,
): Promise<Outcome<AnswerOf<typeof call.startSecondFactor>>> {
  // One visitor would shut the others out.
  if (environment.demonstration) {
    return forbidden('Les comptes de la démonstration n’ont pas de deuxième facteur.')
  }
  const secret = randomBytes(secretBytes)
  const at = now.toISOString()
  const started = await db
    .insertInto('user_factors')
    .values({ user_id: caller.user_id, secret, created_at: at, confirmed_at: null })
    .onConflict((taken) =>
      taken
        .column('user_id')
        .doUpdateSet({ secret, created_at: at })
        .where('user_factors.confirmed_at', 'is', null),
    )
    .returning('user_id')
    .executeTakeFirst()
  if (!started) return already
  const issuer = parameters.get('work_council') || environment.name
  return done({
    secret: base32(secret),
    address: otpAddress({ secret, issuer, account: caller.username }),
  })
}

/** From here on sign-ins ask for it; the person's sessions elsewhere, opened without it, end. */
export async function confirmSecondFactor(
  db: Db,
  { body }: VerbInput<typeof call.confirmSecondFactor>,
  exchange: Exchange,
): Promise<Outcome<Codes>> {
  const { caller, now } = exchange
  const { user_id } = caller
  const checked = await checkOwnPassword(db, exchange, body.password)
  if (!checked.ok) return checked
  return db.transaction().execute(async (trx): Promise<Outcome<Codes>> => {
    if (!(await lockSame(trx, checked.answer))) return passwordChanged
    const pending = await trx
      .selectFrom('user_factors')
      .select(['secret', 'confirmed_at'])
      .where('user_id', '=', user_id)
      .executeTakeFirst()
    if (!pending) return conflict('GONE', 'Recommencez\u202f: ce deuxième facteur n’est plus en préparation.')
    if (pending.confirmed_at !== null) return already
    const step = stepOfCode(pending.secret, body.second_factor.replaceAll(/\s/g, ''), now)
    if (step === null) {
      return violation(
        'second_factor',
        'Ce code n’est pas le bon. Vérifiez que le téléphone est à l’heure, puis saisissez le code affiché.',
      )
    }
    await trx
      .updateTable('user_factors')
      .set({ confirmed_at: now.toISOString(), last_step: step })
      .where('user_id', '=', user_id)
      .execute()
    const recovery_codes = await giveRecoveryCodes(trx, user_id)
    await revokeSessions(trx, { user_id, except: caller.token_hash }, now)
    await journal(trx, exchange, { action: 'second_factor.set', entity: 'users', entity_id: user_id })
    await notifyAccountChanged(trx, exchange, user_id, 'factor_set')
    return done({ recovery_codes })
  })
}

export const renewRecoveryCodes = (
  db: Db,
  { body }: VerbInput<typeof call.renewRecoveryCodes>,
  exchange: Exchange,
): Promise<Outcome<Codes>> =>
  onBothProofs(db, exchange, body, async (trx, user_id) => {
    const recovery_codes = await giveRecoveryCodes(trx, user_id)
    await journal(trx, exchange, { action: 'second_factor.renew_codes', entity: 'users', entity_id: user_id })
    return { recovery_codes }
  })

/** Where the profile asks for one, this session then leads to the next one, as for a new telephone. */
export const removeSecondFactor = (
  db: Db,
  { body }: VerbInput<typeof call.removeSecondFactor>,
  exchange: Exchange,
): Promise<Outcome<null>> =>
  onBothProofs(db, exchange, body, async (trx, user_id) => {
    await forgetSecondFactor(trx, user_id)
    await trx
      .updateTable('sessions')
      .set({ second_factor_due: true })
      .where('id', '=', exchange.caller.session_id)
      .execute()
    await revokeSessions(trx, { user_id, except: exchange.caller.token_hash }, exchange.now)
    await journal(trx, exchange, { action: 'second_factor.remove', entity: 'users', entity_id: user_id })
    await notifyAccountChanged(trx, exchange, user_id, 'factor_removed')
    return null
  })

export async function forgetSecondFactor(trx: Trx, user_id: number): Promise<void> {
  await trx.deleteFrom('user_recovery_codes').where('user_id', '=', user_id).execute()
  await trx.deleteFrom('user_factors').where('user_id', '=', user_id).execute()
}

export const passwordChanged = conflict('PASSWORD_CHANGED', 'Ce mot de passe vient d’être changé ailleurs.')

/** Counted like a sign-in, because an open session must not let it be guessed. */
export async function checkOwnPassword(
  db: Db,
  exchange: Exchange,
  password: string,
  field = 'password',
): Promise<Refused | { ok: true; answer: KnownUser }> {
  const checked = await checkPassword(db, exchange, exchange.caller.username, password)
  if (!checked.ok) return checked
  const { answer: user } = checked
  return user
    ? { ok: true, answer: user }
    : failedSignIn(violation(field, 'Le mot de passe n’est pas le bon.'))
}

export const lockSame = (trx: Trx, { id, password_hash }: KnownUser) =>
  trx
    .selectFrom('users')
    .select('id')
    .where('id', '=', id)
    .where('password_hash', '=', password_hash)
    .forUpdate()
    .executeTakeFirst()

/** Acts once the password and a code were shown. */
async function onBothProofs<T>(
  db: Db,
  exchange: Exchange,
  { password, second_factor }: Proofs,
  act: (trx: Trx, user_id: number) => Promise<T>,
): Promise<Outcome<T>> {
  const checked = await checkOwnPassword(db, exchange, password)
  if (!checked.ok) return checked
  const { id } = checked.answer
  const noted: Outcome<AttemptAt | null> = await noteFactor(db, exchange, id, second_factor)
  if (!noted.ok) return noted
  return db.transaction().execute(async (trx): Promise<Outcome<T>> => {
    if (!(await lockSame(trx, checked.answer))) return passwordChanged
    if (!(await hasSecondFactor(trx, id))) return none
    const shown = await showFactor(trx, exchange, id, second_factor, noted.answer)
    if (!shown.ok) return failedSignIn(violation('second_factor', wrongFactor))
    return done(await act(trx, id))
  })
}
