import type { Db, Trx } from '../db/handles.ts'
import { failedSignIn, type Outcome, refuse } from '../http/outcome.ts'
import { hashToken } from './find-caller.ts'
import { newToken } from './open-session.ts'

type Kind = 'login' | 'reset'

const lastsMs: Record<Kind, number> = { login: 15 * 60_000, reset: 60 * 60_000 }

/** Somebody may be invited on a Friday, and come on the Thursday after. */
const invitationLastsMs = 7 * 24 * 60 * 60_000

const issueLink = async (
  trx: Trx,
  kind: Kind,
  user_id: number,
  now: Date,
  ms = lastsMs[kind],
): Promise<string> => {
  const token = newToken()
  const expires_at = new Date(now.getTime() + ms).toISOString()
  await trx
    .insertInto('password_links')
    .values({ token_hash: hashToken(token), kind, user_id, expires_at, used_at: null })
    .execute()
  return token
}

/** The token of `/login?token=…`, which signs a user in once within 15 minutes. */
export const issueLoginLink = (trx: Trx, user_id: number, now: Date): Promise<string> =>
  issueLink(trx, 'login', user_id, now)

/** The same for whoever is invited: the only one from then on, for seven days. */
export async function issueInvitation(trx: Trx, user_id: number, now: Date): Promise<string> {
  await voidLinks(trx, user_id, now, 'login')
  return issueLink(trx, 'login', user_id, now, invitationLastsMs)
}

/** The token of `/reset/password/{token}`, which changes a password once within the hour. */
export const issueResetLink = (trx: Trx, user_id: number, now: Date): Promise<string> =>
  issueLink(trx, 'reset', user_id, now)

type LinkHolder = { id: number; username: string }

export async function findLinkHolder(
  db: Db,
  kind: Kind,
  token: string,
  now: Date,
): Promise<LinkHolder | null> {
  const user = await db
    .selectFrom('password_links')
    .innerJoin('users', 'users.id', 'password_links.user_id')
    .select(['users.id', 'users.username'])
    .where('token_hash', '=', hashToken(token))
    .where('kind', '=', kind)
    .where('used_at', 'is', null)
    .where('expires_at', '>', now.toISOString())
    .where('users.enabled', '=', true)
    .where('users.deleted_at', 'is', null)
    .executeTakeFirst()
  return user ?? null
}

/** Uses a link up, once whoever calls; locks the user first, as every change of a password does. */
export async function useLink(trx: Trx, kind: Kind, token: string, now: Date): Promise<Outcome<LinkHolder>> {
  const holder = await findLinkHolder(trx, kind, token, now)
  if (!holder) return linkEnded(kind)
  await trx.selectFrom('users').select('id').where('id', '=', holder.id).forUpdate().execute()
  const used = await trx
    .updateTable('password_links')
    .set({ used_at: now.toISOString() })
    .where('token_hash', '=', hashToken(token))
    .where('used_at', 'is', null)
    .returning('user_id')
    .executeTakeFirst()
  return used ? { ok: true, answer: holder } : linkEnded(kind)
}

/** Ends a user's links, of one kind or of both. */
export async function voidLinks(trx: Trx, user_id: number, now: Date, kind?: Kind): Promise<void> {
  let links = trx
    .updateTable('password_links')
    .set({ used_at: now.toISOString() })
    .where('user_id', '=', user_id)
    .where('used_at', 'is', null)
  if (kind !== undefined) links = links.where('kind', '=', kind)
  await links.execute()
}

export const linkEnded = (kind: Kind) =>
  failedSignIn(
    refuse({
      status: kind === 'login' ? 401 : 400,
      reason: 'LINK_ENDED',
      message:
        'Ce lien n’est plus valable\u202f: il a déjà servi ou son délai est passé. Demandez-en un nouveau.',
    }),
  )
