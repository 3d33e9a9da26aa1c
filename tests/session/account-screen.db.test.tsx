import '../support/page-globals.ts'

import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, it, onTestFinished } from 'vitest'

import { chooseSite } from '../../src/client/api/session.ts'
import { currentPreferences } from '../../src/client/page/preferences.ts'
import { testPassword } from '../support/test-library.ts'
import { describeServer, type TestServer } from '../support/test-server.ts'
import { typeAsScanner } from '../support/type-as-scanner.ts'
import { closePage, networkTo, openPage, signInAs } from './open-page.tsx'

afterEach(closePage)

async function openAccount(server: TestServer, username: string) {
  signInAs(await server.as(username), server)
  chooseSite({ id: 1, name: 'Centre' })
  openPage('/account', networkTo(server))
  const panel = await screen.findByRole('region', { name: 'Mot de passe' })
  return within(panel)
}

describeServer('the account screen', (server) => {
  it('says who one is', async () => {
    await openAccount(server, 'benevole')
    const me = screen.getByRole('region', { name: 'Qui je suis' })
    expect(me).toHaveTextContent(/benevole Test/)
    expect(me).toHaveTextContent(/Bénévole, \d+ droits/)
    expect(within(me).getByRole('button', { name: 'Changer de site' })).toBeVisible()
  })

  it('leads to the licences of what the product is made of', async () => {
    await openAccount(server, 'lecture')
    const link = screen.getByRole('link', { name: 'Licences des logiciels employés' })
    expect(link).toHaveAttribute('href', '/licences.txt')
  })

  it('changes the password, with what is wrong at its field', async () => {
    const panel = await openAccount(server, 'benevole')
    const change = async (current: string, next: string) => {
      const fields = ['Mot de passe actuel', 'Nouveau mot de passe', 'Confirmez le mot de passe']
      for (const [index, label] of fields.entries()) {
        fireEvent.change(panel.getByLabelText(label), { target: { value: index === 0 ? current : next } })
      }
      await userEvent.click(panel.getByRole('button', { name: 'Changer le mot de passe' }))
    }
    await change('ce-n-est-pas-lui', 'girafe au long cours')
    expect(await panel.findByText('Le mot de passe actuel n’est pas le bon.')).toBeVisible()
    expect(panel.getByLabelText('Mot de passe actuel')).toHaveFocus()
    await change(testPassword, 'girafe au long cours')
    expect(await screen.findByText('Le mot de passe a bien été mis à jour')).toBeVisible()
    expect(panel.getByLabelText('Mot de passe actuel')).toHaveValue('')
  })

  it('keeps the preferences of the device, and tries out the scanner with its prefix', async () => {
    await openAccount(server, 'lecture')
    await userEvent.click(screen.getByRole('radio', { name: 'Sombre' }))
    expect(currentPreferences().theme).toBe('dark')
    await userEvent.type(screen.getByLabelText('Préfixe du lecteur'), '~')
    expect(JSON.parse(localStorage.getItem('comptoir.preferences') ?? '')).toMatchObject({
      scanner_prefix: '~',
      theme: 'dark',
    })
    // A key that is no character ends what was typed by hand.
    fireEvent.keyDown(document.body, { key: 'ArrowDown' })
    typeAsScanner('~1001')
    expect(await screen.findByText('1001')).toBeVisible()
  })

  it('offers no second factor in a demonstration, where nobody may choose one', async () => {
    await openAccount(server, 'lecture')
    const panel = within(await screen.findByRole('region', { name: 'Deuxième facteur' }))
    expect(await panel.findByRole('button', { name: 'Choisir un deuxième facteur' })).toBeVisible()
    await closePage()
    server.environment.demonstration = true
    onTestFinished(() => {
      server.environment.demonstration = false
    })
    await openAccount(server, 'lecture')
    const shown = within(await screen.findByRole('region', { name: 'Deuxième facteur' }))
    expect(
      await shown.findByText('Les comptes de la démonstration n’ont pas de deuxième facteur.'),
    ).toBeVisible()
    expect(shown.queryByRole('button')).toBeNull()
  })

  it('begins the choice of a second factor in its first field', async () => {
    await openAccount(server, 'lecture')
    await userEvent.click(await screen.findByRole('button', { name: 'Choisir un deuxième facteur' }))
    const dialog = await screen.findByRole('dialog', { name: 'Choisir un deuxième facteur' })
    await waitFor(() => expect(within(dialog).getByLabelText('Code de l’application')).toHaveFocus())
  })
})
