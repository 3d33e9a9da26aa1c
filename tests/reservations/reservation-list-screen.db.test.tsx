import '../support/page-globals.ts'

import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, it } from 'vitest'

import { setParameter } from '../settings/set-parameter.ts'
import { emptyTables } from '../support/empty-tables.ts'
import { closeApp, openApp } from '../support/open-app.tsx'
import { describeServer } from '../support/test-server.ts'

afterEach(closeApp)

const titles = ['Livre numéro 1, Alice Martin (M1)', 'Livre numéro 1, Éric Dupont (M2)'] as const
const actionsOf = async (row: string) =>
  userEvent.click(await screen.findByRole('button', { name: `Actions\u202f: ${row}` }))
const choose = async (name: string) => userEvent.click(await screen.findByRole('menuitem', { name }))
const rowOf = async (reader: RegExp) => screen.findByRole('row', { name: reader })

describeServer('the list of reservations', (server) => {
  beforeEach(async () => {
    await emptyTables(server.db, 'reservations', 'loanings')
    await setParameter(server, 'reservations_without_dates', '1')
    const admin = await server.as('admin')
    for (const beneficiary_id of [1, 2]) {
      await admin.post('/api/reservations', { beneficiary_id, reference_id: 1, copy_id: 1 })
    }
    await admin.post('/api/reservations', { beneficiary_id: 1, reference_id: 2 })
  })
  const statusOf = async (id: number) =>
    (await (await server.as('admin')).get(`/api/reservations/${id}`)).body.status as string

  it('shows those of a title alone where a link asks for them, and all once its chip is taken away', async () => {
    await openApp(server, '/reservations?reference_id%7Ceq=1')
    expect(await rowOf(/Alice Martin/)).toHaveTextContent(/Livre numéro 1.*En attente.*1/)
    expect(await rowOf(/Éric Dupont/)).toHaveTextContent(/En attente.*2/)
    expect(screen.queryByText('Livre numéro 2')).toBeNull()
    await userEvent.click(
      await screen.findByRole('button', { name: /^Enlever le filtre Titre\s: Livre numéro 1$/ }),
    )
    expect(await screen.findByText('Livre numéro 2')).toBeVisible()
  })

  it('confirms, and says to relaunch the search for the others’ places', async () => {
    await openApp(server, '/reservations?reference_id%7Ceq=1')
    await userEvent.click(await screen.findByRole('button', { name: `Confirmer\u202f: ${titles[0]}` }))
    expect(
      await screen.findByText('Réservation confirmée. Relancez la recherche pour actualiser les rangs.'),
    ).toBeVisible()
    await waitFor(async () => expect(await rowOf(/Alice Martin/)).toHaveTextContent('Confirmée'))
    expect(await rowOf(/Éric Dupont/)).toHaveTextContent(/En attente.*1/)
    await userEvent.click(await screen.findByRole('button', { name: 'Ne pas envoyer' }))
    await actionsOf(titles[0])
    await choose('Remettre en attente')
    expect(await screen.findByText('Réservation remise en attente.')).toBeVisible()
    expect(await statusOf(1)).toBe('waiting')
  })

  it('asks for a comment before it refuses', async () => {
    await openApp(server, '/reservations?reference_id%7Ceq=1')
    await actionsOf(titles[1])
    await choose('Refuser')
    const dialog = await screen.findByRole('dialog', { name: 'Refuser la réservation' })
    expect(await statusOf(2)).toBe('waiting')
    await userEvent.click(within(dialog).getByLabelText('Commentaire'))
    await userEvent.paste('Le titre est retiré')
    await userEvent.click(within(dialog).getByRole('button', { name: 'Valider' }))
    expect(await screen.findByText(/^Réservation refusée\. Relancez la recherche/)).toBeVisible()
    const { body } = await (await server.as('admin')).get('/api/reservations/2')
    expect(body).toMatchObject({ status: 'refused', comment: 'Le titre est retiré' })
  })

  it('says that a change of status failed, in the words that are specified', async () => {
    await openApp(server, '/reservations?reference_id%7Ceq=1')
    await rowOf(/Alice Martin/)
    await (await server.as('admin')).put('/api/reservations/1', { status: 'canceled' })
    await userEvent.click(await screen.findByRole('button', { name: `Confirmer\u202f: ${titles[0]}` }))
    expect(await screen.findByText("Une erreur s'est produite, veuillez réessayer plus tard.")).toBeVisible()
  })

  it('cancels and deletes after asking, and lends what was wished for', async () => {
    const page = await openApp(server, '/reservations?reference_id%7Ceq=1')
    await actionsOf(titles[1])
    await choose('Supprimer')
    const asked = await screen.findByRole('dialog', { name: 'Supprimer la réservation' })
    await userEvent.click(within(asked).getByRole('button', { name: 'Valider' }))
    expect(await screen.findByText('Réservation supprimée.')).toBeVisible()
    await actionsOf(titles[0])
    await choose('Annuler')
    const question = await screen.findByRole('dialog', { name: 'Annuler la réservation' })
    await userEvent.click(within(question).getByRole('button', { name: 'Annuler' }))
    expect(await statusOf(1)).toBe('waiting')
    await actionsOf(titles[0])
    await choose('Prêter')
    await waitFor(() => expect(page.address).toBe('/loaning/add?beneficiary=1&copy=1'))
  })

  it('says that nothing is to be served, and leads to a reservation whoever may write one', async () => {
    await emptyTables(server.db, 'reservations')
    const found = async () => (await screen.findByText('Aucune réservation n’est à servir.')).parentElement!
    await openApp(server, '/reservations')
    expect(within(await found()).getByRole('link', { name: 'Ajouter une réservation' })).toHaveAttribute(
      'href',
      '/reservations/add',
    )
    await closeApp()
    await openApp(server, '/reservations', { as: 'lecture' })
    expect(within(await found()).queryByRole('link')).toBeNull()
  })

  it('offers no change to whoever may only read', async () => {
    await openApp(server, '/reservations', { as: 'lecture' })
    await rowOf(/Éric Dupont/)
    expect(screen.queryByRole('button', { name: /Livre numéro/ })).toBeNull()
  })

  it('is filtered by reader, title, days, status, source and what was served, and sorted by its headings', async () => {
    const admin = await server.as('admin')
    const days = { start_date: '2026-04-01', end_date: '2026-04-10' }
    await admin.post('/api/reservations', { beneficiary_id: 4, reference_id: 5, site: 1, ...days })
    await admin.put('/api/reservations/1', { status: 'confirmed' })
    await admin.post('/api/loanings', { beneficiary: 1, copy: 1 })
    await admin.put('/api/reservations/2', { status: 'refused' })
    await admin.post('/api/reservations', { beneficiary_id: 2, reference_id: 6 })
    await sql`update reservations set source = 'online' where id = 5`.execute(server.db)
    // It is fetched at another site, and is no concern of this one.
    await admin.post('/api/reservations', { beneficiary_id: 4, reference_id: 7, site: 2 })
    const page = await openApp(server, '/reservations')
    const shown = async () =>
      (await screen.findAllByRole('row')).slice(1).map(({ textContent }) => textContent)
    const shows = (...titles: RegExp[]) =>
      waitFor(async () => {
        const rows = await shown()
        expect(rows).toHaveLength(titles.length)
        for (const [at, title] of titles.entries()) expect(rows[at]).toMatch(title)
      })
    // The last asked first; whoever was served or refused is not to be served.
    await shows(/numéro 6/, /numéro 5/, /numéro 2/)
    const search = async (label: string, text: string) => {
      fireEvent.change(screen.getByRole('searchbox', { name: label }), { target: { value: text } })
      fireEvent.blur(screen.getByRole('searchbox', { name: label }))
      // The next search begins at what this one leads to.
      await waitFor(() => expect(screen.getByRole('searchbox', { name: label })).toHaveValue(text))
    }
    await search('Lecteur', 'sans')
    await shows(/numéro 5/)
    await search('Lecteur', 'martin')
    await search('Référence', 'numero 2')
    await shows(/numéro 2.*Alice Martin/)
    const at = (filters: Record<string, string>) =>
      act(() => page.router.navigate(`/reservations?${new URLSearchParams(filters)}`))
    await at({ 'start_date|gte': '2026-03-31', 'start_date|lte': '2026-04-01' })
    await shows(/numéro 5.*01\/04\/2026.*10\/04\/2026/)
    await at({ 'end_date|gte': '2026-04-11' })
    expect(await screen.findByText('Aucune réservation ne correspond à ces filtres.')).toBeVisible()
    await at({ 'source|in': 'online' })
    await shows(/numéro 6.*Site internet/)
    await at({ sort: 'reference_name:asc' })
    await shows(/numéro 2/, /numéro 5/, /numéro 6/)
    await userEvent.click(screen.getByRole('link', { name: /^Annulées et refusées/ }))
    await shows(/numéro 1.*Éric Dupont.*Refusée/)
    await userEvent.click(screen.getByRole('link', { name: /^Servies/ }))
    await shows(/numéro 1.*Alice Martin.*Servie/)
  })

  it('is exported as it is shown', async () => {
    const page = await openApp(server, '/reservations')
    await rowOf(/Éric Dupont/)
    const asked: string[] = []
    const { network } = page.device
    page.device.network = (request) => {
      const { pathname, search } = new URL(request.url)
      if (!pathname.startsWith('/api/export/')) return network(request)
      asked.push(pathname + decodeURIComponent(search))
      // A file would lead the page away.
      return Promise.resolve(new Response('{}', { status: 500 }))
    }
    await userEvent.click(await screen.findByRole('button', { name: 'Exporter' }))
    const [workbook] = await screen.findAllByRole('menuitem', { name: /xlsx|tableur|Excel/i })
    await userEvent.click(workbook!)
    await waitFor(() => expect(asked).toHaveLength(1))
    expect(asked[0]).toMatch(/^\/api\/export\/reservations\?/)
    expect(asked[0]).toMatch(/status\|in\]=waiting,confirmed/)
    expect(asked[0]).toContain('export_type=xlsx')
    expect(asked[0]).toContain('columns=reference,beneficiary,')
  })

  it('is reached from a title', async () => {
    const page = await openApp(server, '/references')
    await actionsOf('Livre numéro 2')
    await choose('Réservations')
    await waitFor(() => expect(page.address).toBe('/reservations?reference_id%7Ceq=2'))
  })
})
