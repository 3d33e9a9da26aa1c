import { setTimeout as pause } from 'node:timers/promises'

import type { askReset as askResetCall } from '../../contract/passwords.ts'
import { resetSent } from '../../domain/sentences/session.ts'
import type { Db } from '../db/handles.ts'
import type { VerbInput } from '../http/binding.ts'
import type { PublicExchange } from '../http/exchange.ts'
import { done, type Outcome } from '../http/outcome.ts'
import { journal } from '../http/journal.ts'
import { queueMail } from '../writing/queue-mail.ts'
import { networkOf } from './network-of.ts'
import { issueResetLink } from './password-links.ts'
import { noteAttempt } from './sign-in-attempts.ts'
import { inLine } from './sign-in-line.ts'

const sent = { message: resetSent }

/** Answers take at least this long, so that their time does not tell whether a mail was written. */
const shortestAnswerMs = 250
const mostLinks = 3

/** Mails a link, answering everybody alike (docs/decisions/0003-reset-answers.md) or 429. */
export async function askReset(
  db: Db,
  { body }: VerbInput<typeof askResetCall>,
  exchange: PublicExchange,
): Promise<Outcome<{ message: string }>> {
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
  return done(sent)
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
