import { setTimeout as pause } from 'node:timers/promises'

import type { AnswerOf } from '../../contract/endpoint.ts'
import type {
  askReset as askResetCall,
  choosePassword as choosePasswordCall,
  resetPassword as resetPasswordCall,
} from '../../contract/passwords.ts'
import { resetSent } from '../../domain/sentences/session.ts'
import type { Db, Trx } from '../db/handles.ts'
import type { VerbInput } from '../http/binding.ts'
import type { Exchange, PublicExchange } from '../http/exchange.ts'
import { journal } from '../http/journal.ts'
import { conflict, done, type Outcome, violation } from '../http/outcome.ts'
import { notifyAccountChanged } from '../writing/account-changed.ts'
import { queueMail } from '../writing/queue-mail.ts'
import { passwordChanged, setPassword } from './change-password.ts'
import { hashPassword } from './password-hash.ts'
import { findLinkHolder, issueResetLink, linkEnded, useLink } from './password-links.ts'
import { faultOfPassword } from './password-rules.ts'
import { hasSecondFactor } from './show-second-factor.ts'
import { accountOf, clearCounters, noteAttempt } from './sign-in-attempts.ts'
import { inLine } from './sign-in-line.ts'
import { networkOf } from './sign-in-place.ts'

/** Answers take at least this long, so that their time does not tell whether a mail was written. */
const shortestAnswerMs = 250
const mostLinks = 3

/** Mails a link, answering everybody alike (docs/decisions/0016-session-calls-keep-no-answer.md) or 429. */
export async function askReset(
  db: Db,
  { body }: VerbInput<typeof askResetCall>,
  exchange: PublicExchange,
): Promise<Outcome<AnswerOf<typeof askResetCall>>> {
  const counters = [
    // Counting by user would tell that a name and an address are one person's.
    { limit: 'reset_account', of: body.username.toLowerCase() },
    { limit: 'reset_address', of: networkOf(exchange.address) },
  ] as const
  const noted = await inLine('open', networkOf(exchange.address), () =>
    noteAttempt(db, counters, exchange.now),
  )
  if (!noted.ok) return noted
  await Promise.all([mailLinks(db, body.username, exchange), pause(shortestAnswerMs)])
  return done({ message: resetSent, is_mailed: exchange.mailTransport?.isConnected !== false })
}

async function mailLinks(db: Db, nameOrAddress: string, exchange: PublicExchange): Promise<void> {
  const { now, publicUrl } = exchange
  let isQueued = false
  await db.transaction().execute(async (trx) => {
    const users = await trx
      .selectFrom('users')
      .select(['id', 'username', 'email'])
      .where((eb) => eb.or([eb('username', '=', nameOrAddress), eb('email', '=', nameOrAddress)]))
      .where('email', 'is not', null)
      .where('enabled', '=', true)
      .where('deleted_at', 'is', null)
      .orderBy('id')
      // Several people may share an address, and each gets a link.
      .limit(5)
      .forUpdate()
      .execute()
    for (const { email, ...user } of users) {
      const { waiting } = await trx
        .selectFrom('password_links')
        .select((eb) => eb.fn.countAll<number>().as('waiting'))
        .where('user_id', '=', user.id)
        .where('kind', '=', 'reset')
        .where('used_at', 'is', null)
        .where('expires_at', '>', now.toISOString())
        .executeTakeFirstOrThrow()
      if (email === null || waiting >= mostLinks) continue
      const link = `${publicUrl}/reset/password/${await issueResetLink(trx, user.id, now)}`
      await queueMail(trx, exchange, {
        template: 'password_reset',
        to_address: email,
        variables: { user: { username: user.username }, link },
      })
      isQueued = true
      const witnessed = { ...exchange, caller: { user_id: user.id } }
      await journal(trx, witnessed, { action: 'password.ask_reset', entity: 'users', entity_id: user.id })
    }
  })
  if (isQueued) exchange.hurryMails()
}

/** The first password of whoever was invited: there is no former one to ask for. */
export async function choosePassword(
  db: Db,
  { body }: VerbInput<typeof choosePasswordCall>,
  exchange: Exchange,
): Promise<Outcome<{ message: string }>> {
  const { username, token_hash, user_id } = exchange.caller
  const fault = faultOfPassword(body.new_password, username)
  if (fault) return violation('new_password', fault)
  const isChosen = conflict(
    'PASSWORD_CHANGED',
    'Vous avez déjà un mot de passe\u202f: changez-le dans «\u00a0Mon compte\u00a0».',
  )
  if (!(await unchosen(db, user_id).executeTakeFirst())) return isChosen
  const password_hash = await hashPassword(body.new_password)
  return db.transaction().execute(async (trx): Promise<Outcome<{ message: string }>> => {
    const locked = await unchosen(trx, user_id).forUpdate().executeTakeFirst()
    if (!locked) return isChosen
    await setPassword(trx, user_id, password_hash, exchange.now, token_hash)
    await journal(trx, exchange, { action: 'password.choose', entity: 'users', entity_id: user_id })
    return done(passwordChanged)
  })
}

const unchosen = (db: Db | Trx, user_id: number) =>
  db.selectFrom('users').select('id').where('id', '=', user_id).where('password_chosen', '=', false)

/** A refused password leaves the link usable; success ends every session of the person. */
export async function resetPassword(
  db: Db,
  { params, body }: VerbInput<typeof resetPasswordCall>,
  exchange: PublicExchange,
): Promise<Outcome<{ message: string }>> {
  const { now } = exchange
  const holder = await findLinkHolder(db, 'reset', params.token, now)
  if (!holder) return linkEnded('reset')
  const fault = faultOfPassword(body.password, holder.username)
  if (fault) return violation('password', fault)
  const password_hash = await hashPassword(body.password)
  return db.transaction().execute(async (trx): Promise<Outcome<{ message: string }>> => {
    const link = await useLink(trx, 'reset', params.token, now)
    if (!link.ok) return link
    await setPassword(trx, link.answer.id, password_hash, now)
    const { id } = link.answer
    // A mailbox is no second factor: it must not set guesses of codes free.
    if (!(await hasSecondFactor(trx, id))) await clearCounters(trx, [{ limit: 'account', of: accountOf(id) }])
    await journal(
      trx,
      { ...exchange, caller: { user_id: id } },
      { action: 'password.reset', entity: 'users', entity_id: id },
    )
    await notifyAccountChanged(trx, exchange, id, 'password')
    return done(passwordChanged)
  })
}
