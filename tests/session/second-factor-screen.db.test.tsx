import '../support/page-globals.ts'

import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

import { chooseSite, currentSession } from '../../src/client/api/session.ts'
import { issueLoginLink } from '../../src/server/session/password-links.ts'
import { testPassword } from '../support/test-library.ts'
import { press } from '../support/press.ts'
import { describeServer } from '../support/test-server.ts'
import { moveClock } from './client-at.ts'
import { closePage, networkTo, openPage, signInAs } from './open-page.tsx'
import { codeAt, setUpFactor } from './second-factor-of.ts'

afterEach(closePage)

const write = async (label: string, value: string) =>
  fireEvent.change(await screen.findByLabelText(label), { target: { value } })

describeServer('the screens of a second factor', (server) => {
  beforeEach(async () => {
    await server.db.deleteFrom('login_failures').execute()
    await server.db.deleteFrom('user_recovery_codes').execute()
    await server.db.deleteFrom('user_factors').execute()
    await server.db.updateTable('profiles').set({ second_factor: false }).execute()
    await server.db.updateTable('users').set({ password_chosen: true }).execute()
    await server.db.updateTable('sites').set({ enabled: false }).where('id', '=', 2).execute()
    moveClock(server, server.now.getTime() + 3600_000)
  })
  const code = (secret: string) => codeAt(secret, server.now)
  const fillIn = async () => {
    await write('Nom d’utilisateur', 'biblio')
    await write('Mot de passe', testPassword)
    await press('Se connecter')
  }
  const linkOf = (username: string) =>
    server.db.transaction().execute(async (trx) => {
      const { id } = await trx
        .selectFrom('users')
        .select('id')
        .where('username', '=', username)
        .executeTakeFirstOrThrow()
      return issueLoginLink(trx, id, server.now)
    })

  describe('at sign-in', () => {
    let secret = ''
    let codes: string[] = []
    beforeEach(async () => {
      ;({ secret, codes } = await setUpFactor(server, await server.as('biblio')))
      moveClock(server, server.now.getTime() + 60_000)
    })

    it('ask for the code in one field that telephones fill, and say what was wrong with it', async () => {
      openPage('/login', networkTo(server))
      await fillIn()
      const field = await screen.findByLabelText('Code de l’application')
      expect(field).toHaveFocus()
      expect(field).toHaveAttribute('inputmode', 'numeric')
      expect(field).toHaveAttribute('autocomplete', 'one-time-code')
      expect(currentSession()).toBeNull()
      await write('Code de l’application', 'zzz')
      await press('Se connecter')
      expect(await screen.findByRole('alert')).toHaveTextContent('Ce code n’est pas le bon')
      await userEvent.clear(field)
      await userEvent.paste(`${code(secret).slice(0, 3)} ${code(secret).slice(3)}`)
      await userEvent.keyboard('{Enter}')
      expect(await screen.findByRole('heading', { name: 'Accueil' })).toBeVisible()
    })

    it('take a recovery code, and lead back to the password', async () => {
      openPage('/login', networkTo(server))
      await fillIn()
      await press('Revenir à la connexion')
      expect(await screen.findByLabelText('Nom d’utilisateur')).toHaveValue('biblio')
      await press('Se connecter')
      await press('Utiliser un code de secours')
      await write('Code de secours', codes[0] ?? '')
      await press('Se connecter')
      expect(await screen.findByRole('heading', { name: 'Accueil' })).toBeVisible()
    })

    it('ask for it with a link as well', async () => {
      const page = openPage(`/login?token=${await linkOf('biblio')}`, networkTo(server))
      await screen.findByLabelText('Code de l’application')
      await waitFor(() => expect(page.address).toBe('/login'))
      await write('Code de l’application', code(secret))
      await press('Se connecter')
      expect(await screen.findByRole('heading', { name: 'Accueil' })).toBeVisible()
    })
  })

  it('set it up in « Mon compte », show the recovery codes once, and remove it', async () => {
    signInAs(await server.as('biblio'), server)
    chooseSite({ id: 1, name: 'Centre' })
    openPage('/account', networkTo(server))
    const panel = await screen.findByRole('region', { name: 'Deuxième facteur' })
    await userEvent.click(await within(panel).findByRole('button', { name: 'Choisir un deuxième facteur' }))
    const picture = await screen.findByRole('img', { name: 'Code à lire avec l’application' })
    expect(picture.querySelector('path')?.getAttribute('d')).toMatch(/^M4 4h1v1h-1z/)
    const key = (await screen.findByText(/^[A-Z2-7]{4}( [A-Z2-7]{4}){7}$/)).textContent.replaceAll(' ', '')
    const dialog = within(screen.getByRole('dialog'))
    const writeIn = (label: string, value: string) =>
      fireEvent.change(dialog.getByLabelText(label), { target: { value } })
    writeIn('Code de l’application', 'zzz')
    writeIn('Mot de passe actuel', testPassword)
    await userEvent.click(dialog.getByRole('button', { name: 'Confirmer' }))
    expect(await screen.findByText(/Ce code n’est pas le bon/)).toBeVisible()
    writeIn('Code de l’application', code(key))
    await userEvent.click(dialog.getByRole('button', { name: 'Confirmer' }))
    const list = await screen.findByRole('list', { name: 'Codes de secours' })
    const refuse = vi.spyOn(navigator.clipboard, 'writeText').mockRejectedValueOnce(new Error('no press'))
    await press('Copier')
    expect(await screen.findByText(/^Le navigateur a refusé de copier/)).toBeVisible()
    refuse.mockRestore()
    await press('Copier')
    expect(await screen.findByText('Codes copiés.')).toBeVisible()
    expect(within(list).getAllByRole('listitem')).toHaveLength(10)
    await userEvent.keyboard('{Escape}')
    expect(list).toBeVisible()
    await press('J’ai gardé ces codes')
    await waitFor(() => expect(panel).toHaveTextContent('10 codes de secours restent'))

    moveClock(server, server.now.getTime() + 30_000)
    await userEvent.click(within(panel).getByRole('button', { name: 'Retirer' }))
    await write('Code de l’application, ou de secours', code(key))
    const removal = within(await screen.findByRole('dialog'))
    fireEvent.change(removal.getByLabelText('Mot de passe actuel'), { target: { value: testPassword } })
    await userEvent.click(removal.getByRole('button', { name: 'Valider' }))
    await waitFor(() =>
      expect(within(panel).getByRole('button', { name: 'Choisir un deuxième facteur' })).toBeVisible(),
    )
  })

  it('lead whose profile asks for one to set it up before anything else', async () => {
    await server.db.updateTable('profiles').set({ second_factor: true }).execute()
    openPage('/login', networkTo(server))
    await fillIn()
    expect(await screen.findByRole('heading', { name: 'Deuxième facteur' })).toBeVisible()
    expect(screen.queryByRole('heading', { name: 'Accueil' })).toBeNull()
    const key = (await screen.findByText(/^[A-Z2-7]{4}( [A-Z2-7]{4}){7}$/)).textContent.replaceAll(' ', '')
    await write('Code de l’application', code(key))
    await write('Mot de passe actuel', testPassword)
    await press('Confirmer')
    await press('J’ai gardé ces codes')
    expect(await screen.findByRole('heading', { name: 'Accueil' })).toBeVisible()
    expect(currentSession()?.user).not.toHaveProperty('due')
  })

  it('lead whoever comes by an invitation to choose a password, which then opens the account', async () => {
    const admin = await server.as('admin')
    await admin.post('/api/users', { username: 'zoe', role: 'Bénévole', email: 'zoe@exemple.fr' })
    openPage(`/login?token=${await linkOf('zoe')}`, networkTo(server))
    expect(await screen.findByRole('heading', { name: 'Choisissez votre mot de passe' })).toBeVisible()
    await write('Nouveau mot de passe', 'une girafe au comptoir')
    await write('Confirmez le mot de passe', 'une girafe au comptoir')
    await press('Enregistrer ce mot de passe')
    expect(await screen.findByRole('heading', { name: 'Accueil' })).toBeVisible()
    const found = await server.anonymous.post('/auth', {
      username: 'zoe',
      password: 'une girafe au comptoir',
    })
    expect(found.status).toBe(200)
    // Chosen once: from then on the current one is asked for.
    const again = await (
      await server.as('zoe')
    ).post('/api/choose-password', {
      new_password: 'un autre long mot de passe',
    })
    expect([again.status, again.body.reason]).toEqual([409, 'PASSWORD_CHANGED'])
  })
})
