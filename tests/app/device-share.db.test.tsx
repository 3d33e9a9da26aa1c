import '../support/page-globals.ts'

import { screen, waitFor, within } from '@testing-library/react'
import { afterEach, expect, it } from 'vitest'

import type { SnapshotPage } from '../../src/contract/snapshot.ts'
import { closeApp, openApp } from '../support/open-app.tsx'
import { type Network, networkTo } from '../support/page-network.ts'
import { describeServer } from '../support/test-server.ts'

afterEach(closeApp)

describeServer('the state of a device', (server) => {
  it('says how much of the library’s data the device has while it fetches them, and that it is on line only once it has all', async () => {
    const network = networkTo(server)
    const gates: (() => void)[] = []
    // A library of four pages as long as ours, each held back until it is let through.
    const held: Network = async (request) => {
      if (new URL(request.url).pathname !== '/api/snapshot') return network(request)
      await new Promise<void>((resolve) => gates.push(resolve))
      const page = (await (await network(request)).json()) as SnapshotPage
      const rows = [page.copies, page.beneficiaries, page.loanings, page.reservations].flat().length
      return Response.json(gates.length === 1 ? { ...page, complete: false, total: 4 * rows } : page)
    }
    const letThrough = async (page: number) => {
      await waitFor(() => expect(gates).toHaveLength(page))
      gates[page - 1]!()
    }
    await openApp(server, '/account', { as: 'biblio', network: held })
    const state = await within(await screen.findByRole('banner')).findByRole('status')
    await waitFor(() => expect(state).toHaveTextContent('Préparation du travail hors ligne :0 %'))
    expect(state).not.toHaveTextContent('En ligne')
    await letThrough(1)
    await waitFor(() => expect(within(state).getByText('25 %')).toBeVisible())
    expect(state).not.toHaveTextContent('En ligne')
    await letThrough(2)
    await letThrough(3)
    await waitFor(() => expect(state).toHaveTextContent('En ligne'))
    expect(state).not.toHaveTextContent('Préparation')
  })
})
