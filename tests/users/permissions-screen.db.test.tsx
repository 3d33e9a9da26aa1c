import '../support/page-globals.ts'

import { act, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, it } from 'vitest'

import { refreshChanged } from '../../src/client/api/refresh-changed.ts'
import { rightCodes } from '../../src/domain/rights.ts'
import { closeApp, openApp } from '../support/open-app.tsx'
import { describeServer } from '../support/test-server.ts'

afterEach(closeApp)

const button = async (name: string) =>
  (await screen.findByText(name, { selector: 'button *' })).closest('button') ?? document.body
// By its label: a role is looked for in all of a long page.
const tick = (name: string | RegExp) => screen.findByLabelText(name)
const group = async (name: string) => within(await screen.findByLabelText(name, { selector: 'section' }))
const dialog = async (name: string | RegExp) =>
  within(await screen.findByLabelText(name, { selector: '[role="dialog"]' }))
const chooser = () => screen.findByLabelText('Profil', { selector: 'input' })
const choose = async (name: string) => {
  await userEvent.click(await chooser())
  await userEvent.click(await screen.findByText(name, { selector: '[role="option"] *' }))
}
const write = async (field: HTMLElement, text: string) => {
  await userEvent.clear(field)
  await userEvent.paste(text)
}
const pressIn = (opened: Awaited<ReturnType<typeof dialog>>, name: string) =>
  userEvent.click(opened.getByRole('button', { name }))

describeServer('the screen of the permissions', (server) => {
  beforeEach(() => sql`delete from profile_rights where profile = 3`.execute(server.db))
  beforeEach(() =>
    sql`insert into profile_rights values (3, 'LIST_LOANINGS'), (3, 'LOANING_ADD')`.execute(server.db),
  )
  const held = async (profile: number) =>
    (
      await server.db
        .selectFrom('profile_rights')
        .select('right_code')
        .where('profile', '=', profile)
        .execute()
    )
      .map(({ right_code }) => right_code)
      .sort()

  it('begins with Admin, which keeps what all the others are given by', async () => {
    await openApp(server, '/settings/permissions')
    expect(await chooser()).toHaveValue('Admin')
    expect(await tick('Changer les profils et leurs droits')).toBeDisabled()
    await userEvent.click(await tick('Tous les droits'))
    await userEvent.click(await button('Enregistrer'))
    const asked = await dialog(/^Changer les droits du profil/)
    expect(asked.getByText(new RegExp(`^${rightCodes.length - 2} droits retirés`))).toBeVisible()
    await pressIn(asked, 'Annuler')
    expect(await held(1)).toHaveLength(rightCodes.length)
  })

  it('says what each profile may beside the one below it, and what it may not', async () => {
    await sql`delete from profile_rights where profile = 4`.execute(server.db)
    await sql`insert into profile_rights values (4, 'LIST_LOANINGS'), (4, 'LIST_SELL'), (4, 'LIST_USERS')`.execute(
      server.db,
    )
    const { rows } = await sql<{ name: string }>`select name from profiles where id = 4`.execute(server.db)
    await openApp(server, '/settings/permissions')
    await choose(rows[0]!.name)
    const apart = within(await screen.findByLabelText(/^À côté du profil «\sBénévole\s»$/))
    expect(apart.getByText('Peut aussi').nextElementSibling).toHaveTextContent(
      'Voir les ventesVoir les utilisateurs',
    )
    expect(apart.getByText('Ne peut pas').nextElementSibling).toHaveTextContent(/^Prêter un exemplaire$/)
  })

  it('ticks one by one, by group and all, and shows the difference before it saves', async () => {
    await openApp(server, '/settings/permissions')
    await choose('Bénévole')
    const loans = await group('Prêts et ventes')
    const whole = loans.getByLabelText(/^Tout cocher/)
    await waitFor(() => expect(whole).toBePartiallyChecked())
    expect(loans.getByText('2 sur 9')).toBeVisible()
    await userEvent.click(loans.getByLabelText('Voir les prêts'))
    await userEvent.click(loans.getByLabelText('Voir les ventes'))
    await userEvent.click(loans.getByLabelText('Vendre un exemplaire'))
    expect(screen.getByText('2 droits ajoutés, 1 retiré')).toBeVisible()
    expect(loans.getAllByText('Ajouté')).toHaveLength(2)
    expect(loans.getByText('Retiré')).toBeVisible()
    await userEvent.click(await button('Enregistrer'))
    const asked = await dialog(/^Changer les droits du profil «\sBénévole\s»$/)
    expect(asked.getByText(/1 personne a ce profil\./)).toBeVisible()
    expect(asked.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
      'Vendre un exemplaire',
      'Voir les ventes',
      'Voir les prêts',
    ])
    expect(await held(3)).toEqual(['LIST_LOANINGS', 'LOANING_ADD'])
    await pressIn(asked, 'Valider')
    const told = await screen.findByText('Vos modifications ont bien été prises en compte.')
    expect(told.closest('[role="status"]')).toHaveTextContent('Bénévole')
    expect(await held(3)).toEqual(['LIST_SELL', 'LOANING_ADD', 'LOANING_SELL'])
    expect(await screen.findByText('Aucune modification')).toBeVisible()

    const again = (await group('Prêts et ventes')).getByLabelText(/^Tout cocher/)
    await userEvent.click(again)
    expect(again).toBeChecked()
    expect(screen.getByText('6 droits ajoutés')).toBeVisible()
    await userEvent.click(again)
    expect(screen.getByText('3 droits retirés')).toBeVisible()
    await userEvent.click(await tick('Tous les droits'))
    expect(screen.getByText(`${rightCodes.length - 3} droits ajoutés`)).toBeVisible()
  })

  it('adds to what a colleague has saved meanwhile, and shows it where nothing is ticked', async () => {
    await openApp(server, '/settings/permissions')
    await choose('Bénévole')
    await userEvent.click(await tick('Voir les ventes'))
    const colleague = await server.as('admin')
    const rights = ['LIST_LOANINGS', 'LOANING_ADD', 'SEND_MAIL']
    await colleague.put('/api/profiles/3', { rights })
    await act(() => refreshChanged('profiles'))
    await userEvent.click(await button('Enregistrer'))
    await pressIn(await dialog(/^Changer les droits/), 'Valider')
    await screen.findByText('Aucune modification')
    expect(await held(3)).toEqual(['LIST_LOANINGS', 'LIST_SELL', 'LOANING_ADD', 'SEND_MAIL'])
    await colleague.put('/api/profiles/3', { rights: ['INVENTORY'] })
    await act(() => refreshChanged('profiles'))
    await waitFor(async () => expect(await tick('Faire l’inventaire')).toBeChecked())
  })

  it('makes a second factor obligatory, with what that means before it is saved', async () => {
    await openApp(server, '/settings/permissions')
    await choose('Bénévole')
    await userEvent.click(await tick(/^Deuxième facteur obligatoire/))
    expect(screen.getByText('Deuxième facteur obligatoire', { selector: '[role="status"]' })).toBeVisible()
    await userEvent.click(await tick('Voir les ventes'))
    expect(screen.getByText('1 droit ajouté, deuxième facteur obligatoire')).toBeVisible()
    await userEvent.click(await button('Enregistrer'))
    const asked = await dialog(/^Changer les droits du profil «\sBénévole\s»$/)
    expect(asked.getByText(/le choisira à sa prochaine connexion/)).toBeVisible()
    await pressIn(asked, 'Valider')
    await screen.findByText('Aucune modification')
    const saved = await sql<{
      second_factor: boolean
    }>`select second_factor from profiles where id = 3`.execute(server.db)
    expect(saved.rows).toEqual([{ second_factor: true }])
    await waitFor(async () => expect(await tick(/^Deuxième facteur obligatoire/)).toBeChecked())
    await userEvent.click(await tick(/^Deuxième facteur obligatoire/))
    expect(screen.getByText('Deuxième facteur facultatif', { selector: '[role="status"]' })).toBeVisible()
    await sql`update profiles set second_factor = false`.execute(server.db)
  })

  it('names whoever has other rights than the profile, and gives them the profile’s back', async () => {
    await sql`insert into user_rights select id, 'LIST_SELL', true from users where username = 'benevole'`.execute(
      server.db,
    )
    await openApp(server, '/settings/permissions')
    await choose('Bénévole')
    const people = await group('Personnes qui ont d’autres droits')
    expect(people.getByText('benevole Test')).toBeVisible()
    expect(people.getByText('Voir les ventes')).toBeVisible()
    await userEvent.click(people.getByRole('button', { name: 'Rendre les droits du profil à benevole Test' }))
    await pressIn(await dialog('Rendre à benevole Test les droits du profil'), 'Valider')
    await waitFor(() => expect(screen.queryByText('Personnes qui ont d’autres droits')).toBeNull())
    expect(await server.db.selectFrom('user_rights').selectAll().execute()).toEqual([])
  })

  it('asks for a profile where none is chosen', async () => {
    await openApp(server, '/settings/permissions')
    await userEvent.clear(await chooser())
    await userEvent.click(
      document.querySelector('.mantine-Select-root button, .mantine-InputWrapper-root button') ??
        document.body,
    )
    expect(await screen.findByText('Veuillez sélectionner un profil')).toBeVisible()
    expect(screen.queryByRole('checkbox')).toBeNull()
    await userEvent.click(await button('Enregistrer'))
    expect(await screen.findByRole('alert')).toHaveTextContent('Veuillez sélectionner un profil')
  })

  it('adds, renames and removes profiles, but for those that somebody has', async () => {
    await openApp(server, '/settings/permissions')
    await choose('Bénévole')
    await userEvent.click(await button('Supprimer'))
    await pressIn(await dialog(/^Supprimer le profil/), 'Valider')
    expect(await screen.findByText(/^Une personne a ce profil/)).toBeVisible()
    await userEvent.click(await button('Ajouter un profil'))
    const adding = await dialog('Ajouter un profil')
    await write(adding.getByLabelText(/^Nom/), 'bénévole')
    await pressIn(adding, 'Valider')
    expect(await adding.findByRole('alert')).toHaveTextContent('Un profil porte déjà ce nom.')
    await write(adding.getByLabelText(/^Nom/), 'bénévole du samedi')
    await pressIn(adding, 'Valider')
    await waitFor(async () => expect(await chooser()).toHaveValue('bénévole du samedi'))
    expect(await tick('Voir les prêts')).toBeChecked()
    await userEvent.click(await button('Renommer'))
    const renaming = await dialog(/^Renommer/)
    await write(renaming.getByLabelText(/^Nom/), 'Samedi')
    await pressIn(renaming, 'Valider')
    await waitFor(async () => expect(await chooser()).toHaveValue('Samedi'))
    await userEvent.click(await button('Supprimer'))
    await pressIn(await dialog(/^Supprimer le profil/), 'Valider')
    expect(await screen.findByText('Veuillez sélectionner un profil')).toBeVisible()
    const left = await sql`select from profiles where name = 'Samedi'`.execute(server.db)
    expect(left.rows).toEqual([])
  })

  it('shows menus and buttons as a profile sees them, and gives no right that the person lacks', async () => {
    const page = await openApp(server, '/settings/permissions')
    await choose('Bénévole')
    await userEvent.click(await button('Voir comme ce profil'))
    expect(await screen.findByText(/^Vu comme/)).toBeVisible()
    await waitFor(() => expect(page.address).toBe('/home'))
    const menus = within(screen.getByRole('navigation', { name: 'Écrans' }))
    expect(menus.queryByText('Utilisateurs')).toBeNull()
    expect(menus.queryByText('Rendre')).toBeNull()
    await act(() => page.router.navigate('/settings/permissions'))
    expect(await screen.findByRole('heading', { name: 'Accès réservé' })).toBeVisible()
    // The server knows nothing of it.
    expect((await page.client.get('/api/profiles')).status).toBe(200)
    await userEvent.click(await button('Revenir à mon profil'))
    expect(await chooser()).toBeVisible()
    expect(screen.queryByText(/^Vu comme/)).toBeNull()
  })

  it('follows a changed profile in the menus of whoever has it', async () => {
    await openApp(server, '/home', { as: 'benevole' })
    const menus = within(await screen.findByRole('navigation', { name: 'Écrans' }))
    expect(menus.getByText('Suivi')).toBeInTheDocument()
    await (await server.as('admin')).put('/api/profiles/3', { rights: [] })
    await act(() => refreshChanged('profiles'))
    await waitFor(() => expect(menus.queryByText('Suivi')).toBeNull())
  })
})
