import '../support/page-globals.ts'

import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { sql } from 'kysely'
import { afterEach, expect, it, onTestFinished } from 'vitest'

import { queryClient } from '../../src/client/api/query-client.ts'
import { closeApp, openApp } from '../support/open-app.tsx'
import { describeServer } from '../support/test-server.ts'

afterEach(closeApp)

const button = (name: string | RegExp) => screen.findByRole('button', { name })
const write = async (field: HTMLElement, text: string) => {
  await userEvent.clear(field)
  await userEvent.click(field)
  await userEvent.paste(text)
}
const dialog = async (name: string) => within(await screen.findByRole('dialog', { name }))
type Opened = Awaited<ReturnType<typeof dialog>>
const send = (opened: Opened) => userEvent.click(opened.getByRole('button', { name: 'Valider' }))
const choose = async (opened: Opened, field: string, option: string) => {
  await userEvent.click(opened.getByRole('combobox', { name: new RegExp(`^${field}`) }))
  await userEvent.click(await screen.findByRole('option', { name: option }))
}

describeServer('the screen of the users', (server) => {
  const found = (username: string) =>
    server.db.selectFrom('users').selectAll().where('username', '=', username).executeTakeFirst()

  it('adds somebody without a password, who is invited, and says « ok »', async () => {
    await openApp(server, '/users')
    await userEvent.click(await button('Ajouter un utilisateur'))
    const adding = await dialog('Ajouter un utilisateur')
    await write(adding.getByLabelText('Prénom'), 'Lise')
    await write(adding.getByLabelText('Nom'), 'Aubry')
    await write(adding.getByLabelText(/^Nom d’utilisateur/), 'biblio')
    await choose(adding, 'Profil', 'Bénévole')
    await choose(adding, 'Sites', 'Annexe')
    await write(adding.getByLabelText('Courriel'), 'lise@exemple.fr')
    await send(adding)
    // The server's own words stand above the form and at the field.
    expect(await adding.findByRole('alert')).toHaveTextContent('Ce nom d’utilisateur est déjà pris.')
    expect(adding.getByLabelText(/^Nom d’utilisateur/)).toBeInvalid()
    await write(adding.getByLabelText(/^Nom d’utilisateur/), 'lise')
    await send(adding)
    const told = await screen.findByText('ok')
    expect(told.closest('[role="status"]')).toHaveTextContent('okLise Aubry')
    // No mail leaves here.
    const given = await dialog('Lien d’invitation\u202f: Lise Aubry')
    await userEvent.click(given.getAllByRole('button', { name: 'Fermer' })[0]!)
    const row = await screen.findByRole('row', { name: /^Lise Aubry/ })
    expect(row).toHaveTextContent(/Lise Aubry.*lise.*Bénévole.*Annexe.*Jamais/)
    const mails = await sql`select from mail_outbox where to_address = 'lise@exemple.fr'`.execute(server.db)
    expect(mails.rows).toHaveLength(1)
  })

  it('gives the link of whom no mail reaches, once they are added and on their form until they have a password', async () => {
    server.connectMail(true)
    onTestFinished(() => server.connectMail(false))
    queryClient.clear()
    await openApp(server, '/users')
    await userEvent.click(await button('Ajouter un utilisateur'))
    const adding = await dialog('Ajouter un utilisateur')
    const password = adding.getByLabelText(/^Mot de passe/)
    await write(adding.getByLabelText('Courriel'), 'x@exemple.fr')
    await waitFor(() => expect(password).toHaveAccessibleDescription(/reçoit par courriel/))
    await userEvent.clear(adding.getByLabelText('Courriel'))
    await waitFor(() => expect(password).toHaveAccessibleDescription(/à lui remettre vous-même/))
    await write(adding.getByLabelText(/^Nom d’utilisateur/), 'sans.adresse')
    await choose(adding, 'Profil', 'Bénévole')
    await send(adding)
    const given = await dialog('Lien d’invitation\u202f: sans.adresse')
    const link = given.getByLabelText<HTMLInputElement>('Lien').value
    expect(link).toMatch(/\/login\?token=[\w-]{43}$/)
    await userEvent.click(given.getAllByRole('button', { name: 'Fermer' })[0]!)

    await userEvent.click(await button(/^Modifier\s: sans\.adresse$/))
    const changing = await dialog('Modifier sans.adresse')
    expect(changing.getByText(/ne reçoit pas son invitation/)).toBeVisible()
    await userEvent.click(changing.getByRole('button', { name: 'Copier le lien d’invitation' }))
    const again = await dialog('Lien d’invitation\u202f: sans.adresse')
    expect(again.getByLabelText<HTMLInputElement>('Lien').value).not.toBe(link)
    expect((await found('sans.adresse'))?.password_chosen).toBe(false)
    const mails = await sql`select from mail_outbox where to_address = 'x@exemple.fr'`.execute(server.db)
    expect(mails.rows).toEqual([])
  })

  it('proposes a name for the sign-in, which gives way to what is typed', async () => {
    await openApp(server, '/users')
    await userEvent.click(await button('Ajouter un utilisateur'))
    const adding = await dialog('Ajouter un utilisateur')
    await write(adding.getByLabelText('Prénom'), 'Paul')
    await write(adding.getByLabelText('Nom'), 'Martin')
    await userEvent.tab()
    const name = adding.getByLabelText(/^Nom d’utilisateur/)
    expect(name).toHaveValue('paul.martin')
    expect(name).toHaveFocus()
    await userEvent.keyboard('pmartin')
    expect(name).toHaveValue('pmartin')
  })

  it('disables somebody, and sends the invitation again', async () => {
    await sql`update users set password_chosen = false where username = 'benevole'`.execute(server.db)
    await openApp(server, '/users')
    await userEvent.click(await button(/^Modifier\s: biblio Test$/))
    const changing = await dialog('Modifier biblio Test')
    expect(changing.getByLabelText(/^Nom d’utilisateur/)).toHaveValue('biblio')
    expect(changing.queryByRole('button', { name: /lien d’invitation/ })).toBeNull()
    await userEvent.click(changing.getByRole('switch', { name: /^Compte activé/ }))
    await send(changing)
    await screen.findByText('ok')
    expect((await found('biblio'))?.enabled).toBe(false)
    const row = await screen.findByRole('row', { name: /^biblio Test/ })
    expect(await within(row).findByText('Désactivé')).toBeVisible()
    expect(within(row).queryByRole('button', { name: /Inviter/ })).toBeNull()
    await userEvent.click(await button(/^(Inviter de nouveau|Actions)\s: benevole Test$/))
    const item = screen.queryByRole('menuitem', { name: 'Inviter de nouveau' })
    if (item) await userEvent.click(item)
    expect(await screen.findByText('Invitation écrite dans un fichier du serveur.')).toBeVisible()
    await sql`update users set enabled = true, password_chosen = true`.execute(server.db)
  })

  it('shows an invitation to be handed over, for want of a mail that leaves', async () => {
    await sql`update users set password_chosen = false where username = 'benevole'`.execute(server.db)
    await openApp(server, '/users')
    expect(await screen.findByText('Le courrier n’est pas branché')).toBeVisible()
    const row = await screen.findByRole('row', { name: /^benevole Test/ })
    await userEvent.click(within(row).getByRole('button', { name: /^Plus d’actions|^Actions/ }))
    await userEvent.click(await screen.findByRole('menuitem', { name: 'Copier le lien d’invitation' }))
    const given = await dialog('Lien d’invitation\u202f: benevole Test')
    expect(given.getByLabelText<HTMLInputElement>('Lien').value).toMatch(/\/login\?token=[\w-]{43}$/)
    await sql`update users set password_chosen = true where username = 'benevole'`.execute(server.db)
  })

  it('says who has a second factor, and takes a lost one away', async () => {
    await sql`insert into user_factors select id, '\\x01', now(), now(), 1 from users where username = 'benevole'`.execute(
      server.db,
    )
    await openApp(server, '/users')
    const row = await screen.findByRole('row', { name: /^benevole Test/ })
    expect(row).toHaveTextContent('Oui')
    await userEvent.click(within(row).getByRole('button', { name: /^Plus d’actions|^Actions/ }))
    await userEvent.click(await screen.findByRole('menuitem', { name: 'Retirer le deuxième facteur' }))
    await send(await dialog('Retirer le deuxième facteur de benevole Test\u202f?'))
    await screen.findByText('Deuxième facteur retiré.')
    await waitFor(() => expect(row).not.toHaveTextContent('Oui'))
  })

  it('shows one’s own account without what one may not do to it', async () => {
    await openApp(server, '/users')
    await userEvent.click(await button(/^Modifier\s: admin$/))
    const own = await dialog('Modifier admin')
    expect(own.queryByLabelText(/^Mot de passe/)).toBeNull()
    expect(own.queryByRole('switch')).toBeNull()
    await choose(own, 'Profil', 'Consultation')
    await send(own)
    expect(await own.findByRole('alert')).toHaveTextContent('Personne ne pourrait plus gérer les droits')
  })

  it('only shows the list to whoever may not change it, and nothing to others', async () => {
    await sql`insert into profile_rights values (4, 'LIST_USERS')`.execute(server.db)
    const page = await openApp(server, '/users', { as: 'lecture' })
    expect(await screen.findByRole('row', { name: /^biblio Test/ })).toBeVisible()
    expect(screen.queryByRole('button', { name: /Modifier|Ajouter/ })).toBeNull()
    await sql`delete from profile_rights where profile = 4 and right_code = 'LIST_USERS'`.execute(server.db)
    await closeApp()
    await waitFor(() => expect(page.address).toBe('/users'))
    await openApp(server, '/users', { as: 'lecture' })
    expect(await screen.findByRole('heading', { name: 'Accès réservé' })).toBeVisible()
  })
})
