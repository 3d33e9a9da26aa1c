import '../support/page-globals.ts'

import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { parse } from 'csv-parse/sync'
import { afterEach, expect, it } from 'vitest'

import { closeApp, openApp } from '../support/open-app.tsx'
import { press } from '../support/press.ts'
import { describeServer } from '../support/test-server.ts'

afterEach(closeApp)

/** What a library of several sites adds sends it into the menu. */
const pressInMenu = async (name: string) => {
  await press('Autres actions sur le choix')
  await userEvent.click(await screen.findByRole('menuitem', { name }))
}
const tick = async (...codes: string[]) => {
  for (const code of codes)
    await userEvent.click(await screen.findByRole('checkbox', { name: new RegExp(`${code},`) }))
}

describeServer('all copies', (server) => {
  it('are given one state, one place and their availability by the dozen', async () => {
    const page = await openApp(server, '/settings/copies')
    const place = await page.client.post('/api/locations', { label: 'Réserve' })
    const copies = async () =>
      (await page.client.get('/api/copies?filters[bar_code|in]=1001,1002,1003')).body['hydra:member'] as {
        state: string
        location_label: string | null
        status_name: string
      }[]
    await tick('1001', '1002', '1003')
    await press('Changer l’état')
    const states = await screen.findByRole('dialog', { name: 'Changer l’état de 3 exemplaires' })
    await userEvent.click(within(states).getByRole('button', { name: 'Valider' }))
    expect(await within(states).findByRole('alert')).toHaveTextContent('Choisissez un état.')
    await userEvent.click(within(states).getByRole('combobox', { name: /^État/ }))
    await userEvent.click(await screen.findByRole('option', { name: 'Endommagé' }))
    await userEvent.click(within(states).getByRole('button', { name: 'Valider' }))
    expect(await screen.findByText('3 exemplaires mis à jour.')).toBeVisible()
    expect((await copies()).map(({ state }) => state)).toEqual(['DAMAGED', 'DAMAGED', 'DAMAGED'])

    await pressInMenu('Changer l’emplacement')
    const places = await screen.findByRole('dialog', { name: 'Changer l’emplacement de 3 exemplaires' })
    await userEvent.click(within(places).getByRole('button', { name: 'Valider' }))
    expect(await within(places).findByRole('alert')).toHaveTextContent('Choisissez un emplacement.')
    await userEvent.click(within(places).getByRole('combobox', { name: /^Emplacement/ }))
    await userEvent.click(await screen.findByRole('option', { name: 'Réserve' }))
    await userEvent.click(within(places).getByRole('button', { name: 'Valider' }))
    await waitFor(async () =>
      expect((await copies()).map(({ location_label }) => location_label)).toEqual(Array(3).fill('Réserve')),
    )
    expect(place.status).toBe(201)

    await pressInMenu('Changer l’emplacement')
    const nowhere = await screen.findByRole('dialog', { name: 'Changer l’emplacement de 3 exemplaires' })
    await userEvent.click(within(nowhere).getByRole('combobox', { name: /^Emplacement/ }))
    await userEvent.click(await screen.findByRole('option', { name: 'Aucun emplacement' }))
    await userEvent.click(within(nowhere).getByRole('button', { name: 'Valider' }))
    await waitFor(async () =>
      expect((await copies()).map(({ location_label }) => location_label)).toEqual([null, null, null]),
    )

    await press('Rendre indisponible')
    await waitFor(async () =>
      expect((await copies()).map(({ status_name }) => status_name)).toEqual(Array(3).fill('Non Disponible')),
    )
  })

  it('leave the stock together with one motive, but for those on loan, which are named', async () => {
    const page = await openApp(server, '/settings/copies')
    await tick('1004', '1005', '1006')
    await press('Autres actions sur le choix')
    await userEvent.click(await screen.findByRole('menuitem', { name: 'Retirer du fonds' }))
    const dialog = await screen.findByRole('dialog', { name: 'Retirer 3 exemplaires du fonds' })
    // A colleague lends one of them while the question stands.
    const lent = await page.client.post('/api/loanings', { beneficiary: 2, copy: 5 })
    expect(lent.status).toBe(201)
    await userEvent.type(within(dialog).getByRole('combobox', { name: /^Motif/ }), 'Désherbé')
    await userEvent.click(within(dialog).getByRole('button', { name: 'Retirer' }))
    expect(await screen.findByText('2 exemplaires retirés du fonds.')).toBeVisible()
    expect(
      screen.getByText(/^1005\s: «\sLivre numéro 5\s» est en prêt\s: il ne peut pas être supprimé\.$/),
    ).toBeVisible()
    const { rows } = await page.client
      .get('/api/copies?filters[bar_code|in]=1004,1005,1006')
      .then(({ body }) => ({ rows: body['hydra:member'] as { bar_code: string }[] }))
    expect(rows.map(({ bar_code }) => bar_code)).toEqual(['1005'])
  })

  it('are made unusable together after a question that counts them', async () => {
    const page = await openApp(server, '/settings/copies')
    await tick('1007', '1008')
    // One button for the file: that of the rows.
    expect(screen.getAllByRole('button', { name: 'Exporter' })).toHaveLength(1)
    const choose = async () => {
      await press('Changer l’état')
      const states = await screen.findByRole('dialog', { name: 'Changer l’état de 2 exemplaires' })
      await userEvent.click(within(states).getByRole('combobox', { name: /^État/ }))
      await userEvent.click(await screen.findByRole('option', { name: 'Inutilisable' }))
      await userEvent.click(within(states).getByRole('button', { name: 'Valider' }))
      return screen.findByRole('dialog', { name: /^Mettre 2 exemplaires à «\sInutilisable\s»\s\?$/ })
    }
    const states = async () =>
      (await page.client.get('/api/copies?filters[bar_code|in]=1007,1008')).body['hydra:member'].map(
        ({ state }: { state: string }) => state,
      ) as string[]
    await userEvent.click(within(await choose()).getByRole('button', { name: 'Annuler' }))
    await userEvent.click(await screen.findByRole('button', { name: 'Annuler' }))
    expect(await states()).not.toContain('UNUSABLE')
    await userEvent.click(within(await choose()).getByRole('button', { name: 'Valider' }))
    expect(await screen.findByText('2 exemplaires mis à jour.')).toBeVisible()
    expect(await states()).toEqual(['UNUSABLE', 'UNUSABLE'])
  })

  it('lead to no other page where there is none', async () => {
    await openApp(server, '/settings/copies?searchname%7Clike=rien-de-tel')
    expect(await screen.findByText('Aucun exemplaire ne correspond à ces filtres.')).toBeVisible()
    expect(screen.queryByRole('button', { name: 'Suivant' })).toBeNull()
    expect(screen.queryByRole('combobox', { name: 'Lignes par page' })).toBeNull()
  })

  it('are filtered by state and place, and written to a file', async () => {
    const admin = await server.as('admin')
    const { body: place } = await admin.post('/api/locations', { label: 'Vitrine' })
    await admin.put('/api/copies/7', { state: 'UNUSABLE', location: place.id })
    await admin.put('/api/copies/8', { state: 'UNUSABLE' })
    await admin.put('/api/copies/9', { location: place.id })
    const page = await openApp(server, `/settings/copies?state%7Cin=UNUSABLE&location%7Cin=${place.id}`)
    expect(await screen.findByText('1007')).toBeVisible()
    for (const code of ['1008', '1009', '1010']) expect(screen.queryByText(code)).toBeNull()
    await press(/^Enlever le filtre Emplacement\s: Vitrine$/)
    expect(await screen.findByText('1008')).toBeVisible()
    expect(screen.queryByText('1009')).toBeNull()
    const file = await page.client.get(
      `/api/export/copies?filters[state|in]=UNUSABLE&filters[location|in]=${place.id}&export_type=csv`,
    )
    expect(file.status).toBe(200)
    expect(file.headers.get('content-disposition')).toMatch(/"exemplaires-\d{8}-\d{6}\.csv"/)
    const rows = parse<Record<string, string>>(file.body as Buffer, {
      bom: true,
      delimiter: ';',
      columns: true,
    })
    expect(rows).toEqual([
      {
        'Code-barres': '1007',
        Titre: 'Livre numéro 7',
        Support: 'Livre',
        Catégorie: 'Roman',
        Site: 'Centre',
        Emplacement: 'Vitrine',
        État: 'Inutilisable',
        Disponibilité: 'Disponible',
        Type: 'Location',
        Prix: '0,25',
        'Acquis le': '',
        'Longueur d’un cycle': '',
        'Unité du cycle': '',
        'Retour prévu': '',
        Réservations: '0',
        'Envoyé de': '',
        'Envoyé le': '',
        'Vendu le': '',
      },
    ])
  })
})
