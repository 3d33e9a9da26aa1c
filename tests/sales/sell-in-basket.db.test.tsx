import '../support/page-globals.ts'

import { screen, waitFor, within } from '@testing-library/react'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, it } from 'vitest'

import { noteAnswer, noteNoAnswer } from '../../src/client/api/connection.ts'
import { refreshNow } from '../../src/client/outbox/counter-work.ts'
import { closeCounter, type Network, networkTo, noNetwork, openCounter } from '../loans/open-counter.tsx'
import { emptyTables } from '../support/empty-tables.ts'
import { press } from '../support/press.ts'
import { describeServer } from '../support/test-server.ts'

afterEach(closeCounter)

const basket = () => screen.findByRole('list', { name: 'Exemplaires du prêt' })

describeServer('a basket that sells', (server) => {
  beforeEach(async () => {
    await emptyTables(server.db, 'sales', 'loanings')
    await sql`update copies set status = 'Disponible', withdrawn_on = null, withdrawal_reason = null,
      type = case when id in (2, 3) then 'Vente' else 'Location' end, price = case when id in (2, 3) then 4 end`.execute(
      server.db,
    )
  })
  const scanned = async (page: Awaited<ReturnType<typeof openCounter>>, ...codes: string[]) => {
    await screen.findByRole('heading', { name: 'Prêter' })
    for (const code of codes) page.scan(code)
    const lines = await basket()
    await waitFor(() => expect(within(lines).getAllByRole('listitem')).toHaveLength(codes.length - 1))
    return lines
  }
  const totals = async (page: {
    client: { get(path: string): Promise<{ body: Record<string, number> }> }
  }) => {
    const [loans, sales] = await Promise.all(
      ['/api/loanings', '/api/sales'].map(
        async (path) => (await page.client.get(path)).body['hydra:totalItems'],
      ),
    )
    return { loans, sales }
  }

  it('lends and sells what is in it, each at its own price, with one press', async () => {
    const page = await openCounter('/loaning/add', server)
    const lines = await scanned(page, 'R1', '1001', '1002')
    const sale = within(lines).getByText('Livre numéro 2').closest('li')!
    expect(within(sale).getByText('Vente')).toBeVisible()
    expect(within(sale).queryByText(/Retour le/)).toBeNull()
    expect(screen.getByText(/2 exemplaires · Total 4,75/)).toBeVisible()
    await press('Enregistrer et continuer')
    expect(await screen.findByText('Articles sortis avec succès.')).toBeVisible()
    const done = await screen.findByRole('region', { name: 'Ventes enregistrées' })
    expect(done).toHaveTextContent(/Livre numéro 2.*Vendu.*Alice Martin.*4,00/)
    expect(within(done).getByRole('link', { name: 'Voir la vente' })).toHaveAttribute('href', '/sales/view/1')
    expect(await totals(page)).toEqual({ loans: 1, sales: 1 })
    expect((await page.client.get('/api/sales')).body['hydra:member'][0]).toMatchObject({
      copy: 2,
      price: '4.00',
      beneficiary: 1,
    })
    // What is gone is refused at the next scan.
    await waitFor(() => expect(screen.queryByRole('list', { name: 'Exemplaires du prêt' })).toBeNull())
    page.scan('1002')
    expect(await screen.findAllByText(/n’est pas disponible \(Non Disponible\)/)).not.toHaveLength(0)
  })

  it('speaks of no recap of loans where it sells alone', async () => {
    const page = await openCounter('/loaning/add', server)
    await scanned(page, 'R1', '1002')
    // Once a loan joins, its reader may be written to.
    page.scan('1001')
    const recap = await screen.findByLabelText('Envoyer le récapitulatif du prêt')
    await press('Retirer\u202f: Livre numéro 1')
    await waitFor(() => expect(recap).not.toBeInTheDocument())
    expect(within(await basket()).getByText('Livre numéro 2')).toBeVisible()
  })

  it('keeps on its line what the server refuses to sell, and lends the rest', async () => {
    const page = await openCounter('/loaning/add', server)
    const lines = await scanned(page, 'R3', '1002')
    // What the page before has lost may be noted late.
    noteAnswer()
    await press('Enregistrer et continuer')
    expect(await within(lines).findByRole('alert')).toHaveTextContent(
      'L’inscription a pris fin le 01/01/2020.',
    )
    // No motive sells to who has left.
    expect(within(lines).queryByRole('button', { name: 'Prêter quand même' })).toBeNull()
    expect(await totals(page)).toEqual({ loans: 0, sales: 0 })
  })

  it('sells once what it asks for again after a lost answer', async () => {
    const network = networkTo(server)
    let lost = 0
    const losing: Network = async (request) => {
      const answer = await network(request)
      if (request.method !== 'POST' || !request.url.endsWith('/api/sales') || lost > 0) return answer
      lost += 1
      throw new TypeError('Failed to fetch')
    }
    const page = await openCounter('/loaning/add', server, 'biblio', losing)
    const lines = await scanned(page, 'R1', '1002')
    await press('Enregistrer et continuer')
    expect(await within(lines).findByRole('alert')).toHaveTextContent('Le serveur ne répond pas.')
    noteAnswer()
    await press('Enregistrer et continuer')
    expect(await screen.findByRole('region', { name: 'Ventes enregistrées' })).toBeVisible()
    expect([lost, await totals(page)]).toEqual([1, { loans: 0, sales: 1 }])
  })

  it('waits for the network with its sales, and lets the loans go', async () => {
    const page = await openCounter('/loaning/add', server)
    await screen.findByRole('heading', { name: 'Prêter' })
    await refreshNow()
    page.device.network = noNetwork
    noteNoAnswer()
    const lines = await scanned(page, 'R1', '1001', '1002')
    expect(await within(lines).findByText(/Une vente demande le réseau/)).toBeVisible()
    await press('Enregistrer et continuer')
    await waitFor(() => expect(within(lines).getAllByRole('listitem')).toHaveLength(1))
    expect(within(lines).getByRole('alert')).toHaveTextContent('Une vente demande le réseau')
    page.device.network = networkTo(server)
    noteAnswer()
    await press('Enregistrer et continuer')
    expect(await screen.findByRole('region', { name: 'Ventes enregistrées' })).toBeVisible()
    await waitFor(async () => expect(await totals(page)).toEqual({ loans: 1, sales: 1 }))
  })
})
