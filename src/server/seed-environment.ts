import { randomBytes } from 'node:crypto'

import { sql } from 'kysely'

import { deliveredWords, wordCodes } from '../domain/delivered-words.ts'
import { deliveredParameters as parameters, parameterCodes } from '../domain/parameters.ts'
import { rightSentences } from '../domain/right-sentences.ts'
import {
  adminProfile,
  deliveredProfiles,
  type Right,
  rightCodes,
  rightGroups,
  rights,
} from '../domain/rights.ts'
import { firstSiteName } from '../domain/start-steps.ts'
import { deliveredMailTemplates } from './mail/delivered-templates.ts'
import { hashPassword } from './session/password-hash.ts'
import type { Db, Trx } from './db/handles.ts'

/** Gives an environment what it lacks; answers the first administrator's generated password, or null. */
export async function seedEnvironment(
  db: Db,
  adminPassword: string | null,
): Promise<{ generated: string | null }> {
  const password = adminPassword ?? randomBytes(12).toString('base64url')
  const password_hash = (await hasNobody(db)) ? await hashPassword(password) : ''

  return db.transaction().execute(async (trx) => {
    const seenNow = await nameRights(trx)
    await trx
      .insertInto('parameters')
      .values(
        parameterCodes.map((code) => ({
          code,
          value: parameters[code].delivered,
          info: parameters[code].label,
        })),
      )
      .onConflict((conflict) => conflict.column('code').doNothing())
      .execute()
    await trx
      .insertInto('mail_templates')
      .values(deliveredMailTemplates)
      .onConflict((conflict) => conflict.columns(['code', 'type']).doNothing())
      .execute()
    await seedWords(trx)
    // Of servers that start at once, the first locks the rows above and the others find its work.
    if (!(await hasNobody(trx))) {
      await grantToAdmin(trx, seenNow)
      return { generated: null }
    }

    await trx.insertInto('sites').values({ name: firstSiteName, gestit_id: null, deleted_at: null }).execute()
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
      .where('name', '=', adminProfile)
      .executeTakeFirstOrThrow()
    await trx
      .insertInto('users')
      .values({ username: 'admin', password_hash, profile: admin.id, email: null, deleted_at: null })
      .execute()
    return { generated: adminPassword === null ? password : null }
  })
}

/** Keeps every right's words; answers the codes that this environment sees for the first time. */
async function nameRights(trx: Trx): Promise<Right[]> {
  const rows = rightCodes.map((code) => {
    const group_id = rights[code]
    return { code, group_id, group_name: rightGroups[group_id], label: rightSentences[code] }
  })
  const inserted = await trx
    .insertInto('rights')
    .values(rows)
    .onConflict((conflict) => conflict.column('code').doNothing())
    .returning('code')
    .execute()
  const seenNow = new Set(inserted.map(({ code }) => code))
  await trx
    .insertInto('rights')
    .values(rows)
    .onConflict((conflict) =>
      conflict.column('code').doUpdateSet(({ ref }) => ({
        group_id: ref('excluded.group_id'),
        group_name: ref('excluded.group_name'),
        label: ref('excluded.label'),
      })),
    )
    .execute()
  return rightCodes.filter((code) => seenNow.has(code))
}

/** Words that the library kept follow the version; those that it chose stay. */
async function seedWords(trx: Trx): Promise<void> {
  const rows = wordCodes.map((code) => {
    const { word, gender } = deliveredWords[code]
    return { code, translation: word, gender, delivered: word }
  })
  await trx
    .insertInto('translations')
    .values(rows)
    .onConflict((conflict) =>
      conflict
        .column('code')
        .doUpdateSet(({ ref }) => ({
          translation: sql`case when translations.translation in (translations.delivered, '') then excluded.translation else translations.translation end`,
          gender: sql`case when translations.translation in (translations.delivered, '') then excluded.gender else translations.gender end`,
          delivered: ref('excluded.delivered'),
        }))
        .where(({ eb, ref }) => eb('translations.delivered', '<>', ref('excluded.delivered'))),
    )
    .execute()
}

/** Gives Admin a new version's rights once, so that a right the library takes away stays away. */
async function grantToAdmin(trx: Trx, codes: readonly Right[]): Promise<void> {
  const admin = await trx
    .selectFrom('profiles')
    .select('id')
    .where('name', '=', adminProfile)
    .executeTakeFirst()
  if (!admin || codes.length === 0) return
  await trx
    .insertInto('profile_rights')
    .values(codes.map((right_code) => ({ profile: admin.id, right_code })))
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

export const hasNobody = async (db: Db | Trx) =>
  (await db.selectFrom('users').select('id').limit(1).executeTakeFirst()) === undefined
