import '../support/page-globals.ts'

import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { sql } from 'kysely'
import { afterEach, describe, expect, it } from 'vitest'

import { closeApp, openApp } from '../support/open-app.tsx'
import { describeServer } from '../support/test-server.ts'

afterEach(closeApp)

const saved = 'Vos modifications ont bien été prises en compte.'
const button = (name: string | RegExp) => screen.findByRole('button', { name })
/** Spaces of a name may be of those that do not break. */
const inDialog = async (name: string) =>
  within(
    await screen.findByRole('dialog', {
      name: new RegExp(`^${name.replaceAll('?', '\\?').replaceAll(' ', '\\s')}$`),
    }),
  )
const askRemove = async (name: string) => {
  await userEvent.click(await button(`Actions\u202f: ${name}`))
  await userEvent.click(await screen.findByRole('menuitem', { name: 'Supprimer' }))
}
const write = async (field: HTMLElement, text: string) => {
  await userEvent.clear(field)
  await userEvent.click(field)
  await userEvent.paste(text)
}

describeServer('the screens of the settings', (server) => {
  it('leads to each screen that the profile opens, by section', async () => {
    await openApp(server, '/settings')
    const region = async (name: string) => within(await screen.findByRole('region', { name }))
    expect((await region('Références')).getByRole('link', { name: 'Catégories' })).toBeVisible()
    expect((await region('Exemplaires')).getByRole('link', { name: 'Emplacements' })).toBeVisible()
    await userEvent.click((await region('Prêts')).getByRole('link', { name: 'Motifs de retard' }))
    expect(await screen.findByRole('heading', { name: 'Motifs de retard' })).toBeVisible()
  })

  it('finds one parameter by its words and has the focus there, and no parameter for whom that screen is shut', async () => {
    const page = await openApp(server, '/settings')
    await userEvent.type(
      await screen.findByRole('searchbox', { name: 'Chercher un réglage' }),
      'poste laissé',
    )
    await userEvent.click(await screen.findByRole('link', { name: /verrouill/i }))
    expect(await screen.findByRole('heading', { name: 'Paramètres généraux' })).toBeVisible()
    await waitFor(() => expect(screen.getByRole('textbox', { name: /verrouill/i })).toHaveFocus())
    await page.router.navigate('/settings')
    await screen.findByRole('heading', { name: 'Réglages' })
    await userEvent.type(screen.getByRole('searchbox', { name: 'Chercher un réglage' }), 'zzz')
    expect(await screen.findByText('Aucun réglage ne correspond à « zzz ».')).toBeVisible()
    await closeApp()

    await openApp(server, '/settings', { as: 'biblio' })
    await userEvent.type(
      await screen.findByRole('searchbox', { name: 'Chercher un réglage' }),
      'poste laissé',
    )
    expect(await screen.findByText(/^Aucun réglage/)).toBeVisible()
  })

  it('is searched beside every screen of it, which the index marks, down to a section of the parameters', async () => {
    await openApp(server, '/settings/mail/late_1')
    const index = within(await screen.findByRole('navigation', { name: 'Réglages' }))
    const current = (name: string) => index.getByRole('link', { name }).getAttribute('aria-current')
    expect(current('Modèles de courriel')).toBe('true')
    await userEvent.type(index.getByRole('searchbox', { name: 'Chercher un réglage' }), 'codes-barres')
    await userEvent.click(index.getByRole('link', { name: 'Toute la section' }))
    await waitFor(() => expect(screen.getByRole('heading', { name: 'Codes-barres' })).toHaveFocus())
    expect(current('Toute la section')).toBe('page')
    await userEvent.click(index.getByRole('link', { name: 'Numéroter les codes-barres' }))
    await waitFor(() => expect(screen.getByRole('switch', { name: /^Numéroter/ })).toHaveFocus())
  })

  it('leads everybody to lists, fields and acts alone, and says so where the profile or an address leads nowhere', async () => {
    const page = await openApp(server, '/settings/categories', { as: 'biblio' })
    expect(await screen.findByRole('heading', { name: 'Accès réservé' })).toBeVisible()
    await page.router.navigate('/settings')
    const references = within(await screen.findByRole('region', { name: 'Références' }))
    expect(references.getAllByRole('link').map(({ textContent }) => textContent)).toEqual([
      'Listes',
      'Champs',
    ])
    // What one may do to many at once one may take back.
    const general = within(screen.getByRole('region', { name: 'Général' }))
    expect(general.getAllByRole('link').map(({ textContent }) => textContent)).toEqual([
      'Modèles de courriel',
      'Actes',
    ])
    await page.router.navigate('/nulle-part')
    expect(await screen.findByRole('heading', { name: 'Page introuvable' })).toBeVisible()
  })

  it('adds a category, with what is wrong said above and at its field, changes it, and removes it', async () => {
    await openApp(server, '/settings/categories')
    await userEvent.click(await button('Ajouter une catégorie'))
    const adding = await inDialog('Ajouter une catégorie')
    const name = adding.getByLabelText(/^Nom/)
    await userEvent.click(adding.getByRole('button', { name: 'Valider' }))
    expect(await adding.findByRole('alert')).toHaveTextContent('Le champ « Nom » est obligatoire.')
    expect(name).toHaveFocus()
    expect(name).toBeInvalid()

    await server.db.insertInto('categories').values({ name: 'Déjà là' }).execute()
    await write(name, 'déjà là')
    await userEvent.click(adding.getByRole('button', { name: 'Valider' }))
    await waitFor(() =>
      expect(adding.getByRole('alert')).toHaveTextContent('Une catégorie porte déjà ce nom.'),
    )
    expect(name).toHaveAccessibleDescription('Une catégorie porte déjà ce nom.')

    await write(name, 'Romans policiers')
    await userEvent.keyboard('{Enter}')
    const told = await screen.findByText(saved)
    expect(told.closest('[role="status"]')).toHaveTextContent(`${saved}Romans policiers`)
    await userEvent.click(await button(/^Modifier\s: Romans policiers$/))
    const changing = await inDialog('Modifier la catégorie')
    expect(changing.getByLabelText(/^Nom/)).toHaveValue('Romans policiers')
    await write(changing.getByLabelText(/^Nom/), 'Policiers')
    await userEvent.click(changing.getByRole('button', { name: 'Valider' }))

    await askRemove('Policiers')
    const removing = await inDialog('Supprimer la catégorie « Policiers » ?')
    await userEvent.click(removing.getByRole('button', { name: 'Valider' }))
    // It keeps its place until the list is put in order.
    const row = await screen.findByRole('row', { name: /^Policiers/ })
    expect(await within(row).findByText('Plus dans la liste')).toBeVisible()
    expect(within(row).queryByRole('button')).toBeNull()
    await userEvent.click(await button('Actualiser'))
    await waitFor(() => expect(screen.queryByRole('row', { name: /^Policiers/ })).toBeNull())
  })

  it('says what a list changes, and gives an example where there is nothing', async () => {
    await sql`update locations set deleted_at = now()`.execute(server.db)
    await openApp(server, '/settings/locations')
    expect(await screen.findByText(/^Où les exemplaires se rangent\./)).toBeVisible()
    expect(
      await screen.findByText(/^Aucun emplacement pour l’instant\. Par exemple\s: Espace jeunesse\.$/),
    ).toBeVisible()
  })

  it('keeps a category that serves, and says how often', async () => {
    const { id } = await server.db
      .insertInto('categories')
      .values({ name: 'Très lue' })
      .returning('id')
      .executeTakeFirstOrThrow()
    await sql`update "references" set category = ${id} where id <= 3`.execute(server.db)
    const { client } = await openApp(server, '/settings/categories')
    expect(await screen.findByRole('row', { name: /^Très lue 3 / })).toBeVisible()
    await askRemove('Très lue')
    const removing = await inDialog('Supprimer la catégorie « Très lue » ?')
    await userEvent.click(removing.getByRole('button', { name: 'Valider' }))
    expect(await screen.findByText(/^3 références sont dans cette catégorie/)).toBeVisible()
    expect(screen.getByRole('row', { name: /^Très lue 3 / })).toBeVisible()

    const moving = await inDialog('« Très lue » sert encore')
    await userEvent.click(moving.getByRole('combobox', { name: /^Autre catégorie/ }))
    expect(screen.queryByRole('option', { name: 'Très lue' })).toBeNull()
    await userEvent.click(await screen.findByRole('option', { name: 'Roman' }))
    await userEvent.click(moving.getByRole('button', { name: 'Déplacer, puis supprimer' }))
    const row = await screen.findByRole('row', { name: /^Très lue/ })
    await waitFor(() => expect(within(row).queryByRole('button')).toBeNull())
    const { body } = await client.get('/api/references/3')
    expect(body.category).toMatchObject({ name: 'Roman' })
  })

  describe('reasons', () => {
    it('are of one kind a screen, are found as one types, and switched', async () => {
      const page = await openApp(server, '/settings/delay')
      await userEvent.click(await button('Ajouter un motif de retard'))
      const adding = await inDialog('Ajouter un motif de retard')
      await write(adding.getByLabelText(/^Nom/), 'Tempête de neige')
      await write(adding.getByLabelText('Code'), 'TN')
      await userEvent.click(adding.getByRole('button', { name: 'Valider' }))
      expect(await screen.findByRole('row', { name: /Tempête de neige TN/ })).toBeVisible()
      const { body } = await page.client.get('/api/reasons?filters[name|like]=neige')
      expect(body['hydra:member']).toMatchObject([{ type: 'delay', code: 'TN', enabled: true }])

      await userEvent.type(screen.getByLabelText('Nom'), 'neige', { delay: 60 })
      await waitFor(() => expect(page.address).toContain('neige'))
      const state = await screen.findByRole('switch', { name: /^Activé\s: Tempête de neige$/ })
      expect(state).toBeChecked()
      await userEvent.click(state)
      await waitFor(() => expect(state).not.toBeChecked())
    })

    it('that serve are offered to be switched off instead of removed', async () => {
      const admin = await server.as('admin')
      const { body: reason } = await admin.post('/api/reasons', { name: 'Fête du livre', type: 'free' })
      await admin.post('/api/loanings', { copy: 1, beneficiary: 1, free: true, free_reason: reason.id })
      await openApp(server, '/settings/free')
      await askRemove('Fête du livre')
      const question = await inDialog('Supprimer le motif de gratuité « Fête du livre » ?')
      await userEvent.click(question.getByRole('button', { name: 'Valider' }))
      const offer = await inDialog('Désactiver « Fête du livre », qui sert encore ?')
      expect(offer.getByText(/^Un prêt porte ce motif/)).toBeVisible()
      await userEvent.click(offer.getByRole('button', { name: 'Valider' }))
      await waitFor(() =>
        expect(screen.getByRole('switch', { name: /^Activé\s: Fête du livre$/ })).not.toBeChecked(),
      )
    })
  })
})
