import '../support/page-globals.ts'

import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, it } from 'vitest'

import { closeApp, openApp } from '../support/open-app.tsx'
import { emptyTables } from '../support/empty-tables.ts'
import { describeServer } from '../support/test-server.ts'

afterEach(closeApp)

describeServer('sales', (server) => {
  beforeEach(async () => {
    await emptyTables(server.db, 'sales', 'loanings')
    await sql`update copies set status = 'Disponible', withdrawn_on = null, withdrawal_reason = null,
      type = case when id <= 4 then 'Vente' else 'Location' end`.execute(server.db)
    const client = await server.as('admin')
    const sell = (body: object) => client.post('/api/sales', body)
    await sell({ beneficiary: 1, copy: 1, amount: '3.00', start_date: '2026-03-08' })
    await sell({ beneficiary: 2, copy: 2, amount: '12.50', relative: 1, comment: 'Braderie' })
  })
  const titles = () => screen.findAllByRole('link', { name: /^Livre numéro/ })

  it('stand by date, the last first, with who bought what, of which category and for how much', async () => {
    await openApp(server, '/sales')
    expect((await titles()).map(({ textContent }) => textContent)).toEqual([
      'Livre numéro 2',
      'Livre numéro 1',
    ])
    for (const heading of ['Lecteur', 'Référence', 'Catégorie', 'Date', 'Prix']) {
      expect(screen.getByRole('columnheader', { name: new RegExp(heading) })).toBeVisible()
    }
    const [first] = (await screen.findAllByRole('row')).slice(1)
    expect(first).toHaveTextContent(/Éric Dupont.*Livre numéro 2.*Roman.*10\/03\/2026.*12,50/)
  })

  it('are found by who bought, by what was sold and by their day', async () => {
    const page = await openApp(server, '/sales')
    expect(await titles()).toHaveLength(2)
    for (const [label, text, asked, found] of [
      ['Lecteur', 'martin', 'benefsearchname|like=martin', 'Livre numéro 1'],
      ['Exemplaire', 'numero 2', 'copysearchname|like=numero+2', 'Livre numéro 2'],
      ['Date', '08/03/2026', 'date|eq=2026-03-08', 'Livre numéro 1'],
    ] as const) {
      const isFolded = label === 'Date'
      if (isFolded) await userEvent.click(screen.getByRole('button', { name: 'Filtres' }))
      const field = await screen.findByLabelText(label, { selector: 'input' })
      fireEvent.change(field, { target: { value: text } })
      fireEvent.keyDown(field, { key: 'Enter' })
      if (isFolded) await userEvent.click(screen.getByRole('button', { name: 'Voir les résultats' }))
      await waitFor(() => expect(decodeURIComponent(page.address)).toBe(`/sales?${asked}`))
      await waitFor(async () =>
        expect((await titles()).map(({ textContent }) => textContent)).toEqual([found]),
      )
      await page.router.navigate('/sales')
      await waitFor(async () => expect(await titles()).toHaveLength(2))
    }
  })

  it('leave as a spreadsheet of the columns and filters in sight', async () => {
    const page = await openApp(server, '/sales?date%7Ceq=2026-03-08')
    expect(await titles()).toHaveLength(1)
    const asked: URLSearchParams[] = []
    const send = page.device.network
    page.device.network = (request) => {
      const { pathname, searchParams } = new URL(request.url)
      if (pathname !== '/api/export/sales') return send(request)
      asked.push(searchParams)
      // Nothing to save: a page that is no browser's would go to the file.
      return Promise.resolve(new Response('{}', { status: 500 }))
    }
    await userEvent.click(screen.getByRole('button', { name: 'Exporter' }))
    await userEvent.click(await screen.findByRole('menuitem', { name: 'Tableur (xlsx)' }))
    await waitFor(() => expect(asked).toHaveLength(1))
    expect(Object.fromEntries(asked[0]!)).toMatchObject({
      'filters[date|eq]': '2026-03-08',
      columns: 'beneficiary,reference,category,date,price',
    })
  })

  it('are seen by whoever holds LIST_SELL, and taken back by whoever sells', async () => {
    await openApp(server, '/sales', { as: 'lecture' })
    expect(await titles()).toHaveLength(2)
    expect(screen.queryByRole('button', { name: /Livre numéro 2$/ })).toBeNull()
    await closeApp()
    await sql`delete from profile_rights where right_code = 'LIST_SELL' and profile = (select id from profiles where name = 'Consultation')`.execute(
      server.db,
    )
    const { client, address } = await openApp(server, '/sales', { as: 'lecture' })
    expect(await screen.findByText(/droit/)).toBeVisible()
    expect([address, screen.queryByRole('button', { name: 'Argent' })]).toEqual(['/sales', null])
    expect((await client.get('/api/sales')).status).toBe(403)
    expect((await client.get('/api/export/sales')).status).toBe(403)
  })

  it('are looked at one by one, and those of today taken back', async () => {
    const page = await openApp(server, '/sales/view/2')
    expect(await screen.findByText('Braderie')).toBeVisible()
    expect(screen.getByRole('link', { name: 'Livre numéro 2 (1002)' })).toBeVisible()
    expect(screen.getByText('Zoé Dupont')).toBeVisible()
    await userEvent.click(await screen.findByRole('button', { name: 'Autres actions' }))
    await userEvent.click(await screen.findByRole('menuitem', { name: 'Supprimer la vente' }))
    const dialog = await screen.findByRole('dialog', { name: 'Supprimer la vente' })
    expect(dialog).toHaveTextContent('vendu à Éric Dupont (M2) pour 12,50')
    await userEvent.click(within(dialog).getByRole('button', { name: 'Valider' }))
    await waitFor(() => expect(page.address).toBe('/sales'))
    const { body } = await page.client.get('/api/copies?id|eq=2')
    expect(body['hydra:member'][0]).toMatchObject({ status_name: 'Disponible', sold_on: null })
  })

  it('of another day stay, for whoever sells too', async () => {
    await openApp(server, '/sales/view/1')
    expect(await screen.findByRole('button', { name: 'Journal' })).toBeVisible()
    expect(screen.queryByRole('button', { name: 'Autres actions' })).toBeNull()
  })

  it('say in the lists of copies since when a copy is gone, and offer nothing that would bring it back', async () => {
    await openApp(server, '/settings/copies?searchname%7Clike=1002')
    expect(await screen.findByText('Vendu le 10/03/2026')).toBeVisible()
    await userEvent.click(screen.getByRole('button', { name: /^Actions.*1002/ }))
    expect(await screen.findByRole('menuitem', { name: 'Retirer du fonds' })).toBeVisible()
    expect(screen.queryByRole('menuitem', { name: /Transférer|Rendre disponible/ })).toBeNull()
  })
})
