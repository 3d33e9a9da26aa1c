import '../support/page-globals.ts'

import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'

import { setParameter } from '../settings/set-parameter.ts'
import { closeApp, openApp } from '../support/open-app.tsx'
import { type Network, networkTo } from '../support/page-network.ts'
import { press } from '../support/press.ts'
import { describeServer } from '../support/test-server.ts'

// The page without a browser draws no images.
beforeEach(() => {
  vi.stubGlobal('createImageBitmap', () => Promise.resolve({ width: 90, height: 120, close: () => {} }))
})
afterEach(async () => {
  await closeApp()
  vi.unstubAllGlobals()
})

const field = (name: string) => screen.findByRole('textbox', { name })
/** At once, as a paste: the long form is drawn at each key, and every-form.db.test.tsx types in each of its fields. */
const write = async (name: string, text: string) =>
  fireEvent.change(await field(name), { target: { value: text } })

describeServer('references', (server) => {
  const image = (id: number, image_version: string) =>
    server.db.updateTable('references').set({ image_version }).where('id', '=', id).execute()

  it('adds one and its first copy, and shows both', async () => {
    const page = await openApp(server, '/references/add')
    await write('Titre', 'L’Étranger')
    await write('Auteur', 'Camus, Albert')
    await write('Code', '2-07-036002-4')
    await write('Prix', '7,5')
    await press('Enregistrer')
    expect(await screen.findByText('Référence ajoutée avec succès.')).toBeVisible()
    const dialog = await screen.findByRole('dialog', {
      name: /^Ajouter un exemplaire de «\sL’Étranger\s»$/,
    })
    fireEvent.change(within(dialog).getByRole('textbox', { name: 'Code-barres' }), {
      target: { value: 'E1' },
    })
    await userEvent.click(within(dialog).getByRole('button', { name: 'Valider' }))
    expect(await screen.findByText('Exemplaire ajouté avec succès.')).toBeVisible()
    const copies = await screen.findByRole('list', { name: 'Exemplaires' })
    expect(await within(copies).findByText('E1')).toBeVisible()
    expect(screen.getByText('9782070360024')).toBeVisible()
    await waitFor(() => expect(page.address).toMatch(/^\/references\/view\/\d+$/))
    const { body } = await page.client.get('/api/references?filters[code|eq]=9782070360024')
    expect(body['hydra:member'][0]).toMatchObject({ price: '7.50', copies_count: 1 })
  })

  it('says whose the code is that is typed again, refuses it at its field, loses nothing, and offers a copy instead', async () => {
    const page = await openApp(server, '/references/add')
    await write('Titre', 'Livre numéro 2')
    await write('Code', 'L2')
    const found = (await screen.findByText('Déjà au catalogue')).closest('[role=status]') as HTMLElement
    expect(found).toHaveTextContent('Livre numéro 2')
    expect(found).toHaveTextContent('Un autre titre ou un autre tome s’enregistre à part.')
    await press('Enregistrer')
    expect(await screen.findByText(/Le code L2 est déjà celui de/)).toBeVisible()
    expect(await field('Code')).toHaveFocus()
    expect(await field('Titre')).toHaveValue('Livre numéro 2')
    await userEvent.click(within(found).getByRole('button', { name: 'Ajouter un exemplaire' }))
    expect(await screen.findByRole('dialog', { name: /Livre numéro 2/ })).toBeVisible()
    await waitFor(() => expect(page.address).toBe('/references/view/2?copy='))
  })

  it('shows the second of two people what the first one changed, and keeps what was written', async () => {
    const page = await openApp(server, '/references/edit/3')
    await write('Éditeur', 'Gallimard')
    await page.client.put('/api/references/3', { name: 'Germinal', tags: { year: '1885' } })
    await image(3, 'b'.repeat(32))
    await press('Enregistrer')
    const alert = (await screen.findByText('Modifiée par quelqu’un d’autre')).closest(
      '[role=alert]',
    ) as HTMLElement
    expect(within(alert).getByText(/Titre.*Livre numéro 3.*est devenu.*Germinal/)).toBeVisible()
    expect(within(alert).getByText(/Année.*vide.*est devenu.*1885/)).toBeVisible()
    expect(within(alert).getByText(/^Image\s: ajoutée$/)).toBeVisible()
    await userEvent.click(within(alert).getByRole('button', { name: 'Garder mes modifications' }))
    await press('Enregistrer')
    expect(await screen.findByText('Référence mise à jour avec succès.')).toBeVisible()
    expect((await page.client.get('/api/references/3')).body).toMatchObject({
      name: 'Germinal',
      tags: { year: '1885', publisher: 'Gallimard' },
    })
  })

  const changedBy = async (address: string) => {
    const page = await openApp(server, address)
    await write('Éditeur', 'Gallimard')
    return page
  }

  it('says that the title was deleted meanwhile, and leads to the list', async () => {
    const page = await changedBy('/references/edit/10')
    await server.db
      .updateTable('references')
      .set({ deleted_at: server.now.toISOString() })
      .where('id', '=', 10)
      .execute()
    await press('Enregistrer')
    const gone = (await screen.findByText('Cette référence a été supprimée entre-temps.')).closest(
      '[role=alert]',
    ) as HTMLElement
    expect(within(gone).getByRole('link', { name: 'Voir les références' })).toHaveAttribute(
      'href',
      '/references',
    )
    expect(await field('Éditeur')).toHaveValue('Gallimard')
    await waitFor(() => expect(page.address).toBe('/references/edit/10'))
    await server.db.updateTable('references').set({ deleted_at: null }).where('id', '=', 10).execute()
  })

  it('offers to read what changed again where that failed, and shows no list where nothing did', async () => {
    const page = await changedBy('/references/edit/11')
    await page.client.put('/api/references/11', { name: 'Autre' })
    await page.client.put('/api/references/11', { name: 'Film numéro 1' })
    const { network } = page.device
    page.device.network = async (request) =>
      request.method === 'GET' && request.url.endsWith('/api/references/11')
        ? new Response('{}', { status: 500 })
        : await network(request)
    await press('Enregistrer')
    const again = await screen.findByRole('button', { name: 'Réessayer' })
    page.device.network = network
    await userEvent.click(again)
    const alert = (await screen.findByText('Modifiée par quelqu’un d’autre')).closest(
      '[role=alert]',
    ) as HTMLElement
    expect(alert).toHaveTextContent('rien de ce que montre ce formulaire n’a changé')
    expect(within(alert).queryByRole('list')).toBeNull()
    await userEvent.click(within(alert).getByRole('button', { name: 'Garder mes modifications' }))
    await press('Enregistrer')
    expect(await screen.findByText('Référence mise à jour avec succès.')).toBeVisible()
  })

  it('begins at no price in the library’s own type, and keeps how a title is sorted, lent and described', async () => {
    const asked: string[] = []
    const real = networkTo(server)
    const network: Network = (request) => {
      const { pathname, searchParams } = new URL(request.url)
      if (pathname === '/api/keywords') asked.push(searchParams.get('limit') ?? '')
      return real(request)
    }
    const page = await openApp(server, '/references/add', { network })
    const choose = async (name: string, option: string) => {
      await userEvent.click(await screen.findByRole('combobox', { name }))
      await userEvent.click(await screen.findByRole('option', { name: option }))
    }
    expect(await field('Prix')).toHaveValue('0,00')
    expect(screen.getByRole('combobox', { name: 'Type' })).toHaveValue('Location')
    // The picker offers three hundred keywords at most.
    await waitFor(() => expect(new Set(asked)).toEqual(new Set(['300'])))
    await write('Titre', 'Claudine à l’école')
    const medium = await screen.findByRole('combobox', { name: 'Support' })
    expect(medium).toHaveAccessibleDescription('Sans support, un prêt dure 1 jour, sans limite ni pénalité.')
    await choose('Support', 'Livre')
    expect(medium).not.toHaveAccessibleDescription()
    await choose('Catégorie', 'Roman')
    await choose('Public', 'Jeunesse')
    await choose('Nouveauté', '3 mois')
    await userEvent.clear(await field('Prix'))
    await userEvent.type(await field('Prix'), '12,5')
    await userEvent.click(screen.getByRole('switch', { name: 'Demander un chèque de caution au prêt' }))
    await write('Description courte', 'Un premier roman')
    await write('Description', 'Montigny, vers 1900.')
    await userEvent.click(screen.getByRole('combobox', { name: 'Mots-clés' }))
    await userEvent.paste('école,Bourgogne')
    await choose('Ajouter un champ', 'Langue')
    await write('Langue', 'fre')
    await press('Enregistrer')
    expect(await screen.findByText('Référence ajoutée avec succès.')).toBeVisible()
    const { body } = await page.client.get('/api/references?filters[name|eq]=Claudine à l’école')
    expect((await page.client.get(`/api/references/${body['hydra:member'][0].id}`)).body).toMatchObject({
      medium: { name: 'Livre' },
      category: { name: 'Roman' },
      audience: 'youth',
      type: 'Location',
      price: '12.50',
      new_at: '2026-06-10',
      deposit_check: true,
      short_description: 'Un premier roman',
      description: 'Montigny, vers 1900.',
      keywords: expect.arrayContaining(['école', 'Bourgogne']),
      reference_data: { language: 'fre' },
    })
  })

  it('says of a refused image no more once another is chosen, whose picture it lets go of a tenth of a second after it was shown', async () => {
    const made = vi.spyOn(URL, 'createObjectURL').mockReturnValue('blob:couverture')
    const revoked = vi.spyOn(URL, 'revokeObjectURL').mockReturnValue(undefined)
    await openApp(server, '/references/edit/8')
    const offer = async (name: string, type: string) =>
      fireEvent.change(await screen.findByLabelText('Image de la référence', { selector: 'input' }), {
        target: { files: [new File(['x'], name, { type })] },
      })
    await offer('premier.txt', 'text/plain')
    expect(await screen.findByText(/premier\.txt/)).toBeVisible()
    await offer('second.txt', 'text/plain')
    expect(await screen.findByText(/second\.txt/)).toBeVisible()
    await waitFor(() => expect(screen.queryByText(/premier\.txt/)).toBeNull())
    await offer('couverture.png', 'image/png')
    const preview = await screen.findByAltText('Celle qui sera enregistrée')
    expect(preview).toHaveAttribute('src', 'blob:couverture')
    expect(made).toHaveBeenCalled()
    expect(revoked).not.toHaveBeenCalled()
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    // Leaving the page waits by them.
    try {
      fireEvent.load(preview)
      vi.advanceTimersByTime(99)
      expect(revoked).not.toHaveBeenCalled()
      vi.advanceTimersByTime(1)
      expect(revoked).toHaveBeenCalledWith('blob:couverture')
    } finally {
      vi.useRealTimers()
    }
  })

  it('empties what is emptied, and leaves a title that is not new so', async () => {
    const page = await openApp(server, '/references/edit/5')
    expect(await screen.findByRole('combobox', { name: 'Nouveauté' })).toHaveValue('Aucune')
    await write('Auteur', '')
    await write('Code', '')
    await press('Enregistrer')
    expect(await screen.findByText('Référence mise à jour avec succès.')).toBeVisible()
    expect((await page.client.get('/api/references/5')).body).toMatchObject({
      code: null,
      tags: {},
      new_at: null,
    })
  })

  it('shows the image of a title, and takes it away; of one that is new for a while it says « Inchangée », and leaves it so', async () => {
    const version = 'a'.repeat(32)
    await image(8, version)
    await server.db.updateTable('references').set({ new_at: '2026-09-30' }).where('id', '=', 8).execute()
    const page = await openApp(server, '/references/view/8')
    const shown = await screen.findByRole('img', { name: /Livre numéro 8/ })
    expect(shown).toHaveAttribute('src', `/api/image/references/8?v=${version}`)
    await press('Modifier')
    expect(await screen.findByRole('combobox', { name: 'Nouveauté' })).toHaveValue('Inchangée')
    await press('Retirer l’image')
    await press('Enregistrer')
    expect(await screen.findByText('Référence mise à jour avec succès.')).toBeVisible()
    expect((await page.client.get('/api/references/8')).body).toMatchObject({
      image_path: null,
      new_at: '2026-09-30',
    })
  })

  it('says that an image could not be kept once the reference is, and goes to the list', async () => {
    const page = await openApp(server, '/references/edit/9')
    await write('Éditeur', 'Minuit')
    const file = new File(['pas une image'], 'couverture.png', { type: 'image/png' })
    await userEvent.upload(await screen.findByLabelText('Image de la référence', { selector: 'input' }), file)
    await press('Enregistrer')
    expect(
      await screen.findByText(/^Une erreur est survenue lors de l'enregistrement de l'image\./),
    ).toBeVisible()
    await waitFor(() => expect(page.address).toBe('/references'))
    expect((await page.client.get('/api/references/9')).body.tags.publisher).toBe('Minuit')
  })

  it('takes a copy off the shelf, puts it back and withdraws it, each with its sentence', async () => {
    const page = await openApp(server, '/references/view/6')
    const choose = async (name: string) => {
      await press(/^Actions\s: exemplaire 1006$/)
      await userEvent.click(await screen.findByRole('menuitem', { name }))
    }
    const said = (sentence: string) => screen.findAllByText(sentence)
    await choose('Rendre indisponible')
    expect(await said('Exemplaire mis à jour avec succès.')).toHaveLength(1)
    const copies = await screen.findByRole('list', { name: 'Exemplaires' })
    expect(await within(copies).findByText('Non Disponible')).toBeVisible()
    await choose('Rendre disponible')
    expect(await within(copies).findByText('Disponible')).toBeVisible()
    await waitFor(async () => expect(await said('Exemplaire mis à jour avec succès.')).toHaveLength(2))
    await choose('Retirer du fonds')
    const dialog = await screen.findByRole('dialog', { name: 'Retirer l’exemplaire 1006' })
    await userEvent.click(within(dialog).getByRole('button', { name: 'Retirer' }))
    expect(await said('Exemplaire retiré du fonds.')).toHaveLength(1)
    expect(await screen.findByText('Aucun exemplaire pour l’instant.')).toBeVisible()
    expect((await page.client.get('/api/copies?filters[bar_code|eq]=1006')).body['hydra:totalItems']).toBe(0)
  })

  it('changes a copy in a dialog, which says at its field what is refused', async () => {
    const page = await openApp(server, '/references/view/9')
    const act = async (action: string) => {
      await press(/^Actions\s: .*1009/)
      await userEvent.click(await screen.findByRole('menuitem', { name: action }))
      return within(await screen.findByRole('dialog', { name: 'Modifier l’exemplaire 1009' }))
    }
    const dialog = await act('Modifier')
    const code = dialog.getByRole('textbox', { name: 'Code-barres' })
    fireEvent.change(code, { target: { value: '1001' } })
    await userEvent.click(dialog.getByRole('button', { name: 'Valider' }))
    await waitFor(() => expect(code).toHaveAccessibleDescription(/déjà celui d’un exemplaire/))
    fireEvent.change(code, { target: { value: 'N°1009' } })
    expect(code).toHaveAccessibleDescription(
      /Ce code ne pourra pas être imprimé sur une étiquette\s: «\s°\s» ne s’écrit pas en Code 128\./,
    )
    fireEvent.change(code, { target: { value: 'N1009' } })
    await userEvent.click(dialog.getByRole('button', { name: 'Valider' }))
    expect(await screen.findByText('Exemplaire mis à jour avec succès.')).toBeVisible()
    expect(
      (await page.client.get('/api/copies?filters[bar_code|eq]=N1009')).body['hydra:member'],
    ).toMatchObject([{ reference: 9 }])
  })

  it('deletes a title after a question that names it, and leads back to the list', async () => {
    const page = await openApp(server, '/references/view/7')
    await press('Autres actions')
    await userEvent.click(await screen.findByRole('menuitem', { name: 'Supprimer' }))
    const question = await screen.findByRole('dialog', { name: /^Supprimer «\sLivre numéro 7\s»/ })
    expect(question).toHaveTextContent('1 exemplaire quitte le fonds avec elle')
    await userEvent.click(within(question).getByRole('button', { name: 'Valider' }))
    await waitFor(() => expect(page.address).toBe('/references'))
    expect((await page.client.get('/api/references/7')).status).toBe(404)
  })

  it('says where its copies are, for whom one is set aside and who had it', async () => {
    const client = await server.as('admin')
    const add = async (site: number, bar_code: string) =>
      (await client.post('/api/copies', { reference: 10, site, bar_code })).body
    const here = await add(1, '1110')
    await add(2, '2110')
    const { body: loan } = await client.post('/api/loanings', { copy: here.id, beneficiary: 2 })
    await client.post(`/api/loanings/${loan.id}/return`, {})
    const { body: asked } = await client.post('/api/reservations', {
      beneficiary_id: 1,
      reference_id: 10,
      site: 1,
    })
    await client.put(`/api/reservations/${asked.id}`, { status: 'confirmed', set_aside_copy: 10 })
    await openApp(server, '/references/view/10', { as: 'biblio' })
    expect(await screen.findByText(/^1 libre ici, 1 à l’Annexe · 1\smis de côté$/)).toBeVisible()
    const copies = within(screen.getByRole('list', { name: 'Exemplaires' }))
    expect(copies.getByText('1010').closest('li')).toHaveTextContent('Mis de côté pour Alice Martin')
    expect(copies.getByText('1110').closest('li')).toHaveTextContent('Disponible')
    expect(copies.queryByText('2110')).toBeNull()
    const history = within(await screen.findByRole('region', { name: 'Historique des prêts' }))
    expect(history.getByRole('link', { name: /^Éric Dupont/ })).toHaveAttribute(
      'href',
      `/loanings/view/${loan.id}`,
    )
    expect(history.getByText('du 10/03/2026 au 10/03/2026')).toBeVisible()
  })

  it('begins with « Réserver », and with the first copy where there is none', async () => {
    const acts = async () =>
      (await screen.findAllByRole('button', { name: /^(Réserver|Ajouter un exemplaire|Modifier)$/ })).map(
        ({ textContent }) => textContent,
      )
    await openApp(server, '/references/view/9')
    expect(await acts()).toEqual(['Réserver', 'Modifier', 'Ajouter un exemplaire'])
    await closeApp()
    const { body } = await (await server.as('admin')).post('/api/references', { name: 'Sans rien' })
    await setParameter(server, 'multisite', '0')
    await openApp(server, `/references/view/${body.id}`)
    expect(await acts()).toEqual(['Ajouter un exemplaire', 'Modifier', 'Réserver'])
    await setParameter(server, 'multisite', '1')
  })

  it('offers nothing to change to somebody who may only read', async () => {
    await openApp(server, '/references/view/8', { as: 'lecture' })
    expect(await screen.findByRole('heading', { name: 'Livre numéro 8' })).toBeVisible()
    expect(await screen.findByRole('list', { name: 'Exemplaires' })).toBeVisible()
    expect(screen.queryByRole('button', { name: 'Modifier' })).toBeNull()
    expect(screen.queryByRole('button', { name: /exemplaire 1008/ })).toBeNull()
  })
})
