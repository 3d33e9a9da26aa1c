import '../support/page-globals.ts'

import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, it } from 'vitest'

import { queryClient } from '../../src/client/api/query-client.ts'
import { closeApp, openApp } from '../support/open-app.tsx'
import { press } from '../support/press.ts'
import { describeServer, type TestServer } from '../support/test-server.ts'
import { importing } from './importing.ts'
import { notice } from './notices.ts'

afterEach(closeApp)

const choose = async (field: string | RegExp, option: string | RegExp) => {
  // It takes no choice while the one before is on its way.
  await waitFor(() => expect(screen.getByRole('combobox', { name: field })).toBeEnabled())
  await userEvent.click(screen.getByRole('combobox', { name: field }))
  await userEvent.click(await screen.findByRole('option', { name: option }))
}

const rowOf = (column: string) => screen.findByRole('group', { name: `Colonne\u202f: ${column}` })

const long = 'Un résumé de plus de quarante caractères, bien plus'
const withOthers = `titre;auteur;machin\nLe Ventre de Paris;Émile Zola;${long}\nGerminal;Émile Zola;\n`

/** A file that was read, on its screen. */
async function openImport(
  server: TestServer,
  name: string,
  source: string | Uint8Array,
  subject = 'references',
) {
  const files = importing(server, await server.as('admin'), subject)
  const { id } = await files.read(name, source)
  const page = await openApp(server, `/imports/view/${id}`)
  await screen.findByRole('heading', { level: 1, name })
  return { ...files, id, page }
}

describeServer('« Importer un fichier »', (server) => {
  it('begins with what the list is of that led to it, tells why a file cannot be read, and leads to one that was', async () => {
    const page = await openApp(server, '/references')
    await userEvent.click(await screen.findByRole('link', { name: 'Importer' }))
    expect(await screen.findByRole('combobox', { name: 'Ce que le fichier apporte' })).toHaveValue(
      'Références et exemplaires',
    )
    expect(await screen.findByRole('button', { name: 'Lire le fichier' })).toBeDisabled()
    const field = screen.getByLabelText('Fichier', { selector: 'input[type=file]' })
    await userEvent.upload(field, new File([''], 'vide.csv', { type: 'text/csv' }))
    await press('Lire le fichier')
    // At its field and aloud.
    await waitFor(() =>
      expect(screen.getAllByRole('alert').map(({ textContent }) => textContent)).toContainEqual(
        expect.stringMatching(/^Une erreur s'est produite, l'import n'a pas pu être effectué\. .+/),
      ),
    )
    const group = screen.getByRole('group', { name: 'Fichier' })
    expect(within(group).getByRole('alert')).toHaveTextContent(/vide/)
    await userEvent.upload(
      screen.getByLabelText('Fichier', { selector: 'input[type=file]' }),
      new File([withOthers], 'catalogue.csv', { type: 'text/csv' }),
    )
    await press('Lire le fichier')
    await screen.findByRole('heading', { level: 1, name: 'catalogue.csv' })
    await waitFor(() => expect(page.address).toBe('/imports/view/1'))
    expect(screen.getByText(/^Références et exemplaires, 2 lignes/)).toBeVisible()

    await page.router.navigate('/imports')
    const row = (await screen.findByRole('link', { name: 'catalogue.csv' })).closest('tr, li')
    expect(row).toHaveTextContent('Références et exemplaires')
    expect(row).toHaveTextContent('À essayer')
    expect(row).toHaveTextContent('2 lignes')

    await page.router.navigate('/beneficiaries')
    await userEvent.click(await screen.findByRole('link', { name: 'Importer' }))
    expect(await screen.findByRole('combobox', { name: 'Ce que le fichier apporte' })).toHaveValue('Lecteurs')
  })

  it('offers what the person may bring in', async () => {
    await openApp(server, '/imports/add', { as: 'biblio' })
    await userEvent.click(await screen.findByRole('combobox', { name: 'Ce que le fichier apporte' }))
    const { body } = await (await server.as('biblio')).get('/api/users/me')
    const may = [
      ['REFERENCE_IMPORT', 'Références et exemplaires'],
      ['BENEFICIARY_EDIT', 'Lecteurs'],
      ['LOANING_ADD', 'Prêts en cours'],
    ].flatMap(([right, words]) => (body.rights.includes(right) ? [words] : []))
    const offered = await screen.findAllByRole('option')
    expect(offered.map(({ textContent }) => textContent)).toEqual(may)
  })
})

describeServer('the columns of an import', (server) => {
  it('show forty characters of a value, have each a field of their own, and are confirmed once each that is wanted has one', async () => {
    const { id, get } = await openImport(server, 'catalogue.csv', withOthers)
    const other = await rowOf('machin')
    const left = /^Colonne qui ne s’importe pas\s: «\smachin\s»\.$/
    expect(screen.getByText(left)).toBeVisible()
    const wanted = within(other).getByRole('switch', { name: 'Importer cette colonne' })
    expect(wanted).not.toBeChecked()
    const confirm = screen.getByRole('button', { name: 'Valider' })
    expect(confirm).toBeEnabled()
    expect(within(other).getByTitle(long)).toHaveTextContent(`${long.slice(0, 40)}…`)

    await userEvent.click(wanted)
    expect(confirm).toBeDisabled()
    expect(screen.getByText(/^Choisissez un champ, ou .* machin\.$/)).toBeVisible()
    expect(screen.getByRole('button', { name: 'Essayer' })).toBeDisabled()

    await userEvent.click(screen.getByRole('combobox', { name: 'Champ\u202f: machin' }))
    const description = await screen.findByRole('option', { name: 'Description' })
    // Another column gives it.
    expect(screen.queryByRole('option', { name: 'Titre' })).toBeNull()
    await userEvent.click(description)
    expect(confirm).toBeEnabled()
    await userEvent.click(wanted)
    expect(within(other).getByRole('combobox')).toHaveValue('Ne pas importer')
    await choose('Champ\u202f: machin', 'Description')
    expect(wanted).toBeChecked()
    expect(screen.queryByText(left)).toBeNull()
    await userEvent.selectOptions(
      await screen.findByRole('combobox', { name: 'Valeur déjà là\u202f: machin' }),
      'Remplacer',
    )
    fireEvent.change(screen.getByRole('textbox', { name: 'Garder ces colonnes sous un nom' }), {
      target: { value: 'PMB' },
    })
    await userEvent.click(confirm)
    await screen.findByText('Colonnes validées.')
    expect(await screen.findByText(/, comme gardées sous «\sPMB\s»\./)).toBeVisible()
    const { mapping, choices } = await get(id)
    expect(mapping).toEqual(['name', 'tags.author', 'description'])
    expect(choices.policies['description']).toBe('overwrite')
    await waitFor(() => expect(screen.getByRole('button', { name: 'Essayer' })).toBeEnabled())

    const files = importing(server, await server.as('admin'))
    const again = await files.read('autre.csv', withOthers)
    expect(again.opened.known_as).toBe('PMB')
    expect(again.mapping).toEqual(['name', 'tags.author', 'description'])
    // Of a shape that is known only once it is read as it should be.
    expect((await files.change(again.id, { has_header: false })).opened.known_as).toBeNull()
    const found = await files.change(again.id, { has_header: true })
    expect(found.opened.known_as).toBe('PMB')
    expect(found.mapping).toEqual(['name', 'tags.author', 'description'])
    expect(found.choices.policies['description']).toBe('overwrite')
    const otherwise = await files.change(again.id, { mapping: ['name', null, 'description'] })
    expect(otherwise.opened.known_as).toBeNull()
  })

  it('are decided one at a time: what is recognised is one line, and the next that is not opens', async () => {
    await openImport(server, 'deux.csv', 'titre;machin;truc\nNana;un;deux\n')
    expect(await rowOf('titre')).toHaveTextContent(/^Titre ← colonne «\stitre\s»Changer$/)
    expect(await rowOf('truc')).toHaveTextContent(/ne s’importe pas.*À décider/)
    await choose('Champ\u202f: machin', 'Description')
    await press('Colonne suivante')
    expect(await rowOf('machin')).toHaveTextContent(/^Description ← colonne/)
    const last = within(await rowOf('truc'))
    await waitFor(() => expect(last.getByRole('switch')).toHaveFocus())
    await press('Replier')
    await waitFor(() => expect(screen.getByRole('button', { name: 'Valider' })).toHaveFocus())
    expect(screen.queryByText('À décider')).toBeNull()
    await press('Changer\u202f: titre')
    expect(screen.getByRole('combobox', { name: 'Champ\u202f: titre' })).toHaveValue('Titre')
    expect(screen.queryByRole('combobox', { name: 'Champ\u202f: machin' })).toBeNull()
  })

  it('are other ones once the file is read otherwise', async () => {
    const { id, get } = await openImport(server, 'catalogue.csv', withOthers)
    await userEvent.click(await screen.findByRole('switch', { name: 'La première ligne nomme les colonnes' }))
    await waitFor(() => expect(screen.getByText(/, 3 lignes/)).toBeVisible())
    const charsets = screen.getByRole('radiogroup', { name: 'Accents' })
    expect(screen.getByText(/^UTF-8\s: .*Choisissez/)).toBeVisible()
    expect(charsets).toHaveTextContent('Ã‰mile Zola')
    await userEvent.click(within(charsets).getByRole('radio', { name: 'Mac Roman' }))
    await screen.findByText(/^Mac Roman\s: vous les avez choisis/)
    expect((await get(id)).opened).toMatchObject({ has_header: false, charset: { name: 'macintosh' } })
  })
})

describeServer('an import', (server) => {
  const source =
    'titre;auteur;code-barres;site\nGerminal;Émile Zola;90001;Centre\n;Sans titre;90002;Centre\nNana;Émile Zola;90003;Ailleurs\n'

  it('is tried, imported, and taken back from its act', async () => {
    const { id, get, page } = await openImport(server, 'catalogue.csv', source)
    /** Asks at once, where the page would ask by itself a second later. */
    const done = async () => {
      await server.doJobs()
      await act(() => queryClient.invalidateQueries())
    }
    await press('Essayer')
    await screen.findByText(/Vous pouvez quitter cette page/)
    await server.doJobs()
    const refused = await screen.findByRole('region', { name: 'Lignes refusées' })
    await waitFor(() => expect(refused).toHaveTextContent(/Ligne 3, Titre/))
    expect(refused).toHaveTextContent(/Ailleurs/)
    expect((await get(id)).counts).toMatchObject({ added: 1, refused: 2 })
    // What came of it is read before how it came about.
    expect(screen.getAllByRole('heading', { level: 2 }).map(({ textContent }) => textContent)).toEqual([
      'Essai',
      'Sites du fichier',
      'Lignes refusées',
      'Comment le fichier se lit',
      'Colonnes',
      'Choix',
    ])

    await choose('«\u00a0Ailleurs\u00a0» est', 'Centre')
    await press('Enregistrer les sites')
    await waitFor(async () => expect((await get(id)).choices.sites).toEqual({ Ailleurs: 1 }))
    await press('Essayer')
    await screen.findByText(/Vous pouvez quitter cette page/)
    await done()
    await press('Importer')
    const asked = await screen.findByRole('dialog', { name: /^Importer/ })
    expect(asked).toHaveTextContent('2 lignes seront ajoutées (2 exemplaires), 1 ligne refusée.')
    await userEvent.click(within(asked).getByRole('button', { name: 'Valider' }))
    await waitFor(async () => expect((await get(id)).status).toBe('running'))
    await done()
    expect(await screen.findByText('Import effectué avec succès.')).toBeVisible()
    expect(await screen.findByText(/^Ligne 3, Titre/)).toBeVisible()
    expect(screen.getByRole('button', { name: 'Télécharger les lignes refusées' })).toBeVisible()

    await userEvent.click(screen.getByRole('link', { name: 'Annuler cet import' }))
    await screen.findByRole('button', { name: 'Annuler l’acte' })
    const { act: made } = await get(id)
    await waitFor(() => expect(page.address).toBe(`/settings/acts/view/${made}`))
  })

  it('tells of a line all that is wrong with it', async () => {
    const { id, get } = await openImport(server, 'fautes.csv', 'titre;prix\n;gratuit\nNana;gratuit\n')
    await press('Essayer')
    await screen.findByText(/Vous pouvez quitter cette page/)
    await server.doJobs()
    const refused = await screen.findByRole('region', { name: 'Lignes refusées' })
    await waitFor(() => expect(within(refused).getAllByRole('listitem')).toHaveLength(2))
    const [first, second] = within(refused).getAllByRole('listitem')
    expect(first).toHaveTextContent(
      /^Ligne 2«\sgratuit\s» ne va pas dans «\sPrix\s»\.«\sTitre\s» est vide\.$/,
    )
    expect(second).toHaveTextContent(/^Ligne 3, Prix«\sgratuit/)
    expect((await get(id)).counts).toMatchObject({ refused: 2 })
  })

  it('has a site made that its file names, by whoever may make one', async () => {
    const { id, get } = await openImport(
      server,
      'sites.csv',
      'titre;code-barres;site\nUn;90101;Quai\nDeux;90102;Gare\n',
    )
    await press('Essayer')
    await screen.findByText(/Vous pouvez quitter cette page/)
    await server.doJobs()
    await choose('«\u00a0Quai\u00a0» est', 'Créer le site «\u00a0Quai\u00a0»')
    await choose('«\u00a0Gare\u00a0» est', 'Annexe')
    await press('Enregistrer les sites')
    await waitFor(async () => expect(Object.keys((await get(id)).choices.sites)).toHaveLength(2))
    await screen.findByText('Sites enregistrés.')
    const { body } = await (await server.as('admin')).get('/api/sites?name=Quai')
    const [{ id: made }] = body['hydra:member']
    expect((await get(id)).choices.sites).toEqual({ Quai: made, Gare: 2 })

    const others = importing(server, await server.as('biblio'), 'readers')
    const read = await others.read('lecteurs.csv', 'nom;site\nDuval;Port\n')
    await others.check(read.id)
    await closeApp()
    await openApp(server, `/imports/view/${read.id}`, { as: 'biblio' })
    await userEvent.click(await screen.findByRole('combobox', { name: '«\u00a0Port\u00a0» est' }))
    const offered = await screen.findAllByRole('option')
    expect(offered.map(({ textContent }) => textContent)).not.toContain('Créer le site «\u00a0Port\u00a0»')
  })

  it('shows what changes before it does', async () => {
    const admin = await server.as('admin')
    const [{ id, name }] = (await admin.get('/api/references?limit=1')).body['hydra:member']
    await admin.put(`/api/references/${id}`, { code: '9782070368228', short_description: 'Avant' })
    const files = importing(server, admin)
    const read = await files.read('mieux.csv', `titre;isbn;résumé\n${name};9782070368228;Après\n`)
    await files.change(read.id, {
      mapping: ['name', 'code', 'short_description'],
      choices: { policies: { short_description: 'overwrite' } },
    })
    await files.check(read.id)
    await openApp(server, `/imports/view/${read.id}`)
    const changes = await screen.findByRole('region', { name: 'Ce qui change' })
    expect(changes).toHaveTextContent(/Avant → Après/)
  })

  it('that failed says so, and what the server says', async () => {
    const { id } = await importing(server, await server.as('admin')).read('catalogue.csv', source)
    await server.db
      .updateTable('imports')
      .set({ status: 'done', problem: 'Le fichier n’est plus sur le serveur.' })
      .where('id', '=', id)
      .execute()
    await openApp(server, `/imports/view/${id}`)
    const alert = await screen.findByText("Une erreur s'est produite, l'import n'a pas pu être effectué.")
    expect(alert.closest('[role=alert]')).toHaveTextContent('Le fichier n’est plus sur le serveur.')
  })

  it('of notices has no columns to choose, and is forgotten when asked twice', async () => {
    const notices =
      '<?xml version="1.0" encoding="UTF-8"?>\n<collection><record><leader>00000nam0 2200000   450 </leader><datafield tag="200" ind1="1" ind2=" "><subfield code="a">Nana</subfield></datafield></record></collection>'
    const { page } = await openImport(server, 'notices.xml', notices)
    expect(await screen.findByText(/sont connus/)).toBeVisible()
    expect(screen.queryByRole('button', { name: 'Valider' })).toBeNull()
    await press(/^Actions\s: notices/)
    await userEvent.click(await screen.findByRole('menuitem', { name: 'Oublier ce fichier' }))
    await userEvent.click(
      within(await screen.findByRole('dialog', { name: /^Oublier/ })).getByRole('button', {
        name: 'Valider',
      }),
    )
    await screen.findByText('Fichier oublié.')
    await waitFor(() => expect(page.address).toBe('/imports'))
  })
})

describeServer('the copies of notices', (server) => {
  it('are said to be lent or not, and the trial tells what that does', async () => {
    const copies = [
      { f: '9101', o: 'e' },
      { f: '9102', o: 'x', m: '20260901' },
    ]
    const { id, get } = await openImport(server, 'notices.mrc', notice({ title: 'Atlas', copies }))
    expect(await screen.findByRole('combobox', { name: 'Usage de la zone 995' })).toHaveValue(
      'Recommandation 995',
    )
    expect(screen.getByRole('combobox', { name: '$o «\u00a0e\u00a0»' })).toHaveValue('Non Disponible')
    await choose('$o «\u00a0x\u00a0»', 'Non Disponible')
    await waitFor(async () => expect((await get(id)).choices.lent).toEqual({ x: false }))
    await choose('Usage de la zone 995', 'Koha')
    await waitFor(async () => expect((await get(id)).choices.copy_frame).toBe('koha'))
    await choose('Site des exemplaires dont la ligne n’en dit pas', 'Centre')
    await waitFor(() => expect(screen.getByRole('button', { name: 'Essayer' })).toBeEnabled())
    await press('Essayer')
    await waitFor(async () => expect((await get(id)).status).toBe('checking'))
    await server.doJobs()
    const told = await screen.findByRole('region', { name: 'À savoir' })
    expect(told).toHaveTextContent(/Exemplaires exclus du prêt, qui seront «\sNon Disponible\s» \(2\)/)
    expect(told).toHaveTextContent(/9102\s: depuis le 01\/09\/2026/)
  })
})
