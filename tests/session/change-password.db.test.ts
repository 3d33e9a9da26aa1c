import { beforeAll, expect, it } from 'vitest'

import { issueLoginLink } from '../../src/server/session/password-links.ts'
import { testPassword } from '../support/test-library.ts'
import { type Client, describeServer } from '../support/test-server.ts'
import { accountMails } from './account-mails.ts'
import { clientAt, signIn } from './client-at.ts'

const nextPassword = 'vélo-jaune-sous-la-pluie'

describeServer('changing one’s password', (server) => {
  let biblio: Client
  beforeAll(async () => {
    biblio = await server.as('biblio')
  })
  const change = (current_password: string, new_password: string) =>
    biblio.post('/api/change-password', { current_password, new_password })

  it('needs the current one', async () => {
    const answer = await change('pas-le-bon-mot', nextPassword)
    expect(answer.status).toBe(422)
    expect(answer.body.violations).toEqual([
      { propertyPath: 'current_password', message: 'Le mot de passe actuel n’est pas le bon.' },
    ])
  })

  it('refuses a weak one and the same one', async () => {
    const weak = await change(testPassword, 'bonjour1234')
    expect(weak.status).toBe(422)
    expect(weak.body.violations).toEqual([
      {
        propertyPath: 'new_password',
        message: 'Ce mot de passe est trop courant\u202f: choisissez-en un autre.',
      },
    ])
    expect((await change(testPassword, testPassword)).body.violations).toMatchObject([
      { propertyPath: 'new_password' },
    ])
  })

  it('keeps this session, ends the others and the links', async () => {
    const other = await server.as('biblio')
    const someoneElse = await server.as('lecture')
    const link = await server.db.transaction().execute((trx) => issueLoginLink(trx, 2, server.now))
    const answer = await change(testPassword, nextPassword)
    expect(answer.status).toBe(200)
    expect(answer.body).toEqual({ message: 'Le mot de passe a bien été mis à jour' })
    expect((await biblio.get('/api/users/me')).status).toBe(200)
    expect((await other.get('/api/users/me')).status).toBe(401)
    expect((await someoneElse.get('/api/users/me')).status).toBe(200)
    expect((await server.anonymous.post('/api/login_link', { token: link })).status).toBe(401)
    expect((await signIn(clientAt(server, '192.0.2.1'), 'biblio', testPassword)).status).toBe(401)
    expect((await signIn(clientAt(server, '192.0.2.1'), 'biblio', nextPassword)).status).toBe(200)
    const entries = await server.db
      .selectFrom('audit_journal')
      .select(['user_id', 'before', 'after'])
      .where('action', '=', 'password.change')
      .execute()
    expect(entries).toEqual([{ user_id: 2, before: null, after: null }])
  })

  it('writes to whoever has the account that it was changed, and nothing where it was refused', async () => {
    await server.db.deleteFrom('mail_outbox').execute()
    expect((await change('pas-le-bon-mot', 'un-mot-de-plus-pour-voir')).status).toBe(422)
    expect(await accountMails(server)).toEqual([])
    expect((await change(nextPassword, 'un-mot-de-plus-pour-voir')).status).toBe(200)
    expect(await accountMails(server)).toEqual([
      ['biblio@exemple.fr', 'Le mot de passe de votre compte a été changé.'],
    ])
    expect((await change('un-mot-de-plus-pour-voir', nextPassword)).status).toBe(200)
  })

  it('keeps no answer under an Idempotency-Key, for what is kept would be made of passwords', async () => {
    const answer = await biblio.post(
      '/api/change-password',
      { current_password: nextPassword, new_password: 'encore-un-mot-tout-neuf' },
      { key: '1b4e28ba-2fa1-4d2b-883f-0016d3cca427' },
    )
    expect(answer.status).toBe(200)
    expect(await server.db.selectFrom('idempotency_keys').selectAll().execute()).toEqual([])
  })

  it('slows guesses of the current one', async () => {
    for (let time = 0; time < 5; time += 1)
      expect((await change('pas-le-bon-mot', nextPassword)).status).toBe(422)
    expect((await change('pas-le-bon-mot', nextPassword)).status).toBe(429)
  })
})
