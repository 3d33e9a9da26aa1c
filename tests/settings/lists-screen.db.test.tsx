import '../support/page-globals.ts'

import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, it } from 'vitest'

import { emptyTables } from '../support/empty-tables.ts'
import { closeApp, openApp } from '../support/open-app.tsx'
import { describeServer } from '../support/test-server.ts'

afterEach(closeApp)

const saved = 'Vos modifications ont bien été prises en compte.'
const button = (name: string | RegExp) => screen.findByRole('button', { name })
const inDialog = async (name: string | RegExp) => within(await screen.findByRole('dialog', { name }))
const write = async (field: HTMLElement, text: string) => {
  await userEvent.clear(field)
  await userEvent.click(field)
  await userEvent.paste(text)
}
const choose = async (dialog: ReturnType<typeof within>, field: RegExp, option: string | RegExp) => {
  await userEvent.click(dialog.getByRole('combobox', { name: field }))
  await userEvent.click(await screen.findByRole('option', { name: option }))
}
const submit = (dialog: ReturnType<typeof within>) =>
  userEvent.click(dialog.getByRole('button', { name: 'Valider' }))
const act = async (row: string, action: string) => {
  await userEvent.click(await button(`Actions\u202f: ${row}`))
  await userEvent.click(await screen.findByRole('menuitem', { name: action }))
}

describeServer('the screens of lists and fields', (server) => {
  beforeEach(async () => {
    await emptyTables(server.db, 'list_types')
    await sql`insert into list_types (name, "group") values ('Auteur', 'author'), ('Fonds', 'list')`.execute(
      server.db,
    )
    await sql`insert into list_values (name, "group", type) values
      ('Zola, E.', 'author', 1), ('Zola, Émile', 'author', 1), ('Local', 'list', 2)`.execute(server.db)
  })
  const link = (value: number, references: number) =>
    sql`insert into reference_list_values select id, ${value}, 1 from "references" where id <= ${references}`.execute(
      server.db,
    )

  it('adds a value to a function, and renames it', async () => {
    await openApp(server, '/settings/lists')
    await userEvent.click(await button('Ajouter une valeur'))
    const adding = await inDialog('Ajouter une valeur')
    await write(adding.getByLabelText(/^Nom/), 'zola, emile')
    await choose(adding, /^Fonction/, 'Auteur (auteurs)')
    await submit(adding)
    await waitFor(() =>
      expect(adding.getByRole('alert')).toHaveTextContent('Cette fonction a déjà une valeur de ce nom.'),
    )
    await write(adding.getByLabelText(/^Nom/), 'Sand, George')
    await submit(adding)
    expect((await screen.findByText(saved)).closest('[role="status"]')).toHaveTextContent('Sand, George')
    await userEvent.click(await button(/^Modifier\s: Local$/))
    const changing = await inDialog('Modifier la valeur')
    await write(changing.getByLabelText(/^Nom/), 'Régional')
    await submit(changing)
    expect(await screen.findByRole('row', { name: /^Régional Fonds Listes 0/ })).toBeVisible()
  })

  it('says no longer that a group is missing once one is chosen', async () => {
    await openApp(server, '/settings/lists/types')
    await userEvent.click(await button('Ajouter une fonction'))
    const adding = await inDialog('Ajouter une fonction')
    await submit(adding)
    const group = adding.getByRole('combobox', { name: /^Groupe/ })
    await waitFor(() => expect(group).toBeInvalid())
    await choose(adding, /^Groupe/, /^Auteur/)
    expect(group).toBeValid()
    // What is still missing stays said.
    expect(adding.getByLabelText(/^Nom/)).toBeInvalid()
    expect(adding.getByRole('alert')).toBeVisible()
  })

  it('merges a value into another of its function after a question', async () => {
    await link(1, 2)
    const page = await openApp(server, '/settings/lists')
    await act('Zola, E.', 'Fusionner')
    const dialog = await inDialog(/^Fusionner «\sZola, E\.\s»$/)
    await submit(dialog)
    expect(await dialog.findByRole('alert')).toHaveTextContent('Choisissez la valeur qui reste.')
    await userEvent.click(dialog.getByRole('combobox', { name: 'Valeur qui reste' }))
    await userEvent.paste('zola')
    await userEvent.click(await dialog.findByRole('option', { name: 'Zola, Émile' }))
    await submit(dialog)
    const question = await inDialog(/^Fusionner «\sZola, E\.\s» et «\sZola, Émile\s»\s\?$/)
    expect(
      question.getByText(/^Toutes les références de «\sZola, E\.\s» passeront à «\sZola, Émile\s»\.$/),
    ).toBeVisible()
    await submit(question)
    expect(await screen.findByText(saved)).toBeVisible()
    expect(await screen.findByRole('row', { name: /^Zola, Émile Auteur Auteurs 2/ })).toBeVisible()
    expect(screen.getByRole('row', { name: /^Zola, E\./ })).toHaveAttribute('data-gone')
    expect((await page.client.get('/api/references/1')).body.authors).toEqual({
      author: { Auteur: ['Zola, Émile'] },
    })
  })

  it('offers to switch off a value that serves instead of removing it', async () => {
    await link(3, 2)
    await openApp(server, '/settings/lists')
    await act('Local', 'Supprimer')
    await submit(await inDialog(/^Supprimer la valeur «\sLocal\s»/))
    const instead = await inDialog(/^Désactiver «\sLocal\s», qui sert encore/)
    expect(instead.getByText(/^2 références portent cette valeur/)).toBeVisible()
    await submit(instead)
    await waitFor(async () => expect(await screen.findByLabelText(/^Activé\s: Local$/)).not.toBeChecked())
  })

  it('asks before a function is changed that more than 50 links hang on', async () => {
    await openApp(server, '/settings/lists/types')
    await userEvent.click(await button(/^Modifier\s: Fonds$/))
    const few = await inDialog('Modifier la fonction')
    // Only authors have a main one.
    expect(few.queryByLabelText(/^Auteur principal/)).toBeNull()
    await choose(few, /^Groupe/, 'Auteurs')
    await userEvent.click(few.getByLabelText(/^Auteur principal/))
    await choose(few, /^Supports/, 'DVD')
    await submit(few)
    expect(await screen.findByRole('row', { name: /^Fonds Auteurs DVD Oui 0/ })).toBeVisible()

    await sql`insert into "references" (name) select 'De plus ' || n from generate_series(1, 40) n`.execute(
      server.db,
    )
    await link(1, 1000)
    await userEvent.click(await button(/^Modifier\s: Auteur$/))
    const warning = await inDialog(/^Modifier «\sAuteur\s»/)
    expect(warning.getByText(/portent 55 fois une valeur de cette fonction/)).toBeVisible()
    await submit(warning)
    const many = await inDialog('Modifier la fonction')
    await userEvent.click(many.getByRole('button', { name: 'Annuler' }))
    // Switched off, its values stay where they are.
    await userEvent.click(await screen.findByLabelText(/^Activé\s: Auteur$/))
    await waitFor(async () => expect(await screen.findByLabelText(/^Activé\s: Auteur$/)).not.toBeChecked())
  })

  it('renames a field and leaves another out, in the list, the sheet and the form of references', async () => {
    const page = await openApp(server, '/settings/fields')
    await page.client.put('/api/references/1', {
      tags: { publisher: 'Gallimard', collection: 'Folio' },
      reference_data: { book_number: 'R ZOL', language: 'fre' },
    })
    await userEvent.click(await button(/^Renommer\s: Cote$/))
    const renaming = await inDialog(/^Renommer «\sCote\s»$/)
    await write(renaming.getByLabelText('Nom donné'), 'Rayon')
    await submit(renaming)
    expect((await screen.findByText(saved)).closest('[role="status"]')).toHaveTextContent('Rayon')
    for (const field of ['Collection', 'Langue', 'Auteur']) {
      await userEvent.click(await screen.findByLabelText(new RegExp(`^Affiché\\s: ${field}$`)))
      await waitFor(async () =>
        expect(await screen.findByLabelText(new RegExp(`^Affiché\\s: ${field}$`))).not.toBeChecked(),
      )
    }
    await page.router.navigate('/references/view/1')
    // Beside it, messages still name what was changed.
    const inSheet = within(await screen.findByRole('main'))
    expect(await inSheet.findByText('R ZOL')).toBeVisible()
    expect(await inSheet.findByText('Rayon')).toBeVisible()
    expect(inSheet.getByText('Gallimard')).toBeVisible()
    await waitFor(() => expect(inSheet.queryByText('Folio')).toBeNull())
    await waitFor(() => expect(inSheet.queryByText('fre')).toBeNull())
    await page.router.navigate('/references/edit/1')
    expect(await screen.findByRole('textbox', { name: 'Rayon' })).toHaveValue('R ZOL')
    for (const name of ['Collection', 'Langue', 'Auteur'])
      await waitFor(() => expect(screen.queryByRole('textbox', { name })).toBeNull())
    await page.router.navigate('/references')
    expect(await screen.findByRole('columnheader', { name: /^Titre/ })).toBeVisible()
    await waitFor(() => expect(screen.queryByRole('columnheader', { name: 'Auteur' })).toBeNull())
  })

  it('is read by everybody, and changed by a right alone', async () => {
    const page = await openApp(server, '/settings/lists', { as: 'lecture' })
    expect(await screen.findByRole('row', { name: /^Zola, Émile/ })).toBeVisible()
    expect(screen.queryByRole('button', { name: 'Ajouter une valeur' })).toBeNull()
    expect(screen.getByLabelText(/^Activé\s: Local$/)).toBeDisabled()
    await page.router.navigate('/settings/fields')
    expect(await screen.findByRole('row', { name: /^Cote Dewey/ })).toBeVisible()
    expect(screen.queryByRole('button', { name: /^Renommer/ })).toBeNull()
  })
})
