import '../support/page-globals.ts'

import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, it, vi } from 'vitest'

import { closeApp, openApp } from '../support/open-app.tsx'
import { press } from '../support/press.ts'
import { screenOf } from '../support/screen-of.ts'
import { describeServer } from '../support/test-server.ts'

afterEach(async () => {
  await closeApp()
  vi.unstubAllGlobals()
})

const openTab = async (name: string) => userEvent.click(await screen.findByRole('tab', { name }))

describeServer('a reader’s page', (server) => {
  it('says who it is, and keeps a card’s number by Enter', async () => {
    const { client } = await openApp(server, '/beneficiaries/view/1', { as: 'biblio' })
    expect(await screen.findByRole('heading', { name: 'Alice Martin' })).toBeVisible()
    expect(screen.getByText('Inscrit')).toBeVisible()
    const number = await screen.findByRole('textbox', { name: 'Numéro de lecteur' })
    await userEvent.clear(number)
    await userEvent.type(number, 'R2{Enter}')
    expect(
      await screen.findByText('Le numéro de lecteur R2 est déjà celui d’Éric Dupont (M2).'),
    ).toBeVisible()
    await userEvent.type(number, '00{Enter}')
    expect(await screen.findByText('Numéro de lecteur enregistré avec succès.')).toBeVisible()
    expect((await client.get('/api/beneficiaries/1')).body.reader_id).toBe('R200')
  })

  it('tells the second of two people what the first one changed, from the card, the end and a relative', async () => {
    const { client } = await openApp(server, '/beneficiaries/view/2', { as: 'biblio' })
    const reader = async () => (await client.get('/api/beneficiaries/2')).body
    const number = await screen.findByRole('textbox', { name: 'Numéro de lecteur' })
    await userEvent.clear(number)
    await userEvent.type(number, 'MIEN')
    await client.put('/api/beneficiaries/2', { reader_id: 'SIEN' })
    await userEvent.type(number, '{Enter}')
    expect(await screen.findByText(/^Numéro de lecteur\s: «\sR2\s» est devenu «\sSIEN\s»$/)).toBeVisible()
    expect((await reader()).reader_id).toBe('SIEN')
    await press('Garder mes modifications')
    await userEvent.type(number, '{Enter}')
    await waitFor(async () => expect((await reader()).reader_id).toBe('MIEN'))
    expect(await screen.findByText('Numéro de lecteur enregistré avec succès.')).toBeVisible()
    // Their own change is nobody else's.
    await userEvent.type(number, '2{Enter}')
    await waitFor(async () => expect((await reader()).reader_id).toBe('MIEN2'))

    await press('Autres actions')
    await userEvent.click(await screen.findByRole('menuitem', { name: 'Mettre fin à l’inscription' }))
    const ending = within(await screen.findByRole('dialog', { name: 'Mettre fin à l’inscription' }))
    await client.put('/api/beneficiaries/2', { message: 'Vient de payer' })
    await userEvent.click(ending.getByRole('button', { name: 'Valider' }))
    expect(await ending.findByText(/^Message\s: .* est devenu «\sVient de payer\s»$/)).toBeVisible()
    expect((await reader()).exit_date).toBeNull()
    await userEvent.click(ending.getByRole('button', { name: 'Reprendre la sienne' }))

    await openTab('Proches')
    await press('Gérer les proches')
    const zoe = await screen.findByRole('textbox', { name: 'Zoé Dupont' })
    await userEvent.clear(zoe)
    await userEvent.type(zoe, 'Z1')
    await client.put('/api/relatives/1', { number: 'Z2' })
    await userEvent.type(zoe, '{Enter}')
    const question = await screen.findByRole('dialog', { name: /^Garder votre numéro pour Zoé Dupont/ })
    expect(question).toHaveTextContent('Entre-temps, le numéro de Zoé Dupont est devenu Z2.')
    expect((await reader()).relatives[0].reader_id).toBe('Z2')
    await userEvent.click(within(question).getByRole('button', { name: 'Valider' }))
    await waitFor(async () => expect((await reader()).relatives[0].reader_id).toBe('Z1'))
    await client.put('/api/relatives/1', { number: 'R2A' })
    await client.put('/api/beneficiaries/2', { reader_id: 'R2', message: '' })
  })

  it('shows a wallet of zero or more, and none below', async () => {
    const set = (wallet_amount: string) =>
      server.db.updateTable('beneficiaries').set({ wallet_amount }).where('id', '=', 1).execute()
    await set('0.00')
    await openApp(server, '/beneficiaries/view/1', { as: 'biblio' })
    expect(await screen.findByText('Porte-monnaie')).toBeVisible()
    await closeApp()
    await set('-2.00')
    await openApp(server, '/beneficiaries/view/1', { as: 'biblio' })
    expect(await screen.findByText('Matricule')).toBeVisible()
    expect(screen.queryByText('Porte-monnaie')).toBeNull()
  })

  it('lists loans at every site with what may be done, and the open ones alone without the right', async () => {
    const client = await server.as('biblio')
    const { body: open } = await client.post('/api/loanings', { copy: 1, beneficiary: 1 })
    await client.post('/api/loanings', { copy: 11, beneficiary: 1 })
    const { body: old } = await client.post('/api/loanings', {
      copy: 2,
      beneficiary: 1,
      start_date: '2026-03-01',
    })
    await server.db
      .updateTable('loanings')
      .set({ status: 'finished', return_date: '2026-03-05', returned_at: '2026-03-05T09:00:00Z' })
      .where('id', '=', old.id)
      .execute()
    const { body: late } = await client.post('/api/loanings', {
      copy: 3,
      beneficiary: 1,
      start_date: '2026-03-01',
    })
    await server.db
      .updateTable('loanings')
      .set({
        status: 'finished',
        end_date: '2026-03-02',
        return_date: '2026-03-06',
        returned_at: '2026-03-06T09:00:00Z',
      })
      .where('id', '=', late.id)
      .execute()
    await server.db.updateTable('copies').set({ status: 'Disponible' }).where('id', 'in', [2, 3]).execute()
    const page = await openApp(server, '/beneficiaries/view/1', { as: 'biblio' })
    expect(await screen.findByText(/2 prêts/)).toBeVisible()
    await openTab('Prêts')
    await waitFor(() => expect(page.address).toBe('/beneficiaries/view/1?part=loans'))
    const table = await screen.findByRole('table', { name: 'Prêts du lecteur' })
    expect(await within(table).findByRole('link', { name: 'Film numéro 1' })).toBeVisible()
    expect(within(table).getByRole('link', { name: 'Livre numéro 2' })).toBeVisible()
    expect(within(table).getByRole('row', { name: /Livre numéro 2/ })).toHaveTextContent('05/03/2026')
    const lateRow = within(table).getByRole('row', { name: /Livre numéro 3/ })
    expect(lateRow).toHaveTextContent(/Rendu en retard\s: 06\/03\/2026/)
    expect(within(table).getByRole('button', { name: 'Rendre\u202f: Livre numéro 1' })).toBeVisible()
    await userEvent.click(within(table).getByRole('button', { name: 'Actions\u202f: Livre numéro 1' }))
    await screen.findByRole('menuitem', { name: 'Voir' })
    expect(screen.getAllByRole('menuitem').map(({ textContent }) => textContent)).toEqual([
      'Prolonger',
      'Voir',
      'Annuler le prêt',
    ])
    await userEvent.click(screen.getByRole('menuitem', { name: 'Voir' }))
    await waitFor(() => expect(page.address).toBe(`/loanings/view/${open.id}`))
    await closeApp()
    await openApp(server, '/beneficiaries/view/1?part=loans', { as: 'benevole' })
    expect(await screen.findByText('Vous voyez les prêts en cours et ceux rendus aujourd’hui.')).toBeVisible()
    expect(await screen.findByRole('link', { name: 'Livre numéro 1' })).toBeVisible()
    expect(screen.queryByRole('link', { name: 'Livre numéro 2' })).toBeNull()
    expect(screen.queryByRole('tab', { name: 'Courriels' })).toBeNull()
    expect(screen.queryByRole('tab', { name: 'Journal' })).toBeNull()
  })

  it('adds, numbers and removes relatives in one dialog, and the journal tells of it', async () => {
    const { client } = await openApp(server, '/beneficiaries/view/2?part=relatives', { as: 'biblio' })
    await press('Gérer les proches')
    const dialog = await screen.findByRole('dialog', { name: 'Proches d’Éric Dupont' })
    const zoe = within(dialog).getByRole('textbox', { name: 'Zoé Dupont' })
    await userEvent.clear(zoe)
    await userEvent.type(zoe, 'R1{Enter}')
    expect(await screen.findByText('Numéro de lecteur enregistré avec succès.')).toBeVisible()
    // The number of somebody else: the sentence of the specification, and who has it at the field.
    await userEvent.clear(zoe)
    await userEvent.type(zoe, 'R4{Enter}')
    expect(
      await within(dialog).findByText("Une erreur s'est produite lors de l'enregistrement."),
    ).toBeVisible()
    expect(zoe).toHaveAccessibleDescription(/déjà celui de Jean Sans-Courriel/)
    await userEvent.type(zoe, 'é')
    expect(zoe).toHaveAccessibleDescription(/«\sé\s» ne s’écrit pas en Code 128\./)
    const added = within(dialog).getByRole('textbox', { name: 'Numéro de lecteur' })
    await userEvent.type(added, 'ù')
    expect(added).toHaveAccessibleDescription(/«\sù\s» ne s’écrit pas en Code 128\./)
    await userEvent.clear(added)
    await userEvent.type(within(dialog).getByRole('textbox', { name: /Prénom/ }), 'Tom')
    await userEvent.click(within(dialog).getByRole('button', { name: 'Ajouter' }))
    const tom = await within(dialog).findByRole('textbox', { name: 'Tom Dupont' })
    expect(tom).toBeVisible()
    await userEvent.click(within(dialog).getByRole('button', { name: 'Retirer Tom Dupont' }))
    const question = await screen.findByRole('dialog', { name: 'Retirer Tom Dupont' })
    await userEvent.click(within(question).getByRole('button', { name: 'Valider' }))
    await waitFor(() => expect(within(dialog).queryByRole('textbox', { name: 'Tom Dupont' })).toBeNull())
    await userEvent.click(within(dialog).getByRole('button', { name: 'Terminer' }))
    expect((await client.get('/api/beneficiaries/2')).body.relatives).toHaveLength(1)
    await openTab('Journal')
    expect(await screen.findByText(/Retrait d’un proche\s: Tom Dupont/)).toBeVisible()
    expect(screen.getAllByText(/biblio Test/).length).toBeGreaterThan(0)
  })

  it('ends an inscription after saying what is still out, and takes it back', async () => {
    const { client } = await openApp(server, '/beneficiaries/view/1', { as: 'biblio' })
    await press('Autres actions')
    await userEvent.click(await screen.findByRole('menuitem', { name: 'Mettre fin à l’inscription' }))
    const dialog = await screen.findByRole('dialog', { name: 'Mettre fin à l’inscription' })
    expect(within(dialog).getByRole('note')).toHaveTextContent('2 prêts restent à rendre')
    await userEvent.click(within(dialog).getByRole('button', { name: 'Valider' }))
    expect(await screen.findByText('Sorti le 10/03/2026')).toBeVisible()
    expect((await client.get('/api/beneficiaries/1')).body.exit_date).toBe('2026-03-10')
    await press('Réinscrire')
    expect(await screen.findByText('Inscrit')).toBeVisible()
  })

  it('that cannot be loaded says so and leads back to the list', async () => {
    const page = await openApp(server, '/beneficiaries/view/999', { as: 'biblio' })
    expect(
      await screen.findByText("Une erreur s'est produite lors du chargement du bénéficiaire."),
    ).toBeVisible()
    await waitFor(() => expect(page.address).toBe('/beneficiaries'))
    expect(await screen.findByRole('link', { name: 'Martin' })).toBeVisible()
  })

  it('shows personal and professional fields only where the server says that they are displayed', async () => {
    const show = (displayed: { name: string; value: string; tab: string }[]) =>
      server.db
        .updateTable('beneficiaries')
        .set({ displayed: JSON.stringify(displayed) })
        .where('id', '=', 1)
        .execute()
    await show([{ name: 'Service', value: 'Comptabilité', tab: 'professional' }])
    await openApp(server, '/beneficiaries/view/1', { as: 'biblio' })
    expect(await screen.findByRole('heading', { name: 'Professionnel' })).toBeVisible()
    expect(screen.getByText('Comptabilité')).toBeVisible()
    expect(screen.queryByRole('heading', { name: 'Personnel' })).toBeNull()
    await closeApp()
    await show([{ name: 'Langue', value: 'Breton', tab: 'personal' }])
    await openApp(server, '/beneficiaries/view/1', { as: 'biblio' })
    expect(await screen.findByRole('heading', { name: 'Personnel' })).toBeVisible()
    expect(screen.getByText('Breton')).toBeVisible()
    expect(screen.queryByRole('heading', { name: 'Professionnel' })).toBeNull()
  })

  it('says of each loan its category, its start and its expected return', async () => {
    const { category } = await server.db
      .updateTable('references')
      .set(({ selectFrom }) => ({
        category: selectFrom('categories').select('id').orderBy('id').limit(1),
      }))
      .where('id', '=', 8)
      .returning('category')
      .executeTakeFirstOrThrow()
    const { name } = await server.db
      .selectFrom('categories')
      .select('name')
      .where('id', '=', category)
      .executeTakeFirstOrThrow()
    const client = await server.as('biblio')
    const { body: loan } = await client.post('/api/loanings', {
      copy: 8,
      beneficiary: 4,
      start_date: '2026-03-09',
      expected_return_date: '2026-03-26',
    })
    expect(loan.reference).toBe(8)
    await openApp(server, '/beneficiaries/view/4?part=loans', { as: 'biblio' })
    const table = await screen.findByRole('table', { name: 'Prêts du lecteur' })
    const row = await within(table).findByRole('row', { name: /Livre numéro 8/ })
    expect(row).toHaveTextContent(name)
    expect(row).toHaveTextContent('09/03/2026')
    expect(row).toHaveTextContent('26/03/2026')
  })

  it('begins with whether they may borrow, what is late, due and owed, and what waits for them', async () => {
    const client = await server.as('biblio')
    const { body: late } = await client.post('/api/loanings', { copy: 9, beneficiary: 4 })
    await server.db
      .updateTable('loanings')
      .set({ start_date: '2026-02-14', end_date: '2026-03-07' })
      .where('id', '=', late.id)
      .execute()
    await client.post('/api/loanings', { copy: 10, beneficiary: 4 })
    const { body: asked } = await client.post('/api/reservations', {
      beneficiary_id: 4,
      reference_id: 5,
      site: 1,
    })
    await client.put(`/api/reservations/${asked.id}`, { status: 'confirmed', set_aside_copy: 5 })
    await client.put('/api/beneficiaries/4', { message: 'Carte à refaire' })
    const page = await openApp(server, '/beneficiaries/view/4', { as: 'biblio' })
    expect(await screen.findByText('Peut emprunter, sauf DVD')).toBeVisible()
    expect(await screen.findByText(/^Pénalités à ce jour\s: 0,50\s€$/)).toBeVisible()
    expect(screen.getByRole('note')).toHaveTextContent('Carte à refaire')
    const loans = within(screen.getByRole('region', { name: 'Prêts en cours' }))
    const rowOf = (title: string) => loans.getByRole('link', { name: title }).closest('li')
    expect(rowOf('Livre numéro 9')).toHaveTextContent(/En retard de 3 jours\s*depuis le 07\/03\/2026/)
    expect(rowOf('Livre numéro 10')).toHaveTextContent('À rendre le 31/03/2026')
    expect(loans.getAllByRole('listitem')[0]).toBe(rowOf('Livre numéro 9'))
    expect(loans.getByRole('button', { name: 'Rendre\u202f: Livre numéro 9' })).toBeVisible()
    expect(screen.getByRole('textbox', { name: 'Numéro de lecteur' })).toBeVisible()
    const ready = within(screen.getByRole('region', { name: 'À retirer' }))
    expect(ready.getByText(/^jusqu’au \d\d\/03\/2026, au Centre$/)).toBeVisible()
    await userEvent.click(ready.getByRole('button', { name: 'Prêter\u202f: Livre numéro 5' }))
    await waitFor(() => expect(page.address).toBe('/loaning/add?beneficiary=4&copy=5'))
  })

  it('has its first acts in sight on a phone, and the rest behind one button', async () => {
    screenOf(390)
    await openApp(server, '/beneficiaries/view/2', { as: 'biblio' })
    expect(await screen.findByRole('button', { name: 'Prêter' })).toBeVisible()
    expect(screen.getByRole('button', { name: 'Modifier' })).toBeVisible()
    expect(screen.queryByRole('button', { name: 'Réserver' })).toBeNull()
    await press('Autres actions')
    await screen.findByRole('menuitem', { name: 'Réserver' })
    expect(screen.getAllByRole('menuitem').map(({ textContent }) => textContent)).toEqual([
      'Ses prêts',
      'Réserver',
      'Imprimer la carte',
      'Mettre fin à l’inscription',
    ])
  })
})
