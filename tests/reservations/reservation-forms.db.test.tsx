import '../support/page-globals.ts'

import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, it } from 'vitest'

import { setPreference } from '../../src/client/page/preferences.ts'
import { queryClient } from '../../src/client/api/query-client.ts'
import { refreshChanged } from '../../src/client/api/refresh-changed.ts'
import { setParameter } from '../settings/set-parameter.ts'
import { typeScan } from '../home/open-home.tsx'
import { emptyTables } from '../support/empty-tables.ts'
import { closeApp, openApp } from '../support/open-app.tsx'
import { press } from '../support/press.ts'
import { describeServer } from '../support/test-server.ts'

beforeEach(() => setPreference('scanner_prefix', '~'))
afterEach(closeApp)

const save = () => screen.getByRole('button', { name: 'Enregistrer' })
const type = async (label: RegExp, text: string) => {
  const field = await screen.findByLabelText(label, { selector: 'input, textarea' })
  fireEvent.change(field, { target: { value: text } })
  fireEvent.focus(field)
  return field
}
const choose = async (label: RegExp, option: RegExp) => {
  const field = await screen.findByLabelText(label, { selector: 'input' })
  await waitFor(() => expect(field).toBeEnabled())
  fireEvent.click(field)
  fireEvent.click(await screen.findByRole('option', { name: option }))
}

describeServer('the forms of reservations', (server) => {
  beforeEach(async () => {
    await emptyTables(server.db, 'reservations', 'loanings', 'closures')
    await sql`update media set enabled = true, duration_type = 'WEEK' where id = 1`.execute(server.db)
    await setParameter(server, 'reservations_without_dates', '1')
    await setParameter(server, 'enable_reservations_amount', '0')
  })
  const reserve = async (told: object) =>
    (await (await server.as('admin')).post('/api/reservations', told)).body
  const one = async (id: number) => (await (await server.as('admin')).get(`/api/reservations/${id}`)).body
  const all = async () =>
    (await (await server.as('admin')).get('/api/reservations?order[id]=asc')).body['hydra:member']

  it('without dates, save once a reader, a title and a copy are chosen, and say the place that was got', async () => {
    await reserve({ beneficiary_id: 1, reference_id: 3 })
    const page = await openApp(server, '/reservations')
    await userEvent.click(await screen.findByRole('link', { name: 'Ajouter une réservation' }))
    expect(await screen.findByText('Il manque le lecteur et la référence.')).toBeVisible()
    expect(save()).toBeDisabled()
    expect(screen.queryByLabelText(/^Date de début/)).toBeNull()
    await type(/^Lecteur/, 'sans')
    expect(await screen.findByText(/^Sans adresse de courriel\s: à prévenir autrement\.$/)).toBeVisible()
    expect(await screen.findByText('Il manque la référence.')).toBeVisible()
    expect(save()).toBeDisabled()
    await type(/^Référence/, 'Livre numéro 3')
    expect(await screen.findByText(/^Rang 2, après 1\s+autre demande\.$/)).toBeVisible()
    expect(
      within(await screen.findByRole('list', { name: 'Qui attend' })).getByText('Alice Martin'),
    ).toBeVisible()
    expect(await screen.findByText('Il manque l’exemplaire.')).toBeVisible()
    expect(save()).toBeDisabled()
    await choose(/^Exemplaire/, /^1003 · Disponible/)
    expect(save()).toBeEnabled()
    await type(/^Commentaire/, 'Par téléphone')
    await userEvent.click(save())
    expect(await screen.findByText('Réservation ajoutée avec succès.')).toBeVisible()
    expect(await screen.findByText('Livre numéro 3, rang 2')).toBeVisible()
    await waitFor(() => expect(page.address).toBe('/reservations'))
    expect((await all())[1]).toMatchObject({
      beneficiary_id: 4,
      reference_id: 3,
      copy_id: 3,
      site: 1,
      source: 'media',
      start_date: null,
      queuePosition: 2,
      comment: 'Par téléphone',
    })
  })

  it('with dates, save once both are there too, and for whichever copy', async () => {
    await setParameter(server, 'reservations_without_dates', '0')
    await sql`insert into closures (site, first_day, last_day, label)
      values (1, '2026-04-10', '2026-04-10', 'Travaux')`.execute(server.db)
    await setParameter(server, 'enable_reservations_amount', '1')
    await openApp(server, '/reservations/add?beneficiary=1&reference=3')
    expect(await screen.findByText('Il manque la date de début et la date de fin.')).toBeVisible()
    await type(/^Date de début/, '01/04/2026')
    expect(await screen.findByText('Il manque la date de fin.')).toBeVisible()
    expect(save()).toBeDisabled()
    await type(/^Date de fin/, '10/04/2026')
    expect(
      await screen.findByText(/^Fermé le 10\/04\/2026\s: rien ne se retire ni ne se rend ce jour-là\.$/),
    ).toBeVisible()
    // Two started weeks at 0,25.
    expect(await screen.findByText(/^Montant estimé\s: 0,50\s€$/)).toBeVisible()
    await waitFor(() => expect(save()).toBeEnabled())
    await userEvent.click(save())
    expect(await screen.findByText('Réservation ajoutée avec succès.')).toBeVisible()
    expect((await all())[0]).toMatchObject({
      start_date: '2026-04-01',
      end_date: '2026-04-10',
      copy_id: null,
      queuePosition: null,
    })
  })

  it('begin with the days that were chosen in the calendar', async () => {
    await setParameter(server, 'reservations_without_dates', '0')
    await openApp(
      server,
      '/reservations/add?beneficiary=1&reference=3&copy=3&start_date=2026-04-01&end_date=2026-04-10',
    )
    await waitFor(() => expect(save()).toBeEnabled())
    for (const [label, value] of [
      [/^Date de début/, '01/04/2026'],
      [/^Date de fin/, '10/04/2026'],
    ] as const)
      expect(screen.getByLabelText(label, { selector: 'input' })).toHaveValue(value)
    expect(await screen.findByDisplayValue(/^1003/)).toBeVisible()
  })

  it('say what the server refuses where it was written, and keep it', async () => {
    await reserve({ beneficiary_id: 1, reference_id: 3 })
    await openApp(server, '/reservations/add?beneficiary=1&reference=3&copy=3')
    await waitFor(() => expect(save()).toBeEnabled())
    await userEvent.click(save())
    const title = await screen.findByRole('group', { name: 'Référence' })
    expect(await within(title).findByRole('alert')).toHaveTextContent(
      /^Ce lecteur a déjà réservé «\sLivre numéro 3\s»\.$/,
    )
    expect(await all()).toHaveLength(1)
  })

  it('choose a reader and a title who alone are found, and give either back for Escape', async () => {
    await openApp(server, '/reservations/add')
    const reader = await type(/^Lecteur/, 'sans')
    expect(await screen.findByText('Il manque la référence.')).toBeVisible()
    expect(screen.getByText(/^Seul résultat, retenu\. Échap/)).toBeVisible()
    expect(reader).toHaveValue('sans')
    fireEvent.keyDown(reader, { key: 'Escape' })
    expect(await screen.findByText('Il manque le lecteur et la référence.')).toBeVisible()
    expect(reader).toHaveValue('sans')
    expect(await screen.findByRole('option', { name: /Sans-Courriel/ })).toBeVisible()
    const title = await type(/^Référence/, 'Livre numéro 3')
    expect(await screen.findByRole('button', { name: 'Changer de référence' })).toBeVisible()
    fireEvent.change(title, { target: { value: 'numéro' } })
    expect(await screen.findByText('Il manque le lecteur et la référence.')).toBeVisible()
  })

  it('say of each title that they find what the search box says of it', async () => {
    await openApp(server, '/reservations/add?beneficiary=1')
    await type(/^Référence/, 'livre numéro')
    expect(await screen.findByRole('option', { name: /^Livre numéro 3/ })).toHaveTextContent(
      /^Livre numéro 3Zola, Émile\s· 1 libre ici$/,
    )
  })

  it('propose ten titles, and none whose medium is out of use', async () => {
    await openApp(server, '/reservations/add?beneficiary=1')
    await type(/^Référence/, 'numéro')
    await waitFor(() => expect(screen.getAllByRole('option')).toHaveLength(10))
    await sql`update media set enabled = false where id = 1`.execute(server.db)
    await act(() => refreshChanged('media'))
    await type(/^Référence/, 'livre numéro 3')
    const option = await screen.findByRole('option', { name: /Ce support est désactivé/ })
    fireEvent.click(option)
    expect(screen.queryByRole('button', { name: 'Changer de référence' })).toBeNull()
  })

  it('take a card and a copy from a scanner, and save nothing by it', async () => {
    await openApp(server, '/reservations/add')
    await screen.findByText('Il manque le lecteur et la référence.')
    typeScan('1004')
    expect(await screen.findByText('Livre numéro 4')).toBeVisible()
    typeScan('R1')
    expect(
      await within(await screen.findByRole('group', { name: 'Lecteur' })).findByText('Alice Martin'),
    ).toBeVisible()
    await waitFor(() => expect(save()).toBeEnabled())
    expect(await all()).toEqual([])
  })

  it('change what was asked for, and let a decided one keep all but its comment', async () => {
    const { id } = await reserve({ beneficiary_id: 2, reference_id: 3 })
    const page = await openApp(server, '/reservations')
    await press(/^Actions\s: Livre numéro 3, Éric Dupont/)
    await userEvent.click(await screen.findByRole('menuitem', { name: 'Modifier' }))
    await waitFor(() => expect(page.address).toBe(`/reservations/edit/${id}`))
    expect(await screen.findByText('Rang 1 dans la file')).toBeVisible()
    expect(screen.getByText('Médiathèque')).toBeVisible()
    await press('Changer de référence')
    expect(save()).toBeDisabled()
    await type(/^Référence/, 'Livre numéro 5')
    await choose(/^Exemplaire/, /^Le premier disponible$/)
    await userEvent.click(save())
    expect(await screen.findByText('Réservation modifiée avec succès.')).toBeVisible()
    await waitFor(() => expect(page.address).toBe('/reservations'))
    expect(await one(id)).toMatchObject({ reference_id: 5, copy_id: null, queuePosition: 1 })
    await waitFor(() => expect(queryClient.isFetching()).toBe(0))
    await (await server.as('admin')).put(`/api/reservations/${id}`, { status: 'refused' })
    // As the stream of changes would say.
    await refreshChanged('reservations')
    await act(() => page.router.navigate(`/reservations/edit/${id}`))
    await screen.findByText('Refusée')
    expect(screen.queryByRole('button', { name: 'Changer de lecteur' })).toBeNull()
    await type(/^Commentaire/, 'Épuisé')
    await userEvent.click(save())
    await waitFor(async () => expect((await one(id)).comment).toBe('Épuisé'))
  })

  it('keep the form that a reservation had when the library reserves otherwise, and offer the new one', async () => {
    const { id } = await reserve({
      beneficiary_id: 2,
      reference_id: 3,
      start_date: '2026-04-01',
      end_date: '2026-04-10',
    })
    await openApp(server, `/reservations/edit/${id}`)
    expect(await screen.findByLabelText(/^Date de début/, { selector: 'input' })).toHaveValue('01/04/2026')
    await press('La mettre au bout de la file')
    expect(screen.queryByLabelText(/^Date de début/)).toBeNull()
    await userEvent.click(save())
    await waitFor(async () => expect(await one(id)).toMatchObject({ start_date: null, queuePosition: 1 }))
  })

  it('tell the second of two people what the first one changed, and lose nothing', async () => {
    const { id } = await reserve({ beneficiary_id: 2, reference_id: 3 })
    await openApp(server, `/reservations/edit/${id}`)
    await type(/^Commentaire/, 'Le mien')
    await (await server.as('biblio')).put(`/api/reservations/${id}`, { status: 'confirmed' })
    await userEvent.click(save())
    const told = await screen.findByText('Modifiée par quelqu’un d’autre')
    expect(told).toBeVisible()
    expect(await screen.findByText(/Statut\s: «\sEn attente\s» est devenu «\sConfirmée\s»/)).toBeVisible()
    expect((await one(id)).comment).toBe('')
    await press('Garder mes modifications')
    await userEvent.click(save())
    await waitFor(async () =>
      expect(await one(id)).toMatchObject({ comment: 'Le mien', status: 'confirmed' }),
    )
  })

  it('ask before what was typed is lost', async () => {
    const page = await openApp(server, '/reservations/add?beneficiary=1')
    await type(/^Commentaire/, 'Par téléphone')
    act(() => void page.router.navigate('/home'))
    expect(await screen.findByRole('dialog', { name: /^Quitter sans enregistrer/ })).toBeVisible()
  })

  it('open from a reader’s page, where their reservations stand', async () => {
    await reserve({ beneficiary_id: 1, reference_id: 3 })
    await reserve({ beneficiary_id: 2, reference_id: 3 })
    const page = await openApp(server, '/beneficiaries/view/2?part=reservations')
    const table = await screen.findByRole('table', { name: 'Réservations du lecteur' })
    expect(await within(table).findByRole('row', { name: /Livre numéro 3.*En attente.*2/ })).toBeVisible()
    expect(within(table).getAllByRole('row')).toHaveLength(2)
    await press('Réserver')
    await waitFor(() => expect(page.address).toBe('/reservations/add?beneficiary=2'))
    expect(
      await within(await screen.findByRole('group', { name: 'Lecteur' })).findByText('Éric Dupont'),
    ).toBeVisible()
    await press('Annuler')
    await waitFor(() => expect(page.address).toBe('/beneficiaries/view/2?part=reservations'))
  })

  it('open from a title’s page, where stands who waits, and from one of its copies', async () => {
    await reserve({ beneficiary_id: 1, reference_id: 3 })
    await reserve({ beneficiary_id: 4, reference_id: 3, start_date: '2026-04-01', end_date: '2026-04-10' })
    await reserve({ beneficiary_id: 2, reference_id: 3 })
    const page = await openApp(server, '/references/view/3')
    const waiting = within(await screen.findByRole('region', { name: 'Réservations' }))
    const rows = (await waiting.findAllByRole('listitem')).map(({ textContent }) => textContent)
    expect(rows[0]).toMatch(/^1Alice Martin/)
    expect(rows[1]).toMatch(/^2Éric Dupont/)
    expect(rows[2]).toMatch(/Jean Sans-Courriel.*du 01\/04\/2026 au 10\/04\/2026/)
    expect(waiting.getByRole('link', { name: 'Voir dans les réservations' })).toHaveAttribute(
      'href',
      '/reservations?reference_id%7Ceq=3',
    )
    await press('Actions\u202f: exemplaire 1003')
    await userEvent.click(await screen.findByRole('menuitem', { name: 'Réserver' }))
    await waitFor(() => expect(page.address).toBe('/reservations/add?reference=3&copy=3'))
    await screen.findByText('Il manque le lecteur.')
    expect(await screen.findByDisplayValue('1003 · Disponible · Centre')).toBeVisible()
    await act(() => page.router.navigate(-1))
    await press('Réserver')
    await waitFor(() => expect(page.address).toBe('/reservations/add?reference=3'))
  })

  it('are closed to whoever may only read', async () => {
    await openApp(server, '/reservations/add', { as: 'lecture' })
    expect(await screen.findByText(/n’avez pas le droit|pas ouvert|droit/i)).toBeVisible()
  })
})
