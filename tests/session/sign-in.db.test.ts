import { expect, it } from 'vitest'

import { hashToken } from '../../src/server/session/find-caller.ts'
import { hashPassword, isPasswordOf } from '../../src/server/session/password-hash.ts'
import { testPassword } from '../support/test-library.ts'
import { describeServer } from '../support/test-server.ts'
import { clientAt, signIn, withToken } from './client-at.ts'

describeServer('signing in', (server) => {
  it('tells which environment answers', async () => {
    const answer = await server.anonymous.get('/dns')
    expect(answer.status).toBe(200)
    expect(answer.body).toEqual({ id: 1, name: 'Comptoir' })
  })

  it('shows the accounts of a demonstration, and of nothing else', async () => {
    Object.assign(server.environment, { demonstration: true })
    const answer = await server.anonymous.get('/dns')
    Object.assign(server.environment, { demonstration: false })
    expect(answer.body.demonstration).toEqual({
      usernames: ['admin', 'biblio', 'benevole', 'lecture'],
      password: 'comptoir-demo',
    })
  })

  it('opens a session in two steps, whose token is kept hashed', async () => {
    const first = await server.anonymous.post('/auth', { username: 'Biblio', password: testPassword })
    expect(first.status).toBe(200)
    expect(first.body).toEqual({ environment_id: 1 })
    const second = await server.anonymous.post('/api/login_check', {
      username: 'biblio@1',
      password: testPassword,
    })
    expect(second.status).toBe(200)
    expect(second.headers.get('cache-control')).toBe('no-store')
    const { token } = second.body
    expect(Buffer.from(token, 'base64url')).toHaveLength(32)

    const me = await withToken(server, token).get('/api/users/me')
    expect(me.body).toMatchObject({
      '@id': '/api/users/2',
      username: 'biblio',
      role: 'Bibliothécaire',
      email: 'biblio@exemple.fr',
      providers: ['local'],
      sites: [
        { id: 2, name: 'Annexe' },
        { id: 1, name: 'Centre' },
      ],
    })
    expect(me.body.rights).toContain('LOANING_ADD')
    expect(me.body.rights).not.toContain('PARAMETER_GENERAL')
    const sessions = await server.db
      .selectFrom('sessions')
      .select('token_hash')
      .where('user_id', '=', 2)
      .execute()
    expect(sessions).toEqual([{ token_hash: hashToken(token) }])
    const entry = await server.db
      .selectFrom('audit_journal')
      .selectAll()
      .where('action', '=', 'session.open')
      .execute()
    expect(entry).toMatchObject([{ user_id: 2, entity: 'users', entity_id: 2 }])
  })

  it('opens a session by the second step alone as well', async () => {
    const answer = await server.anonymous.post('/api/login_check', {
      username: 'biblio@1',
      password: testPassword,
    })
    expect(answer.status).toBe(200)
  })

  it('answers the same to a wrong password, an unknown name, a disabled and a deleted user', async () => {
    await server.db.updateTable('users').set({ enabled: false }).where('username', '=', 'benevole').execute()
    const deleted_at = server.now.toISOString()
    await server.db.updateTable('users').set({ deleted_at }).where('username', '=', 'lecture').execute()
    const tries = [
      ['biblio', 'pas-le-bon-mot'],
      ['personne', testPassword],
      ['benevole', testPassword],
      ['lecture', testPassword],
    ] as const
    for (const [username, password] of tries) {
      const first = await server.anonymous.post('/auth', { username, password })
      expect(first.status).toBe(401)
      expect(first.body).toEqual({
        code: 401,
        message: 'Erreur de connexion. Vérifiez vos identifiants et réessayez.',
      })
      const second = await server.anonymous.post('/api/login_check', { username: `${username}@1`, password })
      expect(second.status).toBe(401)
      expect(second.body).toEqual({ code: 401, message: 'Identifiants incorrects' })
    }
    await server.db.updateTable('users').set({ enabled: true, deleted_at: null }).execute()
  })

  it('hashes a password over a name that nobody has as well', async () => {
    const client = clientAt(server, '192.0.2.10')
    const someHash = await hashPassword(testPassword)
    const hashing: number[] = []
    const answering: number[] = []
    for (let time = 0; time < 6; time += 1) {
      const started = performance.now()
      await isPasswordOf(someHash, 'pas-le-bon-mot')
      hashing.push(performance.now() - started)
      await client.post('/auth', { username: `personne-${time}`, password: 'pas-le-bon-mot' })
      answering.push(performance.now() - started - (hashing.at(-1) ?? 0))
    }
    expect(Math.min(...answering)).toBeGreaterThan(Math.min(...hashing) * 0.7)
  })

  it.each(['biblio', 'biblio@2', 'biblio@', '@1', 'biblio@1@1', 'biblio@un'])(
    'refuses « %s » at the second step like a wrong password',
    async (username) => {
      const answer = await clientAt(server, username).post('/api/login_check', {
        username,
        password: testPassword,
      })
      expect(answer.status).toBe(401)
      expect(answer.body.message).toBe('Identifiants incorrects')
    },
  )

  it('names what is wrong in a body', async () => {
    const answer = await server.anonymous.post('/auth', { username: '', password: 'x'.repeat(201), more: 1 })
    expect(answer.status).toBe(422)
    expect(answer.body.violations.map(({ propertyPath }: { propertyPath: string }) => propertyPath)).toEqual([
      'username',
      'password',
      'more',
    ])
  })

  it('offers a user of some sites those, and refuses the others', async () => {
    await server.db.insertInto('user_sites').values({ user_id: 3, site: 2 }).execute()
    const benevole = await server.as('benevole')
    const me = await benevole.get('/api/users/me', { site: 2 })
    expect(me.body.sites).toEqual([{ id: 2, name: 'Annexe' }])
    const closed = await benevole.get('/api/users/me', { site: 1 })
    expect(closed.status).toBe(403)
    expect(closed.body.reason).toBe('SITE_CLOSED')
  })

  it('leaves disabled sites out', async () => {
    await server.db.updateTable('sites').set({ enabled: false }).where('id', '=', 2).execute()
    const me = await (await server.as('biblio')).get('/api/users/me')
    expect(me.body.sites).toEqual([{ id: 1, name: 'Centre' }])
    await server.db.updateTable('sites').set({ enabled: true }).execute()
  })

  it('signs in by both steps', async () => {
    const answer = await signIn(clientAt(server, '192.0.2.20'), 'lecture', testPassword)
    expect(answer.status).toBe(200)
  })
})
