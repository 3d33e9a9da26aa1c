import '../support/page-globals.ts'

import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, it } from 'vitest'

import { emptyTables } from '../support/empty-tables.ts'
import { closeApp, openApp } from '../support/open-app.tsx'
import { press } from '../support/press.ts'
import { describeServer } from '../support/test-server.ts'

afterEach(closeApp)

const line = async (group: string, n: number) =>
  within(await screen.findByRole('group', { name: `${group}, ligne ${n}` }))
const lines = (group: string) =>
  within(screen.getByRole('group', { name: group })).getAllByRole('group', { name: /ligne \d+$/ })
/** Spelled as they are offered; none is chosen. */
const offered = async (box: HTMLElement): Promise<(string | null)[]> => {
  await userEvent.click(box)
  await screen.findAllByRole('option')
  const names = spelled()
  await userEvent.keyboard('{Escape}')
  return names
}
const spelled = () => screen.getAllByRole('option').map(({ textContent }) => textContent)
/** Chooses one, from among those that are offered. */
const choose = async (box: HTMLElement, option: string, among?: string[]) => {
  await userEvent.click(box)
  const found = await screen.findByRole('option', { name: option })
  if (among) expect(spelled()).toEqual(among)
  await userEvent.click(found)
}
const combo = (within_: Awaited<ReturnType<typeof line>>, name: string) =>
  within_.getByRole('combobox', { name })

describeServer('coded fields in the form of a reference', (server) => {
  beforeEach(async () => {
    await emptyTables(server.db, 'list_types')
    await sql`insert into list_types (name, "group", is_main_author) values
      ('Auteur', 'author', true), ('Réalisateur', 'author', false), ('Genre', 'list', false)`.execute(
      server.db,
    )
    await sql`insert into list_type_media values (2, 2)`.execute(server.db)
    await sql`insert into list_values (name, "group", type) values
      ('Zola, Émile', 'author', 1), ('Sand, George', 'author', 1), ('Varda, Agnès', 'author', 2),
      ('Roman > Policier > Nordique', 'list', 3), ('Roman > Policier', 'list', 3), ('Roman > Historique', 'list', 3),
      ('Essai', 'list', 3)`.execute(server.db)
  })

  it('offers functions by medium and values not used yet, line by line; empty lines go', async () => {
    const page = await openApp(server, '/references/edit/1')
    // What is typed before gives way to what main authors say.
    await userEvent.clear(await screen.findByRole('textbox', { name: 'Auteur' }))
    await userEvent.paste('Autre')
    await choose(combo(await line('Auteurs', 1), 'Fonction'), 'Auteur', ['Auteur'])
    await choose(combo(await line('Auteurs', 1), 'Valeur'), 'Sand, George')
    await press(/^Ajouter une ligne\s: Auteurs$/)
    await press(/^Ajouter une ligne\s: Auteurs$/)
    expect(lines('Auteurs')).toHaveLength(2)
    await choose(combo(await line('Auteurs', 2), 'Fonction'), 'Auteur')
    await choose(combo(await line('Auteurs', 2), 'Valeur'), 'Zola, Émile', ['Zola, Émile'])
    expect(await screen.findByRole('textbox', { name: 'Auteur' })).toHaveValue('Sand, George ; Zola, Émile')
    await press(/^Ajouter une ligne\s: Auteurs$/)
    expect(lines('Auteurs')).toHaveLength(3)
    await press(/^Retirer\s: Auteurs, ligne 2$/)
    expect(lines('Auteurs')).toHaveLength(1)
    // Another medium has other functions.
    await choose(screen.getByRole('combobox', { name: 'Support' }), 'DVD')
    await press(/^Ajouter une ligne\s: Auteurs$/)
    expect(await offered(combo(await line('Auteurs', 2), 'Fonction'))).toEqual(['Auteur', 'Réalisateur'])
    await press('Enregistrer')
    expect(await screen.findByText('Référence mise à jour avec succès.')).toBeVisible()
    expect((await page.client.get('/api/references/1')).body).toMatchObject({
      authors: { author: { Auteur: ['Sand, George'] } },
      tags: { author: 'Sand, George' },
    })
    await page.router.navigate('/references/view/1')
    const shown = (await screen.findByRole('heading', { name: 'Auteurs', level: 2 })).closest(
      'section',
    ) as HTMLElement
    expect(within(shown).getByText('Sand, George')).toBeVisible()
  })

  it('chooses values that have levels one by one', async () => {
    const page = await openApp(server, '/references/edit/2')
    await choose(combo(await line('Listes', 1), 'Fonction'), 'Genre')
    const genre = await line('Listes', 1)
    const level = (n: number) => genre.findByRole('combobox', { name: `Niveau ${n}` })
    await choose(await level(1), 'Roman', ['Essai', 'Roman'])
    await choose(await level(2), 'Policier', ['Historique', 'Policier'])
    await choose(await level(3), 'Nordique')
    await press('Enregistrer')
    expect(await screen.findByText('Référence mise à jour avec succès.')).toBeVisible()
    const told = async () => (await page.client.get('/api/references/2')).body.authors
    expect(await told()).toEqual({ list: { Genre: ['Roman > Policier > Nordique'] } })
    expect(await screen.findByText('Roman > Policier > Nordique')).toBeVisible()
    await waitFor(() => expect(page.address).toBe('/references/view/2'))
    await page.router.navigate('/references/edit/2')
    expect(await screen.findByRole('combobox', { name: 'Niveau 3' })).toHaveValue('Nordique')
    await choose(screen.getByRole('combobox', { name: 'Niveau 2' }), 'Historique')
    expect(screen.queryByRole('combobox', { name: 'Niveau 3' })).toBeNull()
    await press('Enregistrer')
    await waitFor(async () => expect(await told()).toEqual({ list: { Genre: ['Roman > Historique'] } }))
  })

  it('makes a value that is not known for whoever keeps the lists, and for nobody else', async () => {
    const type = async () => {
      await choose(combo(await line('Auteurs', 1), 'Fonction'), 'Auteur')
      const value = combo(await line('Auteurs', 1), 'Valeur')
      await userEvent.click(value)
      await userEvent.paste('Colette')
    }
    const page = await openApp(server, '/references/edit/3')
    await type()
    await userEvent.click(await screen.findByRole('option', { name: /^Créer «\sColette\s»$/ }))
    await waitFor(async () => {
      const made = await page.client.get('/api/list_values?name|eq=Colette')
      expect(made.body['hydra:totalItems']).toBe(1)
    })
    await press('Enregistrer')
    expect(await screen.findByText('Référence mise à jour avec succès.')).toBeVisible()
    expect((await page.client.get('/api/references/3')).body.tags.author).toBe('Colette')
    await closeApp()
    await sql`delete from reference_list_values`.execute(server.db)
    await sql`delete from list_values where name = 'Colette'`.execute(server.db)
    await openApp(server, '/references/edit/4', { as: 'biblio' })
    await type()
    expect(await screen.findByText('Aucune valeur de ce nom')).toBeVisible()
    expect(screen.queryByRole('option', { name: /Créer/ })).toBeNull()
  })

  const typeValue = async (n: number, text: string) => {
    await choose(combo(await line('Auteurs', n), 'Fonction'), 'Auteur')
    const value = combo(await line('Auteurs', n), 'Valeur')
    await userEvent.click(value)
    await userEvent.paste(text)
    return value
  }

  it('keeps the lines added since where a value is refused late', async () => {
    const page = await openApp(server, '/references/edit/7')
    let answer = () => {}
    const held = new Promise<void>((resolve) => (answer = resolve))
    const { network } = page.device
    page.device.network = async (request) => {
      if (request.method === 'POST' && request.url.includes('/api/list_values')) await held
      return await network(request)
    }
    await typeValue(1, 'Colette')
    await userEvent.click(await screen.findByRole('option', { name: /^Créer «\sColette\s»$/ }))
    await press(/^Ajouter une ligne\s: Auteurs$/)
    await choose(combo(await line('Auteurs', 2), 'Fonction'), 'Auteur')
    await choose(combo(await line('Auteurs', 2), 'Valeur'), 'Zola, Émile')
    // A colleague was quicker.
    await sql`insert into list_values (name, "group", type) values ('COLETTE', 'author', 1)`.execute(
      server.db,
    )
    answer()
    expect(await screen.findByText('Cette fonction a déjà une valeur de ce nom.')).toBeVisible()
    expect(lines('Auteurs')).toHaveLength(2)
    expect(combo(await line('Auteurs', 2), 'Valeur')).toHaveValue('Zola, Émile')
    expect(combo(await line('Auteurs', 1), 'Valeur')).toHaveValue('')
  })

  it('knows a value without its accents, and says of a disabled one that it is', async () => {
    await sql`update list_values set enabled = false where name = 'Sand, George'`.execute(server.db)
    await openApp(server, '/references/edit/8')
    const value = await typeValue(1, 'sand, georges')
    expect(await screen.findByRole('option', { name: /^Créer/ })).toBeVisible()
    fireEvent.change(value, { target: { value: 'sand, george' } })
    expect(await screen.findByRole('option', { name: /^«\sSand, George\s» est désactivée\.$/ })).toBeVisible()
    expect(screen.queryByRole('option', { name: /^Créer/ })).toBeNull()
    fireEvent.change(value, { target: { value: 'zola, emile' } })
    expect(await screen.findByRole('option', { name: 'Zola, Émile' })).toBeVisible()
    await waitFor(() => expect(screen.queryByRole('option')).toHaveTextContent('Zola, Émile'))
  })

  it('tells the second of two people what became of the coded fields', async () => {
    const page = await openApp(server, '/references/edit/5')
    fireEvent.change(await screen.findByRole('textbox', { name: 'Éditeur' }), {
      target: { value: 'Gallimard' },
    })
    await page.client.put('/api/references/5', { authors: { author: { Auteur: ['Sand, George'] } } })
    await press('Enregistrer')
    const alert = (await screen.findByText('Modifiée par quelqu’un d’autre')).closest(
      '[role=alert]',
    ) as HTMLElement
    expect(within(alert).getByText(/^Auteurs.*vide.*est devenu.*Auteur\s: Sand, George/)).toBeVisible()
  })

  it('adds a field of additional data, and drops one that is left empty, unless it is the only one', async () => {
    const page = await openApp(server, '/references/edit/6')
    const box = (name: string) => screen.findByRole('textbox', { name })
    const open = async (name: string) => {
      await choose(await screen.findByRole('combobox', { name: 'Ajouter un champ' }), name)
      await userEvent.click(await box(name))
    }
    const leave = async () => userEvent.click(await box('Titre'))
    await open('Langue')
    await leave()
    expect(await box('Langue')).toBeVisible()
    await open('Tome')
    await leave()
    await waitFor(() => expect(screen.queryByRole('textbox', { name: 'Tome' })).toBeNull())
    await userEvent.type(await box('Langue'), 'fre')
    await open('Tome')
    await userEvent.paste('2')
    await userEvent.clear(await box('Langue'))
    await userEvent.tab()
    await waitFor(() => expect(screen.queryByRole('textbox', { name: 'Langue' })).toBeNull())
    // The last line stays, empty or not.
    await userEvent.clear(await box('Tome'))
    await userEvent.tab()
    await userEvent.type(await box('Tome'), '3')
    await press('Enregistrer')
    expect(await screen.findByText('Référence mise à jour avec succès.')).toBeVisible()
    expect((await page.client.get('/api/references/6')).body.reference_data).toEqual({ volume: '3' })
  })
})
