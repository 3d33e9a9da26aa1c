import { ConfigurationError } from './process/configuration.ts'
import type { Environment } from './db/environment.ts'
import type { Db } from './db/handles.ts'
import { furnishEnvironment, hasNobody } from './furnish-environment.ts'
import { journal } from './http/journal.ts'
import { setPassword } from './session/change-password.ts'
import {
  demonstrationAccounts,
  demonstrationAddress,
  findShutAccounts,
} from './session/demonstration-accounts.ts'
import { revokeSessions } from './session/open-session.ts'
import { hashPassword } from './session/password-hash.ts'
import { faultOfPassword } from './session/password-rules.ts'

export type FirstStart = {
  adminPassword: string | null
  isMailSent: boolean
}

type Account = { id: number; username: string }

/** Answers French lines for the terminal; throws ConfigurationError for a weak ADMIN_PASSWORD. */
export async function furnishAtStart(
  environments: readonly Environment[],
  { adminPassword, isMailSent }: FirstStart,
): Promise<string[]> {
  const weakness = adminPassword === null ? null : faultOfPassword(adminPassword, 'admin')
  const shutIn = new Map<Environment, Account[]>()
  for (const environment of environments) {
    const shut = await findShutAccounts(environment.db)
    shutIn.set(environment, shut)
    if (weakness && ((await hasNobody(environment.db)) || shut.some(isAdmin)))
      throw new ConfigurationError(`ADMIN_PASSWORD\u202f: ${weakness}`)
  }
  const said: string[] = []
  for (const [environment, shut] of shutIn) {
    const { generated } = await furnishEnvironment(environment.db, adminPassword)
    if (generated !== null)
      said.push(
        `Premier démarrage\u202f: connectez-vous en «\u202fadmin\u202f» avec le mot de passe ${generated}`,
      )
    said.push(...(await shutDemonstration(environment, shut, adminPassword)))
    if (isMailSent && (await forgetInventedAddresses(environment.db)))
      said.push(
        'Les adresses inventées de la démonstration sont effacées\u202f: aucun lien ne part vers elles.',
      )
  }
  return said
}

const isAdmin = ({ username }: Account) => username === 'admin'

async function shutDemonstration(
  { db }: Environment,
  accounts: readonly Account[],
  adminPassword: string | null,
): Promise<string[]> {
  const now = new Date()
  const said: string[] = []
  const admin = accounts.find(isAdmin)
  if (admin && adminPassword !== null) {
    const password_hash = await hashPassword(adminPassword)
    await db.transaction().execute(async (trx) => {
      await setPassword(trx, admin.id, password_hash, now)
      const entry = { action: 'password.first_start', entity: 'users', entity_id: admin.id }
      await journal(trx, { now, key: null, caller: { user_id: admin.id } }, entry)
    })
    said.push(
      'Le compte «\u202fadmin\u202f» avait le mot de passe publié de la démonstration\u202f: il a maintenant celui d’ADMIN_PASSWORD.',
    )
  }
  const shut = accounts.filter((account) => account !== admin || adminPassword === null)
  if (shut.length === 0) return said
  // Sessions opened while it was a demonstration end.
  await db.transaction().execute(async (trx) => {
    for (const { id } of shut) await revokeSessions(trx, { user_id: id }, now)
  })
  const names = new Intl.ListFormat('fr').format(shut.map(({ username }) => username))
  said.push(
    shut.length === 1
      ? `Compte fermé, car il a encore le mot de passe publié de la démonstration\u202f: ${names}.`
      : `Comptes fermés, car ils ont encore le mot de passe publié de la démonstration\u202f: ${names}.`,
  )
  if (shut.some(isAdmin)) said.push('Pour ouvrir «\u202fadmin\u202f», relancez avec ADMIN_PASSWORD.')
  if (!shut.every(isAdmin))
    said.push(
      'Un nouveau mot de passe, choisi par le lien «\u202fMot de passe oublié\u202f», ouvre un compte.',
    )
  return said
}

/** A reset link to an invented address would give the account to that address's owner. */
async function forgetInventedAddresses(db: Db): Promise<boolean> {
  const { demonstration } = await db
    .selectFrom('environment')
    .select('demonstration')
    .executeTakeFirstOrThrow()
  if (!demonstration) return false
  const forgotten = await db
    .updateTable('users')
    .set({ email: null })
    .where('email', 'in', demonstrationAccounts.usernames.map(demonstrationAddress))
    .returning('id')
    .execute()
  return forgotten.length > 0
}
