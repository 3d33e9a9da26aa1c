import { beforeAll, beforeEach, describe, expect, it } from 'vitest'

import { hashPassword } from '../../src/server/session/password-hash.ts'
import { issueLoginLink } from '../../src/server/session/password-links.ts'
import { testPassword } from '../support/test-library.ts'
import { type Client, describeServer } from '../support/test-server.ts'
import { accountMails } from './account-mails.ts'
import { clientAt, moveClock, withToken } from './client-at.ts'
import { codeAt, setUpFactor } from './second-factor-of.ts'

describeServer('a second factor', (server) => {
  let client: Client
  let place = 0
  let own = ''
  const pass = (seconds: number) => moveClock(server, server.now.getTime() + seconds * 1000)
  const logIn = (second_factor?: string, username = 'biblio', password = own) =>
    client.post('/api/login_check', {
      username: `${username}@${server.environment.id}`,
      password,
      ...(second_factor === undefined ? {} : { second_factor }),
    })
  const journalled = async () =>
    (
      await server.db
        .selectFrom('audit_journal')
        .selectAll()
        .where('action', 'like', 'second_factor%')
        .execute()
    ).map(({ action, entity_id, user_id }) => [action, entity_id, user_id])
  const idOf = async (username: string) =>
    (
      await server.db
        .selectFrom('users')
        .select('id')
        .where('username', '=', username)
        .executeTakeFirstOrThrow()
    ).id

  // The process remembers passwords for seconds, and other files use the template's hash.
  beforeAll(async () => {
    own = testPassword
    const password_hash = await hashPassword(own)
    await server.db.updateTable('users').set({ password_hash }).execute()
  })
  beforeEach(async () => {
    await server.db.deleteFrom('login_failures').execute()
    await server.db.deleteFrom('user_recovery_codes').execute()
    await server.db.deleteFrom('user_factors').execute()
    await server.db.deleteFrom('audit_journal').execute()
    await server.db.deleteFrom('mail_outbox').execute()
    await server.db.updateTable('profiles').set({ second_factor: false }).execute()
    pass(3600)
    place += 1
    client = clientAt(server, `198.51.100.${place}`)
  })

  describe('that nobody has', () => {
    it('leaves sign-in as it was, byte for byte', async () => {
      expect(Object.keys((await logIn()).body)).toEqual(['token'])
      const wrong = await logIn(undefined, 'biblio', 'pas-le-bon-mot')
      expect([wrong.status, wrong.body]).toEqual([401, { code: 401, message: 'Identifiants incorrects' }])
      // A field for nothing is not looked at.
      expect((await logIn('123456')).status).toBe(200)
    })

    it('is none while it was shown and not confirmed', async () => {
      const biblio = await server.as('biblio')
      expect((await biblio.post('/api/second_factor')).status).toBe(200)
      expect((await logIn()).status).toBe(200)
      expect((await biblio.get('/api/second_factor')).body).toEqual({
        confirmed_at: null,
        recovery_codes_left: 0,
        required: false,
      })
    })
  })

  describe('being set up', () => {
    it('asks for the password and a right code, and shows the recovery codes once', async () => {
      const biblio = await server.as('biblio')
      const elsewhere = await server.as('biblio')
      const { body: started } = await biblio.post('/api/second_factor')
      expect(started.address).toContain(`secret=${started.secret}`)
      const confirm = (password: string, second_factor: string) =>
        biblio.post('/api/second_factor/confirm', { password, second_factor })
      const right = codeAt(started.secret, server.now)
      const noPassword = await confirm('pas-le-bon-mot', right)
      expect([noPassword.status, noPassword.body.violations[0].propertyPath]).toEqual([422, 'password'])
      const noCode = await confirm(own, right === '000000' ? '000001' : '000000')
      expect([noCode.status, noCode.body.violations[0].propertyPath]).toEqual([422, 'second_factor'])
      const { status, body } = await confirm(own, `${right.slice(0, 3)} ${right.slice(3)}`)
      expect(status).toBe(200)
      expect(new Set(body.recovery_codes).size).toBe(10)
      expect(body.recovery_codes[0]).toMatch(/^[a-z2-7]{4}-[a-z2-7]{4}-[a-z2-7]{4}$/)
      // This session goes on, those elsewhere were opened without it.
      expect((await biblio.get('/api/second_factor')).body).toMatchObject({ recovery_codes_left: 10 })
      expect((await elsewhere.get('/api/users/me')).status).toBe(401)
      expect((await confirm(own, right)).body.reason).toBe('ALREADY_DONE')
      expect((await biblio.post('/api/second_factor')).body.reason).toBe('ALREADY_DONE')
      const id = await idOf('biblio')
      expect(await journalled()).toEqual([['second_factor.set', id, id]])
    })

    it('writes no secret where others read', async () => {
      const { secret, codes } = await setUpFactor(server, await server.as('biblio'))
      const kept = JSON.stringify([
        await server.db.selectFrom('audit_journal').selectAll().execute(),
        await server.db.selectFrom('idempotency_keys').selectAll().execute(),
        (await (await server.as('admin')).get('/api/users')).body,
      ])
      for (const one of [secret, ...codes]) expect(kept).not.toContain(one)
    })
  })

  describe('at sign-in', () => {
    let secret = ''
    let codes: string[] = []
    beforeEach(async () => {
      ;({ secret, codes } = await setUpFactor(server, await server.as('biblio')))
      pass(60)
    })
    const code = () => codeAt(secret, server.now)

    it('is asked once the password was right, and never before', async () => {
      const asked = await logIn()
      expect([asked.status, asked.body]).toEqual([
        401,
        { code: 401, message: 'Saisissez aussi le code de votre application.', reason: 'SECOND_FACTOR' },
      ])
      for (const given of [undefined, code()]) {
        const wrong = await logIn(given, 'biblio', 'pas-le-bon-mot')
        expect([wrong.status, wrong.body]).toEqual([401, { code: 401, message: 'Identifiants incorrects' }])
      }
      expect((await logIn(code())).status).toBe(200)
    })

    it('takes a code once, and none older than that one', async () => {
      const earlier = codeAt(secret, new Date(server.now.getTime() - 30_000))
      expect((await logIn(code())).status).toBe(200)
      for (const given of [code(), earlier]) {
        const again = await logIn(given)
        expect([again.status, again.body.reason]).toEqual([401, 'SECOND_FACTOR_WRONG'])
      }
      pass(30)
      expect((await logIn(code())).status).toBe(200)
    })

    it('lets one of two pass who come at once with one code', async () => {
      const given = code()
      const answers = await Promise.all([logIn(given), logIn(given)])
      expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 401])
    })

    it('takes a recovery code instead, once', async () => {
      const [first = ''] = codes
      expect((await logIn(first.toUpperCase().replaceAll('-', ' '))).status).toBe(200)
      expect((await logIn(first)).status).toBe(401)
      const { body } = await (await server.as('biblio')).get('/api/second_factor')
      expect(body.recovery_codes_left).toBe(9)
      const id = await idOf('biblio')
      expect(await journalled()).toContainEqual(['second_factor.recovery_code', id, id])
    })

    it('counts wrong codes with the limits of passwords, whatever passwords come between', async () => {
      for (let time = 0; time < 5; time += 1) {
        expect((await logIn()).body.reason).toBe('SECOND_FACTOR')
        expect((await client.post('/auth', { username: 'biblio', password: own })).status).toBe(200)
        expect((await logIn('zzz')).body.reason).toBe('SECOND_FACTOR_WRONG')
      }
      const slowed = await logIn(code())
      expect([slowed.status, slowed.body.reason]).toEqual([429, 'TOO_MANY_ATTEMPTS'])
      expect((await logIn(code(), 'biblio', 'pas-le-bon-mot')).status).toBe(429)
      pass(1)
      expect((await logIn(code())).status).toBe(200)
      expect(
        await server.db
          .selectFrom('login_failures')
          .select('key')
          .where('key', 'like', 'account:%')
          .execute(),
      ).toEqual([])
    })

    it('is asked by a link too, which a missing or wrong code does not use up', async () => {
      const id = await idOf('biblio')
      const token = await server.db.transaction().execute((trx) => issueLoginLink(trx, id, server.now))
      const use = (second_factor?: string) =>
        client.post('/api/login_link', { token, ...(second_factor ? { second_factor } : {}) })
      expect((await use()).body.reason).toBe('SECOND_FACTOR')
      expect((await use('zzz')).body.reason).toBe('SECOND_FACTOR_WRONG')
      const opened = await use(code())
      expect(opened.status).toBe(200)
      expect((await withToken(server, opened.body.token).get('/api/users/me')).status).toBe(200)
      expect((await use(code())).body.reason).toBe('LINK_ENDED')

      const other = await server.db.transaction().execute((trx) => issueLoginLink(trx, id, server.now))
      for (let time = 0; time < 5; time += 1) {
        await client.post('/api/login_link', { token: other, second_factor: 'zzz' })
      }
      const slowed = await client.post('/api/login_link', { token: other, second_factor: code() })
      expect(slowed.status).toBe(429)
    })

    it('stays when the password is reset or set by somebody else', async () => {
      const id = await idOf('biblio')
      const admin = await server.as('admin')
      const password = 'une girafe au comptoir'
      expect((await admin.put(`/api/users/${id}`, { password })).status).toBe(200)
      expect((await logIn(undefined, 'biblio', password)).body.reason).toBe('SECOND_FACTOR')
      await admin.put(`/api/users/${id}`, { password: own })
    })

    it('is removed by its owner with the password and a code, and by nothing less', async () => {
      const biblio = await server.as('biblio')
      const remove = (body: object) =>
        biblio.call('DELETE', '/api/second_factor', { password: own, second_factor: code(), ...body })
      expect((await remove({ password: 'pas-le-bon-mot' })).body.violations[0].propertyPath).toBe('password')
      expect((await remove({ second_factor: 'zzz' })).body.violations[0].propertyPath).toBe('second_factor')
      expect((await logIn()).body.reason).toBe('SECOND_FACTOR')
      expect((await remove({})).status).toBe(204)
      expect((await logIn()).status).toBe(200)
      expect((await remove({})).body.reason).toBe('GONE')
    })

    it('is told by mail to whoever has it when it is set up and when it is removed, and not when that was refused', async () => {
      const biblio = await server.as('biblio')
      const remove = (password: string) =>
        biblio.call('DELETE', '/api/second_factor', { password, second_factor: code() })
      const setUp = ['biblio@exemple.fr', 'Un deuxième facteur a été ajouté à votre compte.']
      expect((await remove('pas-le-bon-mot')).status).toBe(422)
      expect(await accountMails(server)).toEqual([setUp])
      expect((await remove(own)).status).toBe(204)
      expect(await accountMails(server)).toEqual([
        setUp,
        ['biblio@exemple.fr', 'Le deuxième facteur de votre compte a été retiré.'],
      ])
    })

    it('gives new recovery codes, after which the former ones serve no more', async () => {
      const biblio = await server.as('biblio')
      const { status, body } = await biblio.post('/api/second_factor/recovery_codes', {
        password: own,
        second_factor: code(),
      })
      expect(status).toBe(200)
      expect((await logIn(codes[0])).status).toBe(401)
      expect((await logIn(body.recovery_codes[0])).status).toBe(200)
    })
  })

  describe('taken away by somebody else', () => {
    const takeAway = async (by: string, from: string) =>
      (await server.as(by)).delete(`/api/users/${await idOf(from)}/second_factor`)

    it('signs the person out and is journalled', async () => {
      const biblio = await server.as('biblio')
      await setUpFactor(server, biblio)
      const admin = await server.as('admin')
      const { body: users } = await admin.get('/api/users?filters[searchname|like]=biblio')
      expect(users['hydra:member'][0].second_factor).toBe(true)
      const taken = await takeAway('admin', 'biblio')
      expect([taken.status, taken.body.second_factor]).toEqual([200, false])
      expect((await biblio.get('/api/users/me')).status).toBe(401)
      expect((await logIn()).status).toBe(200)
      expect((await takeAway('admin', 'biblio')).body.reason).toBe('GONE')
      expect(await journalled()).toContainEqual([
        'second_factor.take_away',
        await idOf('biblio'),
        await idOf('admin'),
      ])
    })

    it('is told by mail to the person whose it was', async () => {
      await setUpFactor(server, await server.as('biblio'))
      await server.db.deleteFrom('mail_outbox').execute()
      expect((await takeAway('admin', 'biblio')).status).toBe(200)
      expect(await accountMails(server)).toEqual([
        ['biblio@exemple.fr', 'Le deuxième facteur de votre compte a été retiré.'],
      ])
    })

    it('is refused for one’s own, without the right, and for whoever has more rights', async () => {
      await setUpFactor(server, await server.as('admin'), own)
      expect((await takeAway('admin', 'admin')).body.reason).toBe('OWN_ACCOUNT')
      expect((await takeAway('biblio', 'admin')).body.reason).toBe('RIGHT_MISSING')
      const { profile } = await server.db
        .selectFrom('users')
        .select('profile')
        .where('username', '=', 'benevole')
        .executeTakeFirstOrThrow()
      const right = { profile, right_code: 'USER_EDIT' }
      await server.db.insertInto('profile_rights').values(right).execute()
      const risen = await takeAway('benevole', 'admin')
      expect([risen.status, risen.body.reason]).toEqual([403, 'RIGHT_MISSING'])
      await server.db
        .deleteFrom('profile_rights')
        .where('right_code', '=', 'USER_EDIT')
        .where('profile', '=', profile)
        .execute()
      expect((await logIn(undefined, 'admin')).body.reason).toBe('SECOND_FACTOR')
    })
  })

  describe('that a profile asks for', () => {
    const demand = async (second_factor: boolean) => {
      const admin = await server.as('admin')
      const { body } = await admin.get('/api/profiles')
      const { id } = body['hydra:member'].find(({ name }: { name: string }) => name === 'Bibliothécaire')
      const { status, body: profile } = await admin.put(`/api/profiles/${id}`, { second_factor })
      expect([status, profile.second_factor]).toEqual([200, second_factor])
    }

    it('leaves whoever signs in without one nothing but to set it up', async () => {
      await demand(true)
      const biblio = withToken(server, (await logIn()).body.token)
      for (const path of ['/api/loanings', '/api/parameters', '/api/references', '/api/sessions']) {
        const { status, body } = await biblio.get(path)
        expect([path, status, body.reason]).toEqual([path, 403, 'SECOND_FACTOR_REQUIRED'])
      }
      expect((await biblio.post('/api/change-password', {})).status).toBe(403)
      expect((await biblio.get('/api/users/me')).body.due).toBe('second_factor')
      const { secret } = await setUpFactor(server, biblio)
      expect((await biblio.get('/api/loanings')).status).toBe(200)
      expect((await biblio.get('/api/users/me')).body).not.toHaveProperty('due')
      pass(30)
      // For a new telephone: taken off, it is due at once.
      await biblio.call('DELETE', '/api/second_factor', {
        password: own,
        second_factor: codeAt(secret, server.now),
      })
      expect((await biblio.get('/api/loanings')).status).toBe(403)
      expect((await biblio.post('/api/logout')).status).toBe(204)
    })

    it('lets sessions that are open go on, and nobody waits once it is no longer asked', async () => {
      const before = await server.as('biblio')
      await demand(true)
      expect((await before.get('/api/loanings')).status).toBe(200)
      const after = withToken(server, (await logIn()).body.token)
      expect((await after.get('/api/loanings')).status).toBe(403)
      await demand(false)
      expect((await after.get('/api/loanings')).status).toBe(200)
    })
  })
})
