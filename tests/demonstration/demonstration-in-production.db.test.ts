import { randomUUID } from 'node:crypto'
import { join } from 'node:path'

import type { Hono } from 'hono'
import { sql } from 'kysely'
import pino from 'pino'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'

import { createApp } from '../../src/server/app.ts'
import { makeBackup } from '../../src/server/backup/make-backup.ts'
import { restoreBackup } from '../../src/server/backup/restore-backup.ts'
import {
  type Environment,
  openEnvironment,
  type StorageSettings,
} from '../../src/server/db/environments/environment.ts'
import { loadDemonstration } from '../../src/server/demonstration/load-demonstration.ts'
import { seedEnvironment } from '../../src/server/seed-environment.ts'
import { seedAtStart } from '../../src/server/open-served.ts'
import { demonstrationAccounts } from '../../src/server/session/demonstration-accounts.ts'
import { issueLoginLink, issueResetLink } from '../../src/server/session/password-links.ts'
import { temporaryDirectory } from '../backup/whole-base.ts'
import { emptyStorage, isEngineReachable, testEngine } from '../support/databases.ts'
import { clientOf } from '../support/test-server.ts'

vi.setConfig({ testTimeout: 600_000, hookTimeout: 600_000 })

const published = demonstrationAccounts.password
const adminPassword = 'Trois-tortues-jaunes-1987'
const incorrect = { code: 401, message: 'Identifiants incorrects' }

describe.skipIf(!isEngineReachable())(`a demonstration that goes to production (${testEngine})`, () => {
  const drops: (() => Promise<unknown>)[] = []
  let storage: StorageSettings
  let environment: Environment
  let app: Hono
  let session: string
  const told: string[] = []

  const anonymous = () => clientOf(app, null)
  const logIn = (username: string, password: string) =>
    anonymous().post('/api/login_check', { username: `${username}@1`, password })
  const sessionsOf = async (username: string) => {
    const { rows } = await sql<{
      n: number
    }>`select count(*) as n from sessions s join users u on u.id = s.user_id
      where u.username = ${username} and s.revoked_at is null`.execute(environment.db)
    return rows[0]?.n
  }
  const open = async (settings: StorageSettings) => {
    environment = await openEnvironment(settings, 1)
    app = createApp({ environments: [environment], logger: pino({ level: 'silent' }), checkAnswers: true })
  }
  const idOf = async (username: string) => {
    const found = await environment.db
      .selectFrom('users')
      .select('id')
      .where('username', '=', username)
      .executeTakeFirstOrThrow()
    return found.id
  }

  beforeAll(async () => {
    const first = await emptyStorage()
    const folder = await temporaryDirectory()
    const second = await emptyStorage()
    drops.push(first.drop, folder.drop, second.drop)
    await open({ ...first.settings, isDemonstration: true })
    await seedEnvironment(environment.db, published)
    await loadDemonstration(environment, { today: '2026-03-10' })
    const dns = await anonymous().get('/dns')
    expect(dns.body.demonstration).toEqual(demonstrationAccounts)
    expect((await logIn('admin', published)).status).toBe(200)
    await makeBackup(join(folder.path, 'b'), first.settings)
    await environment.close()
    await restoreBackup(join(folder.path, 'b'), second.settings, { replace: false })
    storage = { ...second.settings, onEvent: ({ message }) => void told.push(message) }
    await open(storage)
  })
  afterAll(async () => {
    await environment?.close()
    for (const drop of drops) await drop()
  })

  it('publishes nothing any more, and nobody enters by the published password', async () => {
    expect((await anonymous().get('/dns')).body).toEqual({ id: 1, name: 'Médiathèque de démonstration' })
    for (const username of [...demonstrationAccounts.usernames, 'personne']) {
      const shut = await logIn(username, published)
      expect([shut.status, shut.body]).toEqual([401, incorrect])
      const first = await anonymous().post('/auth', { username, password: published })
      expect([first.status, first.body]).toEqual([
        401,
        { code: 401, message: 'Erreur de connexion. Vérifiez vos identifiants et réessayez.' },
      ])
    }
    expect(told.filter((line) => line.includes('published password of the demonstration'))).toHaveLength(8)
  })

  it('tells at its start which accounts are shut, and ends what was open', async () => {
    session = randomUUID()
    await sql`insert into sessions (token_hash, user_id, created_at, last_used_at)
      select sha256(${session}::bytea), id, now(), now() from users where username = 'biblio'`.execute(
      environment.db,
    )
    expect((await clientOf(app, session).get('/api/users/me')).status).toBe(200)
    expect(await seedAtStart([environment], { adminPassword: null, isMailSent: false })).toEqual([
      'Comptes fermés, car ils ont encore le mot de passe publié de la démonstration\u202f: admin, biblio, benevole et lecture.',
      'Pour ouvrir «\u202fadmin\u202f», relancez avec ADMIN_PASSWORD.',
      'Un nouveau mot de passe, choisi par le lien «\u202fMot de passe oublié\u202f», ouvre un compte.',
    ])
    expect((await clientOf(app, session).get('/api/users/me')).status).toBe(401)
  })

  it('refuses a weak ADMIN_PASSWORD for it, and changes nothing', async () => {
    for (const weak of ['admin', 'Admin123456', published])
      await expect(seedAtStart([environment], { adminPassword: weak, isMailSent: false })).rejects.toThrow(
        /^ADMIN_PASSWORD\u202f: /,
      )
    expect((await logIn('admin', published)).status).toBe(401)
  })

  it('gives admin ADMIN_PASSWORD, once', async () => {
    const said = await seedAtStart([environment], { adminPassword, isMailSent: false })
    expect(said.slice(0, 2)).toEqual([
      'Le compte «\u202fadmin\u202f» avait le mot de passe publié de la démonstration\u202f: il a maintenant celui d’ADMIN_PASSWORD.',
      'Comptes fermés, car ils ont encore le mot de passe publié de la démonstration\u202f: biblio, benevole et lecture.',
    ])
    const admin = await logIn('admin', adminPassword)
    expect(admin.status).toBe(200)
    const me = await clientOf(app, admin.body.token).get('/api/users/me')
    expect(me.body.role).toBe('Admin')
    expect((await logIn('admin', published)).body).toEqual(incorrect)

    const again = { adminPassword: 'Quatre-girafes-bleues-88', isMailSent: false }
    expect(await seedAtStart([environment], again)).toHaveLength(2)
    expect((await logIn('admin', adminPassword)).status).toBe(200)
    expect((await logIn('admin', again.adminPassword)).status).toBe(401)
    expect(await sessionsOf('admin')).toBe(2)
  })

  it('opens no session by a login link either, and the link stays what it was', async () => {
    const { db } = environment
    const biblio = await idOf('biblio')
    const token = await db.transaction().execute((trx) => issueLoginLink(trx, biblio, new Date()))
    const answer = await anonymous().post('/api/login_link', { token })
    const never = await anonymous().post('/api/login_link', { token: randomUUID() })
    expect([answer.status, answer.body]).toEqual([never.status, never.body])
    expect(answer.status).toBe(401)
    expect(await sessionsOf('biblio')).toBe(0)
  })

  it('lets nobody choose the published password, nor change from it', async () => {
    const admin = clientOf(app, (await logIn('admin', adminPassword)).body.token)
    const chosen = await admin.post('/api/change-password', {
      current_password: adminPassword,
      new_password: published,
    })
    expect(chosen.status).toBe(422)
    await sql`update users set password_hash = (select password_hash from users where username = 'lecture')
      where username = 'admin'`.execute(environment.db)
    const changed = await admin.post('/api/change-password', {
      current_password: published,
      new_password: adminPassword,
    })
    expect([changed.status, changed.body.violations]).toMatchObject([
      422,
      [{ propertyPath: 'current_password' }],
    ])
  })

  it('opens an account again to whoever chose a password by a mailed link', async () => {
    const biblio = await idOf('biblio')
    const token = await environment.db.transaction().execute((trx) => issueResetLink(trx, biblio, new Date()))
    expect((await anonymous().post(`/resetting/reset/${token}`, { password: published })).status).toBe(422)
    expect((await anonymous().post(`/resetting/reset/${token}`, { password: adminPassword })).status).toBe(
      200,
    )
    expect((await logIn('biblio', adminPassword)).status).toBe(200)
  })

  it('mails no link to an address that was invented, once mails leave', async () => {
    const [last] = (await seedAtStart([environment], { adminPassword, isMailSent: true })).slice(-1)
    expect(last).toMatch(/adresses inventées .* effacées/)
    const { rows } = await sql`select username from users where email is not null`.execute(environment.db)
    expect(rows).toEqual([])
    expect((await seedAtStart([environment], { adminPassword, isMailSent: true })).join(' ')).not.toMatch(
      /adresses/,
    )
  })

  it('is a demonstration again under --demo', async () => {
    await environment.close()
    await open({ ...storage, isDemonstration: true })
    expect((await anonymous().get('/dns')).body.demonstration).toEqual(demonstrationAccounts)
    expect((await logIn('lecture', published)).status).toBe(200)
  })
})
