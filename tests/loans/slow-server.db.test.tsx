import '../support/page-globals.ts'

import { screen, within } from '@testing-library/react'
import { afterEach, expect, it } from 'vitest'

import { networkTo } from '../support/page-network.ts'
import { describeServer } from '../support/test-server.ts'
import { closeCounter, openCounter } from './open-counter.tsx'

afterEach(closeCounter)

describeServer('a server that is slow', (server) => {
  it.each([
    ['/loaning/add', 'Prêter', 'Non prêtés'],
    ['/loaning/return', 'Rendre', 'Non rendus'],
  ])('leaves in sight what was scanned meanwhile, at %s', async (address, title, refused) => {
    const network = networkTo(server)
    const held: (() => void)[] = []
    const page = await openCounter(address, server, 'biblio', (request) =>
      new URL(request.url).pathname === '/api/copies'
        ? new Promise<Response>((answer) => held.push(() => answer(network(request))))
        : network(request),
    )
    await screen.findByRole('heading', { name: title })
    page.scan('INCONNU-1')
    page.scan('INCONNU-2')
    const waiting = within(await screen.findByRole('region', { name: 'En attente de réponse' }))
    expect(waiting.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
      'INCONNU-1',
      'INCONNU-2',
    ])
    // Neither is lost when the server answers, or still does not.
    const lines = within(await screen.findByRole('region', { name: refused }))
    expect(await lines.findByText('INCONNU-2')).toBeVisible()
    expect(lines.getByText('INCONNU-1')).toBeVisible()
    expect(screen.queryByRole('region', { name: 'En attente de réponse' })).toBeNull()
    held.forEach((answer) => answer())
  })
})
