import '../support/page-globals.ts'

import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, it } from 'vitest'

import { currentSession } from '../../src/client/api/session.ts'
import { hostUnknown } from '../../src/domain/host-unknown.ts'
import { issueLoginLink } from '../../src/server/session/password-links.ts'
import { testPassword } from '../support/test-library.ts'
import { describeServer } from '../support/test-server.ts'
import { closePage, type Network, networkTo, noNetwork, openPage } from './open-page.tsx'

afterEach(closePage)

async function fillIn(username: string, password: string) {
  const user = userEvent.setup()
  const name = screen.getByLabelText('Nom d’utilisateur')
  await waitFor(() => expect(name).toHaveFocus())
  await user.keyboard(username)
  await user.tab()
  await user.keyboard(`${password}{Enter}`)
}

/** The network, but for one call. */
const answering =
  (network: Network, path: string, status: number): Network =>
  (request) =>
    new URL(request.url).pathname === path
      ? Promise.resolve(Response.json({ code: status, message: 'du serveur' }, { status }))
      : network(request)

describeServer('the login screen', (server) => {
  it('signs in by the keyboard, in two steps, and goes where the person was heading', async () => {
    await server.db.updateTable('sites').set({ enabled: false }).where('id', '=', 2).execute()
    const page = openPage('/loanings?page=2', networkTo(server))
    await waitFor(() => expect(page.address).toBe('/login'))
    await fillIn('biblio', testPassword)
    expect(await screen.findByRole('heading', { name: 'Prêts' })).toBeVisible()
    await waitFor(() => expect(page.address).toBe('/loanings?page=2'))
    expect(screen.getByText('Connexion réussie')).toBeVisible()
    expect(currentSession()).toMatchObject({
      environment_id: server.environment.id,
      user: { username: 'biblio' },
      site: { id: 1, name: 'Centre' },
    })
    await server.db.updateTable('sites').set({ enabled: true }).where('id', '=', 2).execute()
  })

  it('goes on with what was typed and sent before it stood', async () => {
    globalThis.takeEarlySignIn = () => ({
      username: 'lecture ',
      password: testPassword,
      isAtPassword: true,
      isSent: true,
    })
    openPage('/login', networkTo(server))
    expect(await screen.findByText('Connexion réussie')).toBeVisible()
    await waitFor(() => expect(currentSession()).toMatchObject({ user: { username: 'lecture' } }))
  })

  it('takes away what was typed more than an hour ago', async () => {
    const old = { about: 'a', person: '1:1', at: Date.now() - 61 * 60_000, changed: { phone: '1' } }
    localStorage.setItem('drafts', JSON.stringify([old]))
    openPage('/login', networkTo(server))
    await waitFor(() => expect(localStorage.getItem('drafts')).toBeNull())
  })

  it('says what the specification says when it is refused', async () => {
    openPage('/login', networkTo(server))
    await fillIn('biblio', 'pas-le-bon-mot-de-passe')
    expect(await screen.findByRole('alert')).toHaveTextContent(
      'Erreur de connexion. Vérifiez vos identifiants et réessayez.',
    )
    expect(currentSession()).toBeNull()
    expect(screen.getByRole('button', { name: 'Se connecter' })).toBeEnabled()
  })

  it.each([
    ['/api/login_check', 401, 'Identifiants incorrects'],
    ['/api/login_check', 503, 'Erreur de connexion. Veuillez réessayer'],
    ['/auth', 500, 'Erreur de connexion. Veuillez réessayer'],
    ['/auth', 429, 'du serveur'],
  ])('answers a %s that says %i with « %s »', async (path, status, sentence) => {
    openPage('/login', answering(networkTo(server), path, status))
    await fillIn('biblio', testPassword)
    expect(await screen.findByRole('alert')).toHaveTextContent(sentence)
    expect(currentSession()).toBeNull()
  })

  it('says that there is no network', async () => {
    openPage('/login', noNetwork)
    expect(await screen.findByText('Pas de réseau')).toBeVisible()
    await fillIn('biblio', testPassword)
    expect(await screen.findByRole('alert')).toHaveTextContent('Le serveur ne répond pas.')
  })

  it('says that its address is no library’s, and blames nobody’s password', async () => {
    openPage('/login', (request) =>
      Promise.resolve(
        new URL(request.url).pathname === '/health'
          ? Response.json({ status: 'ok', library: false })
          : Response.json({ code: 421, reason: 'HOST_UNKNOWN', message: hostUnknown }, { status: 421 }),
      ),
    )
    expect(await screen.findByText('Adresse inconnue')).toBeVisible()
    await fillIn('biblio', testPassword)
    expect(await screen.findByRole('alert')).toHaveTextContent(hostUnknown)
  })

  it('uses a link once, and takes its token out of the address at once', async () => {
    await server.db.updateTable('sites').set({ enabled: false }).where('id', '=', 2).execute()
    const { id } = await server.db
      .selectFrom('users')
      .select('id')
      .where('username', '=', 'lecture')
      .executeTakeFirstOrThrow()
    const token = await server.db.transaction().execute((trx) => issueLoginLink(trx, id, server.now))
    let letThrough = () => {}
    const gate = new Promise<void>((resolve) => {
      letThrough = resolve
    })
    const network = networkTo(server)
    const page = openPage(`/login?token=${token}`, async (request) => {
      if (request.url.includes('login_link')) await gate
      return network(request)
    })
    await waitFor(() => expect(page.address).toBe('/login'))
    letThrough()
    expect(await screen.findByRole('heading', { name: 'Accueil' })).toBeVisible()
    expect(currentSession()?.user?.username).toBe('lecture')
    await closePage()

    openPage(`/login?token=${token}`, networkTo(server))
    expect(await screen.findByRole('alert')).toHaveTextContent('Ce lien n’est plus valable')
    expect(screen.getByLabelText('Nom d’utilisateur')).toHaveFocus()
    await server.db.updateTable('sites').set({ enabled: true }).where('id', '=', 2).execute()
  })

  it('says once the name that a fresh installation shares with the product', async () => {
    const network = networkTo(server)
    openPage('/login', (request) =>
      request.url.endsWith('/dns')
        ? Promise.resolve(Response.json({ id: server.environment.id, name: 'Comptoir' }))
        : network(request),
    )
    await waitFor(() =>
      expect(document.querySelector('img')?.getAttribute('src')).toContain('/api/image/env/'),
    )
    expect(screen.getByText('Comptoir')).toBeVisible()
  })

  it('shows the accounts of a demonstration, which fill the form', async () => {
    const network = networkTo(server)
    openPage('/login', (request) =>
      request.url.endsWith('/dns')
        ? Promise.resolve(
            Response.json({
              id: server.environment.id,
              name: 'Médiathèque',
              demonstration: { usernames: ['admin', 'biblio'], password: testPassword },
            }),
          )
        : network(request),
    )
    await userEvent.click(await screen.findByRole('button', { name: 'biblio' }))
    expect(screen.getByText('Médiathèque')).toBeVisible()
    expect(screen.getByLabelText('Nom d’utilisateur')).toHaveValue('biblio')
    expect(screen.getByLabelText('Mot de passe')).toHaveValue(testPassword)
    expect(screen.getByRole('button', { name: 'Se connecter' })).toHaveFocus()
  })
})
