import type { Environment } from '../db/environments/environment.ts'
import type { Db } from '../db/handles.ts'
import { isPasswordOf } from './password-hash.ts'

export const demonstrationAccounts = {
  usernames: ['admin', 'biblio', 'benevole', 'lecture'],
  password: 'comptoir-demo',
}

/** A demonstration's mails go nowhere near the library's. */
export const demonstrationAddress = (username: string): string => `${username}@exemple.fr`

/** Whether this is the published password, which opens nothing outside a demonstration. */
export const isShutPassword = ({ demonstration }: Pick<Environment, 'demonstration'>, password: string) =>
  !demonstration && password.normalize('NFC') === demonstrationAccounts.password

/** Whether a user has the published password, for ways in that ask for none. */
export async function isShut(db: Db, environment: Environment, user_id: number): Promise<boolean> {
  if (environment.demonstration) return false
  const user = await db
    .selectFrom('users')
    .select('password_hash')
    .where('id', '=', user_id)
    .executeTakeFirst()
  return user !== undefined && hasPublishedPassword(user)
}

/** Tells the log alone, because the caller gets everybody's answer. */
export function tellShut({ tell }: Pick<Environment, 'tell'>, user_id: number): void {
  tell({
    level: 'warn',
    message: `sign-in of user ${user_id} refused: the account has the published password of the demonstration`,
  })
}

/** Accounts of a demonstration that still have the published password, and others with the same hash. */
export async function findShutAccounts(db: Db): Promise<{ id: number; username: string }[]> {
  const users = await db
    .selectFrom('users')
    .select(['id', 'username', 'password_hash'])
    .where('deleted_at', 'is', null)
    .orderBy('id')
    .execute()
  // The demonstration's accounts share one hash, which is verified once.
  const published = new Map<string, boolean>()
  for (const user of users) {
    if (!demonstrationAccounts.usernames.includes(user.username) || published.has(user.password_hash))
      continue
    published.set(user.password_hash, await hasPublishedPassword(user))
  }
  return users.filter(({ password_hash }) => published.get(password_hash))
}

const hasPublishedPassword = async ({ password_hash }: { password_hash: string }) =>
  password_hash !== '' && (await isPasswordOf(password_hash, demonstrationAccounts.password))
