import '../support/page-globals.ts'

import { cleanup, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, it, onTestFinished } from 'vitest'

import { currentSession } from '../../src/client/api/session.ts'
import { issueResetLink } from '../../src/server/session/password-links.ts'
import { describeServer, type TestServer } from '../support/test-server.ts'
import { closePage, networkTo, openPage, signInAs } from './open-page.tsx'

afterEach(closePage)

async function linkFor(server: TestServer, username: string): Promise<string> {
  const user = await server.db
    .selectFrom('users')
    .select('id')
    .where('username', '=', username)
    .executeTakeFirstOrThrow()
  return server.db.transaction().execute((trx) => issueResetLink(trx, user.id, server.now))
}

async function choose(first: string, second = first) {
  const [one, two] = [
    screen.getByLabelText('Nouveau mot de passe'),
    screen.getByLabelText('Confirmez le mot de passe'),
  ]
  await userEvent.clear(one)
  await userEvent.type(one, first)
  await userEvent.clear(two)
  await userEvent.type(two, `${second}{Enter}`)
}

describeServer('a forgotten password', (server) => {
  it('is asked for by name, and the answer says what to do next', async () => {
    server.connectMail(true)
    onTestFinished(() => server.connectMail(false))
    openPage('/reset/password', networkTo(server))
    await userEvent.type(screen.getByLabelText('Nom d’utilisateur ou adresse électronique'), 'biblio{Enter}')
    expect(await screen.findByText('Un email de réinitialisation de mot de passe à été envoyé')).toBeVisible()
    expect(screen.getByRole('link', { name: 'Revenir à la connexion' })).toBeVisible()
  })

  it('promises no mail where none leaves, to a known name and an unknown one alike', async () => {
    const told = await Promise.all(
      ['biblio', 'personne'].map(
        async (username) => (await server.anonymous.post('/resetting/send-email', { username })).body,
      ),
    )
    expect(told[0]).toMatchObject({ is_mailed: false })
    expect(told[1]).toEqual(told[0])
    openPage('/reset/password', networkTo(server))
    expect(screen.getByText(/par courriel si cette installation en envoie/)).toBeVisible()
    await userEvent.type(screen.getByLabelText('Nom d’utilisateur ou adresse électronique'), 'biblio{Enter}')
    expect(await screen.findByText(/son lien est dans un fichier du serveur/)).toBeVisible()
    expect(screen.getByText(/à la personne qui tient le serveur/)).toBeVisible()
    expect(screen.queryByText(/le message arrive/)).toBeNull()
  })

  it('says the message of the specification when the call is refused', async () => {
    const network = networkTo(server)
    openPage('/reset/password', (request) =>
      request.url.endsWith('/resetting/send-email')
        ? Promise.resolve(Response.json({ code: 400, message: 'non' }, { status: 400 }))
        : network(request),
    )
    await userEvent.type(
      screen.getByLabelText('Nom d’utilisateur ou adresse électronique'),
      'personne{Enter}',
    )
    expect(await screen.findByRole('alert')).toHaveTextContent(
      'Utilisateur inconnu. Merci de vérifier votre adresse électronique',
    )
  })

  it.each([
    [429, 'Trop d’essais. Réessayez dans 2 minutes.'],
    [503, 'Le serveur redémarre.'],
  ])('says a %i as it is', async (status, message) => {
    const network = networkTo(server)
    openPage('/reset/password', (request) =>
      request.url.endsWith('/resetting/send-email')
        ? Promise.resolve(Response.json({ code: status, message }, { status }))
        : network(request),
    )
    await userEvent.type(screen.getByLabelText('Nom d’utilisateur ou adresse électronique'), 'biblio{Enter}')
    expect(await screen.findByRole('alert')).toHaveTextContent(message)
  })

  it('is replaced by the link: rules at their fields, then back to the login screen', async () => {
    const page = openPage(`/reset/password/${await linkFor(server, 'benevole')}`, networkTo(server))
    const first = screen.getByLabelText('Nouveau mot de passe')
    expect(first).toHaveAccessibleDescription(/Au moins 10 caractères/)

    await choose('court')
    await waitFor(() => expect(first).toBeInvalid())
    expect(first).toHaveAccessibleDescription(/doit compter au moins 10/)
    await choose('motdepasse1')
    await waitFor(() => expect(first).toHaveAccessibleDescription(/trop courant/))
    await waitFor(() => expect(first).toHaveFocus())
    await choose('girafe au long cours', 'girafe au court')
    expect(await screen.findByText('Les deux saisies sont différentes.')).toBeVisible()
    await choose('girafe au long cours')
    await waitFor(() => expect(page.address).toBe('/login'))
    expect(await screen.findByText('Le mot de passe a bien été mis à jour')).toBeVisible()
  })

  it('ends the session of the page only if it was theirs', async () => {
    const another = await server.as('biblio')
    const page = openPage(`/reset/password/${await linkFor(server, 'lecture')}`, networkTo(server))
    signInAs(another, server)
    await choose('girafe au long cours')
    await waitFor(() => expect(page.address).not.toContain('/reset'))
    expect(currentSession()?.token).toBe(another.token)
    cleanup()

    const own = await server.as('lecture')
    const again = openPage(`/reset/password/${await linkFor(server, 'lecture')}`, networkTo(server))
    signInAs(own, server)
    await choose('girafe au court souffle')
    await waitFor(() => expect(again.address).toBe('/login'))
    expect(currentSession()).toBeNull()
  })

  it('whose link has served says so and offers another', async () => {
    openPage('/reset/password/pas-un-lien', networkTo(server))
    await choose('girafe au long cours')
    expect(await screen.findByRole('alert')).toHaveTextContent('Ce lien n’est plus valable')
    await userEvent.click(screen.getByRole('link', { name: 'Demander un nouveau lien' }))
    expect(await screen.findByRole('heading', { name: 'Mot de passe oublié' })).toBeVisible()
  })
})
