import { randomBytes } from 'node:crypto'

import { deliveredProfiles, rightCodes, rightGroups, rights } from '../../domain/rights.ts'
import { deliveredMailTemplates } from '../mail/delivered-templates.ts'
import { hashPassword } from '../session/password-hash.ts'
import { deliveredParameters } from '../settings/parameters.ts'
import type { Db, Trx } from './environment.ts'

/**
 * Puts into an environment what a new one needs, and into an old one what a new version brought: rights, profiles, parameters, mail
 * templates. The first administrator is made where there is no user; answers the password when one had to be generated.
 */
export async function furnishEnvironment(
  db: Db,
  adminPassword: string | null,
): Promise<{ generated: string | null }> {
  const password = adminPassword ?? randomBytes(12).toString('base64url')
  const password_hash = (await hasNobody(db)) ? await hashPassword(password) : ''

  return db.transaction().execute(async (trx) => {
    await trx
      .insertInto('rights')
      .values(
        rightCodes.map((code) => {
          const [group_id, label] = rights[code]
          return { code, group_id, group_name: rightGroups[group_id], label }
        }),
      )
      .onConflict((conflict) =>
        conflict.column('code').doUpdateSet(({ ref }) => ({
          group_id: ref('excluded.group_id'),
          group_name: ref('excluded.group_name'),
          label: ref('excluded.label'),
        })),
      )
      .execute()
    await trx
      .insertInto('parameters')
      .values(Object.entries(deliveredParameters).map(([code, [value, info]]) => ({ code, value, info })))
      .onConflict((conflict) => conflict.column('code').doNothing())
      .execute()
    await trx
      .insertInto('mail_templates')
      .values(deliveredMailTemplates)
      .onConflict((conflict) => conflict.columns(['code', 'type']).doNothing())
      .execute()
    // Of servers that start at once the first holds the rows above, and the others find here what it made.
    if (!(await hasNobody(trx))) return { generated: null }

    await trx
      .insertInto('sites')
      .values({ name: 'Site principal', gestit_id: null, deleted_at: null })
      .execute()
    for (const [name, held] of Object.entries(deliveredProfiles)) {
      const { id } = await trx
        .insertInto('profiles')
        .values({ name })
        .returning('id')
        .executeTakeFirstOrThrow()
      await trx
        .insertInto('profile_rights')
        .values(held.map((right_code) => ({ profile: id, right_code })))
        .execute()
    }
    await trx
      .insertInto('reasons')
      .values([
        { name: 'Oubli', type: 'delay', code: null, deleted_at: null },
        { name: 'Maladie', type: 'delay', code: null, deleted_at: null },
        { name: 'Article perdu', type: 'delay', code: null, deleted_at: null },
        { name: 'Geste commercial', type: 'free', code: null, deleted_at: null },
        { name: 'Animation', type: 'free', code: null, deleted_at: null },
      ])
      .execute()
    const admin = await trx
      .selectFrom('profiles')
      .select('id')
      .where('name', '=', 'Admin')
      .executeTakeFirstOrThrow()
    await trx
      .insertInto('users')
      .values({ username: 'admin', password_hash, profile: admin.id, email: null, deleted_at: null })
      .execute()
    return { generated: adminPassword === null ? password : null }
  })
}

const hasNobody = async (db: Db | Trx) =>
  (await db.selectFrom('users').select('id').limit(1).executeTakeFirst()) === undefined
