import { beforeEach, expect, it } from 'vitest'

import { testPassword } from '../support/test-library.ts'
import { describeServer, testNow } from '../support/test-server.ts'
import { accountMails } from './account-mails.ts'
import { clientAt, moveClock, signIn } from './client-at.ts'

const sent = {
  message: 'Un email de réinitialisation de mot de passe à été envoyé',
  is_mailed: true,
}
const nextPassword = 'vélo-jaune-sous-la-pluie'

describeServer('a forgotten password', (server) => {
  const client = () => clientAt(server, '192.0.2.1')
  const mails = () => server.db.selectFrom('mail_outbox').selectAll().orderBy('id').execute()
  const minutesLater = (minutes: number) => moveClock(server, Date.parse(testNow) + minutes * 60_000)

  const askLink = async (username = 'biblio'): Promise<string> => {
    expect((await client().post('/resetting/send-email', { username })).body).toEqual(sent)
    const mail = (await mails()).at(-1)
    const token = /https:\/\/pret\.exemple\.fr\/reset\/password\/([\w-]{43})"/.exec(mail?.html ?? '')?.[1]
    if (!token) throw new Error(`no link in ${mail?.html}`)
    return token
  }
  const reset = (token: string, password: string) => client().post(`/resetting/reset/${token}`, { password })

  beforeEach(async () => {
    moveClock(server, Date.parse(testNow))
    await server.db.deleteFrom('login_failures').execute()
    await server.db.deleteFrom('password_links').execute()
    await server.db.deleteFrom('mail_outbox').execute()
  })

  it('has its mail sent as soon as it is committed', async () => {
    const seen: Promise<number>[] = []
    const hurryMails = () => void seen.push(mails().then((rows) => rows.length))
    const hurried = clientAt(server, '192.0.2.1', { hurryMails })
    await hurried.post('/resetting/send-email', { username: 'personne' })
    expect(seen).toHaveLength(0)
    await hurried.post('/resetting/send-email', { username: 'biblio' })
    expect(await Promise.all(seen)).toEqual([1])
  })

  it('is changed by a mailed link, once, which ends every session', async () => {
    const before = await server.as('biblio')
    const token = await askLink()
    expect(await mails()).toMatchObject([
      { to_address: 'biblio@exemple.fr', template: 'password_reset', status: 'queued' },
    ])
    const kept = await server.db.selectFrom('password_links').selectAll().execute()
    expect(JSON.stringify(kept)).not.toContain(token)

    const answer = await client().call('POST', `/resetting/reset/${token}`, undefined, {
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      rawBody: new URLSearchParams({ password: nextPassword }).toString(),
    })
    expect(answer.status).toBe(200)
    expect(answer.body).toEqual({ message: 'Le mot de passe a bien été mis à jour' })
    expect((await before.get('/api/users/me')).status).toBe(401)
    expect((await signIn(client(), 'biblio', testPassword)).status).toBe(401)
    // Letters written with combining accents are the same password.
    expect((await signIn(client(), 'biblio', nextPassword.normalize('NFD'))).status).toBe(200)

    const again = await reset(token, 'encore-un-autre-mot')
    expect(again.status).toBe(400)
    expect(again.body).toMatchObject({ code: 400, reason: 'LINK_ENDED' })
  })

  it('is answered the same whoever asks, and mails only those who exist', async () => {
    await server.db.updateTable('users').set({ enabled: false }).where('username', '=', 'lecture').execute()
    const names = ['personne', 'personne@exemple.fr', 'lecture', 'admin', 'BENEVOLE@exemple.fr']
    for (const username of names) {
      const started = performance.now()
      const answer = await client().post('/resetting/send-email', { username })
      expect(performance.now() - started).toBeGreaterThan(240)
      expect(answer.status).toBe(200)
      expect(answer.body).toEqual(sent)
    }
    expect((await mails()).map(({ to_address }) => to_address)).toEqual(['benevole@exemple.fr'])
    await server.db.updateTable('users').set({ enabled: true }).execute()
  })

  it('may be asked for by a form', async () => {
    const answer = await client().call('POST', '/resetting/send-email', undefined, {
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      rawBody: 'username=benevole%40exemple.fr',
    })
    expect(answer.status).toBe(200)
    expect(await mails()).toHaveLength(1)
  })

  it('writes the public address in the link, whatever host was asked', async () => {
    await client().post('/resetting/send-email', { username: 'biblio' }, { headers: { host: 'localhost:1' } })
    expect((await mails())[0]?.html).toContain('https://pret.exemple.fr/reset/password/')
  })

  it('refuses a link after an hour, of a disabled user, of another kind, or never made', async () => {
    const token = await askLink()
    minutesLater(61)
    expect((await reset(token, nextPassword)).status).toBe(400)
    minutesLater(59)
    await server.db.updateTable('users').set({ enabled: false }).where('username', '=', 'biblio').execute()
    expect((await reset(token, nextPassword)).status).toBe(400)
    await server.db.updateTable('users').set({ enabled: true }).execute()
    expect((await client().post('/api/login_link', { token })).status).toBe(401)
    for (const unknown of ['A'.repeat(43), 'x', '%00']) {
      const answer = await reset(unknown, nextPassword)
      expect(answer.status).toBe(400)
      expect(answer.body.message).toBe(
        'Ce lien n’est plus valable\u202f: il a déjà servi ou son délai est passé. Demandez-en un nouveau.',
      )
    }
    expect((await reset(token, nextPassword)).status).toBe(200)
  })

  it('refuses a weak password and leaves the link usable', async () => {
    const token = await askLink()
    for (const password of ['court', 'motdepasse2026', 'azertyuiop', 'biblio-biblio']) {
      const answer = await reset(token, password)
      expect(answer.status).toBe(422)
      expect(answer.body.violations).toMatchObject([{ propertyPath: 'password' }])
    }
    expect((await reset(token, 'x'.repeat(201))).status).toBe(422)
    expect((await reset(token, nextPassword)).status).toBe(200)
  })

  it('writes to whoever has the account that it was changed, once it was', async () => {
    const token = await askLink()
    expect((await reset(token, 'court')).status).toBe(422)
    expect(await accountMails(server)).toEqual([])
    expect((await reset(token, nextPassword)).status).toBe(200)
    expect(await accountMails(server)).toEqual([
      ['biblio@exemple.fr', 'Le mot de passe de votre compte a été changé.'],
    ])
  })

  it('gives a link to one of two that use it at once, and makes the others void', async () => {
    const other = await askLink()
    const token = await askLink()
    const answers = await Promise.all([reset(token, nextPassword), reset(token, `${nextPassword}-2`)])
    expect(answers.map(({ status }) => status)).toEqual(expect.arrayContaining([200, 400]))
    expect((await reset(other, nextPassword)).status).toBe(400)
  })

  it('writes three mails at most while their links wait, without a word', async () => {
    for (const username of [
      'biblio',
      'biblio@exemple.fr',
      'biblio',
      'biblio@exemple.fr',
      'Biblio@exemple.fr',
    ]) {
      expect((await client().post('/resetting/send-email', { username })).body).toEqual(sent)
    }
    expect(await mails()).toHaveLength(3)
  })

  it('slows requests, known or not', async () => {
    for (const username of ['biblio', 'personne']) {
      for (let time = 0; time < 3; time += 1) {
        expect((await client().post('/resetting/send-email', { username })).status).toBe(200)
      }
      const slowed = await client().post('/resetting/send-email', { username })
      expect(slowed.status).toBe(429)
      expect(slowed.headers.get('retry-after')).toBe('1')
    }
  })

  it('frees an account that guesses had slowed', async () => {
    for (let time = 0; time < 6; time += 1) {
      await clientAt(server, `198.51.100.${time}`).post('/auth', {
        username: 'biblio',
        password: 'pas-le-bon-mot',
      })
    }
    const at = clientAt(server, '198.51.100.7')
    expect((await signIn(at, 'biblio', nextPassword)).status).toBe(429)
    await reset(await askLink(), nextPassword)
    expect((await signIn(at, 'biblio', nextPassword)).status).toBe(200)
  })
})
